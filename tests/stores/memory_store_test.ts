import { storeContract } from "@limen/mcp/stores/contract";
import { ConfigurationError, memoryStore, StoreFullError } from "@limen/mcp/stores/memory";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";

const contract = storeContract({
  name: "memoryStore()",
  open: () => {
    let now = 1_700_000_000_000;
    return { store: memoryStore({ clock: { now: () => now } }), advance: (ms) => void (now += ms) };
  },
});
for (const { title, run } of contract) Deno.test(title, run);

Deno.test("memoryStore() passes its contract while its evictable half overflows", async () => {
  const crowded = storeContract({
    name: "crowded",
    open: async () => {
      let now = 0;
      const store = memoryStore({ maxEntries: 200, clock: { now: () => now } });
      for (let i = 0; i < 300; i++) await store.set(`limit:crowd ${i}`, "1");
      return { store, advance: (ms) => void (now += ms) };
    },
  });
  for (const { run } of crowded) await run();
});

Deno.test("memoryStore() takes the system's clock by default, and sets no timer", async () => {
  const store = memoryStore();
  await store.set("a", "1", { ttlMs: 60_000 });
  await store.set("b", "1", { ttlMs: 1 });
  await new Promise((resolve) => setTimeout(resolve, 5));
  assertEquals([await store.get("a"), await store.get("b")], ["1", undefined]);
});

Deno.test("memoryStore() expires a value at its ttlMs and not a millisecond before", async () => {
  let now = 5;
  const store = memoryStore({ clock: { now: () => now } });
  await store.set("a", "1", { ttlMs: 99.5 });
  now = 104;
  assertEquals(await store.get("a"), "1");
  now = 105;
  assertEquals(await store.get("a"), undefined);
});

Deno.test("memoryStore() stays small through 100,000 writes that expire", async () => {
  for (const prefix of ["session:", "limit:", "continuation:"]) {
    let now = 0;
    let peak = 0;
    const store = memoryStore({ clock: { now: () => now } });
    for (; now < 100_000; now++) {
      await store.set(prefix + now, "x".repeat(100), { ttlMs: 1000 });
      peak = Math.max(peak, store.size);
    }
    assert(peak <= 3000, `${prefix} peaked at ${peak} entries, with 1000 alive`);
    assert(store.bytes <= 3000 * 2 * 120, `${prefix} ended at ${store.bytes} bytes`);
  }
});

Deno.test("memoryStore() lets writes of one class clear what expired in another", async () => {
  let now = 0;
  const store = memoryStore({ clock: { now: () => now } });
  for (let i = 0; i < 1000; i++) await store.set(`session:${i}`, "x", { ttlMs: 10 });
  now = 10;
  for (let i = 0; i < 600; i++) await store.increment("limit:ada", 1);
  assertEquals(store.size, 1);
});

Deno.test("memoryStore() counts what it holds, in entries and bytes", async () => {
  const store = memoryStore();
  await store.set("ab", "cde");
  assertEquals([store.size, store.bytes], [1, 10]);
  await store.set("ab", "c");
  assertEquals([store.size, store.bytes], [1, 6]);
  await store.increment("limit:a", 10);
  assertEquals([store.size, store.bytes], [2, 24]);
  await store.delete("ab");
  await store.delete("limit:a");
  await store.delete("limit:a");
  assertEquals([store.size, store.bytes], [0, 0]);
});

Deno.test("memoryStore() refuses new sessions at three quarters, and keeps the old", async () => {
  const store = memoryStore({ maxEntries: 8 });
  for (let i = 0; i < 6; i++) await store.set(`session:${i}`, "open");
  for (
    const write of [
      () => store.set("session:6", "open"),
      () => store.set("session:6", "open", { ifAbsent: true }),
      () => store.increment("task:6", 1),
    ]
  ) {
    const error = await assertRejects(write, StoreFullError, "6 of 6 entries");
    assertEquals(error.name, "StoreFullError");
    assert(!error.message.includes("session:"), "the message holds no key (B17)");
  }
  assertEquals(await store.set("session:5", "closed"), true);
  assertEquals(await store.compareAndSet("session:4", "open", "closed"), true);
  assertEquals(await store.get("session:0"), "open");
  await store.delete("session:0");
  assertEquals(await store.set("session:6", "open"), true);
});

Deno.test("memoryStore() evicts continuations first, then limits, the oldest first (HV-30)", async () => {
  const store = memoryStore({ maxEntries: 8 });
  for (const id of [1, 2, 3]) await store.increment(`limit:${id}`, 1);
  for (const id of [1, 2, 3, 4, 5]) await store.set(`continuation:${id}`, "x");
  await store.increment("limit:1", 1); // now the newest limit
  await store.set("continuation:1", "y"); // now the newest continuation
  for (const id of [1, 2, 3]) await store.set(`session:${id}`, "open");
  assertEquals(await alive(store, "continuation"), [1, 5]);
  assertEquals(await alive(store, "limit"), [1, 2, 3]);
  for (const id of [4, 5, 6]) await store.set(`session:${id}`, "open");
  assertEquals(await alive(store, "continuation"), []);
  assertEquals(await alive(store, "limit"), [1, 3]);
  await store.increment("limit:4", 1);
  assertEquals(await alive(store, "limit"), [1, 4]);
  assertEquals(await alive(store, "session"), [1, 2, 3, 4, 5, 6]);
});

Deno.test("memoryStore() does not let continuations push out limits", async () => {
  const store = memoryStore({ maxEntries: 100 });
  for (let i = 0; i < 50; i++) await store.increment(`limit:${i}`, 1);
  for (let i = 0; i < 10_000; i++) await store.set(`continuation:${i}`, "x");
  assertEquals(store.size, 100);
  assertEquals(await store.increment("limit:0", 1), 2);
});

Deno.test("memoryStore() clears what expired before it evicts or refuses", async () => {
  let now = 0;
  const store = memoryStore({ maxEntries: 100, clock: { now: () => now } });
  for (let i = 0; i < 25; i++) await store.set(`continuation:${i}`, "x");
  for (let i = 0; i < 75; i++) await store.set(`session:${i}`, "x", { ttlMs: 100 + i });
  await assertRejects(() => store.set("session:new", "x"), StoreFullError);
  now = 1000;
  assertEquals(await store.set("session:new", "x"), true);
  assertEquals((await alive(store, "continuation")).length, 25);
});

Deno.test("memoryStore() bounds bytes like entries", async () => {
  const store = memoryStore({ maxBytes: 4000 });
  for (const id of [1, 2, 3]) await store.set(`session:${id}`, "x".repeat(400));
  await assertRejects(
    () => store.set("session:4", "x".repeat(400)),
    StoreFullError,
    "of 3000 bytes",
  );
  await assertRejects(() => store.set("session:1", "x".repeat(2000)), StoreFullError);
  assertEquals((await store.get("session:1"))?.length, 400);
  for (const id of [1, 2, 3]) await store.set(`limit:${id}`, "x".repeat(400));
  assertEquals(await alive(store, "limit"), [3]);
  assert(store.bytes <= 4000);
  assertEquals(await store.set("session:1", "x"), true);
});

Deno.test("memoryStore() refuses a limit or continuation of more than a quarter", async () => {
  const store = memoryStore({ maxBytes: 4000 });
  await store.set("continuation:1", "old");
  await assertRejects(() => store.set("continuation:1", "x".repeat(500)), StoreFullError);
  assertEquals(await store.get("continuation:1"), "old");
  assertEquals(await store.set("continuation:1", "x".repeat(480)), true);
});

Deno.test("memoryStore() works at the smallest bound", async () => {
  const store = memoryStore({ maxEntries: 4 });
  for (const id of [1, 2, 3]) await store.set(`session:${id}`, "x");
  for (const id of [1, 2, 3]) await store.set(`limit:${id}`, "x");
  assertEquals(store.size, 4);
});

Deno.test("memoryStore() refuses a bound that is no integer of at least 4", () => {
  for (const bound of [3, 0, -1, 4.5, NaN, Infinity]) {
    assertThrows(() => memoryStore({ maxEntries: bound }), ConfigurationError, "maxEntries");
    assertThrows(() => memoryStore({ maxBytes: bound }), ConfigurationError, "maxBytes");
  }
});

Deno.test("two memory stores share nothing", async () => {
  const [first, second] = [memoryStore(), memoryStore()];
  await first.set("a", "1");
  assertEquals(await second.get("a"), undefined);
});

async function alive(store: ReturnType<typeof memoryStore>, prefix: string): Promise<number[]> {
  const ids: number[] = [];
  for (let id = 0; id < 100; id++) {
    if (await store.get(`${prefix}:${id}`) !== undefined) ids.push(id);
  }
  return ids;
}
