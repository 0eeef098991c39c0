/** Dispatchers in the catalogue: what is refused, listed, measured and changed (B14, HV-50). */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  ConfigurationError,
  hostAuth,
  McpServer,
  NotPermitted,
  param,
  poolSeeds,
  selectorSpec,
  serviceSpec,
  SpecRegistry,
  unrestricted,
} from "@limen/mcp";
import { askAs, serverOfCallers } from "../../../_support/ask_as.ts";
import type { Message } from "../../../_support/read_answer.ts";

const ERAS = ["modern", "legacy"] as const;
const permissions = [unrestricted];
const write = serviceSpec({ permissions, run: () => 1 });
const read = selectorSpec({ kind: "retrieve", permissions, select: () => ({ id: 1 }) });
const mirrored = selectorSpec({
  kind: "retrieve",
  reads: { region: param.string({ header: "Region" }) },
  permissions,
  select: () => 1,
});

function createServer(): McpServer {
  const server = serverOfCallers();
  server.registerDispatcher({ name: "reads", description: "Reads.", effect: "read" });
  server.registerDispatcher({ name: "writes", description: "Writes.", effect: "write" });
  server.registerTool(read, { name: "flat", description: "T." });
  server.registerTool(read, { name: "hidden", description: "T.", dispatcher: "reads" });
  return server;
}

const DISPATCHER = { name: "d", description: "D.", effect: "read" };

const DISPATCHERS: readonly (readonly [object, string])[] = [
  [{ ...DISPATCHER, name: "flat" }, 'tool "flat": the name is taken'],
  [{ ...DISPATCHER, name: "reads" }, 'tool "reads": the name is taken'],
  [{ ...DISPATCHER, name: "hidden" }, 'tool "hidden": the name is taken'],
  [{ ...DISPATCHER, name: "" }, 'tool "": name must have 1 to 128 characters'],
  [{ ...DISPATCHER, effect: "act" }, 'dispatcher "d": effect must be one of read, write'],
  [{ name: "d", description: "D." }, 'dispatcher "d": effect must be one of read, write'],
  [
    { ...DISPATCHER, description: " " },
    'dispatcher "d": description must say what its tools are for',
  ],
  [{ ...DISPATCHER, title: "" }, 'tool "d": title must be a text that is not blank'],
  [
    { ...DISPATCHER, dispatcher: "reads" },
    'dispatcher "d": dispatcher is not an option of a dispatcher',
  ],
  [
    { ...DISPATCHER, descripton: "D." },
    'dispatcher "d": descripton is not an option of a dispatcher: did you mean "description"?',
  ],
];

for (const [options, problem] of DISPATCHERS) {
  Deno.test(`registerDispatcher() refuses ${JSON.stringify(options)}`, () => {
    const server = createServer();
    const register = () => server.registerDispatcher(options as never);
    assertThrows(register, ConfigurationError, `Cannot register ${problem}`);
  });
}

const TOOLS: readonly (readonly [string, unknown, object, string])[] = [
  [
    "a dispatcher that is not there",
    read,
    { dispatcher: "nope" },
    'dispatcher "nope" is not registered',
  ],
  [
    "a dispatcher that is misspelt",
    read,
    { dispatcher: "raeds" },
    'dispatcher "raeds" is not registered: did you mean "reads"?',
  ],
  [
    "a dispatcher that is a tool",
    read,
    { dispatcher: "flat" },
    'dispatcher "flat" is an ordinary tool',
  ],
  [
    "a dispatcher behind another",
    read,
    { dispatcher: "hidden" },
    'dispatcher "hidden" is an ordinary tool',
  ],
  ["a dispatcher that is no text", read, { dispatcher: 1 }, "dispatcher must be a text"],
  [
    "a write among reads",
    write,
    { dispatcher: "reads" },
    'dispatcher "reads" has the effect "read", and this tool writes',
  ],
  [
    "a read that says it writes, among reads",
    read,
    { dispatcher: "reads", annotations: { readOnlyHint: false } },
    'dispatcher "reads" has the effect "read", and this tool writes',
  ],
  [
    "an argument with a header",
    mirrored,
    { dispatcher: "reads" },
    'dispatcher "reads" hides argument "region", which has a header: leave the header out',
  ],
];

for (const [what, spec, options, problem] of TOOLS) {
  Deno.test(`registerTool() refuses ${what}, naming the tool and the property`, () => {
    const server = createServer();
    const binding = { name: "t", description: "T.", ...options };
    const register = () => server.registerTool(spec as typeof read, binding);
    assertThrows(register, ConfigurationError, `Cannot register tool "t": ${problem}`);
    assertEquals(server.catalogueReport().tools.length, 4); // nothing was added
  });
}

Deno.test("registerTool() refuses names that are taken behind a dispatcher, and help's own", () => {
  const server = createServer();
  for (const dispatcher of [undefined, "reads", "writes"]) {
    const binding = { name: "hidden", description: "T.", ...(dispatcher && { dispatcher }) };
    const taken = () => server.registerTool(read, binding);
    assertThrows(taken, ConfigurationError, 'Cannot register tool "hidden": the name is taken');
  }
  const help = { name: "help", description: "T." };
  assertThrows(
    () => server.registerTool(read, { ...help, dispatcher: "reads" }),
    ConfigurationError,
    'Cannot register tool "help": name "help" is what dispatcher "reads" lists its tools by',
  );
  server.registerTool(read, help); // by itself it is a name like any other
});

async function entries(server: McpServer, era: "modern" | "legacy" = "modern") {
  const { result } = (await askAs(server, "tools/list", {}, { era })).message;
  return result.tools as readonly Message[];
}

for (const era of ERAS) {
  Deno.test(`tools/list has a dispatcher in place of its tools: ${era}`, async () => {
    const tools = await entries(createServer(), era);
    assertEquals(tools.map(({ name }) => name), ["reads", "writes", "flat"]);
    const { inputSchema: { properties, ...schema }, ...entry } = tools[0]!;
    assertEquals(entry, {
      name: "reads",
      description: "Reads.",
      annotations: { readOnlyHint: true },
    });
    assertEquals(schema, { type: "object", required: ["tool"], additionalProperties: false });
    assertEquals(Object.keys(properties), ["tool", "params", "verify"]);
  });

  Deno.test(`1000 tools behind dispatchers take under 2 kB for each dispatcher: ${era}`, async () => {
    const server = serverOfCallers();
    for (let i = 0; i < 4; i++) {
      const dispatcher = `group_${i}`;
      server.registerDispatcher({
        name: dispatcher,
        description: `What is done with the ${i}th kind of thing.`,
        effect: i % 2 === 0 ? "read" : "write",
      });
      for (let j = 0; j < 250; j++) {
        const effect = i % 2 === 0 ? "read" : "update";
        const description = `Does the ${j}th thing, and says at length what came of it.`;
        const reads = { id: param.integer({ required: true, help: "The id of the thing." }) };
        const options = { description, effect, reads, permissions, dispatcher } as const;
        server.tool(`group_${i}_tool_${j}`, options, () => "1");
      }
    }
    const { text, message } = await askAs(server, "tools/list", {}, { era });
    assertEquals(message.result.tools.length, 4);
    assert(text.length < 4 * 2048, `${text.length} bytes`);
    for (const tool of message.result.tools) assert(JSON.stringify(tool).length < 2048);
    const sent = { name: "group_3", arguments: { tool: "group_3_tool_249", params: { id: 1 } } };
    const called = await askAs(server, "tools/call", sent, { era });
    assertEquals(called.message.result.content, [{ type: "text", text: "1" }]);
  });
}

const HINTS: readonly (readonly [string, readonly object[], object])[] = [
  ["nothing", [], { readOnlyHint: false, destructiveHint: true }],
  ["reads", [{ readOnlyHint: true }], { readOnlyHint: false, destructiveHint: true }],
  ["creations", [{ destructiveHint: false }, { destructiveHint: false }], {
    readOnlyHint: false,
    destructiveHint: false,
  }],
  ["one that destroys", [{ destructiveHint: false }, { destructiveHint: true }], {
    readOnlyHint: false,
    destructiveHint: true,
  }],
  ["a read beside a creation", [{ readOnlyHint: true }, { destructiveHint: false }], {
    readOnlyHint: false,
    destructiveHint: false,
  }],
  ["idempotent tools", [{ idempotentHint: true }, { idempotentHint: true }], {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
  }],
  ["one that is not idempotent", [{ idempotentHint: true }, {}], {
    readOnlyHint: false,
    destructiveHint: true,
  }],
  ["a closed world", [{ openWorldHint: false }, { openWorldHint: false }], {
    readOnlyHint: false,
    destructiveHint: true,
    openWorldHint: false,
  }],
  ["a world that may be open", [{ openWorldHint: false }, {}], {
    readOnlyHint: false,
    destructiveHint: true,
  }],
];

for (const [what, hints, expected] of HINTS) {
  Deno.test(`the hints of a dispatcher are the worst of its tools: ${what} (B14)`, async () => {
    const server = serverOfCallers();
    server.registerDispatcher({ name: "d", description: "D.", effect: "write" });
    for (const [i, annotations] of hints.entries()) {
      const binding = { name: `t${i}`, description: "T.", dispatcher: "d" };
      server.registerTool(write, { ...binding, annotations });
    }
    const [entry] = await entries(server);
    assertEquals(entry!.annotations, expected);
  });
}

Deno.test("a catalogue with dispatchers changes while it is served", async () => {
  const server = createServer();
  const call = async (name: string, tool: string) => {
    const { result } = (await askAs(server, "tools/call", { name, arguments: { tool } })).message;
    return result?.isError === true ? JSON.parse(result.content[0].text).error.message : "served";
  };
  const unknown = 'Unknown tool: "late"; tool "help" lists those there are';
  const [, before] = await entries(server);
  assertEquals(before!.annotations.destructiveHint, true);
  assertEquals(await call("writes", "late"), unknown);
  const annotations = { destructiveHint: false };
  const binding = { name: "late", description: "T.", dispatcher: "writes", annotations };
  const late = server.registerTool(write, binding);
  assertEquals(await call("writes", "late"), "served");
  assertEquals((await entries(server))[1]!.annotations.destructiveHint, false);
  late.remove();
  assertEquals(await call("writes", "late"), unknown);
  assertEquals((await entries(server))[1]!.annotations.destructiveHint, true);

  server.registerTool(write, binding);
  const dispatcher = server.registerDispatcher({ name: "d", description: "D.", effect: "read" });
  const inner = server.registerTool(read, { name: "inner", description: "T.", dispatcher: "d" });
  assertEquals(await call("d", "inner"), "served");
  dispatcher.remove();
  dispatcher.remove();
  inner.remove();
  const gone = await askAs(server, "tools/call", { name: "d", arguments: { tool: "inner" } });
  assertEquals(gone.message.error.message, 'Unknown tool: "d"');
  assertEquals((await entries(server)).map(({ name }) => name), ["reads", "writes", "flat"]);
  server.registerTool(read, { name: "inner", description: "T." }); // the name is free again
  const again = server.registerDispatcher({ name: "d", description: "D.", effect: "read" });
  dispatcher.remove(); // no longer its own
  assertEquals((await entries(server)).length, 5);
  again.remove();
});

Deno.test("registerTools() takes dispatchers by override, all or none", () => {
  const server = createServer();
  const registry = new SpecRegistry();
  registry.register("a", read).register("b", write);
  const register = (dispatcher: string) =>
    server.registerTools(registry, { a: { dispatcher }, b: { dispatcher } });
  assertThrows(() => register("reads"), ConfigurationError, 'Cannot register tool "b"');
  assertEquals(server.catalogueReport().hidden.tools, 1);
  assertEquals(register("writes").length, 2);
  assertEquals(server.catalogueReport().hidden.tools, 3);
});

Deno.test("a dispatcher serves a server whose seeds have the names of its arguments", async () => {
  const seeds = poolSeeds({ tool: () => 1, params: () => 2 });
  const server = serverOfCallers({ seeds } as never);
  server.registerDispatcher({ name: "d", description: "D.", effect: "read" });
  server.registerTool(read, { name: "t", description: "T.", dispatcher: "d" });
  const sent = { name: "d", arguments: { tool: "t" } };
  const { result } = (await askAs(server, "tools/call", sent)).message;
  assertEquals(result.structuredContent, { id: 1 });
});

Deno.test("code of this process reaches tools behind dispatchers both ways (N-1…N-4)", async () => {
  const server = createServer();
  const guard = { hasPermission: () => false };
  const guarded = serviceSpec({ permissions: [guard], run: () => 1 });
  server.registerTool(guarded, {
    name: "guarded",
    description: "T.",
    dispatcher: "writes",
    rateLimits: { consume: () => 1 } as never,
  });
  const closed = serviceSpec({
    permissions,
    affordances: [{ code: "closed", reason: "Closed.", when: () => false }],
    run: () => 1,
  });
  server.registerTool(closed, { name: "closed", description: "T.", dispatcher: "writes" });

  const listed = await server.listTools();
  assert("tools" in listed);
  assertEquals(listed.tools.map(({ name }) => name), ["reads", "writes", "flat"]);

  const row = { id: 1 };
  assertEquals((await server.callTool("reads", { tool: "hidden" })).structuredContent, row);
  assertEquals((await server.callTool("hidden")).structuredContent, row);
  const help = await server.callTool("reads", { tool: "help" });
  assertEquals((help.structuredContent as Message).items.length, 1);
  assertEquals((await server.callTool("reads", { tool: "nope" })).isError, true);
  await assertRejects(() => server.callTool("writes", { tool: "guarded" }), NotPermitted);
  await assertRejects(() => server.callTool("guarded"), NotPermitted);

  const invoked = await server.invokeTool("reads", { tool: "hidden" });
  assertEquals((invoked as Message).structuredContent, row);
  assertEquals((await server.invokeTool("hidden") as Message).code, -32602);
  assertEquals((await server.invokeTool("writes", { tool: "guarded" }) as Message).code, -32006);

  const unavailable = await server.unavailableTools();
  assertEquals([...unavailable.keys()], ["closed"]);

  for (const asked of [{ tool: "guarded" }, { tool: "writes", args: { tool: "guarded" } }]) {
    const [tool, , permission] = await server.explain(asked);
    assertEquals(tool, { step: "tool", passes: true, answer: 'tool "guarded"' });
    assertEquals(permission!.passes, false);
  }
  const [absent] = await server.explain({ tool: "writes", args: { tool: "nope" } });
  assertEquals(absent!.passes, false);
});

Deno.test("the scopes of tools behind dispatchers are among those of the server", async () => {
  const server = new McpServer({
    name: "s",
    version: "1",
    log: () => {},
    publicUrl: "https://mcp.example/mcp",
    auth: hostAuth(),
    host: () => ({}),
    resourceMetadata: { authorizationServers: ["https://issuer.example"] },
  });
  server.registerDispatcher({ name: "d", description: "D.", effect: "read" });
  const binding = { name: "t", description: "T.", dispatcher: "d" };
  server.registerTool(read, { ...binding, scopes: ["invoices:read"] });
  const url = "https://mcp.example/.well-known/oauth-protected-resource/mcp";
  const document = await (await server.fetch(new Request(url))).json();
  assertEquals(document.scopes_supported, ["invoices:read"]);
});

Deno.test("catalogueReport() measures entries as they are listed, the largest first (HV-41)", async () => {
  const server = createServer();
  server.registerTool(read, { name: "ä", description: "Ä".repeat(400) });
  const { listed, hidden, tools } = server.catalogueReport();
  const sizes = tools.map(({ bytes }) => bytes);
  assertEquals(sizes, sizes.toSorted((a, b) => b - a));
  assertEquals(tools[0]!.name, "ä");
  const size = (entry: Message) => new TextEncoder().encode(JSON.stringify(entry)).length;
  const sent = await entries(server);
  for (const { name, bytes, tokens, dispatcher } of tools) {
    if (dispatcher === undefined) {
      assertEquals(bytes, size(sent.find((one) => one.name === name)!), name);
    }
    assertEquals(tokens, Math.ceil(bytes / 4));
  }
  const total = sent.reduce((sum, one) => sum + size(one), 0);
  assertEquals(listed, { tools: 4, bytes: total, tokens: Math.ceil(total / 4) });
  const { bytes } = tools.find(({ dispatcher }) => dispatcher === "reads")!;
  assertEquals(hidden, { tools: 1, bytes, tokens: Math.ceil(bytes / 4) });
});
