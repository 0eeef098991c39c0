import * as v from "@valibot/valibot";
import { ValibotJsonSchemaAdapter } from "npm:@tmcp/adapter-valibot@0.1.6";
import { HttpTransport } from "npm:@tmcp/transport-http@0.9.0";
import { McpServer } from "npm:tmcp@1.20.0";
import { bulkPayload } from "./bulk_rows.ts";
import type { Case } from "./cases.ts";
import type { OpenLane } from "./lane.ts";
import { searchFields } from "./search_fields.ts";

/** tmcp with its HTTP transport and its valibot adapter, spoken to in the 2026 revision. */
export const open: OpenLane = async (workload) => {
  const server = new McpServer(
    { name: "bench", version: "1.0.0", description: "A server to measure" },
    { adapter: new ValibotJsonSchemaAdapter(), capabilities: { tools: {} } },
  );
  await register(server, workload);
  const transport = new HttpTransport(server, { path: null });
  return {
    fetch: async (request) => await transport.respond(request) ?? Response.error(),
    wire: "modern",
  };
};

function searchSchema() {
  return v.object(Object.fromEntries(
    searchFields.map((f) => [f.name, v.optional(v.pipe(v.string(), v.description(f.help)))]),
  ));
}

async function register(server: McpServer<v.GenericSchema>, workload: Case): Promise<void> {
  for (const { name, kind, description } of workload.tools) {
    switch (kind) {
      case "echo":
        server.tool(
          { name, description, schema: v.object({ text: v.string() }) },
          ({ text }: { text: string }) => ({ content: [{ type: "text", text }] }),
        );
        break;
      case "search":
        server.tool({ name, description, schema: searchSchema() }, answerUnchecked);
        break;
      case "bulk":
        server.tool({ name, description }, answerUnchecked);
        break;
      case "bulk-schema": {
        const { bulkInput, bulkOutput } = await import("./bulk_schema.ts");
        server.tool({ name, description, schema: bulkInput, outputSchema: bulkOutput }, answerBulk);
        break;
      }
      case "progress":
        server.tool({ name, description }, () => {
          for (let i = 1; i <= 100; i++) server.progress(i, 100);
          return { content: [{ type: "text", text: "done" }] };
        });
        break;
    }
  }
}

function answerBulk() {
  return {
    content: [{ type: "text" as const, text: JSON.stringify(bulkPayload) }],
    structuredContent: { ...bulkPayload },
  };
}

/** The types of tmcp allow `structuredContent` with an output schema only; it is served without. */
const answerUnchecked: () => { content: { type: "text"; text: string }[] } = answerBulk;
