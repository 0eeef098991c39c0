import type { GenericSchema } from "@valibot/valibot";
import { McpServer, type McpServerOptions, StreamableHttpTransport } from "npm:mcp-lite@0.10.0";
import { bulkPayload } from "./bulk_rows.ts";
import type { Case } from "./cases.ts";
import type { OpenLane } from "./lane.ts";
import { searchFields } from "./search_fields.ts";

const echoSchema = {
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
};
const searchSchema = JSON.parse(JSON.stringify({ // one shape, as if it were written out
  type: "object",
  properties: Object.fromEntries(
    searchFields.map((field) => [field.name, { type: "string", description: field.help }]),
  ),
}));

/**
 * mcp-lite without adapters, its stateless way. A plain JSON Schema is listed and not checked; an
 * answer is JSON when `Accept` names nothing else.
 */
export const open: OpenLane = async (workload) => {
  const server = new McpServer({ name: "bench", version: "1.0.0", ...await adapter(workload) });
  await register(server, workload);
  return {
    fetch: new StreamableHttpTransport().bind(server),
    wire: "legacy",
    headers: {
      "mcp-protocol-version": "2025-06-18",
      "accept": workload.frames > 0 ? "application/json, text/event-stream" : "application/json",
    },
  };
};

async function adapter({ tools }: Case): Promise<Pick<McpServerOptions, "schemaAdapter">> {
  if (tools[0]?.kind !== "bulk-schema") return {};
  const { toJsonSchema } = await import("@valibot/to-json-schema");
  return { schemaAdapter: (schema) => toJsonSchema(schema as GenericSchema) };
}

async function register(server: McpServer, workload: Case): Promise<void> {
  for (const { name, kind, description } of workload.tools) {
    switch (kind) {
      case "echo":
        server.tool(name, {
          description,
          inputSchema: echoSchema,
          handler: ({ text }: { text: string }) => ({ content: [{ type: "text", text }] }),
        });
        break;
      case "search":
        server.tool(name, { description, inputSchema: searchSchema, handler: answerBulk });
        break;
      case "bulk":
        server.tool(name, { description, handler: answerBulk });
        break;
      case "bulk-schema": {
        const { bulkInput, bulkOutput } = await import("./bulk_schema.ts");
        server.tool(name, {
          description,
          inputSchema: bulkInput,
          outputSchema: bulkOutput,
          handler: answerBulk,
        });
        break;
      }
      case "progress":
        server.tool(name, {
          description,
          handler: async (_args, { progress }) => {
            for (let i = 1; i <= 100; i++) await progress?.({ progress: i, total: 100 });
            return { content: [{ type: "text", text: "done" }] };
          },
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
