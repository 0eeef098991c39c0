import { bulkPayload } from "./bulk_rows.ts";
import type { Case } from "./cases.ts";
import type { Answer, Message } from "./read_answer.ts";
import { searchFields } from "./search_fields.ts";

interface Result {
  readonly isError?: boolean;
  readonly content?: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly tools?: readonly ListedTool[];
}

interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly properties: Readonly<Record<string, unknown>> };
}

/**
 * Checks that an answer is what the case asks for: right id, right result, every progress frame in
 * order. Without it a fast refusal would look like a fast server.
 *
 * @param workload The case.
 * @param id The id of the request.
 * @param answer What the lane answered.
 * @throws {Error} when anything differs.
 */
export function verifyAnswer(workload: Case, id: number, answer: Answer): void {
  const { response, notifications } = answer;
  same("id", response.id, id);
  if (response.result === undefined) throw new Error(`Refused: ${JSON.stringify(response.error)}`);
  const result = response.result as Result;
  same("isError", result.isError ?? false, false);
  if (workload.method === "tools/list") verifyList(workload, result.tools ?? []);
  else verifyText(workload, result);
  verifyFrames(workload.frames, notifications);
}

function verifyList(workload: Case, tools: readonly ListedTool[]): void {
  same("tools", tools.map((tool) => tool.name), workload.tools.map((tool) => tool.name));
  for (const [index, tool] of tools.entries()) {
    same("description", tool.description, workload.tools[index]?.description);
    const fields = index === 0 ? ["text"] : searchFields.map((field) => field.name);
    same("properties", Object.keys(tool.inputSchema.properties).sort(), fields.toSorted());
  }
}

function verifyText(workload: Case, { content, structuredContent }: Result): void {
  const text = content?.[0]?.text ?? "";
  const kind = workload.tools[0]?.kind;
  if (kind === "echo") return same("text", text, workload.arguments.text);
  if (kind === "progress") return same("text", text, "done");
  same("payload", JSON.parse(text), bulkPayload);
  if (structuredContent !== undefined) same("structure", structuredContent, bulkPayload);
}

function verifyFrames(count: number, notifications: readonly Message[]): void {
  const frames = notifications.map(({ method, params }) => {
    const { progressToken, progress, total } = params as Readonly<Record<string, unknown>>;
    return [method, progressToken, progress, total];
  });
  const expected = Array.from(
    { length: count },
    (_, index) => ["notifications/progress", "p1", index + 1, count],
  );
  same("frames", frames, expected);
}

function same(what: string, actual: unknown, expected: unknown): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found === wanted) return;
  throw new Error(`Wrong ${what}: expected ${wanted?.slice(0, 80)}, found ${found?.slice(0, 80)}`);
}
