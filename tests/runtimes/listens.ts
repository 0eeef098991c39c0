import { assertSame } from "./assert_same.ts";
import { callRequest, methodRequest } from "./call_request.ts";
import type { Case, Target } from "./case.ts";
import { readText } from "./read_answer.ts";

const LISTEN = methodRequest("subscriptions/listen", { notifications: { toolsListChanged: true } });

/** Clients that listen, and leave. */
export const listens: readonly Case[] = [
  {
    title: "a client that listens hears of a change that another request makes",
    crossesRequests: true,
    run: async (target) => {
      const response = await target.fetch(LISTEN);
      assertSame(response.headers.get("content-type"), "text/event-stream");
      const reader = response.body!.getReader();
      await readUntil(reader, '"toolsListChanged":true');
      assertSame(await announce(target), "1");
      await readUntil(reader, "notifications/tools/list_changed");
      await readUntil(reader, ": keepalive");
      await reader.cancel();
    },
  },
  {
    title: "nobody is told any more when the client that listened has left",
    run: async (target) => {
      const controller = new AbortController();
      const response = await target.fetch({ ...LISTEN, signal: controller.signal });
      const reader = response.body!.getReader();
      await readUntil(reader, '"toolsListChanged":true');
      controller.abort();
      await reader.cancel().catch(() => {});
      for (let i = 0; i < 100 && await announce(target) !== "0"; i++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      assertSame(await announce(target), "0");
    },
  },
];

async function announce({ fetch }: Target): Promise<string | undefined> {
  return await readText(await fetch(callRequest("announce")));
}

async function readUntil(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  part: string,
): Promise<void> {
  let text = "";
  while (!text.includes(part)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`The stream ended before ${part}: ${text}`);
    text += new TextDecoder().decode(value);
  }
}
