import * as z from "zod";
import { McpServer, serviceSpec, unrestricted } from "../../mod.ts";
import { memoryStore } from "../../src/stores/memory_store.ts";
import type { DeviceRow } from "./device_rows.ts";

/** One way to answer a bulk write. */
export interface LeanCase {
  /** `echo`, `outcome1`, `outcome2` or `verify`. */
  readonly name: string;
  /** Options of the server. */
  readonly server: { readonly leanWrites?: boolean; readonly continuationTool?: string };
  /** Arguments beside the items. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** Every way, the one that repeats what was written first. */
export const LEAN_CASES: readonly LeanCase[] = [
  { name: "echo", server: { leanWrites: false }, args: {} },
  { name: "outcome1", server: { continuationTool: "continuations_read" }, args: {} },
  { name: "outcome2", server: {}, args: {} },
  { name: "verify", server: {}, args: { verify: true } },
];

/**
 * Makes a server with the tool `create`, which answers these rows for whatever is sent.
 *
 * @param rows What was written.
 * @param options Options of the server.
 */
export function createDeviceServer(
  rows: readonly DeviceRow[],
  options: LeanCase["server"],
): McpServer {
  const server = new McpServer({
    name: "bench",
    version: "1.0.0",
    auth: { authenticate: () => ({ user: { id: "ada", authenticated: true } }) },
    // No caller keeps so much within five minutes as a bench does: the store drops the oldest.
    continuations: { maxBytesPerCaller: Number.MAX_SAFE_INTEGER },
    stores: memoryStore({ maxBytes: 8 << 20 }),
    ...options,
  });
  const spec = serviceSpec({
    action: "create",
    many: true,
    input: z.object({ name: z.string() }),
    permissions: [unrestricted],
    run: () => Promise.resolve(rows), // a database takes its time
  });
  server.registerTool(spec, { name: "create", description: "Creates devices." });
  return server;
}
