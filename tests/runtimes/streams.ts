import { assertSame } from "./assert_same.ts";
import { callRequest } from "./call_request.ts";
import type { Case, Target } from "./case.ts";
import { readAnswers, readText } from "./read_answer.ts";

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const meta = { progressToken: "token\u2028" };

/** Calls that become streams, and clients that leave. */
export const streams: readonly Case[] = [
  {
    title: "progress arrives in order before the result, and the stream ends",
    run: async ({ fetch }) => {
      const response = await fetch(callRequest("report", {}, { meta }));
      assertSame(response.headers.get("content-type"), "text/event-stream");
      const messages = await readAnswers(response);
      assertSame(messages.map(({ params }) => params?.progress ?? "result"), [1, 2, 3, "result"]);
      assertSame(messages.at(-1)?.result?.content, [{ type: "text", text: "done" }]);
    },
  },
  {
    title: "an event is written when it happens",
    run: async ({ fetch }) => {
      const response = await fetch(callRequest("wait", {}, { meta }));
      const reader = response.body!.getReader();
      const { value } = await reader.read();
      assertSame(new TextDecoder().decode(value).includes('"progress":1}'), true);
      await readText(await fetch(callRequest("release")));
      let rest = "";
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        rest += new TextDecoder().decode(read.value);
      }
      assertSame(rest.includes('"released"'), true);
    },
  },
  {
    title: "a slow call becomes a stream",
    run: async ({ fetch }) => await takesLong(fetch, 300),
  },
  {
    title: "a slow call becomes a stream after another slow call has ended",
    run: async ({ fetch }) => {
      const first = takesLong(fetch, 300);
      await sleep(250);
      await Promise.all([first, takesLong(fetch, 400)]);
    },
  },
  {
    title: "a client that leaves before the answer aborts the call",
    run: async (target) => {
      const controller = new AbortController();
      const before = await countCancelled(target);
      const request = callRequest("wait", {}, { signal: controller.signal });
      const left = target.fetch(request).then((response) => response.text(), () => {});
      await sleep(30);
      controller.abort();
      await left;
      await becomes(target, before + 1);
    },
  },
  {
    title: "a client that leaves a stream aborts the call",
    run: async (target) => {
      const before = await countCancelled(target);
      const response = await target.fetch(callRequest("wait", {}, { meta }));
      const reader = response.body!.getReader();
      await reader.read();
      await reader.cancel();
      await becomes(target, before + 1);
    },
  },
];

async function takesLong(fetch: Target["fetch"], ms: number): Promise<void> {
  const response = await fetch(callRequest("take", { ms }));
  assertSame(response.headers.get("content-type"), "text/event-stream");
  assertSame(await readText(response), "done");
}

async function countCancelled({ fetch }: Target): Promise<number> {
  return Number(await readText(await fetch(callRequest("count_cancelled"))));
}

async function becomes(target: Target, expected: number): Promise<void> {
  for (let i = 0; i < 100; i++) {
    if (await countCancelled(target) === expected) return;
    await sleep(10);
  }
  assertSame(await countCancelled(target), expected);
}
