import * as z from "zod";
import { createMcpHandler, McpServer } from "npm:@modelcontextprotocol/server@2.4.0";
import { bulkPayload } from "./bulk_rows.ts";
import type { OpenLane } from "./lane.ts";
import { searchFields } from "./search_fields.ts";
import type { Tool } from "./tool.ts";

type Register = (server: McpServer) => void;

/**
 * The official SDK with its fetch handler, in both eras. It builds a server per request; the
 * schemas are made once, outside.
 */
export const open: OpenLane = async (workload, name) => {
  const registrations = await Promise.all(workload.tools.map(registration));
  const { fetch } = createMcpHandler(() => {
    const server = new McpServer({ name: "bench", version: "1.0.0" });
    for (const register of registrations) register(server);
    return server;
  });
  return { fetch: (request) => fetch(request), wire: name === "sdk2-modern" ? "modern" : "legacy" };
};

function searchSchema() {
  return z.object(Object.fromEntries(
    searchFields.map((field) => [field.name, z.string().describe(field.help).optional()]),
  ));
}

async function registration({ name, kind, description }: Tool): Promise<Register> {
  switch (kind) {
    case "echo": {
      const inputSchema = z.object({ text: z.string() });
      return (server) => {
        server.registerTool(name, { description, inputSchema }, ({ text }) => ({
          content: [{ type: "text", text }],
        }));
      };
    }
    case "search": {
      const inputSchema = searchSchema();
      return (server) => {
        server.registerTool(name, { description, inputSchema }, answerBulk);
      };
    }
    case "bulk":
      return (server) => {
        server.registerTool(name, { description }, answerBulk);
      };
    case "bulk-schema": {
      const { toStandardJsonSchema } = await import("@valibot/to-json-schema");
      const { bulkInput, bulkOutput } = await import("./bulk_schema.ts");
      const config = {
        description,
        inputSchema: toStandardJsonSchema(bulkInput),
        outputSchema: toStandardJsonSchema(bulkOutput),
      };
      return (server) => {
        server.registerTool(name, config, answerBulk);
      };
    }
    case "progress":
      return (server) => {
        server.registerTool(name, { description }, async ({ mcpReq }) => {
          const progressToken = mcpReq._meta?.progressToken ?? "";
          for (let progress = 1; progress <= 100; progress++) {
            const params = { progressToken, progress, total: 100 };
            await mcpReq.notify({ method: "notifications/progress", params });
          }
          return { content: [{ type: "text", text: "done" }] };
        });
      };
  }
}

function answerBulk() {
  return {
    content: [{ type: "text" as const, text: JSON.stringify(bulkPayload) }],
    structuredContent: { ...bulkPayload },
  };
}
