import { EdgeFastMCP } from "npm:fastmcp@4.20.16/edge";
import * as z from "zod";
import { bulkPayload } from "./bulk_rows.ts";
import type { OpenLane } from "./lane.ts";
import { searchFields } from "./search_fields.ts";
import type { Tool } from "./tool.ts";

/** fastmcp's edge handler: stateless, JSON only, text content only. */
export const open: OpenLane = (workload) => {
  const server = new EdgeFastMCP({ name: "bench", version: "1.0.0" });
  for (const tool of workload.tools) register(server, tool);
  return { fetch: (request) => server.fetch(request), wire: "legacy" };
};

function searchSchema() {
  return z.object(Object.fromEntries(
    searchFields.map((field) => [field.name, z.string().describe(field.help).optional()]),
  ));
}

function register(server: EdgeFastMCP, { name, kind, description }: Tool): void {
  switch (kind) {
    case "echo":
      return void server.addTool({
        name,
        description,
        parameters: z.object({ text: z.string() }),
        execute: ({ text }: { text: string }) => Promise.resolve(text),
      });
    case "search":
      return void server.addTool({
        name,
        description,
        parameters: searchSchema(),
        execute: () => Promise.resolve(""),
      });
    case "bulk":
      return void server.addTool({
        name,
        description,
        execute: () => Promise.resolve(JSON.stringify(bulkPayload)),
      });
    case "bulk-schema":
      throw new Error("No output schemas");
    case "progress":
      throw new Error("No progress notifications");
  }
}
