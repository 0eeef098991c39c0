/**
 * What `redisStore()` sends and makes of the replies, with a client that follows a script. What Redis
 * does with it is tried in `tests/redis/`.
 *
 * @module
 */
import {
  ConfigurationError,
  redisStore,
  StoreFullError,
  StoreUnavailableError,
} from "@limen/mcp/stores/redis";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";

/** A client that answers every command alike, and a store on it. */
function scripted(reply: () => unknown) {
  const sent: string[][] = [];
  const signals: AbortSignal[] = [];
  const command = async (args: readonly string[], signal: AbortSignal) => {
    sent.push([...args]);
    signals.push(signal);
    return await reply();
  };
  const store = redisStore({ command }, { prefix: "invoices", commandTimeoutMs: 20 });
  return { store, sent, signals };
}

Deno.test("redisStore() reads and writes strings under its prefix", async () => {
  const { store, sent } = scripted(() => "OK");
  assertEquals(await store.get("session:1"), "OK");
  assertEquals(await store.set("session:1", "x"), true);
  await store.set("a", "x", { ttlMs: 0.5, ifAbsent: true });
  await store.set("a", "x", { ttlMs: 1e300, ifAbsent: false });
  assertEquals(sent, [
    ["GET", "invoices:session:1"],
    ["SET", "invoices:session:1", "x"],
    ["SET", "invoices:a", "x", "PX", "1", "NX"],
    ["SET", "invoices:a", "x", "PX", "9007199254740991"],
  ]);
});

Deno.test("redisStore() takes null and undefined for nothing", async () => {
  for (const reply of [null, undefined]) {
    const { store } = scripted(() => reply);
    assertEquals(await store.get("a"), undefined);
    assertEquals(await store.set("a", "x", { ifAbsent: true }), false);
  }
});

Deno.test("redisStore() deletes, and reads counts that come as digits", async () => {
  for (const [reply, expected] of [[1, true], ["1", true], [0, false], ["0", false]]) {
    const { store, sent } = scripted(() => reply);
    assertEquals(await store.delete("a"), expected);
    assertEquals(await store.compareAndSet("a", "x", "y"), expected);
    assertEquals(sent[0], ["DEL", "invoices:a"]);
  }
});

Deno.test("redisStore() sends scripts that name one key", async () => {
  const { store, sent } = scripted(() => "7");
  assertEquals(await store.increment("a", -2), 7);
  await store.increment("a", 2, { ttlMs: 1000 });
  await store.compareAndSet("a", "x", "y");
  await store.compareAndSet("a", "x", "y", { ttlMs: 1000 });
  assertEquals(sent.map(([name]) => name), ["EVAL", "EVAL", "EVAL", "EVAL"]);
  assertEquals(sent.map(([, , ...rest]) => rest), [
    ["1", "invoices:a", "-2", ""],
    ["1", "invoices:a", "2", "1000"],
    ["1", "invoices:a", "x", "y", ""],
    ["1", "invoices:a", "x", "y", "1000"],
  ]);
});

Deno.test("redisStore() rejects what increment() cannot add", async () => {
  const text = scripted(() => "text");
  await assertRejects(() => text.store.increment("a", 1), TypeError, "no integer");
  const range = scripted(() => "range");
  await assertRejects(() => range.store.increment("a", 1), RangeError, "no safe integer");
  await assertRejects(() => range.store.increment("a", 0.5), RangeError, "got 0.5");
  await assertRejects(() => range.store.set("a", "x", { ttlMs: 0 }), RangeError, "ttlMs");
  assertEquals(range.sent.length, 1);
});

Deno.test("redisStore() waits for commandTimeoutMs, and tells the client", async () => {
  const { store, signals } = scripted(() => new Promise(() => {}));
  const error = await assertRejects(() => store.get("secret"), StoreUnavailableError);
  assertEquals(error.name, "StoreUnavailableError");
  assertEquals(error.message, "Cannot read from Redis: Redis did not answer within 20 ms");
  assertEquals(signals.map(({ aborted }) => aborted), [true]);
});

Deno.test("redisStore() tells of errors by their code, without keys, and keeps the cause", async () => {
  const rows: readonly (readonly [cause: unknown, message: string])[] = [
    [new Error("LOADING Redis is loading secret"), "Redis failed with LOADING"],
    [
      Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }),
      "Redis failed with ECONNREFUSED",
    ],
    [new Error("Socket closed: secret"), "the client failed"],
    ["secret", "the client failed"],
  ];
  for (const [cause, message] of rows) {
    const { store } = scripted(() => Promise.reject(cause));
    const error = await assertRejects(() => store.set("secret", "x"), StoreUnavailableError);
    assertEquals(error.message, `Cannot write to Redis: ${message}`);
    assertEquals(error.cause, cause);
  }
});

Deno.test("redisStore() tells a full Redis by either of its texts", async () => {
  for (
    const text of [
      "OOM command not allowed when used memory > 'maxmemory'.",
      "ERR Error running script (call to f_1): @user_script:1: -OOM command not allowed when used",
    ]
  ) {
    const { store } = scripted(() => Promise.reject(new Error(text)));
    const error = await assertRejects(() => store.set("a", "x"), StoreFullError);
    assertEquals(error.message, "Cannot write to Redis: Redis has no memory left");
    assert(error.cause instanceof Error);
  }
});

Deno.test("redisStore() refuses a client that answers bytes", async () => {
  const { store } = scripted(() => new Uint8Array(1));
  await assertRejects(() => store.get("a"), StoreUnavailableError, "the client must answer text");
});

Deno.test("redisStore() refuses a prefix or timeout that cannot be used", () => {
  const client = { command: () => Promise.resolve() };
  for (const prefix of ["", "a:b", "a b", "{a}", "é", "a".repeat(65), undefined as never]) {
    assertThrows(() => redisStore(client, { prefix }), ConfigurationError, "prefix must be");
  }
  for (const commandTimeoutMs of [0, -1, NaN, Infinity, 2 ** 31]) {
    const options = { prefix: "a", commandTimeoutMs };
    assertThrows(() => redisStore(client, options), ConfigurationError, "commandTimeoutMs must");
  }
});
