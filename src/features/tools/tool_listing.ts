import type { Operation } from "../../kernel/operation.ts";
import { serialize } from "../../present/serialize.ts";
import type { ToolAnnotations } from "../../protocol/descriptors.ts";
import { isJsonObject, type JsonObject } from "../../protocol/json.ts";
import type { RenderedConventions } from "../conventions.ts";
import type { ToolOptions } from "./tool_options.ts";

/** A tool as it is listed: JSON text, and what differs by era or by what a dispatcher hides. */
export interface ToolListing {
  /** Everything but the hints and the output schema: members without braces. */
  readonly members: string;
  /** The hints; of a dispatcher, they follow from its tools. */
  readonly annotations: ToolAnnotations;
  /** The output schema, if one is advertised. */
  readonly outputSchema: JsonObject | undefined;
}

/** What the server adds to a listing. */
export interface ListingOptions {
  readonly conventions: RenderedConventions;
  readonly isPaged: boolean;
  readonly outputSchema: JsonObject | undefined;
}

/** Writes the entry of `tools/list` once, at registration (L-2). */
export function describeTool(
  options: ToolOptions,
  operation: Operation,
  { conventions, isPaged, outputSchema }: ListingOptions,
): ToolListing {
  const { name, title, icons, annotations, meta } = options;
  const entry = {
    name,
    title,
    description: describe(options, operation, conventions),
    icons: icons?.length === 0 ? undefined : icons,
    inputSchema: isPaged ? noteShapes(operation, conventions) : operation.inputSchema,
    _meta: meta === undefined || Object.keys(meta).length === 0 ? undefined : meta,
  };
  return {
    members: serialize(entry).slice(1, -1),
    annotations: { ...derivedHints(operation), ...annotations },
    outputSchema,
  };
}

/** A tool whose output carries a handle says how handles are used (M-41). */
function describe(
  { description }: ToolOptions,
  { audience }: Operation,
  { handleLine }: RenderedConventions,
): string | undefined {
  const own = description?.trim() ? description : undefined;
  if (audience?.hasHandle !== true || handleLine === undefined) return own;
  const identify = audience.label === undefined
    ? ""
    : `Identify records by \`${audience.label}\`. `;
  return `${own ?? ""} ${identify}${handleLine}`.trim();
}

/** Writes an output schema in the form of an era; `undefined` leaves it out. */
export type OutputSchemaWriter = (schema: JsonObject) => JsonObject | undefined;

/** Writes the entry as JSON text. */
export function writeListing(
  { members, annotations, outputSchema }: ToolListing,
  writeSchema: OutputSchemaWriter,
): string {
  const schema = outputSchema && writeSchema(outputSchema);
  const output = schema === undefined ? "" : `,"outputSchema":${serialize(schema)}`;
  return `{${members},"annotations":${serialize(annotations)}${output}}`;
}

/** The description of each shape of a paged tool says where it applies (K-49). */
function noteShapes(
  { inputSchema, spec }: Operation,
  { queryParamOnPages: note }: RenderedConventions,
): JsonObject {
  const { properties } = inputSchema;
  if (note === undefined || !isJsonObject(properties)) return inputSchema;
  const noted: Record<string, unknown> = { ...properties };
  for (const name of Object.keys(spec.shapes)) {
    const shape = noted[name];
    if (!isJsonObject(shape)) continue;
    const own = typeof shape.description === "string" ? `${shape.description} ` : "";
    noted[name] = { ...shape, description: own + note };
  }
  return { ...inputSchema, properties: noted };
}

/** What follows from the spec (M-1, M-3). */
function derivedHints({ spec }: Operation): ToolAnnotations {
  if (spec.kind !== "service") return { readOnlyHint: true };
  const { idempotent, action } = spec;
  return {
    readOnlyHint: false,
    destructiveHint: action !== "create",
    ...(idempotent === undefined ? {} : { idempotentHint: idempotent }),
  };
}
