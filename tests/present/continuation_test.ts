/** Kept results: whose they are, how many, and what a store costs that fails (B10, HV-24…HV-26, HV-30). */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  type Caller,
  ConfigurationError,
  type ContinuationOptions,
  type KeyValueStore,
} from "@limen/mcp";
import { EVICTABLE_PREFIXES, memoryStore } from "@limen/mcp/stores/memory";
import { Continuations } from "../../src/present/continuation.ts";
import { readContinuationOptions } from "../../src/present/continuation_options.ts";
import { ada, eve } from "../_support/lean_fixture.ts";

const kept = { tool: "t", args: { id: 1 }, isRow: false, json: '{"a":"é"}' };
const anonymous: Caller = { user: { authenticated: false } };

/** Kept results in a store of which every call is seen. */
function open(options: ContinuationOptions = {}, wrap = (store: KeyValueStore) => store) {
  const clock = { time: 0, now: () => clock.time };
  const store = memoryStore({ clock });
  const keys: string[] = [];
  const seen: KeyValueStore = {
    ...store,
    set: (key, value, rest) => {
      keys.push(key, value);
      return store.set(key, value, rest);
    },
  };
  const events: { readonly event: string; readonly cause?: unknown }[] = [];
  const continuing = new Continuations(wrap(seen), readContinuationOptions(options));
  const log = (event: { readonly event: string }) => void events.push(event);
  return {
    clock,
    store,
    keys,
    events,
    keep: (caller: Caller, json = kept.json) =>
      continuing.keep({ ...kept, json }, { caller, log, dataSize: json.length }),
    find: (token: string, caller: Caller) => continuing.find(token, { caller, log }),
  };
}

Deno.test("Continuations keep a result under the digest of a random token, which may be used again (HV-24, HV-25)", async () => {
  const { keep, find, keys } = open();
  const token = await keep(ada);
  assertMatch(token!, /^[A-Za-z0-9_-]{22}$/); // 128 bits
  assert(await keep(ada) !== token);
  assertEquals(await find(token!, ada), { ...kept, owner: '["user:ada"]' } as never);
  assertEquals((await find(token!, ada))?.json, kept.json);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  const hash = new Uint8Array(digest).toBase64({ alphabet: "base64url", omitPadding: true });
  assertEquals(keys[0], `continuation:${hash}`);
  assert(!keys.join().includes(token!));
});

Deno.test("Continuations are in a class of their own, which makes way first (HV-30)", async () => {
  const order = EVICTABLE_PREFIXES.filter((prefix) => prefix !== "asked:");
  assertEquals(order, ["continuation:", "limit:"]);
  const { keep, find, store } = open();
  const token = await keep(ada);
  for (let i = 0; i < 20; i++) await store.set(`limit:${i}`, "x".repeat(800_000));
  assertEquals(await store.get("limit:19"), "x".repeat(800_000));
  for (let i = 0; i < 8; i++) await store.set(`session:${i}`, "x".repeat(2_900_000));
  assertEquals(await find(token!, ada), undefined);
});

const OTHERS: readonly (readonly [title: string, caller: Caller])[] = [
  ["another principal", eve],
  ["somebody anonymous", anonymous],
  ["a user without an id", { user: { authenticated: true } }],
  ["the same name where nobody authenticated", { user: { id: "ada", authenticated: false } }],
  ["the same principal for another audience", {
    ...ada,
    token: { scopes: [], audience: "https://other.example" },
  }],
];

for (const [title, caller] of OTHERS) {
  Deno.test(`Continuations are not found by ${title} (HV-26, security B10)`, async () => {
    const { keep, find } = open();
    const token = await keep(ada);
    assertEquals(await find(token!, caller), undefined);
    assert(await find(token!, ada) !== undefined);
  });
}

Deno.test("Continuations belong to a principal and an audience, whatever its scopes or order (HV-26)", async () => {
  const { keep, find } = open();
  const [a, b] = ["https://a.example", "https://b.example"];
  const token = await keep({ ...ada, token: { scopes: ["x"], audience: [b, a] } });
  assert(await find(token!, { ...ada, token: { scopes: [], audience: [a, b] } }) !== undefined);
  assertEquals(await find(token!, { ...ada, token: { scopes: [], audience: a } }), undefined);
});

Deno.test("Continuations are not for anonymous callers, unless they are let (B10, HV-26)", async () => {
  assertEquals(await open().keep(anonymous), undefined);
  const { keep, find } = open({ anonymous: true });
  const token = await keep(anonymous);
  assert(await find(token!, anonymous) !== undefined);
  assertEquals(await find(token!, ada), undefined);
  assertEquals(await open({ anonymous: true }).keep({ user: { authenticated: true } }), undefined);
});

Deno.test("Continuations expire (HV-24)", async () => {
  const { keep, find, clock } = open();
  const token = await keep(ada);
  clock.time = 299_999;
  assert(await find(token!, ada) !== undefined);
  clock.time = 300_000;
  assertEquals(await find(token!, ada), undefined);
  const short = open({ ttlMs: 10 });
  const other = await short.keep(ada);
  short.clock.time = 10;
  assertEquals(await short.find(other!, ada), undefined);
});

Deno.test("Continuations of one caller are bounded in bytes and in number, and again after a while (B10)", async () => {
  const { keep, clock, keys } = open({ maxBytesPerCaller: 4096 });
  for (let i = 0; i < 4; i++) assert(await keep(ada) !== undefined); // 1 KiB each at least
  assertEquals(await keep(ada), undefined);
  assertEquals(await keep(ada, `"${"x".repeat(5000)}"`), undefined);
  assert(await keep(eve) !== undefined);
  assertEquals(keys.length, 10);
  clock.time = 300_000;
  assert(await keep(ada, `"${"x".repeat(3000)}"`) !== undefined);
  assertEquals(await keep(ada, `"${"x".repeat(3000)}"`), undefined); // and is given back
  assert(await keep(ada) !== undefined);
});

Deno.test("Continuations of a store that fails cost the token and nothing else (W-13, Q-36)", async () => {
  const broken = new Error("Socket closed");
  for (const method of ["get", "set", "increment"] as const) {
    const { keep, find, events } = open({}, (store) => ({
      ...store,
      [method]: () => Promise.reject(broken),
    }));
    const token = await keep(ada);
    if (method === "get") assertEquals(await find(token!, ada), undefined);
    else assertEquals(token, undefined);
    assertEquals(events.map(({ event, cause }) => [event, cause]), [[
      "continuation.store",
      broken,
    ]]);
  }
});

Deno.test("Continuations take what is no kept result for nothing (HV-28)", async () => {
  const { keep, find, store, keys } = open();
  const token = await keep(ada);
  for (const value of ["", "x", "{}\n1", "null\n1", "[]\n1", '{"owner":1}\n1']) {
    await store.set(keys[0]!, value);
    assertEquals(await find(token!, ada), undefined);
  }
});

for (
  const [title, options, message] of [
    ["an unknown option", { size: 1 }, /continuations\.size is not an option/],
    ["no time", { ttlMs: 0 }, /continuations\.ttlMs must be an integer of at least 1/],
    ["a text", { pageSize: "20" }, /continuations\.pageSize must be an integer/],
    ["a fraction", { maxBytesPerCaller: 0.5 }, /continuations\.maxBytesPerCaller must be/],
    [
      "a number in place of a claim",
      { anonymous: 1 },
      /continuations\.anonymous must be a boolean/,
    ],
    ["a page that is larger than the largest", { maxPageSize: 10 }, /maxPageSize is less than/],
  ] as const
) {
  Deno.test(`readContinuationOptions() refuses ${title}`, () => {
    const error = assertThrows(
      () => readContinuationOptions(options as ContinuationOptions),
      ConfigurationError,
    );
    assertMatch(error.message, message);
  });
}
