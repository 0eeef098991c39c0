import { ConfigurationError } from "../../ports/configuration_error.ts";
import type { Operation } from "../../kernel/operation.ts";
import { isJsonObject, type JsonObject, ownValue } from "../../protocol/json.ts";
import { ToolResult } from "../../present/tool_result.ts";

/** Works out the URIs that one call invalidates, each once, from its result and its arguments. */
export type Invalidation = (value: unknown, args: unknown) => readonly string[];

/** A literal, or a variable in braces. */
type Piece = string | { readonly name: string; readonly isPath: boolean };

/**
 * Reads the option `invalidates` of a tool (S-20).
 *
 * A variable is a field of the result or, where the result has none of the name, an argument that the
 * tool ran with. A template of which a variable is missing or null says nothing; a list has no fields.
 *
 * @param templates URIs with `{var}`, or `{+var}` that may hold `/`; values are percent-encoded.
 * @throws {ConfigurationError} when one is no such template, or names what neither the declared output
 * nor the arguments have.
 */
export function readInvalidation(
  templates: unknown,
  operation: Operation,
  where: string,
): Invalidation | undefined {
  if (templates === undefined) return undefined;
  const fail = (problem: string): never => {
    throw new ConfigurationError(`Cannot register ${where}: invalidates ${problem}`);
  };
  if (!Array.isArray(templates) || templates.length === 0) fail("must be a list of URI templates");
  const known = knownNames(operation);
  const parsed = (templates as readonly unknown[]).map((template) => {
    if (typeof template !== "string" || !/^[A-Za-z][A-Za-z0-9+.-]*:/.test(template)) {
      return fail(`holds ${JSON.stringify(template)}: each must be a URI, such as notes://{id}`);
    }
    const pieces = readPieces(template);
    if (pieces === undefined) return fail(`holds ${template}: only {var} and {+var} are served`);
    for (const piece of pieces) {
      if (typeof piece === "object" && known?.has(piece.name) === false) {
        fail(`names "${piece.name}", which is neither in the output nor an argument`);
      }
    }
    return pieces;
  });
  return (value, args) => {
    const sources = [fieldsOf(value), fieldsOf(args)];
    return [...new Set(parsed.flatMap((pieces) => render(pieces, sources) ?? []))];
  };
}

/** Every name that a variable can have; `undefined` where that is open. */
function knownNames(operation: Operation): ReadonlySet<string> | undefined {
  const { outputSchema, inputSchema, parameterNames, spec } = operation;
  if (outputSchema === undefined || !isJsonObject(outputSchema.properties)) return undefined;
  if (spec.inputData !== undefined || spec.provide !== undefined) return undefined;
  const taken = isJsonObject(inputSchema.properties) ? inputSchema.properties : {};
  return new Set([
    ...Object.keys(outputSchema.properties),
    ...Object.keys(taken),
    ...parameterNames,
  ]);
}

function readPieces(template: string): readonly Piece[] | undefined {
  const pieces: Piece[] = [];
  for (const part of template.split(/(\{\+?\w+\})/)) {
    const [, operator, name] = /^\{(\+?)(\w+)\}$/.exec(part) ?? [];
    if (name !== undefined) pieces.push({ name, isPath: operator === "+" });
    else if (/[{}]/.test(part)) return undefined;
    else pieces.push(part);
  }
  return pieces;
}

function fieldsOf(value: unknown): JsonObject {
  const fields = value instanceof ToolResult ? value.options.structuredContent : value;
  return isJsonObject(fields) ? fields : {};
}

function render(pieces: readonly Piece[], sources: readonly JsonObject[]): string | undefined {
  let uri = "";
  for (const piece of pieces) {
    if (typeof piece === "string") uri += piece;
    else {
      const text = textOf(find(piece.name, sources));
      if (text === undefined) return undefined;
      const segments = piece.isPath ? text.split("/") : [text];
      uri += segments.map(encodeURIComponent).join("/");
    }
  }
  return uri;
}

/** A result that has the field decides, also by null. */
function find(name: string, sources: readonly JsonObject[]): unknown {
  for (const source of sources) {
    const value = ownValue(source, name);
    if (value !== undefined) return value;
  }
  return undefined;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value.toWellFormed();
  return ["number", "boolean", "bigint"].includes(typeof value) ? String(value) : undefined;
}
