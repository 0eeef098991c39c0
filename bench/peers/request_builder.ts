import type { Case } from "./cases.ts";
import type { Lane } from "./lane.ts";

const legacyHeaders = {
  "content-type": "application/json",
  "accept": "application/json, text/event-stream",
  "mcp-protocol-version": "2025-11-25",
};

function modernHeaders({ method, tool }: Case): Readonly<Record<string, string>> {
  return {
    ...legacyHeaders,
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(tool === "" ? {} : { "mcp-name": tool }),
  };
}

function messageParams(workload: Case, wire: Lane["wire"]): Readonly<Record<string, unknown>> {
  const meta = {
    ...(wire === "modern"
      ? {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      }
      : {}),
    ...(workload.frames > 0 ? { progressToken: "p1" } : {}),
  };
  return {
    ...(workload.tool === "" ? {} : { name: workload.tool, arguments: workload.arguments }),
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
  };
}

/**
 * Prepares the request of a case as the lane's wire spells it. `Content-Length` is set, as every
 * HTTP client would; ids have seven digits, so that it is the same for all.
 *
 * @param workload The case.
 * @param lane The lane that is spoken to.
 * @returns A function that makes a fresh request with a given id.
 */
export function requestBuilder(workload: Case, lane: Lane): (id: number) => Request {
  const params = JSON.stringify(messageParams(workload, lane.wire));
  const tail = `,"method":"${workload.method}","params":${params}}`;
  const body = (id: number): string => `{"jsonrpc":"2.0","id":${id}${tail}`;
  const headers = {
    ...(lane.wire === "modern" ? modernHeaders(workload) : legacyHeaders),
    ...lane.headers,
    "content-length": String(new TextEncoder().encode(body(1_000_000)).byteLength),
  };
  return (id) => new Request("http://127.0.0.1/mcp", { method: "POST", headers, body: body(id) });
}
