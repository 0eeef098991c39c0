/** A reader that does not read never makes a stream grow past its bound. */
import { assert, assertEquals } from "@std/assert";
import { memoryBroker } from "@limen/mcp/stores/memory";
import { McpServer, type ServerOptions, unrestricted } from "@limen/mcp";
import { legacyRequest, listen, Listener, openSession } from "../_support/legacy_session.ts";
import { mcpRequest } from "../_support/mcp_request.ts";

const BIG = "x".repeat(10_000);
const MIB = 1024 * 1024;

/** A server whose tool reports progress a thousand times, 10 kB each. */
function createServer(options: Partial<ServerOptions> = {}, onDone = () => {}): McpServer {
  const server = new McpServer({ name: "slow", version: "1.0.0", ...options });
  server.tool("report", {
    description: "Reports much.",
    effect: "read",
    permissions: [unrestricted],
  }, async ({ progress }) => {
    for (let i = 1; i <= 1000; i++) {
      progress(i, { total: 1000, message: BIG });
      if (i % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    }
    onDone();
    return "done";
  });
  return server;
}

const params = { name: "report", _meta: { progressToken: "t" } };
const REQUESTS: Readonly<Record<string, () => Request>> = {
  modern: () =>
    mcpRequest("modern", {
      method: "tools/call",
      params: { name: "report" },
      meta: { progressToken: "t" },
    }),
  legacy: () => legacyRequest(null, { message: { id: 1, method: "tools/call", params } }),
};

for (const [era, createRequest] of Object.entries(REQUESTS)) {
  Deno.test(`The stream of a ${era} call keeps 1 MiB and the answer for a reader who sleeps`, async () => {
    const done = Promise.withResolvers<void>();
    const response = await createServer({}, done.resolve).fetch(createRequest());
    assertEquals(response.headers.get("content-type"), "text/event-stream");
    await done.promise;
    await new Promise((resolve) => setTimeout(resolve, 0)); // the answer is written by now
    const blocks = (await response.text()).split("\n\n").slice(0, -1);
    const length = blocks.reduce((sum, block) => sum + block.length, 0);
    assert(length > MIB / 2 && length < MIB + 20_000, `${length}`);
    const answer = JSON.parse(blocks.at(-1)!.slice("data: ".length));
    assertEquals(answer.result.content, [{ type: "text", text: "done" }]);
  });
}

for (const replay of [undefined, {}]) {
  const title = replay === undefined ? "without" : "with";
  Deno.test(`The stream of a session ${title} a record keeps one message for a reader who sleeps`, async () => {
    const broker = memoryBroker();
    const server = createServer({ sessions: "stored", broker, ...(replay && { replay }) });
    const id = await openSession(server);
    const response = await server.fetch(legacyRequest(id, { verb: "GET" }));
    for (let n = 0; n < 1000; n++) {
      await server.notify(id, { method: "notifications/message", params: { n, BIG } });
    }
    assertEquals(broker.activeSubscriptions, 0, "The broker gives the reader up");
    const blocks = await new Listener(response.body!).rest();
    const sent = blocks.filter((block) => block.includes(BIG));
    assert(sent.length <= 2, `${sent.length}`);
    assertEquals(blocks.at(-1), ": stream closed");
    if (replay === undefined) return;

    // What it missed is there, as far as the record goes: 262 144 characters.
    const last = /^id: ([0-9]+)$/m.exec(sent.at(-1) ?? blocks[1]!)![1]!;
    const again = await listen(server, id, { headers: { "last-event-id": last } });
    const ids: number[] = [];
    while (ids.at(-1) !== 999) {
      ids.push(JSON.parse((await again.nextMessage())!.json).params.n);
    }
    assertEquals(ids, Array.from({ length: 26 }, (_, i) => 974 + i));
    await again.leave();
  });
}
