/** S-20: the resources that a call changes are told once it has committed and succeeded. */
import {
  ConfigurationError,
  jsonSchema,
  McpServer,
  param,
  selectorSpec,
  ServiceError,
  serviceSpec,
  toolResult,
  unrestricted,
} from "@limen/mcp";
import { type Broker, memoryBroker } from "@limen/mcp/stores/memory";
import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { settle } from "../../_support/note_server.ts";

const permissions = [unrestricted];

interface Published {
  readonly server: McpServer;
  readonly uris: string[];
  readonly logged: string[];
}

/** A server whose broker notes the URIs that are told. */
function createServer(options: object = {}): Published {
  const uris: string[] = [];
  const logged: string[] = [];
  const broker: Broker = {
    ...memoryBroker(),
    activeSubscriptions: 0,
    publish: (_topic, payload) => Promise.resolve(uris.push(JSON.parse(payload).uri)),
  };
  const log = ({ event }: { readonly event: string }): void => void logged.push(event);
  const server = new McpServer({ name: "s", version: "1", broker, log, ...options });
  return { server, uris, logged };
}

const id = param.string({ required: true });

/** What a service answers, and what is told of it. */
const ANSWERS: readonly (readonly [
  title: string,
  answer: unknown,
  args: Readonly<Record<string, string>>,
  uris: readonly string[],
])[] = [
  ["fields of the result", { id: 7, tag: "x" }, { id: "1" }, ["n://7", "n://all", "n://7/x"]],
  ["arguments where the result has none", { done: true }, { id: "1" }, ["n://1", "n://all"]],
  ["arguments where there is no result", undefined, { id: "1" }, ["n://1", "n://all"]],
  ["nothing where the result says null", { id: null }, { id: "1" }, ["n://all"]],
  ["nothing of an object", { id: { a: 1 } }, { id: "1" }, ["n://all"]],
  ["nothing of an empty text", { id: "" }, { id: "1" }, ["n://all"]],
  ["nothing of a list, but the arguments", [{ id: 7 }], { id: "1" }, ["n://1", "n://all"]],
  ["encoded values", { id: "a/b c?ü" }, { id: "1" }, ["n://a%2Fb%20c%3F%C3%BC", "n://all"]],
  ["half a surrogate pair as U+FFFD", { id: "\ud800" }, { id: "1" }, ["n://%EF%BF%BD", "n://all"]],
  ["a boolean and a bigint", { id: true, tag: 5n }, { id: "1" }, [
    "n://true",
    "n://all",
    "n://true/5",
  ]],
  [
    "what a hand-built result holds",
    toolResult({ content: [], structuredContent: { id: 8 } }),
    { id: "1" },
    ["n://8", "n://all"],
  ],
  [
    "nothing of a hand-built failure",
    toolResult({ content: [], structuredContent: { id: 8 }, isError: true }),
    { id: "1" },
    [],
  ],
  ["each URI once", { id: "all" }, { id: "1" }, ["n://all"]],
];

for (const [title, answer, args, expected] of ANSWERS) {
  Deno.test(`invalidates tells ${title} (S-20)`, async () => {
    const { server, uris } = createServer();
    server.tool("write", {
      effect: "act",
      reads: { id },
      permissions,
      allowNone: true,
      invalidates: ["n://{id}", "n://all", "n://{id}/{tag}"],
    }, () => answer);
    await server.invokeTool("write", args);
    assertEquals(uris, expected);
  });
}

Deno.test("invalidates renders {+var} with its slashes, and values that the server fills (S-20)", async () => {
  const { server, uris } = createServer();
  const spec = serviceSpec({
    reads: { path: param.string({ required: true }) },
    input: jsonSchema<{ tenant?: string }>({
      type: "object",
      properties: { tenant: { type: "string" } },
    }),
    inputData: () => ({ tenant: "t 1" }),
    permissions,
    run: () => "written",
  });
  server.registerTool(spec, { name: "write", invalidates: ["docs://{tenant}/{+path}"] });
  await server.invokeTool("write", { path: "a/b c.md" });
  assertEquals(uris, ["docs://t%201/a/b%20c.md"]);
});

Deno.test("invalidates is filled from the full result, however little is answered (X-4)", async () => {
  const { server, uris } = createServer();
  server.tool("write", {
    effect: "create",
    permissions,
    invalidates: ["n://{slug}", "n://{id}"],
  }, () => ({ id: 7, slug: "a-note", text: "long" }));
  const answer = await server.invokeTool("write", {});
  assertEquals(JSON.stringify(answer).includes("a-note"), false);
  assertEquals(uris, ["n://a-note", "n://7"]);
});

Deno.test("invalidates says nothing of a list of arguments (S-20)", async () => {
  const { server, uris } = createServer();
  const spec = serviceSpec({
    many: true,
    input: jsonSchema<{ id: number }>({ type: "object", properties: { id: { type: "number" } } }),
    permissions,
    run: ({ args }) => [...args],
  });
  server.registerTool(spec, { name: "write", invalidates: ["n://{id}", "n://all"] });
  await server.invokeTool("write", { items: [{ id: 1 }, { id: 2 }] });
  assertEquals(uris, ["n://all"]);
});

const FAILURES: readonly (readonly [title: string, run: () => unknown, options: object])[] = [
  ["is refused", () => {
    throw new ServiceError("no");
  }, {}],
  ["fails", () => {
    throw new Error("bug");
  }, {}],
  ["has a result that is too large", () => "x".repeat(100), { maxResultBytes: 50 }],
  ["has a result that does not fit its kind", () => 5, { contentKind: "text" }],
  ["cannot be written", () => new Map(), {}],
];

for (const [title, run, options] of FAILURES) {
  Deno.test(`invalidates tells nothing of a call that ${title} (S-20)`, async () => {
    const { server, uris } = createServer();
    const binding = { effect: "act", permissions, invalidates: ["n://all"], ...options } as const;
    server.tool("write", binding, run);
    await server.invokeTool("write");
    assertEquals(uris, []);
  });
}

Deno.test("invalidates tells after the commit, and never of one that fails (S-20)", async () => {
  const order: string[] = [];
  let fails = false;
  const { server, uris } = createServer({
    transaction: async (work: () => Promise<unknown>) => {
      const value = await work();
      await settle();
      if (fails) throw new ServiceError("The commit failed");
      order.push(`commit, ${uris.length} told`);
      return value;
    },
  });
  const spec = serviceSpec({ permissions, run: () => "done" });
  server.registerTool(spec, { name: "write", invalidates: ["n://all"] });
  await server.invokeTool("write");
  assertEquals([order, uris], [["commit, 0 told"], ["n://all"]]);
  fails = true;
  await server.invokeTool("write");
  assertEquals(uris, ["n://all"]);
});

Deno.test("a publish that fails is logged, and neither fails nor delays the call (S-20)", async () => {
  const gate = Promise.withResolvers<number>();
  const broker: Broker = { ...memoryBroker(), activeSubscriptions: 0, publish: () => gate.promise };
  const { server, logged } = createServer({ broker });
  const binding = { effect: "act", permissions, invalidates: ["n://all"] } as const;
  server.tool("write", binding, () => "written");
  const result = await server.invokeTool("write");
  assertEquals("content" in result && result.content, [{ type: "text", text: "written" }]);
  let isClosed = false;
  const closing = server.close().then(() => isClosed = true);
  await settle();
  assertEquals(isClosed, false, "close() waits for what is to be told");
  gate.reject(new Error("Redis is gone"));
  await closing;
  assertEquals(logged.filter((event) => event.startsWith("subscription")), [
    "subscription.publish",
  ]);
});

Deno.test("a partition that throws is logged, and does not fail the call (B11)", async () => {
  const { server, uris, logged } = createServer({
    partition: () => {
      throw new Error("no tenant");
    },
  });
  const binding = { effect: "act", permissions, invalidates: ["n://all"] } as const;
  server.tool("write", binding, () => "written");
  const result = await server.invokeTool("write");
  assertEquals("isError" in result, false);
  assertEquals([uris, logged.at(-1)], [[], "subscription.invalidate"]);
});

Deno.test("callTool() tells as well: any call through the server does (S-20)", async () => {
  const { server, uris } = createServer();
  const binding = { effect: "act", permissions, invalidates: ["n://all"] } as const;
  server.tool("write", binding, () => "written");
  await server.callTool("write");
  assertEquals(uris, ["n://all"]);
});

const WRONG: readonly (readonly [title: string, invalidates: unknown, message: RegExp])[] = [
  ["a text", "n://all", /must be a list of URI templates/],
  ["an empty list", [], /must be a list of URI templates/],
  ["what is no URI", ["all"], /holds "all": each must be a URI, such as notes:\/\/\{id\}/],
  ["what is no text", [5], /holds 5: each must be a URI/],
  [
    "another operator",
    ["n://{?id}"],
    /holds n:\/\/\{\?id\}: only \{var\} and \{\+var\} are served/,
  ],
  ["a brace without its pair", ["n://{id"], /only \{var\}/],
  ["a name that nobody has", ["n://{ID}"], /names "ID", which is neither in the output nor an/],
];

for (const [title, invalidates, message] of WRONG) {
  Deno.test(`registerTool() refuses ${title} as invalidates`, () => {
    const { server } = createServer();
    const spec = serviceSpec({
      reads: { other: param.string() },
      output: jsonSchema<{ id: number }>({
        type: "object",
        properties: { id: { type: "number" } },
      }),
      permissions,
      run: () => ({ id: 1 }),
    });
    const options = { name: "write", invalidates: invalidates as readonly string[] };
    const error = assertThrows(() => server.registerTool(spec, options), ConfigurationError);
    assertMatch(error.message, /^Cannot register tool "write": invalidates /);
    assertMatch(error.message, message);
  });
}

Deno.test("registerTool() refuses invalidates of what only reads", () => {
  const { server } = createServer();
  const spec = selectorSpec({ kind: "retrieve", permissions, select: () => 1 });
  const options = { name: "read", invalidates: ["n://1"] };
  const error = assertThrows(() => server.registerTool(spec, options), ConfigurationError);
  assertMatch(error.message, /invalidates is for a service, not for a retrieve/);
});
