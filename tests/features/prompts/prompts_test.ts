/** prompts/list and prompts/get (P-1…P-5, Q-10, B78). */
import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import {
  authenticated,
  ConfigurationError,
  type ContentBlock,
  McpServer,
  param,
  type PromptAnswer,
  type ServerOptions,
  ServiceNotFound,
  staticTokens,
  unrestricted,
} from "@limen/mcp";
import { encodeCursor } from "../../../src/features/list_cursor.ts";
import { type AskedEra, askServer } from "../../_support/ask_server.ts";

const permissions = [unrestricted];
const ERAS: readonly AskedEra[] = ["modern", "legacy"];

function createServer(options: Partial<ServerOptions> = {}): McpServer {
  return new McpServer({ name: "s", version: "1", log: () => {}, ...options });
}

async function get(
  server: McpServer,
  params: Readonly<Record<string, unknown>>,
  options: Parameters<typeof askServer>[3] = {},
) {
  const { message, status } = await askServer(server, "prompts/get", params, options);
  return message.error === undefined ? message.result : { ...message.error, status };
}

Deno.test("prompts/list has every member of an entry", async () => {
  const server = createServer({ catalogTtlMs: 3 });
  const icons = [{ src: "data:image/png;base64,AA==", mimeType: "image/png" }];
  server.registerPrompt("greet", {
    title: "Greet",
    description: "Greets.",
    icons,
    meta: { a: 1 },
    reads: {
      name: param.string({ required: true, help: "Whom." }),
      times: param.integer({ default: 1 }),
    },
    permissions,
  }, () => "Hi");
  server.registerPrompt("bare", { permissions }, () => "Hi");
  const prompts = [
    {
      name: "greet",
      title: "Greet",
      description: "Greets.",
      icons,
      arguments: [
        { name: "name", description: "Whom.", required: true },
        { name: "times", required: false },
      ],
      _meta: { a: 1 },
    },
    { name: "bare" },
  ];
  const modern = (await askServer(server, "prompts/list")).message.result;
  assertEquals([modern.prompts, modern.ttlMs, modern.cacheScope], [prompts, 3, "public"]);
  const legacy = (await askServer(server, "prompts/list", {}, { era: "legacy" })).message.result;
  assertEquals(legacy, { prompts });
});

Deno.test("prompts/list pages, and refuses a cursor that it did not issue (B78)", async () => {
  const server = createServer({ pageSize: 2 });
  for (const name of ["a", "b", "c"]) server.registerPrompt(name, { permissions }, () => "Hi");
  const first = (await askServer(server, "prompts/list")).message.result;
  const { nextCursor: cursor } = first;
  const last = (await askServer(server, "prompts/list", { cursor })).message.result;
  assertEquals(last.prompts, [{ name: "c" }]);
  assertEquals(last.nextCursor, undefined);
  for (const cursor of ["bogus", "", "e30=", 5, encodeCursor("tools", 2)]) {
    const { message } = await askServer(server, "prompts/list", { cursor });
    assertEquals(message.error.code, -32602);
  }
});

const image: ContentBlock = { type: "image", data: "AA==", mimeType: "image/png" };
const audio: ContentBlock = { type: "audio", data: "AA==", mimeType: "audio/wav" };
const link: ContentBlock = { type: "resource_link", uri: "x://a", name: "a" };
const embedded: ContentBlock = { type: "resource", resource: { uri: "x://a", text: "t" } };
const blob: ContentBlock = { type: "resource", resource: { uri: "x://a", blob: "AA==" } };
const text = (text: string) => ({ type: "text", text });
const user = (content: unknown) => ({ role: "user", content });

const ANSWERS: readonly (readonly [answer: PromptAnswer, messages: unknown])[] = [
  ["hi", [user(text("hi"))]],
  [["a", "b"], [user(text("a")), user(text("b"))]],
  [{ role: "assistant", content: "hi" }, [{ role: "assistant", content: text("hi") }]],
  [[], []],
  ...[image, audio, link, embedded, blob].map((content) =>
    [{ role: "user", content }, [user(content)]] as const
  ),
  [
    ["a", {
      role: "assistant",
      content: { type: "text", text: "b", annotations: { priority: 1 } },
    }],
    [user(text("a")), {
      role: "assistant",
      content: { type: "text", text: "b", annotations: { priority: 1 } },
    }],
  ],
];

for (const [answer, messages] of ANSWERS) {
  Deno.test(`prompts/get serves ${JSON.stringify(answer).slice(0, 70)} (P-4)`, async () => {
    const server = createServer();
    server.registerPrompt("p", { description: "Does.", permissions }, () => answer);
    server.registerPrompt("later", { permissions }, () => Promise.resolve(answer));
    assertEquals(await get(server, { name: "p" }, { era: "legacy" }), {
      messages,
      description: "Does.",
    });
    assertEquals((await get(server, { name: "later" })).messages, messages);
  });
}

const MISSHAPEN: readonly unknown[] = [
  5,
  null,
  undefined,
  {},
  { role: "system", content: "x" },
  { role: "user" },
  { role: "user", content: [text("a")] },
  { role: "user", content: { type: "video", data: "AA==" } },
  { role: "user", content: { type: "toString" } },
  { role: "user", content: { type: "image", data: new Uint8Array(1), mimeType: "image/png" } },
  { role: "user", content: { type: "resource", resource: { uri: "x://a" } } },
  ["a", 5],
];

for (const answer of MISSHAPEN) {
  Deno.test(`prompts/get refuses to serve ${JSON.stringify(answer)} with -32603`, async () => {
    const server = createServer();
    server.registerPrompt("p", { permissions }, () => answer as PromptAnswer);
    const error = await get(server, { name: "p" });
    assertEquals([error.code, error.status], [-32603, 200]);
    assertStringIncludes(error.message, 'Prompt "p" must render a text');
  });
}

Deno.test("prompts/get hands on typed arguments beside the pool (P-5)", async () => {
  const server = createServer();
  server.registerPrompt("p", {
    reads: {
      user: param.string({ required: true }),
      count: param.integer(),
      tags: param.array(param.string()),
      lang: param.string({ default: "en" }),
    },
    permissions,
  }, ({ args, user: { authenticated } }) => {
    const count: number | undefined = args.count;
    return JSON.stringify([args, count, authenticated]);
  });
  const { messages } = await get(server, {
    name: "p",
    arguments: { user: "ada", count: "3", tags: "x" },
  });
  assertEquals(JSON.parse(messages[0].content.text), [
    { user: "ada", count: 3, tags: ["x"], lang: "en" },
    3,
    false,
  ]);
});

function guarded(): McpServer {
  const server = createServer({
    auth: staticTokens([
      { token: "a-token-that-is-long-1", user: { id: "a", authenticated: true }, scopes: ["p"] },
      { token: "a-token-that-is-long-2", user: { id: "b", authenticated: true } },
      {
        token: "a-token-that-is-long-3",
        user: { id: "c", authenticated: true, active: false },
        scopes: ["p"],
      },
    ]),
  });
  const reads = { id: param.integer({ required: true }) };
  server.registerPrompt("scoped", { reads, scopes: "p" }, ({ args }) => `${args.id}`);
  server.registerPrompt("mine", {
    reads,
    permissions: [authenticated, { hasPermission: ({ user }) => user.id === "a" }],
  }, ({ args }) => `${args.id}`);
  return server;
}

Deno.test("prompts/get asks scopes, then permissions, then says what is missing (Q-10)", async () => {
  const server = guarded();
  const code = async (name: string, digit: number, args?: object) => {
    const token = `a-token-that-is-long-${digit}`;
    const { code, status, data } = await get(server, { name, arguments: args }, { token });
    return [code, status, data];
  };
  assertEquals(await code("scoped", 2), [-32006, 403, { requiredScopes: ["p"] }]);
  assertEquals(await code("mine", 2), [-32006, 403, undefined]);
  assertEquals(await code("scoped", 3, { id: "1" }), [-32006, 403, undefined]);
  assertEquals(await code("mine", 1), [-32602, 200, {
    missing: ["id"],
    detail: { id: ["This field is required."] },
  }]);
  assertEquals(await code("mine", 1, { id: "x", more: "1" }), [-32602, 200, {
    detail: { id: ["Enter a whole number."], more: ["Unknown argument."] },
  }]);
  assertEquals(await code("mine", 1, { id: "1" }), [undefined, undefined, undefined]);
});

const MALFORMED: readonly Readonly<Record<string, unknown>>[] = [
  { name: 5 },
  {},
  { name: "nope" },
  { name: "__proto__" },
  { name: "p", arguments: [] },
  { name: "p", arguments: "a" },
  { name: "p", arguments: { a: 1 } },
  { name: "p", arguments: { a: null } },
];

for (const params of MALFORMED) {
  Deno.test(`prompts/get refuses ${JSON.stringify(params)} with -32602`, async () => {
    for (const era of ERAS) {
      const server = createServer();
      server.registerPrompt("p", { reads: { a: param.string() }, permissions }, () => "Hi");
      const error = await get(server, params, { era });
      assertEquals([error.code, error.status], [-32602, 200]);
    }
  });
}

Deno.test("prompts/get masks a fault, and tells what a service refuses", async () => {
  const server = createServer();
  server.registerPrompt("fault", { permissions }, () => {
    throw new Error("secret");
  });
  server.registerPrompt("gone", { permissions }, () => {
    throw new ServiceNotFound("It is gone.");
  });
  const fault = await get(server, { name: "fault" });
  assertEquals([fault.code, fault.message, fault.status], [-32603, "Internal error", 500]);
  const gone = await get(server, { name: "gone" });
  assertEquals([gone.code, gone.message, gone.status], [-32602, "It is gone.", 200]);
});

Deno.test("Prompts come and go while they are served", async () => {
  const server = createServer();
  assertEquals((await askServer(server, "prompts/list")).status, 404);
  const one = server.registerPrompt("p", { permissions }, () => "Hi");
  const { capabilities } = (await askServer(server, "server/discover")).message.result;
  assertEquals(capabilities, { prompts: {} });
  one.remove();
  assertEquals((await askServer(server, "prompts/get", { name: "p" })).status, 404);
});

const REFUSED: readonly (readonly [name: unknown, options: object, message: string])[] = [
  ["", { permissions }, 'Cannot register prompt "": name must be a text'],
  ["p", {}, 'Cannot register prompt "p": permissions must list at least one check'],
  ["p", { permissions: [] }, "permissions must list at least one check"],
  ["p", { permissions: [{}] }, "permissions must hold objects with a hasPermission function"],
  ["p", { permissions, argument: 1 }, "argument is not an option of a prompt"],
  ["p", { permissions, complete: { a: () => [] } }, 'complete names "a", which is no argument'],
  ["p", { permissions, icons: [{ src: "ftp://a" }] }, "the src of an icon must be"],
];

for (const [name, options, message] of REFUSED) {
  Deno.test(`registerPrompt() refuses: ${message}`, () => {
    const register = () => createServer().registerPrompt(name as string, options, () => "Hi");
    assertThrows(register, ConfigurationError, message);
  });
}

Deno.test("registerPrompt() refuses a name that is taken, and what renders nothing", () => {
  const server = createServer();
  server.registerPrompt("p", { permissions }, () => "Hi");
  const again = () => server.registerPrompt("p", { permissions }, () => "Hi");
  assertThrows(again, ConfigurationError, 'Cannot register prompt "p": the name is taken');
  const none = () => server.registerPrompt("q", { permissions }, undefined as never);
  assertThrows(none, ConfigurationError, "render must be a function");
});
