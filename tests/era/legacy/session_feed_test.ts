/** H-33: replay and what is sent live meet without a gap and without a duplicate. */
import { assert, assertEquals } from "@std/assert";
import { memoryBroker, memoryStore } from "@limen/mcp/stores/memory";
import fc from "fast-check";
import { ReplayBuffer } from "../../../src/era/legacy/replay_buffer.ts";
import type { SessionEvent } from "../../../src/era/legacy/session_feed.ts";
import { SessionFeeds } from "../../../src/era/legacy/session_feeds.ts";
import { writeFrame } from "../../../src/era/legacy/session_frame.ts";

const SESSION = { sid: "s", revision: "2025-06-18", clientCapabilities: {} };

function create() {
  const broker = memoryBroker();
  const store = memoryStore();
  const createReplay = () => new ReplayBuffer(store, { ttlMs: 60_000, now: () => 1000 });
  const log = () => {};
  const feeds = new SessionFeeds({ broker, replay: createReplay(), log });
  return { broker, replay: createReplay(), feeds, store };
}

/** Reads a feed until it ends. */
async function readAll(feed: AsyncIterable<SessionEvent>): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const event of feed) events.push(event);
  return events;
}

async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
}

Deno.test("A feed replays what is strictly newer than the last number, then goes live", async () => {
  const { feeds } = create();
  for (const json of ["1", "2", "3"]) await feeds.send("s", json);
  const feed = await feeds.open(SESSION, "1000000");
  const got = readAll(feed);
  await feeds.send("s", "4");
  await settle();
  await feeds.end("s");
  assertEquals(await got, [
    { id: 1_000_001, json: "2" },
    { id: 1_000_002, json: "3" },
    { id: 1_000_003, json: "4" },
  ]);
});

for (
  const lastEventId of [null, "", "x", "1e3", "-1", "1000009", "9".repeat(16), "9".repeat(400)]
) {
  Deno.test(`A feed replays nothing for Last-Event-ID ${lastEventId?.slice(0, 20)}`, async () => {
    const { feeds } = create();
    await feeds.send("s", "1");
    const got = readAll(await feeds.open(SESSION, lastEventId));
    await settle();
    await feeds.send("s", "2");
    await settle();
    await feeds.end("s");
    assertEquals(await got, [{ id: 1_000_001, json: "2" }]);
  });
}

Deno.test("A feed ignores Last-Event-ID where nothing is recorded, and sends no number", async () => {
  const feeds = new SessionFeeds({ broker: memoryBroker(), replay: undefined, log: () => {} });
  const got = readAll(await feeds.open(SESSION, "0"));
  await feeds.send("s", "1");
  await settle();
  await feeds.end("s");
  assertEquals(await got, [{ json: "1" }]);
});

Deno.test("A feed begins with a number for clients that resume from one", async () => {
  const { feeds } = create();
  await feeds.send("s", "1");
  const session = { ...SESSION, revision: "2025-11-25" };
  for (const [sent, first] of [[null, 1_000_000], ["1000000", 1_000_000]] as const) {
    const got = readAll(await feeds.open(session, sent));
    await settle();
    await feeds.open(SESSION, null).then((feed) => feed.close());
    assertEquals(await got, [{ id: first }]);
  }
});

Deno.test("A feed puts in order what arrives out of turn", async () => {
  const { broker, feeds, replay } = create();
  const got = readAll(await feeds.open(SESSION, null));
  await settle();
  const publish = (id: number, json: string) =>
    broker.publish("session:s", writeFrame({ type: "message", id, json }));
  const ids = [await replay.record("s", "1"), await replay.record("s", "2")] as [number, number];
  await publish(ids[1], "2");
  await publish(ids[0], "1");
  await settle();
  await feeds.end("s");
  assertEquals(await got, [{ id: ids[0], json: "1" }, { id: ids[1], json: "2" }]);
});

Deno.test("A feed delivers what was recorded before it began and published after", async () => {
  const { broker, feeds, replay } = create();
  const id = (await replay.record("s", "1"))!;
  const got = readAll(await feeds.open(SESSION, null));
  await settle();
  await broker.publish("session:s", writeFrame({ type: "message", id, json: "1" }));
  await feeds.send("s", "2");
  await settle();
  await feeds.end("s");
  assertEquals(await got, [{ json: "1" }, { id: id + 1, json: "2" }]);
});

Deno.test("A client can resume from before what came while its feed began", async () => {
  const { feeds } = create();
  await feeds.send("s", "before");
  const feed = await feeds.open({ ...SESSION, revision: "2025-11-25" }, null);
  for (const json of ["1", "2"]) await feeds.send("s", json);
  const got = readAll(feed); // reads the record only now
  await settle();
  await feeds.send("s", "3");
  await settle();
  await feeds.end("s");
  assertEquals(await got, [
    { id: 1_000_000 },
    { id: 1_000_001, json: "1" },
    { id: 1_000_002, json: "2" },
    { id: 1_000_003, json: "3" },
  ]);
});

Deno.test("A message that cannot be recorded is delivered without a number", async () => {
  const events: string[] = [];
  const store = memoryStore({ maxEntries: 4 });
  for (const key of ["a", "b", "c"]) await store.set(`session:${key}`, "");
  const feeds = new SessionFeeds({
    broker: memoryBroker(),
    replay: new ReplayBuffer(store, { ttlMs: 1000, now: () => 1000 }),
    log: ({ event }) => events.push(event),
  });
  const got = readAll(await feeds.open(SESSION, null));
  await settle();
  assertEquals(await feeds.send("s", "1"), true);
  await settle();
  await feeds.end("s");
  assertEquals(await got, [{ json: "1" }]);
  assertEquals(events, ["session.feed"]);
});

Deno.test("However often a stream breaks, a client gets every message once and in order", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("send", "send both", "break", "wait"), { maxLength: 40 }),
      async (steps) => {
        const { broker, store } = create();
        const processes = [1, 2].map(() =>
          new SessionFeeds({
            broker,
            replay: new ReplayBuffer(store, { ttlMs: 60_000, now: () => 1000 }),
            log: () => {},
          })
        );
        const got: string[] = [];
        const sent = new Set<string>();
        let last: string | null = "0";
        let turn = 0;
        const follow = async () => {
          const feed = await processes[turn++ % 2]!.open(SESSION, last);
          const done = (async () => {
            for await (const { id, json } of feed) {
              if (json !== undefined) got.push(json);
              if (id !== undefined) last = `${id}`;
            }
          })();
          return { feed, done };
        };
        const send = (i: number) => {
          const json = `${sent.size}`;
          sent.add(json);
          return processes[i]!.send("s", json);
        };
        let current = await follow();
        for (const step of steps) {
          if (step === "wait") await settle();
          else if (step === "send") void send(0);
          else if (step === "send both") void [send(0), send(1)];
          else {
            await current.feed.close();
            await current.done;
            current = await follow();
          }
        }
        await settle();
        await settle();
        await current.feed.close();
        await current.done;
        assertEquals(new Set(got), sent);
        assertEquals(got.length, sent.size);
        assert(broker.activeSubscriptions === 0);
      },
    ),
    { numRuns: 200 },
  ));
