/** Questions of an operation, by every kind and over several rounds. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  AdditionalInputRequired,
  createDispatcher,
  httpStatus,
  type KeyValueStore,
  McpServer,
  param,
  type Pool,
  question,
  selectorSpec,
  serviceSpec,
  unrestricted,
} from "@limen/mcp";
import { memoryStore } from "@limen/mcp/stores/memory";
import { createTestClient } from "@limen/mcp/testing";
import { accept, EVERYTHING, SECRET, serveAsking } from "../../_support/serve_asking.ts";

const permissions = [unrestricted];
const name = question.form("Your name?", { name: param.string({ required: true }) });
const capital = question.sampling("The capital of France?", { maxTokens: 10 });

/** Serves what asks, as a tool. */
function serve(run: (pool: Pool) => unknown, options: object = {}) {
  return serveAsking(serviceSpec({ permissions, run }), options);
}

const KINDS: readonly {
  readonly title: string;
  readonly asked: Parameters<Pool["ask"]>[0][string];
  readonly request: unknown;
  readonly response: unknown;
  readonly answer: unknown;
}[] = [
  {
    title: "a form with defaults, choices and a list of choices",
    asked: question.form("Your order?", {
      name: param.string({ required: true, help: "Who orders." }),
      size: param.string({ choices: ["S", "M"], default: "M" }),
      extras: param.array(param.string({ choices: ["milk", "sugar"] }), { default: ["milk"] }),
      cups: param.integer({ default: 1 }),
      price: param.number(),
      hot: param.boolean({ default: true }),
      on: param.string({ format: "date-time" }),
      tip: param.string({ format: "decimal" }),
    }),
    request: {
      method: "elicitation/create",
      params: {
        mode: "form",
        message: "Your order?",
        requestedSchema: {
          type: "object",
          properties: {
            name: { type: "string", description: "Who orders." },
            size: { type: "string", enum: ["S", "M"], default: "M" },
            extras: {
              type: "array",
              items: { type: "string", enum: ["milk", "sugar"] },
              default: ["milk"],
            },
            cups: { type: "integer", default: 1 },
            price: { type: "number" },
            hot: { type: "boolean", default: true },
            on: { type: "string", format: "date-time" },
            tip: { type: "string" },
          },
          required: ["name"],
        },
      },
    },
    response: accept({ name: "Ada", extras: ["sugar"], cups: "2", other: 1 }),
    answer: {
      action: "accept",
      content: { name: "Ada", size: "M", extras: ["sugar"], cups: 2, hot: true },
    },
  },
  {
    title: "a URL",
    asked: question.url("Sign in.", "https://a.example/sign-in?x=1"),
    request: {
      method: "elicitation/create",
      params: { mode: "url", message: "Sign in.", url: "https://a.example/sign-in?x=1" },
    },
    response: accept(),
    answer: { action: "accept" },
  },
  {
    title: "a completion",
    asked: question.sampling("The capital of France?", {
      maxTokens: 10,
      systemPrompt: "Be brief.",
      temperature: 0,
      stopSequences: ["."],
      modelPreferences: { speedPriority: 1 },
    }),
    request: {
      method: "sampling/createMessage",
      params: {
        messages: [{ role: "user", content: { type: "text", text: "The capital of France?" } }],
        maxTokens: 10,
        systemPrompt: "Be brief.",
        temperature: 0,
        stopSequences: ["."],
        modelPreferences: { speedPriority: 1 },
      },
    },
    response: {
      role: "assistant",
      content: [{ type: "text", text: "Par" }, { type: "text", text: "is" }],
      model: "m",
      stopReason: "endTurn",
    },
    answer: {
      action: "accept",
      role: "assistant",
      text: "Paris",
      content: [{ type: "text", text: "Par" }, { type: "text", text: "is" }],
      model: "m",
      stopReason: "endTurn",
    },
  },
  {
    title: "the client's folders",
    asked: question.roots(),
    request: { method: "roots/list" },
    response: { roots: [{ uri: "file:///work", name: "work" }] },
    answer: { action: "accept", roots: [{ uri: "file:///work", name: "work" }] },
  },
];

for (const { title, asked, request, response, answer } of KINDS) {
  Deno.test(`ask() asks for ${title}, and reads the answer`, async () => {
    const { round } = serve(({ ask }) => ask({ q: asked }).q);
    const first = await round();
    assertEquals(first.asked, { q: request });
    assertEquals(first.state, undefined); // the answer alone will do
    assertEquals((await round({}, { answers: { q: response } })).value, answer);
  });
}

for (const action of ["decline", "cancel"]) {
  Deno.test(`ask() tells the author of "${action}", and never takes it for a yes (E-14, B87)`, async () => {
    const { round } = serve(({ ask }) =>
      ask({ name, page: question.url("Go.", "https://a.example") })
    );
    const answers = { name: { action, content: { name: "Ada" } }, page: { action } };
    assertEquals((await round({}, { answers })).value, { name: { action }, page: { action } });
  });
}

const UNFIT: readonly (readonly [title: string, response: unknown])[] = [
  ["lacks a required field", accept({})],
  ["has no content", accept()],
  ["has a field of another type", accept({ name: 5 })],
  ["answers another kind of question", { roots: [] }],
];

for (const [title, response] of UNFIT) {
  Deno.test(`ask() asks again where an answer ${title} (B87)`, async () => {
    const { round } = serve(({ ask }) => ask({ name }).name.action);
    assertEquals(Object.keys((await round({}, { answers: { name: response } })).asked!), ["name"]);
  });
}

Deno.test("ask() asks several questions at once, and again for those that were not answered", async () => {
  const { round } = serve(({ ask }) => {
    const answers = ask({ name, capital, roots: question.roots() });
    return Object.values(answers).map(({ action }) => action);
  });
  const first = await round();
  assertEquals(Object.keys(first.asked!), ["name", "capital", "roots"]);
  const second = await round({}, { answers: { name: accept({ name: "Ada" }), other: accept() } });
  assertEquals(Object.keys(second.asked!), ["capital", "roots"]);
  const rest = {
    capital: { role: "assistant", content: { type: "text", text: "Paris" }, model: "m" },
    roots: { roots: [] },
  };
  const last = await round({}, { answers: rest, state: second.state });
  assertEquals(last.value, ["accept", "accept", "accept"]);
});

Deno.test("ask() asks over several rounds: answers and the author's state come back with the next (E-7)", async () => {
  const runs: unknown[] = [];
  const { round } = serve(({ ask }) => {
    runs.push(ask.state);
    const { first } = ask({ first: name }, { state: { plan: [1, 2] } });
    const { second } = ask({ second: question.form("And now?", { ok: param.boolean() }) });
    assert(first.action === "accept" && second.action === "accept");
    return [first.content.name, second.content.ok];
  });
  const one = await round();
  const two = await round({}, { answers: { first: accept({ name: "Ada" }) }, state: one.state });
  assertEquals(Object.keys(two.asked!), ["second"]);
  assert(one.state !== two.state);
  const end = await round({}, { answers: { second: accept({ ok: true }) }, state: two.state });
  assertEquals(end.value, ["Ada", true]);
  assertEquals(runs, [undefined, { plan: [1, 2] }, { plan: [1, 2] }]);
});

Deno.test("ask() takes from a round only what was asked in it (B8)", async () => {
  const { round } = serve(({ ask }) => {
    const { first } = ask({ first: name }, { state: 1 });
    const { second } = ask({ second: name });
    return [first, second].map((one) => one.action === "accept" ? one.content.name : one.action);
  });
  const one = await round();
  const answers = { first: accept({ name: "Ada" }), second: accept({ name: "too early" }) };
  const two = await round({}, { answers, state: one.state });
  assertEquals(Object.keys(two.asked!), ["second"]);
  const late = { first: accept({ name: "too late" }), second: accept({ name: "Bo" }) };
  assertEquals((await round({}, { answers: late, state: two.state })).value, ["Ada", "Bo"]);
});

Deno.test("ask() leaves out what the client did not declare, and says so", async () => {
  const { round } = serve(({ ask }) => {
    const { name: who, capital: where } = ask({ name, capital });
    return [who.action, where.action];
  });
  const client = { sampling: {} };
  const { asked } = await round({}, { client });
  assertEquals(Object.keys(asked!), ["capital"]);
  const answers = {
    capital: { role: "assistant", content: { type: "text", text: "Paris" }, model: "m" },
  };
  assertEquals((await round({}, { client, answers })).value, ["unasked", "accept"]);
});

Deno.test("ask() is refused with -32021 where the client can be asked nothing of it", async () => {
  const { round } = serve(({ ask }) =>
    ask({ name, page: question.url("Go.", "https://a.example"), capital })
  );
  const { status, error } = await round({}, { client: { roots: {} } });
  assertEquals([status, error?.code], [400, -32021]);
  assertEquals(error?.data, {
    requiredCapabilities: { elicitation: { form: {}, url: {} }, sampling: {} },
  });
});

Deno.test("a form is not asked of a client that opens URLs only, nor the other way round", async () => {
  const form = serve(({ ask }) => ask({ name }));
  const url = serve(({ ask }) => ask({ page: question.url("Go.", "https://a.example") }));
  for (
    const [{ round }, elicitation, isAsked] of [
      [form, { url: {} }, false],
      [form, {}, true],
      [url, { form: {} }, false],
      [url, {}, false],
      [url, { url: {} }, true],
    ] as const
  ) {
    const { asked, error } = await round({}, { client: { elicitation } });
    assertEquals([asked !== undefined, error?.code], [isAsked, isAsked ? undefined : -32021]);
  }
});

Deno.test("ask() tells a legacy client in words that its tool needs an answer", async () => {
  const { round } = serve(({ ask }) => ask({ name }));
  const { status, refusal } = await round({}, { era: "legacy" });
  assertEquals(status, 200);
  assertEquals(refusal, {
    type: "input_required",
    message: "This needs an answer, and this client cannot be asked: Your name?",
  });
});

Deno.test("ask() refuses, after maxRounds rounds, to ask once more (E-15)", async () => {
  const { round } = serve(({ ask }) => {
    for (let i = 0;; i++) ask({ [`q${i}`]: question.form(`${i}?`, {}) });
  });
  let told = await round();
  for (let i = 0; i < 5; i++) {
    assertEquals(Object.keys(told.asked!), [`q${i}`]);
    told = await round({}, { answers: { [`q${i}`]: accept() }, state: told.state });
  }
  assertEquals(told.refusal?.type, "input_required");
});

Deno.test("ask() is a mistake of the author under a reserved name, or for two questions of one name", async () => {
  for (const reserved of ["additionalInput", "confirm"]) {
    const { round, events } = serve(({ ask }) => ask({ [reserved]: name }));
    assertEquals((await round()).error?.code, -32603);
    assertMatch(String(events[0]?.cause), /the name is reserved/);
  }
  const { round, events } = serve(({ ask }) => [ask({ q: name }), ask({ q: capital })]);
  const told = await round({}, { answers: { q: accept({ name: "Ada" }) } });
  assertEquals(told.error?.code, -32603);
  assertMatch(String(events[0]?.cause), /it is another question already/);
});

for (
  const url of ["http://a.example", "ftp://a.example", "https://u:p@a.example", "a.example", ""]
) {
  Deno.test(`question.url() refuses ${JSON.stringify(url)}: only https, or this machine (security B21)`, async () => {
    const { round } = serve(({ ask }) => ask({ page: question.url("Go.", url) }));
    assertEquals((await round()).error?.code, -32603);
  });
}

Deno.test("question.url() takes this machine, for development (B21)", async () => {
  const { round } = serve(({ ask }) =>
    ask({ page: question.url("Go.", "http://127.0.0.1:8000/") })
  );
  assertEquals((await round()).asked?.page.params.url, "http://127.0.0.1:8000/");
});

Deno.test("a run that asks is rolled back, and nothing waits for its commit (K-64)", async () => {
  const log: string[] = [];
  const { round } = serve(({ ask, afterCommit }) => {
    afterCommit(() => void log.push("told"));
    log.push("run");
    return ask({ name }).name.action;
  }, {
    server: {
      transaction: async (work: () => Promise<unknown>) => {
        try {
          const value = await work();
          log.push("commit");
          return value;
        } catch (error) {
          log.push("rollback");
          throw error;
        }
      },
    },
  });
  await round();
  await round({}, { answers: { name: accept({ name: "Ada" }) } });
  assertEquals(log, ["run", "rollback", "run", "commit", "told"]);
});

Deno.test("ask() works in preconditions and in prepare, before the run (J-10)", async () => {
  const ran: string[] = [];
  const spec = serviceSpec({
    permissions,
    preconditions: [({ ask }) => void ask({ one: name })],
    prepare: ({ ask }) => void ask({ two: name }),
    run: ({ ask }) => {
      ran.push("run");
      return Object.keys(ask({ one: name, two: name }));
    },
  });
  const { round } = serveAsking(spec);
  const one = await round();
  const two = await round({}, { answers: { one: accept({ name: "a" }) }, state: one.state });
  assertEquals([Object.keys(two.asked!), ran], [["two"], []]);
  const end = await round({}, { answers: { two: accept({ name: "b" }) }, state: two.state });
  assertEquals([end.value, ran], [["one", "two"], ["run"]]);
});

Deno.test("ask() in a selector asks as well", async () => {
  const { round } = serveAsking(selectorSpec({
    kind: "retrieve",
    permissions,
    select: ({ ask }) => ask({ name }).name,
  }));
  assertEquals(Object.keys((await round()).asked!), ["name"]);
});

Deno.test("ask() from a prompt and a resource: asked, answered, refused", async () => {
  const server = new McpServer({ name: "s", version: "1", secret: SECRET, log: () => {} });
  server.registerPrompt("p", { reads: { x: param.string() }, permissions }, ({ ask, args }) => {
    const { name: answer } = ask({ name }, { state: 1 });
    return answer.action === "accept" ? `${answer.content.name} ${args.x}` : answer.action;
  });
  server.registerResource(
    selectorSpec({
      kind: "retrieve",
      reads: { id: param.string({ required: true }) },
      permissions,
      select: ({ ask }) => ask({ name }, { state: 1 }).name,
    }),
    { uri: "r://{id}", name: "r" },
  );
  const able = createTestClient(server, { capabilities: EVERYTHING });
  const unable = createTestClient(server);
  await using legacy = createTestClient(server, { era: "legacy", capabilities: EVERYTHING });
  const answers = { name: accept({ name: "Ada" }) };
  for (
    const [method, params, other] of [
      ["prompts/get", { name: "p", arguments: { x: "1" } }, { name: "p", arguments: { x: "2" } }],
      ["resources/read", { uri: "r://1" }, { uri: "r://2" }],
    ] as const
  ) {
    const { result } = await able.request(method, params);
    assertEquals(result?.resultType, "input_required");
    const { requestState } = result!;
    const end = await able.request(method, { ...params, inputResponses: answers, requestState });
    assertMatch(JSON.stringify(end.result), /Ada/);
    const moved = await able.request(method, { ...other, inputResponses: answers, requestState });
    assertEquals(moved.error?.code, -32602);
    const { status, error } = await unable.request(method, params);
    assertEquals([status, error?.code], [400, -32021]);
    assertEquals(error?.data, { requiredCapabilities: { elicitation: { form: {} } } });
    assertEquals((await legacy.request(method, params)).error?.code, -32603);
  }
});

Deno.test("methods that do not ask look at no answers", async () => {
  const server = new McpServer({ name: "s", version: "1", dynamicCatalogue: true });
  const client = createTestClient(server, { capabilities: EVERYTHING });
  const { result } = await client.request("tools/list", { inputResponses: [], requestState: 5 });
  assertEquals(result?.tools, []);
});

Deno.test("ask() that is caught, or wrapped by a library, asks all the same", async () => {
  const caught = serve(({ ask }) => {
    try {
      return ask({ name }).name.action;
    } catch {
      return "caught";
    }
  });
  const wrapped = serve(({ ask }) => {
    try {
      return ask({ name }).name.action;
    } catch (cause) {
      throw new Error("The transaction was rolled back", { cause });
    }
  });
  for (const { round } of [caught, wrapped]) {
    assertEquals(Object.keys((await round()).asked!), ["name"]);
    const { result } = await round({}, { answers: { name: accept({ name: "Ada" }) } });
    assertEquals(result?.content[0].text, "accept");
  }
});

Deno.test("where nobody can be asked, an author may go on without", async () => {
  const { round } = serve(({ ask }) => {
    try {
      return ask({ name }).name.action;
    } catch {
      return "nobody";
    }
  });
  assertEquals((await round({}, { client: {} })).result?.content[0].text, "nobody");
});

Deno.test("a transport of one's own has nobody to ask: the service refuses, with 422 (K-66)", async () => {
  const caller = { user: { authenticated: false } };
  const asking = [
    serviceSpec({ permissions, run: ({ ask }) => ask({ name }).name.action }),
    serviceSpec({ permissions, run: ({ confirm }) => confirm("Do it?", 1) }),
    serviceSpec({
      permissions,
      run: () => {
        throw new AdditionalInputRequired("When?", { day: param.string() });
      },
    }),
  ];
  for (const spec of asking) {
    const { dispatch } = createDispatcher(spec, { where: "a test" });
    const result = await dispatch({ caller, args: {} });
    assertEquals([result.type, httpStatus(result)], ["refused", 422]);
  }
});

Deno.test("a call that does not ask touches neither keys nor the store, on a server that could", async () => {
  const touched: string[] = [];
  const watched = watchSubtle(touched);
  try {
    const { round } = serve(() => "plain", { server: { stores: watchStore(touched) } });
    assertEquals((await round()).result?.content[0].text, "plain");
    assertEquals(touched, []);
    const asking = serve(({ ask }) => ask({ name }, { state: 1 }), {
      server: { stores: watchStore(touched) },
    });
    await asking.round();
    assert(touched.length > 0); // so that the watch is one
  } finally {
    watched.restore();
  }
});

/** Notes what is asked of Web Crypto. */
function watchSubtle(touched: string[]): { restore(): void } {
  const names = [
    "decrypt",
    "deriveKey",
    "digest",
    "encrypt",
    "importKey",
    "sign",
    "verify",
  ] as const;
  const subtle = crypto.subtle as unknown as Record<string, unknown>;
  for (const one of names) {
    const method = crypto.subtle[one] as (...args: unknown[]) => unknown;
    subtle[one] = (...args: unknown[]) => {
      touched.push(one);
      return method.apply(crypto.subtle, args);
    };
  }
  return { restore: () => names.forEach((one) => delete subtle[one]) };
}

/** Notes what is asked of a store. */
function watchStore(touched: string[]): KeyValueStore {
  return new Proxy(memoryStore(), {
    get: (store, key) => {
      const member = Reflect.get(store, key);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        touched.push(String(key));
        return member.apply(store, args);
      };
    },
  });
}

Deno.test("the log tells a call that asks from one that fails", async () => {
  const { round, events } = serve(({ ask }) => ask({ name }).name.action, {
    server: { logLevel: "debug" },
  });
  await round();
  await round({}, { answers: { name: accept({ name: "Ada" }) } });
  const done = events.filter(({ event }) => event === "call.done");
  assertEquals(done.map(({ fields }) => fields?.outcome), ["input_required", "complete"]);
});
