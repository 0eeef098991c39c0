import { ErrorCode } from "../../protocol/error_code.ts";
import { isJsonObject, type JsonObject, ownValue } from "../../protocol/json.ts";
import type { RpcMessage } from "../../protocol/json_rpc.ts";
import { MetaKey } from "../../protocol/meta_key.ts";
import { decodeMirrored } from "../../protocol/mirrored_value.ts";
import type { Refusal, RefusalReason } from "../../protocol/refusal.ts";
import type { RpcError } from "../../protocol/rpc_error.ts";
import type { Era, Route } from "../era.ts";
import type { Inbound } from "../inbound.ts";
import { isModernRevision, MODERN_REVISIONS } from "./modern_revisions.ts";

/** Which field of the body the `Mcp-Name` header mirrors, by method. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/cancel", "taskId"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tools/call", "name"],
]);

/**
 * Reads the envelope of a modern request and holds the mirrored headers against the body.
 *
 * @returns The route, or why the request is turned away.
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation}
 */
export function readRequestEnvelope(inbound: Inbound, era: Era): Route | Refusal {
  const { message } = inbound;
  const meta = message.params._meta as JsonObject;
  const revision = ownValue(meta, MetaKey.protocolVersion) as string;
  const clientCapabilities = ownValue(meta, MetaKey.clientCapabilities);
  if (!isJsonObject(clientCapabilities)) {
    return refuseEnvelope(message, `_meta["${MetaKey.clientCapabilities}"] must be an object`);
  }
  const mismatch = message.id === undefined ? undefined : findMismatch(inbound, revision);
  if (mismatch !== undefined) {
    return refuse("header-mismatch", message, {
      code: ErrorCode.headerMismatch,
      message: `Header mismatch: ${mismatch}`,
    });
  }
  if (!isModernRevision(revision)) {
    return refuse("unsupported-version", message, {
      code: ErrorCode.unsupportedProtocolVersion,
      message: "Unsupported protocol version",
      data: { supported: MODERN_REVISIONS, requested: revision.slice(0, 64) },
    });
  }
  return { era, message, revision, clientCapabilities };
}

/** Refuses a request whose envelope is malformed. */
export function refuseEnvelope(message: RpcMessage, problem: string): Refusal {
  return refuse("envelope", message, {
    code: ErrorCode.invalidParams,
    message: `Invalid request envelope: ${problem}`,
  });
}

function findMismatch(
  { message: { method, params }, version, headers }: Inbound,
  revision: string,
): string | undefined {
  if (version !== revision) return describe("MCP-Protocol-Version", version);
  const mirroredMethod = headers.get("mcp-method");
  if (mirroredMethod !== method) return describe("Mcp-Method", mirroredMethod);
  const field = NAMED_BY.get(method);
  const name = field === undefined ? undefined : ownValue(params, field);
  if (typeof name !== "string") return undefined; // the method itself names what is wrong
  const mirrored = headers.get("mcp-name");
  if (mirrored === name && !mirrored.startsWith("=?base64?")) return undefined;
  if (mirrored === null || decodeMirrored(mirrored) !== name) return describe("Mcp-Name", mirrored);
  return undefined;
}

function describe(header: string, value: string | null): string {
  return value === null ? `${header} is missing` : `${header} does not match the body`;
}

function refuse(refused: RefusalReason, { id }: RpcMessage, error: RpcError): Refusal {
  return { refused, status: 400, error, ...(id === undefined ? {} : { id }) };
}
