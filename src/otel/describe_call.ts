import type { Attributes } from "@opentelemetry/api";
import type { Call } from "../features/call.ts";

/** A call in the words of the conventions. */
export interface CallDescription {
  /** The span's name. */
  readonly name: string;
  /** What has few values: for spans and metrics. */
  readonly labels: Attributes;
  /** What has many: for spans alone. */
  readonly details: Attributes;
}

/** What a method is about, by the attribute that names it. */
const TARGETS: ReadonlyMap<string, string> = new Map([
  ["prompts/get", "gen_ai.prompt.name"],
  ["resources/read", "mcp.resource.uri"],
  ["tools/call", "gen_ai.tool.name"],
]);

const UNKNOWN = "(unknown)";
const MAX_ID_LENGTH = 64;

/**
 * Describes a call before it runs.
 *
 * @param target The registered name that is asked for, or a resource's declared URI: what a caller
 * makes up is `(unknown)`, so that nobody fills a backend with names (B22).
 */
export function describeCall(call: Call, target: string | undefined): CallDescription {
  const { method, id, revision, session, request } = call;
  const attribute = TARGETS.get(method);
  const isNamed = attribute?.startsWith("gen_ai.") === true;
  const named = attribute === undefined ? {} : { [attribute]: target ?? UNKNOWN };
  return {
    name: isNamed ? `${method} ${target ?? UNKNOWN}` : method,
    labels: {
      "mcp.method.name": method,
      ...(isNamed ? named : {}),
      ...(method === "tools/call" ? { "gen_ai.operation.name": "execute_tool" } : {}),
      ...(revision === "" ? {} : { "mcp.protocol.version": revision }),
      ...(request === undefined
        ? {}
        : { "network.transport": "tcp", "network.protocol.name": "http" }),
    },
    details: {
      ...(isNamed ? {} : named),
      ...(id === undefined ? {} : { "jsonrpc.request.id": String(id).slice(0, MAX_ID_LENGTH) }),
      ...(session === undefined ? {} : { "mcp.session.id": session }),
    },
  };
}
