import type * as limen from "../../mod.ts";
import { bulkPayload } from "./bulk_rows.ts";
import type { Lane, LaneName, OpenLane } from "./lane.ts";
import { searchFields } from "./search_fields.ts";
import type { Tool } from "./tool.ts";

/** What the lanes use of the library. */
type Library = Pick<typeof limen, "McpServer" | "param" | "unrestricted">;

/** Makes the lanes: `limen-modern`, `limen-legacy` without a session, `limen-session` with a sealed one. */
export function createOpen(library: Library): OpenLane {
  return async (workload, name) => {
    const server = new library.McpServer({
      name: "bench",
      version: "1.0.0",
      pageSize: 1000,
      ...(name === "limen-session" ? { secret: "a secret of the bench, 32 bytes long" } : {}),
    });
    for (const tool of workload.tools) await register(server, tool, library);
    const fetch = (request: Request): Promise<Response> => server.fetch(request);
    return await openWire(fetch, name);
  };
}

async function openWire(fetch: Lane["fetch"], name: LaneName): Promise<Lane> {
  if (name === "limen-modern" || name === "limen-published") return { fetch, wire: "modern" };
  if (name === "limen-legacy") return { fetch, wire: "legacy" };
  const session = await openSession(fetch);
  return { fetch, wire: "legacy", headers: { "mcp-session-id": session } };
}

async function openSession(fetch: Lane["fetch"]): Promise<string> {
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1.0.0" },
  };
  const response = await fetch(
    new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
    }),
  );
  await response.body?.cancel();
  const session = response.headers.get("mcp-session-id");
  if (session === null) throw new Error("No session was opened");
  return session;
}

async function register(
  server: limen.McpServer,
  { name, kind, description }: Tool,
  { param, unrestricted }: Library,
): Promise<void> {
  const options = { description, effect: "read", permissions: [unrestricted] } as const;
  switch (kind) {
    case "echo": {
      const reads = { text: param.string({ required: true }) };
      server.tool(name, { ...options, reads }, ({ args }) => args.text);
      break;
    }
    case "search": {
      const reads = Object.fromEntries(
        searchFields.map((field) => [field.name, param.string({ help: field.help })]),
      );
      server.tool(name, { ...options, reads }, () => "");
      break;
    }
    case "bulk":
      server.tool(name, options, () => bulkPayload);
      break;
    case "bulk-schema": {
      const { toStandardJsonSchema } = await import("@valibot/to-json-schema");
      const { bulkInput, bulkOutput } = await import("./bulk_schema.ts");
      const input = toStandardJsonSchema(bulkInput);
      const output = toStandardJsonSchema(bulkOutput);
      server.tool(name, { ...options, input, output }, () => bulkPayload);
      break;
    }
    case "progress":
      server.tool(name, options, ({ progress }) => {
        for (let i = 1; i <= 100; i++) progress(i, { total: 100 });
        return "done";
      });
      break;
  }
}
