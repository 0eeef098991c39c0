/** H-33: what is recorded, in which order, and how much of it. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { memoryStore } from "@limen/mcp/stores/memory";
import { fakeClock } from "@limen/mcp/testing";
import { ReplayBuffer } from "../../../src/era/legacy/replay_buffer.ts";

const START = Date.UTC(2026, 0, 1) * 1000;

function createBuffers(count: number, options: { maxEvents?: number; maxLength?: number } = {}) {
  const clock = fakeClock();
  const store = memoryStore({ clock });
  const buffers = Array.from(
    { length: count },
    () => new ReplayBuffer(store, { ...options, ttlMs: 60_000, now: () => clock.now() }),
  );
  return { clock, store, buffers, buffer: buffers[0]! };
}

Deno.test("ReplayBuffer numbers messages without a gap, for each session", async () => {
  const { buffer } = createBuffers(1);
  assertEquals(await buffer.record("a", "1"), START);
  assertEquals(await buffer.record("a", "2"), START + 1);
  assertEquals(await buffer.record("b", "3"), START);
  assertEquals(await buffer.read("a"), {
    last: START + 1,
    events: [{ id: START, json: "1" }, { id: START + 1, json: "2" }],
  });
  assertEquals(`${START}`.length, 16);
});

Deno.test("ReplayBuffer gives no number twice, whatever processes record at once", async () => {
  const { buffers, buffer } = createBuffers(3);
  const ids = await Promise.all(
    Array.from({ length: 150 }, (_, i) => buffers[i % 3]!.record("a", `${i}`)),
  );
  assertEquals(ids.toSorted(), Array.from({ length: 150 }, (_, i) => START + i));
  const { events } = await buffer.read("a");
  for (const [i, id] of ids.entries()) {
    assertEquals(events.find((event) => event.id === id)?.json, `${i}`);
  }
  // Those of one process stand in the order in which they were recorded.
  const own = events.map(({ json }) => Number(json)).filter((n) => n % 3 === 1);
  assertEquals(own, own.toSorted((a, b) => a - b));
});

Deno.test("ReplayBuffer keeps so many messages and so much text, the newest", async () => {
  const few = createBuffers(1, { maxEvents: 3 }).buffer;
  for (let i = 0; i < 10; i++) await few.record("a", `${i}`);
  assertEquals((await few.read("a")).events.map(({ json }) => json), ["7", "8", "9"]);
  assertEquals((await few.read("a")).last, START + 9);

  const short = createBuffers(1, { maxLength: 10 });
  for (const json of ["1234", "5678", "abcd"]) await short.buffer.record("a", json);
  assertEquals((await short.buffer.read("a")).events.map(({ json }) => json), ["5678", "abcd"]);
  assertEquals(await short.buffer.record("a", "12345678901"), undefined);
  assertEquals((await short.buffer.read("a")).last, START + 2);
});

Deno.test("ReplayBuffer keeps 1024 messages unless told otherwise", async () => {
  const { buffer } = createBuffers(1);
  for (let i = 0; i < 1030; i++) await buffer.record("a", "x");
  assertEquals((await buffer.read("a")).events.length, 1024);
});

Deno.test("ReplayBuffer goes on with higher numbers when the store forgot the others", async () => {
  const { clock, buffer } = createBuffers(1);
  const before = await buffer.record("a", "1");
  clock.advance(60_000);
  assertEquals((await buffer.read("a")).events, []);
  const after = await buffer.record("a", "2");
  assert(after! > before!);
  await buffer.forget("a");
  assertEquals((await buffer.read("a")).events, []);
});

Deno.test("ReplayBuffer gives up where others are faster each time", async () => {
  const { store } = createBuffers(1);
  let reads = 0;
  const busy = new ReplayBuffer(
    { ...store, get: () => Promise.resolve(`${++reads}\nx`) },
    { ttlMs: 1000, now: () => 0 },
  );
  await assertRejects(() => busy.record("a", "1"), Error, "Cannot record a message");
  assertEquals(reads, 64);
});
