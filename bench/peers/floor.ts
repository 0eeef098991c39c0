import { bulkPayload } from "./bulk_rows.ts";
import type { Case } from "./cases.ts";
import type { OpenLane } from "./lane.ts";
import type { Answer } from "./read_answer.ts";
import { searchFields } from "./search_fields.ts";
import type { Tool } from "./tool.ts";

type Handler = (request: Request) => Promise<Response>;
type Call = {
  readonly id: number;
  readonly params: {
    readonly arguments: { readonly text: string };
    readonly _meta: { readonly progressToken: string };
  };
};
type Result = Readonly<Record<string, unknown>>;

/**
 * The bare handler beside a lane: reads the request with `request.json()`, does what the tool does
 * and answers the same bytes with `Response.json()`, or, with progress, with a bare event stream.
 *
 * @param workload The case.
 * @param answer What the lane answered; its result is the template.
 * @returns The handler.
 */
export function floorHandler(workload: Case, answer: Answer): Handler {
  const result = answer.response.result as Result;
  switch (workload.tools[0]?.kind) {
    case "progress":
      return async (request) => streamFrames(await request.json(), workload.frames, result);
    case "bulk":
    case "bulk-schema":
      return async (request) => reply(await request.json(), { ...result, ...bulkContent(result) });
    default:
      return workload.method === "tools/list"
        ? async (request) => reply(await request.json(), result)
        : async (request) => {
          const call: Call = await request.json();
          return reply(call, { ...result, content: textContent(call.params.arguments.text) });
        };
  }
}

function reply(call: Call, result: Result): Response {
  return Response.json({ jsonrpc: "2.0", id: call.id, result });
}

function textContent(text: string): readonly unknown[] {
  return [{ type: "text", text }];
}

function bulkContent({ structuredContent }: Result): Result {
  const content = textContent(JSON.stringify(bulkPayload));
  return structuredContent === undefined
    ? { content }
    : { content, structuredContent: bulkPayload };
}

function streamFrames(call: Call, frames: number, result: Result): Response {
  const encoder = new TextEncoder();
  const frame = (message: unknown): Uint8Array =>
    encoder.encode(`data: ${JSON.stringify(message)}\n\n`);
  const { progressToken } = call.params._meta;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let progress = 1; progress <= frames; progress++) {
        const params = { progressToken, progress, total: frames };
        controller.enqueue(frame({ jsonrpc: "2.0", method: "notifications/progress", params }));
      }
      controller.enqueue(frame({ jsonrpc: "2.0", id: call.id, result }));
      controller.close();
    },
  });
  return new Response(stream, { headers: { "content-type": "text/event-stream" } });
}

function listedTool({ name, kind, description }: Tool): unknown {
  const properties = kind === "echo" ? { text: { type: "string" } } : Object.fromEntries(
    searchFields.map((f) => [f.name, { type: "string", description: f.help }]),
  );
  return { name, description, inputSchema: { type: "object", properties } };
}

/** The floor as a lane of its own: what it shows beside itself is the noise of the machine. */
export const open: OpenLane = (workload) => {
  const content = textContent("done");
  const result = workload.method === "tools/list"
    ? { tools: workload.tools.map(listedTool) }
    : workload.tool === "bulk"
    ? { content, structuredContent: bulkPayload }
    : { content };
  const response = JSON.parse(JSON.stringify({ result }));
  const handler = floorHandler(workload, { notifications: [], response });
  return { fetch: handler, wire: "modern" };
};
