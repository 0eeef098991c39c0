/** completion/complete (C-1…C-7, B80). */
import { assertEquals } from "@std/assert";
import {
  type Completer,
  McpServer,
  param,
  selectorSpec,
  ServiceError,
  staticTokens,
  unrestricted,
} from "@limen/mcp";
import { type AskedEra, askServer } from "../../_support/ask_server.ts";

const permissions = [unrestricted];
const ERAS: readonly AskedEra[] = ["modern", "legacy"];
const many = Array.from({ length: 250 }, (_, index) => `v${index}`);
const hundred = many.slice(0, 100);

function serverOf(complete: Completer): McpServer {
  const server = new McpServer({ name: "s", version: "1", log: () => {} });
  server.registerPrompt("p", {
    reads: { a: param.string(), b: param.string(), plain: param.string() },
    complete: { a: complete },
    permissions,
  }, () => "Hi");
  const spec = selectorSpec({
    kind: "retrieve",
    reads: { id: param.string({ required: true }) },
    permissions,
    select: () => 1,
  });
  server.registerResource(spec, {
    uri: "x://{id}",
    name: "x",
    complete: { id: ({ value }) => [`${value}!`] },
  });
  server.registerResource(spec, { uri: "y://{id}", name: "y" });
  return server;
}

const ref = { type: "ref/prompt", name: "p" };
const argument = { name: "a", value: "v" };

async function ask(
  server: McpServer,
  params: Readonly<Record<string, unknown>> = {},
  era: AskedEra = "modern",
) {
  const answer = await askServer(
    server,
    "completion/complete",
    { ref, argument, ...params },
    { era },
  );
  const { error, result } = answer.message;
  return error === undefined ? result.completion : { ...error, status: answer.status };
}

function* naturals(seen: { pulled: number; isClosed: boolean }) {
  try {
    for (let i = 0;; i++) {
      seen.pulled++;
      yield i;
    }
  } finally {
    seen.isClosed = true;
  }
}

async function* slowly(values: Iterable<number>) {
  for (const value of values) yield await Promise.resolve(value);
}

const ANSWERS: readonly (readonly [title: string, make: Completer, expected: unknown])[] = [
  ["250 values", () => many, { values: hundred, hasMore: true, total: 250 }],
  ["100 values", () => hundred, { values: hundred, hasMore: false, total: 100 }],
  ["a set", () => new Set(["a", "b"]), { values: ["a", "b"], hasMore: false, total: 2 }],
  ["a promise", () => Promise.resolve(["a"]), { values: ["a"], hasMore: false, total: 1 }],
  ["a lone text", () => "abc", { values: ["abc"], hasMore: false, total: 1 }],
  ["nothing", () => undefined, { values: [], hasMore: false, total: 0 }],
  ["numbers", () => [1, 2], { values: ["1", "2"], hasMore: false, total: 2 }],
  ["a short generator", () => slowly([7]), { values: ["7"], hasMore: false, total: 1 }],
];

for (const [title, make, expected] of ANSWERS) {
  Deno.test(`completion/complete serves ${title} in both eras (B80)`, async () => {
    for (const era of ERAS) assertEquals(await ask(serverOf(make), {}, era), expected);
  });
}

for (const kind of ["generator", "async generator"]) {
  Deno.test(`completion/complete pulls 101 of an endless ${kind}, and closes it (C-2)`, async () => {
    const seen = { pulled: 0, isClosed: false };
    const server = serverOf(() => kind === "generator" ? naturals(seen) : slowly(naturals(seen)));
    const { values, hasMore, total } = await ask(server);
    assertEquals([values.length, values[99], hasMore, total], [100, "99", true, undefined]);
    assertEquals(seen, { pulled: 101, isClosed: true });
  });
}

Deno.test("completion/complete hands on the value and the siblings that exist", async () => {
  const server = serverOf(({ value, args, user }) => [
    value,
    JSON.stringify(args),
    String(user.authenticated),
  ]);
  const context = { arguments: { b: "x", other: "y", plain: 5, toString: "z" } };
  assertEquals((await ask(server, { context })).values, ["v", '{"b":"x"}', "false"]);
  assertEquals((await ask(server, { argument: { name: "a" } })).values, ["", "{}", "false"]);
});

Deno.test("completion/complete completes a template by its text", async () => {
  const server = serverOf(() => []);
  const found = await ask(server, {
    ref: { type: "ref/resource", uri: "x://{id}" },
    argument: { name: "id", value: "a" },
  });
  assertEquals(found, { values: ["a!"], hasMore: false, total: 1 });
});

Deno.test("completion/complete has nothing for an argument without a completer (C-5)", async () => {
  const nothing = { values: [], hasMore: false, total: 0 };
  const server = serverOf(() => many);
  assertEquals(await ask(server, { argument: { name: "plain", value: "" } }), nothing);
  const uri = "y://{id}";
  const asked = { ref: { type: "ref/resource", uri }, argument: { name: "id", value: "" } };
  assertEquals(await ask(server, asked), nothing);
});

const REFUSED: readonly Readonly<Record<string, unknown>>[] = [
  { ref: { type: "ref/prompt", name: "nope" } },
  { ref: { type: "ref/prompt" } },
  { ref: { type: "ref/resource", uri: "x://7" } },
  { ref: { type: "ref/resource", uri: "z://{id}" } },
  { ref: { type: "ref/tool", name: "p" } },
  { ref: "p" },
  { ref: null },
  { argument: null },
  { argument: { value: "" } },
  { argument: { name: "a", value: 5 } },
  { argument: { name: "unknown", value: "" } },
  { argument: { name: "toString", value: "" } },
  { context: 5 },
  { context: { arguments: [] } },
];

for (const params of REFUSED) {
  Deno.test(`completion/complete refuses ${JSON.stringify(params)} with -32602 (B80)`, async () => {
    for (const era of ERAS) {
      const error = await ask(serverOf(() => many), params, era);
      assertEquals([error.code, error.status], [-32602, 200]);
    }
  });
}

Deno.test("completion/complete says what can be completed", async () => {
  const error = await ask(serverOf(() => []), { argument: { name: "unknown", value: "" } });
  assertEquals(error.data, { completable: ["a"] });
});

Deno.test("completion/complete masks a fault, and tells what a service refuses", async () => {
  const failures: readonly Completer[] = [
    () => {
      throw new Error("secret");
    },
    () => Promise.reject(new Error("secret")),
    () => 5 as never,
    () => [{} as never],
  ];
  for (const complete of failures) {
    const { code, message, status } = await ask(serverOf(complete));
    assertEquals([code, message, status], [-32603, "Internal error", 500]);
  }
  const refusals: readonly Completer[] = [
    () => {
      throw new ServiceError("Closed.");
    },
    () => Promise.reject(new ServiceError("Closed.")),
  ];
  for (const complete of refusals) {
    const { code, message, status } = await ask(serverOf(complete));
    assertEquals([code, message, status], [-32603, "Closed.", 200]);
  }
});

Deno.test("completion/complete asks the gate first, without arguments (C-4)", async () => {
  const asked: unknown[] = [];
  const server = new McpServer({
    name: "s",
    version: "1",
    auth: staticTokens([
      { token: "a-token-that-is-long-1", user: { id: "a", authenticated: true }, scopes: ["c"] },
      { token: "a-token-that-is-long-2", user: { id: "b", authenticated: true } },
    ]),
  });
  server.registerPrompt("p", {
    reads: { a: param.string({ required: true }) },
    complete: { a: () => ["x"] },
    scopes: "c",
    permissions: [{
      hasPermission: ({ args }) => {
        asked.push(args);
        return true;
      },
    }],
  }, () => "Hi");
  const send = async (digit: number, name: string) => {
    const token = `a-token-that-is-long-${digit}`;
    const params = { ref, argument: { name, value: "" } };
    const { message, status } = await askServer(server, "completion/complete", params, { token });
    return [status, message.error?.code];
  };
  assertEquals(await send(2, "unknown"), [403, -32006]);
  assertEquals(await send(1, "unknown"), [200, -32602]);
  assertEquals(await send(1, "a"), [200, undefined]);
  assertEquals(asked, [{}, {}]);
});

Deno.test("Without a completer there is no completion: 404 and -32601 (C-7, B80)", async () => {
  const server = new McpServer({ name: "s", version: "1" });
  server.registerPrompt("p", { reads: { a: param.string() }, permissions }, () => "Hi");
  const { status, message } = await askServer(server, "completion/complete", { ref, argument });
  assertEquals([status, message.error.code], [404, -32601]);
  const legacy = await askServer(server, "completion/complete", { ref, argument }, {
    era: "legacy",
  });
  assertEquals([legacy.status, legacy.message.error.code], [200, -32601]);
  const one = server.registerPrompt("q", {
    reads: { a: param.string() },
    complete: { a: () => [] },
    permissions,
  }, () => "Hi");
  const { result } = (await askServer(server, "server/discover")).message;
  assertEquals(result.capabilities, { prompts: {}, completions: {} });
  one.remove();
  assertEquals((await askServer(server, "completion/complete", { ref, argument })).status, 404);
});
