import { ConfigurationError } from "../../ports/configuration_error.ts";
import { findStray } from "../../ports/find_stray.ts";
import { serialize } from "../../present/serialize.ts";
import { isJsonObject } from "../../protocol/json.ts";
import type { Principal } from "../../ports/principal.ts";
import type { ContentAnnotations } from "../../protocol/content.ts";
import type { Descriptor } from "../check_descriptor.ts";
import type { Completers } from "../completer.ts";
import type { GateOptions } from "../read_gate.ts";
import type { Encoding } from "./encode_contents.ts";

/** How a spec is served as a resource. */
export interface ResourceOptions<User extends Principal = Principal>
  extends Descriptor, GateOptions {
  /**
   * Its URI, unique on the server; or a template of URIs, whose variables are `reads` of the spec:
   * `{var}`, `{+var}` that may hold `/`, and `{?a,b}` at the end.
   */
  readonly uri: string;
  /** Programmatic name. */
  readonly name: string;
  /**
   * What a value becomes: JSON text, a string verbatim, bytes as base64, or what each
   * `resourceContents()` says of itself. Default `"json"`.
   */
  readonly encoding?: Encoding;
  /**
   * Media type. Default: JSON, plain text or `application/octet-stream` by the encoding, and none
   * for `"contents"`.
   */
  readonly mimeType?: string;
  /** Size of the contents in bytes, where it is known. Default: not said. */
  readonly size?: number;
  /** Hints for the client. Default: none. */
  readonly annotations?: ContentAnnotations;
  /** Listed to every caller, whatever scopes and permissions say. Default `false`. */
  readonly alwaysListed?: boolean;
  /** How long a client may keep what it read, in milliseconds. Default: the server's. */
  readonly cacheTtlMs?: number;
  /** Suggests values of the template's variables. Default: none. */
  readonly complete?: Completers<User>;
  /** Ceiling of the encoded result in bytes. Default: the server's. */
  readonly maxResultBytes?: number;
}

const KNOWN: readonly (keyof ResourceOptions)[] = [
  "alwaysListed",
  "annotations",
  "cacheTtlMs",
  "complete",
  "description",
  "encoding",
  "icons",
  "maxResultBytes",
  "meta",
  "mimeType",
  "name",
  "rateLimits",
  "scopes",
  "size",
  "title",
  "uri",
];

/**
 * Checks what an author without types can get wrong about a resource.
 *
 * @param options The options.
 * @param where Whose they are, for errors: `resource "a"`.
 * @throws {ConfigurationError} when an option is wrong, naming it.
 */
export function checkResourceOptions(options: ResourceOptions, where: string): void {
  const fail = (problem: string): never => {
    throw new ConfigurationError(`Cannot register ${where}: ${problem}`);
  };
  const stray = findStray(options, KNOWN, "an option of a resource");
  if (stray !== undefined) fail(stray);
  const { annotations, encoding = "json", mimeType, uri }: Readonly<Record<string, unknown>> = {
    ...options,
  };
  if (typeof uri !== "string") fail("uri must be a text");
  if (!["json", "text", "blob", "contents"].includes(encoding as string)) {
    fail("encoding must be one of json, text, blob, contents");
  }
  if (mimeType !== undefined && (typeof mimeType !== "string" || mimeType === "")) {
    fail("mimeType must be a text that is not empty");
  }
  for (const [key, minimum] of [["cacheTtlMs", 0], ["maxResultBytes", 1], ["size", 0]] as const) {
    const value = options[key];
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= minimum)) {
      fail(`${key} must be an integer of at least ${minimum}`);
    }
  }
  if (annotations === undefined) return;
  if (!isJsonObject(annotations)) fail("annotations must be an object");
  serialize(annotations);
}
