import type { Call } from "../peers/call_of.ts";
import { requestBuilder } from "../peers/request_builder.ts";
import { connect } from "./connect.ts";
import { deviceRows } from "./device_rows.ts";
import { createDeviceServer, type LeanCase } from "./lean_cases.ts";

/** A case that is served on a port of its own. */
export interface OpenCase {
  /** Size of the JSON that a model reads. */
  readonly bytes: number;
  /** One call over loopback, its answer parsed. */
  readonly call: Call;
}

/**
 * Serves a case, and verifies its answer: a fast refusal must not look like a fast server.
 *
 * @param one The case.
 * @param count How many devices are created.
 */
export async function openCase(one: LeanCase, count: number): Promise<OpenCase> {
  const { fetch: handle } = createDeviceServer(deviceRows(count), one.server);
  const served = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handle);
  const items = Array.from({ length: count }, (_, i) => ({ name: `edge-${i}` }));
  const workload = {
    tools: [],
    method: "tools/call",
    tool: "create",
    arguments: { items, ...one.args },
    frames: 0,
  } as const;
  const request = requestBuilder(workload, { fetch: handle, wire: "modern" })(1_000_000);
  const client = await connect(served.addr.port, request);
  const response = await client.call();
  const { structuredContent, isError } = response.result as Record<string, unknown>;
  if (isError === true) throw new Error(`Cannot measure: ${JSON.stringify(response)}`);
  const bytes = new TextEncoder().encode(JSON.stringify(structuredContent)).length;
  return { bytes, call: async () => void await client.call() };
}
