import { assertSame } from "./assert_same.ts";
import { methodRequest } from "./call_request.ts";
import type { Case, Target } from "./case.ts";
import { readAnswers } from "./read_answer.ts";

const meta = { "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };

async function round(
  { fetch }: Target,
  inputResponses?: object,
  requestState?: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const params = { name: "erase", arguments: {}, inputResponses, requestState };
  const headers = { "mcp-name": "erase" };
  const request = methodRequest("tools/call", params, { meta, headers });
  const [answer] = await readAnswers(await fetch(request));
  return answer?.result ?? { error: answer?.error };
}

/** Questions over two rounds, whose state every runtime seals and opens. */
export const asking: readonly Case[] = [
  {
    title: "a call asks twice, and goes on with the answers, once",
    run: async (target) => {
      const first = await round(target);
      assertSame(first.resultType, "input_required");
      const name = { who: { action: "accept", content: { name: "Ada" } } };
      const second = await round(target, name, first.requestState);
      assertSame(Object.keys(second.inputRequests as object), ["confirm"]);
      const yes = { confirm: { action: "accept" } };
      const last = await round(target, yes, second.requestState);
      assertSame(last.content, [{ type: "text", text: "Erased Ada, kept é😀" }]);
      const again = await round(target, yes, second.requestState);
      assertSame((again.error as { code: number }).code, -32602);
    },
  },
  {
    title: "a state with a character changed is -32602",
    run: async (target) => {
      const { requestState } = await round(target);
      const [first, ...rest] = String(requestState);
      const changed = [first === "A" ? "B" : "A", ...rest].join("");
      const { error } = await round(target, {}, changed);
      assertSame((error as { code: number }).code, -32602);
    },
  },
];
