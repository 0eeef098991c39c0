import { ConfigurationError } from "../ports/configuration_error.ts";
import type { JsonSchema } from "./json_schema_document.ts";
import { walkJsonSchema } from "./walk_json_schema.ts";

/** An argument that the client repeats in an HTTP header. */
export interface MirroredHeader {
  /** The header's name in lower case, such as `mcp-param-region`. */
  readonly header: string;
  /** Where the argument is. */
  readonly path: readonly string[];
  /** The argument's type. */
  readonly type: "string" | "integer" | "boolean";
}

const KEYWORD = "x-mcp-header";
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Finds the arguments that are mirrored into headers.
 *
 * A client must drop a tool whose annotations break a rule, so a broken one is refused here.
 *
 * @param schema The input schema as it is listed.
 * @param where Whose it is, for errors: `tool "a"`.
 * @returns The headers, in the order of the schema.
 * @throws {ConfigurationError} when a name is no token or comes twice, an argument is no string,
 * integer or boolean, or it is not reached through `properties` alone.
 * @see The MCP specification 2026-07-28, Streamable HTTP, Schema Extension.
 *
 * @example
 * ```ts
 * import { findMirroredHeaders } from "./mirrored_headers.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const region = { type: "string", "x-mcp-header": "Region" };
 * assertEquals(findMirroredHeaders({ type: "object", properties: { region } }, 'tool "a"'), [
 *   { header: "mcp-param-region", path: ["region"], type: "string" },
 * ]);
 * ```
 */
export function findMirroredHeaders(schema: JsonSchema, where: string): readonly MirroredHeader[] {
  const found = new Map<string, MirroredHeader>();
  for (const { schema: one, path } of walkJsonSchema(schema)) {
    if (!Object.hasOwn(one, KEYWORD)) continue;
    const refuse = (why: string): never => {
      const place = path.length === 0 ? "its root" : path.join(".");
      throw new ConfigurationError(
        `Cannot mirror an argument of ${where} into a header: ${place} ${why}`,
      );
    };
    const name = one[KEYWORD];
    if (typeof name !== "string" || !TOKEN.test(name)) {
      return refuse(`needs an HTTP token as ${KEYWORD}`);
    }
    const isReachable = path.length > 0 && path.length % 2 === 0 &&
      path.every((key, index) => index % 2 === 1 || key === "properties");
    if (!isReachable) refuse("is not reached through properties alone");
    const { type } = one;
    if (type !== "string" && type !== "integer" && type !== "boolean") {
      return refuse("is neither string, integer nor boolean");
    }
    const header = `mcp-param-${name.toLowerCase()}`;
    if (found.has(header)) refuse(`repeats the header ${header}`);
    found.set(header, { header, path: path.filter((_, index) => index % 2 === 1), type });
  }
  return [...found.values()];
}
