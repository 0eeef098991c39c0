/** The state that travels with questions: whose it is, for how long, and what becomes of any other. */
import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import {
  param,
  type Pool,
  question,
  type ServerOptions,
  serviceSpec,
  unrestricted,
} from "@limen/mcp";
import { memoryStore } from "@limen/mcp/stores/memory";
import { fakeClock } from "@limen/mcp/testing";
import { mcpRequest } from "../../_support/mcp_request.ts";
import { readAnswer } from "../../_support/read_answer.ts";
import {
  accept,
  callRound,
  type Round,
  SECRET,
  serveAsking,
  signedIn,
  type ToldRound,
} from "../../_support/serve_asking.ts";

const permissions = [unrestricted];
const OTHER_SECRET = "another secret of the tests, 32 b";
const REFUSAL = {
  code: -32602,
  message: "Invalid params: requestState is not valid for this request",
};
const ASKED = { q: accept({ name: "Ada" }) };
const question1 = question.form("Your name?", { name: param.string({ required: true }) });

/** A tool that takes anything, asks once, and keeps a state. */
function serve(options: Partial<ServerOptions> = {}, binding: object = {}) {
  const ran: unknown[] = [];
  const spec = serviceSpec({
    reads: { a: param.object(), b: param.integer(), c: param.string() },
    permissions,
    run: ({ ask }: Pool) => {
      const { q } = ask({ q: question1 }, { state: { secret: "kept" } });
      ran.push(ask.state);
      return q.action === "accept" ? q.content.name : q.action;
    },
  });
  return { ...serveAsking(spec, { server: options, binding }), ran };
}

function assertRefused(told: ToldRound): void {
  assertEquals([told.status, told.error, told.result], [200, REFUSAL, undefined]);
}

for (const encrypt of [false, true]) {
  const requestState = { encrypt };
  const how = encrypt ? "an encrypted" : "a sealed";

  Deno.test(`${how} state comes back from its client, to its server (security B8)`, async () => {
    const { round, ran } = serve({ requestState });
    const { state } = await round({ b: 1 });
    const { result } = await round({ b: 1 }, { answers: ASKED, state });
    assertEquals([result?.content[0].text, ran], ["Ada", [{ secret: "kept" }]]);
  });

  Deno.test(`${how} state with any bit flipped is refused, and nothing runs (B85)`, async () => {
    const { round, ran, events } = serve({ requestState });
    const { state } = await round();
    const bytes = toBytes(state!);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
        const changed = Uint8Array.from(bytes);
        changed[at]! ^= 1 << bit;
        assertRefused(await round({}, { answers: ASKED, state: toText(changed) }));
      }),
      { numRuns: 200 },
    );
    assertEquals(ran, []);
    assertEquals(new Set(events.map(({ event }) => event)), new Set(["request_state.invalid"]));
  });

  Deno.test(`${how} state that is cut, longer, or made up is refused (B85)`, async () => {
    const { round, ran } = serve({ requestState });
    const { state } = await round();
    const texts = fc.oneof(
      fc.nat(state!.length - 1).map((end) => state!.slice(0, end)),
      fc.string().filter((more) => more !== "").map((more) => state! + more),
      fc.string(),
      fc.base64String(),
      fc.uint8Array({ maxLength: 6000 }).map(toText),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        assertRefused(await round({}, { answers: ASKED, state: text }));
      }),
      { numRuns: 200 },
    );
    assertEquals(ran, []);
  });

  Deno.test(`${how} state says nothing that another server, purpose or key would open (B5, B8)`, async () => {
    const { state } = await serve({ requestState }).round();
    const strangers: Partial<ServerOptions>[] = [
      { name: "another" },
      { publicUrl: "https://another.example/" },
      { secret: OTHER_SECRET },
      { secret: [OTHER_SECRET, OTHER_SECRET.toUpperCase()] },
      { requestState: { encrypt: !encrypt } },
    ];
    for (const options of strangers) {
      assertRefused(
        await serve({ requestState, ...options }).round({}, { answers: ASKED, state }),
      );
    }
    // The key of legacy sessions is another: their ids are no states.
    const { server } = serve({ requestState, sessions: "sealed" });
    const opened = await server.fetch(
      new Request("http://localhost/", {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "initialize",
          params: {
            protocolVersion: "2025-11-25",
            capabilities: {},
            clientInfo: { name: "a", version: "1" },
          },
        }),
      }),
    );
    const id = opened.headers.get("mcp-session-id");
    assert(id !== null);
    assertRefused(await callRound(server, {}, { answers: ASKED, state: id }));
  });

  Deno.test(`${how} state opens in another process, and after the secret was rotated (B5)`, async () => {
    const { state } = await serve({ requestState }).round();
    for (const secret of [SECRET, [SECRET], [OTHER_SECRET, SECRET]]) {
      const other = serve({ requestState, secret });
      const { result } = await other.round({}, { answers: ASKED, state });
      assertEquals(result?.content[0].text, "Ada");
      const next = await other.round();
      const old = await serve({ requestState }).round({}, { answers: ASKED, state: next.state });
      assertEquals(old.error === undefined, !Array.isArray(secret) || secret[0] === SECRET);
    }
  });
}

Deno.test("a sealed state can be read and an encrypted one cannot (E-8)", async () => {
  const sealed = await serve().round();
  assertStringIncludes(new TextDecoder().decode(toBytes(sealed.state!)), '"secret":"kept"');
  const encrypted = await serve({ requestState: { encrypt: true } }).round();
  assertEquals(new TextDecoder().decode(toBytes(encrypted.state!)).includes("kept"), false);
  const again = await serve({ requestState: { encrypt: true } }).round();
  assertNotEquals(again.state, encrypted.state);
});

Deno.test("a state is its caller's, whoever else brings it (B8)", async () => {
  const { round, ran } = serve();
  const callers = [undefined, signedIn("ada"), signedIn("bo"), signedIn("anonymous")];
  for (const owner of callers) {
    const { state } = await round({}, owner && { as: owner });
    for (const thief of callers) {
      if (thief === owner) continue;
      assertRefused(await round({}, { answers: ASKED, state, ...thief && { as: thief } }));
    }
  }
  assertEquals(ran, []);
});

Deno.test("a state is good for the tool that asked, and for no other (B85)", async () => {
  const { server, round } = serve();
  server.tool(
    "other",
    { effect: "act", permissions, description: "O." },
    ({ ask }) => ask({ q: question1 }).q.action,
  );
  const { state } = await round();
  const { message } = await readAnswer(
    await server.fetch(mcpRequest("modern", {
      method: "tools/call",
      params: { name: "other", arguments: {}, inputResponses: ASKED, requestState: state },
      meta: { "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } },
    })),
  );
  assertEquals(message?.error, REFUSAL);
});

Deno.test("a state is good for the call as it was sent: keys in any order, values as they were (E-9)", async () => {
  const { round, ran } = serve();
  await fc.assert(
    fc.asyncProperty(
      fc.record({ a: fc.dictionary(fc.string(), fc.jsonValue()), b: fc.integer(), c: fc.string() })
        .filter((args) => !JSON.stringify(args).includes("__proto__")), // is refused anywhere
      async (args) => {
        const { state } = await round(args);
        assert(state !== undefined);
        const told = await round(reverseKeys(args), { answers: ASKED, state });
        assertEquals(told.result?.content[0].text, "Ada");
      },
    ),
    { numRuns: 50 },
  );
  const count = ran.length;
  const sent = { a: { x: [1, { y: null }] }, b: 1, c: "1" };
  const { state } = await round(sent);
  const others: unknown[] = [
    {},
    { ...sent, b: 2 },
    { ...sent, b: "1" },
    { ...sent, c: 1 },
    { a: { x: [1, { y: null }] }, b: 1 },
    { ...sent, a: { x: [{ y: null }, 1] } },
    { ...sent, a: { x: [1, {}] } },
    { ...sent, d: 1 },
  ];
  for (const args of others) assertRefused(await round(args, { answers: ASKED, state }));
  assertEquals(ran.length, count);
});

Deno.test("a state is good for requestState.ttlMs, and never before its time (B8)", async () => {
  const clock = fakeClock();
  const { round } = serve({ clock, requestState: { ttlMs: 60_000 } });
  const { state } = await round();
  const at = async (ms: number): Promise<ToldRound> => {
    clock.advance(ms);
    const told = await round({}, { answers: ASKED, state });
    clock.advance(-ms);
    return told;
  };
  for (const ms of [0, 59_000, -29_000]) assertEquals((await at(ms)).error, undefined, `${ms}`);
  for (const ms of [61_001, 600_000, -31_001, -600_000]) assertRefused(await at(ms));
});

Deno.test("every refusal of a state is one answer, and the log has the cause (B18, E-10)", async () => {
  const clock = fakeClock();
  const { round, events } = serve({ clock });
  const { state } = await round({ b: 1 });
  const bodies = new Set<string>();
  const bring = async (args: object, more: Round): Promise<void> => {
    const { body, status } = await round(args, { answers: ASKED, ...more });
    bodies.add(`${status} ${body}`);
  };
  await bring({ b: 1 }, { state: `${state}A` });
  await bring({ b: 1 }, { state, as: signedIn("bo") });
  await bring({ b: 2 }, { state });
  clock.advance(-60_000);
  await bring({ b: 1 }, { state });
  clock.advance(60_000 + 601_000);
  await bring({ b: 1 }, { state });
  assertEquals(bodies.size, 1);
  assertEquals(events.map(({ fields }) => fields?.because), [
    "It was not sealed here, or by another key",
    "It is another caller's",
    "It is another call's",
    "It comes from the future",
    "It has expired",
  ]);
});

Deno.test('with invalidState: "askAgain" a state that is refused asks again, and is never used (E-10)', async () => {
  const { round, ran, events } = serve({ requestState: { invalidState: "askAgain" } });
  const { state } = await round();
  for (const wrong of [`${state}A`, "", 5]) {
    const told = await round({}, { answers: ASKED, state: wrong });
    assertEquals(Object.keys(told.asked!), ["q"]);
  }
  assertEquals([ran, events.length], [[], 3]);
  assertEquals((await round({}, { answers: ASKED, state })).result?.content[0].text, "Ada");
});

Deno.test("a state may come back as often as it is fresh, unless its tool says once (E-11)", async () => {
  const { round } = serve();
  const { state } = await round();
  for (let i = 0; i < 3; i++) {
    assertEquals((await round({}, { answers: ASKED, state })).result?.content[0].text, "Ada");
  }
});

Deno.test("singleUse: a state works once, an answer without one never (B8)", async () => {
  const spec = serviceSpec({
    reads: { fails: param.boolean() },
    permissions,
    run: ({ ask, args }) => {
      const { q } = ask({ q: question1 });
      if (args.fails) throw new Error("Broken");
      return q.action;
    },
  });
  const { round, events } = serveAsking(spec, { binding: { singleUse: true } });
  assertRefused(await round({}, { answers: ASKED }));
  const { state } = await round();
  assertEquals(typeof state, "string"); // though nothing needs to be kept
  assertEquals((await round({}, { answers: ASKED, state })).result?.content[0].text, "accept");
  assertRefused(await round({}, { answers: ASKED, state }));
  const failing = await round({ fails: true });
  const failed = await round({ fails: true }, { answers: ASKED, state: failing.state });
  assertEquals(failed.error?.code, -32603);
  assertRefused(await round({ fails: true }, { answers: ASKED, state: failing.state }));
  assertEquals(events.filter(({ event }) => event === "request_state.invalid").length, 3);
});

Deno.test("singleUse: a call that the gate refuses uses nothing up", async () => {
  const spec = serviceSpec({ permissions, run: ({ ask }) => ask({ q: question1 }).q.action });
  const { round } = serveAsking(spec, { binding: { singleUse: true, scopes: ["a"] } });
  const { state } = await round({}, { as: signedIn("ada", ["a"]) });
  const denied = await round({}, { answers: ASKED, state, as: signedIn("ada", []) });
  assertEquals(denied.status, 403);
  const told = await round({}, { answers: ASKED, state, as: signedIn("ada", ["a"]) });
  assertEquals(told.result?.content[0].text, "accept");
});

Deno.test("what is too large to travel waits in the store, which every process shares (B8)", async () => {
  const stores = memoryStore();
  const keys: string[] = [];
  const { set } = stores;
  stores.set = (key, ...rest) => {
    keys.push(key);
    return set.call(stores, key, ...rest);
  };
  const plan = "x".repeat(5000);
  const make = (options: object) =>
    serveAsking(
      serviceSpec({
        permissions,
        run: ({ ask }) => [ask({ q: question1 }, { state: { plan } }), ask.state],
      }),
      { server: options },
    );
  const one = make({ stores });
  const { state } = await one.round();
  assert(state!.length < 300, `${state!.length}`);
  const told = await make({ stores }).round({}, { answers: ASKED, state });
  assertEquals(told.value, [{ q: { action: "accept", content: { name: "Ada" } } }, { plan }]);
  assertRefused(await make({ stores: memoryStore() }).round({}, { answers: ASKED, state }));
  const [key] = keys;
  await stores.set(key!, (await stores.get(key!))!.replace("xxx", "xyx"), { ttlMs: 60_000 });
  assertRefused(await make({ stores }).round({}, { answers: ASKED, state }));
});

Deno.test("without a secret one round works, and what needs a state says which line to add (B5)", async () => {
  const { round, events } = serveAsking(
    serviceSpec({
      permissions,
      run: ({ ask }) => {
        const first = ask({ q: question1 });
        return [first, ask({ r: question1 })];
      },
    }),
    { server: { secret: undefined } },
  );
  assertEquals((await round()).state, undefined);
  const told = await round({}, { answers: ASKED });
  assertEquals([told.status, told.error?.message], [500, "Internal error"]);
  assertStringIncludes(String(events[0]?.cause), "set the option secret");
  assertRefused(await round({}, { answers: ASKED, state: "AAAA" }));
  // A missing answer asks again, with or without a key.
  const missing = await round({}, { answers: { other: accept() } });
  assertEquals(Object.keys(missing.asked!), ["q"]);
});

Deno.test("singleProcess: a server without a secret makes one that no other has (B5)", async () => {
  const own = { secret: undefined, requestState: { singleProcess: true } } as object;
  const { round } = serve(own);
  const { state } = await round();
  assertEquals((await round({}, { answers: ASKED, state })).result?.content[0].text, "Ada");
  assertRefused(await serve(own).round({}, { answers: ASKED, state }));
});

function toBytes(text: string): Uint8Array {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function toText(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).reverse().map(([key, one]) => [key, reverseKeys(one)]);
  return Object.fromEntries(entries);
}
