/** Tools called from within the process, and registries of specs (N-1…N-8, T-1, T-3, T-31, K-98). */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  authenticated,
  ConfigurationError,
  McpServer,
  param,
  selectorSpec,
  ServiceError,
  serviceSpec,
  ServiceValidationError,
  SpecRegistry,
  unrestricted,
} from "@limen/mcp";
import { mcpRequest } from "../../_support/mcp_request.ts";
import { readAnswer } from "../../_support/read_answer.ts";

const ada = { id: "ada", authenticated: true } as const;
const reads = { id: param.integer({ required: true }) };

/** A server with a guarded tool `t`, behind the scope `a`. */
function serve(run: (pool: { readonly args: object }) => unknown = ({ args }) => args) {
  const server = new McpServer({ name: "s", version: "1", log: () => {} });
  const spec = serviceSpec({ reads, permissions: [authenticated], run });
  server.registerTool(spec, { name: "t", description: "T.", scopes: "a" });
  return server;
}

Deno.test("callTool() and invokeTool() answer what the wire answers (N-2, N-3, N-8)", async () => {
  const server = serve();
  server.tool(
    "open",
    { description: "T.", effect: "read", reads, permissions: [unrestricted] },
    ({ args }) => args,
  );
  for (const args of [{ id: "7" }, {}, { id: "x", note: 1 }]) {
    const params = { name: "open", arguments: args };
    const wire = await readAnswer(
      await server.fetch(mcpRequest("modern", { method: "tools/call", params })),
    );
    const { resultType: _, _meta: __, ...told } = wire.message!.result;
    for (
      const answer of [await server.callTool("open", args), await server.invokeTool("open", args)]
    ) {
      const { content, structuredContent, isError } = answer as unknown as Record<string, unknown>;
      assertEquals(
        JSON.parse(JSON.stringify({ content, structuredContent, isError })),
        told,
      );
    }
  }
});

Deno.test("callTool() asks the checks and no scopes; a refusal is thrown (N-2, T-31)", async () => {
  const server = serve();
  const { structuredContent } = await server.callTool("t", { id: 1 }, { user: ada });
  assertEquals(structuredContent, { id: 1 });
  for (const args of [{ id: 1 }, {}, { note: 1 }]) { // permissions before arguments (K-61)
    const error = await assertRejects(() => server.callTool("t", args));
    assertEquals((error as Error).name, "NotPermitted");
  }
  const inactive = { ...ada, active: false };
  const error = await assertRejects(() => server.callTool("t", { id: 1 }, { user: inactive }));
  assertEquals((error as Error).name, "NotPermitted"); // K-56
  await assertRejects(() => server.callTool("nope"), RangeError, 'Unknown tool: "nope"');
});

Deno.test("callTool() answers what a domain refuses, and throws a fault (N-2, T-45)", async () => {
  const refused = await serve(() => {
    throw new ServiceError("No.");
  }).callTool("t", { id: 1 }, { user: ada });
  assertEquals([refused.isError, refused.content], [true, [{
    type: "text",
    text: '{"error":{"type":"service_error","message":"No."}}',
  }]]);
  const fault = new Error("broken");
  const server = serve(() => {
    throw fault;
  });
  assertEquals(await assertRejects(() => server.callTool("t", { id: 1 }, { user: ada })), fault);
  const picky = new McpServer({ name: "s", version: "1" });
  picky.registerTool(
    selectorSpec({
      kind: "retrieve",
      permissions: [unrestricted],
      select: () => 1,
      present: () => {
        throw new ServiceValidationError("No.");
      },
    }),
    { name: "t", description: "T." },
  );
  await assertRejects(() => picky.callTool("t"), ServiceValidationError, "No."); // T-45
});

Deno.test("invokeTool() answers refusals as JSON-RPC errors, scopes included (N-3, N-6)", async () => {
  const server = serve();
  const scopes = ["a"];
  const done = await server.invokeTool("t", { id: 1 }, { user: ada, scopes });
  assertEquals("structuredContent" in done && done.structuredContent, { id: 1 });
  const unscoped = await server.invokeTool("t", { id: 1 }, { user: ada });
  assertEquals(unscoped, {
    code: -32006,
    message: "Insufficient permission",
    data: { requiredScopes: ["a"] },
  } as never);
  const denied = await server.invokeTool("t", { id: 1 }, { scopes });
  assertEquals(denied, { code: -32006, message: "Insufficient permission" } as never);
  const unknown = await server.invokeTool("nope");
  assertEquals(unknown, { code: -32602, message: 'Unknown tool: "nope"' } as never);
  const misshapen = await server.invokeTool("t", [] as never, { user: ada, scopes });
  assertEquals("code" in misshapen && misshapen.code, -32602);
});

Deno.test("a call within the process sees its own user, and no token where none was given (N-2, N-5)", async () => {
  const seen: unknown[] = [];
  const server = new McpServer({ name: "s", version: "1" });
  server.tool(
    "t",
    { description: "T.", effect: "read", permissions: [unrestricted] },
    async ({ user, token, request, host, signal }) => {
      await undefined;
      seen.push([user.id, token?.scopes, request?.url, host.zone, signal.aborted]);
      return "ok";
    },
  );
  const request = Object.freeze({ method: "POST", url: "x://y", header: () => null });
  await Promise.all([
    server.callTool("t", {}, { user: ada, request, host: { zone: 1 } }),
    server.invokeTool("t", {}, { user: { ...ada, id: "bob" }, request, scopes: ["a"] }),
    server.callTool("t"),
  ]);
  assertEquals(seen.sort(), [
    [undefined, undefined, undefined, undefined, false],
    ["ada", undefined, "x://y", 1, false],
    ["bob", ["a"], "x://y", undefined, false],
  ]);
});

Deno.test("a client within the process declared nothing (N-7)", async () => {
  const server = new McpServer({ name: "s", version: "1" });
  const spec = serviceSpec({ permissions: [unrestricted], run: () => 1 });
  server.registerTool(spec, { name: "t", description: "T.", requiresClient: { roots: {} } });
  const answer = await server.invokeTool("t");
  assertEquals("code" in answer && answer.code, -32021);
});

Deno.test("explain() says step by step why a call would pass, and runs nothing", async () => {
  let ran = 0;
  const server = serve(() => ++ran);
  const steps = await server.explain({ tool: "t", args: { id: "x" }, user: ada });
  assertEquals(steps.map(({ step, passes }) => [step, passes]), [
    ["tool", true],
    ["scopes", false],
    ["permissions", true],
    ["arguments", false],
    ["conditions", true],
  ]);
  assertEquals(steps[3]!.detail, { id: ["Enter a whole number."] });
  assertEquals((await server.explain({ tool: "nope" })).map(({ passes }) => passes), [false]);
  assertEquals(ran, 0);
});

const read = selectorSpec({ kind: "list", permissions: [unrestricted], select: () => [1, 2] });
const write = serviceSpec({ permissions: [unrestricted], run: () => 1 });

function registry(): SpecRegistry {
  return new SpecRegistry()
    .register("read", read, { tags: ["a", "b"] })
    .register("write", write, { tags: ["b"] })
    .register("other", write);
}

/** The names of entries. */
function names(entries: readonly { readonly name: string }[]): readonly string[] {
  return entries.map(({ name }) => name);
}

Deno.test("SpecRegistry finds specs by name, kind and tag, in order (K-98)", () => {
  const specs = registry();
  assertEquals([specs.get("read"), specs.get("nope")], [read, undefined]);
  assertEquals(names(specs.all()), ["read", "write", "other"]);
  assertEquals(names(specs.queries()), ["read"]);
  assertEquals(names(specs.mutations()), ["write", "other"]);
  assertEquals(names(specs.byTag("a")), ["read"]);
  assertEquals(names(specs.byTag("a", "b")), ["read", "write"]);
  assertEquals(names(specs.subset(["other", "read"]).all()), ["other", "read"]);
  const more = new SpecRegistry().register("more", read);
  assertEquals(names(specs.merge(more).all()), ["read", "write", "other", "more"]);
  assertEquals(names(specs.all()), ["read", "write", "other"]);
});

Deno.test("SpecRegistry refuses a name twice, what is no spec, and a spec without checks (K-57, K-98)", () => {
  const specs = registry();
  const refused: readonly (readonly [act: () => unknown, message: string])[] = [
    [() => specs.register("read", write), 'Cannot register spec "read": the name is taken'],
    [
      () => specs.register("x", {} as never),
      'Cannot register spec "x": expected a spec made by serviceSpec() or selectorSpec()',
    ],
    [
      () => specs.register("x", serviceSpec({ run: () => 1 })),
      'Cannot register spec "x": permissions is missing',
    ],
    [() => specs.subset(["nope"]), 'Cannot take spec "nope": unknown'],
    [() => specs.merge(registry()), 'Cannot register spec "read": the name is taken'],
  ];
  for (const [act, message] of refused) {
    assertEquals(assertThrows(act, ConfigurationError).message, message);
  }
});

Deno.test("registerTools() serves every spec under its name, with its own options (K-1, T-1, T-3)", async () => {
  const server = new McpServer({ name: "s", version: "1", log: () => {} });
  const registrations = server.registerTools(registry(), {
    read: { description: "Reads.", paginate: true, title: "R", scopes: "a" },
  });
  const page = await server.listTools();
  assert("tools" in page);
  assertEquals(page.tools.map(({ name, title }) => [name, title]), [
    ["read", "R"],
    ["write", undefined],
    ["other", undefined],
  ]);
  const { structuredContent } = await server.callTool("read");
  assertEquals(structuredContent, { items: [1, 2], page: 1, totalPages: 1, hasNext: false });
  registrations[1]!.remove();
  assertEquals((await server.listTools() as { tools: unknown[] }).tools.length, 2);
});

Deno.test("registerTools() serves all or nothing (T-1)", async () => {
  const refused: readonly (readonly [overrides: object, message: string])[] = [
    [{ nope: {} }, 'Cannot register tools: "nope" is not in the registry'],
    [
      { other: { paginate: true } },
      'Cannot register tool "other": paginate is for a list, not for a service',
    ],
    [{ other: { colour: 1 } }, 'Cannot register tool "other": colour is not an option of a tool'],
  ];
  for (const [overrides, message] of refused) {
    const server = new McpServer({ name: "s", version: "1", log: () => {} });
    const error = assertThrows(
      () => server.registerTools(registry(), overrides as Record<string, object>),
      ConfigurationError,
    );
    assertEquals(error.message, message);
    await assertRejects(() => server.callTool("read"), RangeError);
  }
  const server = new McpServer({ name: "s", version: "1", log: () => {} });
  server.registerTool(write, { name: "other", description: "Taken." });
  assertThrows(() => server.registerTools(registry()), ConfigurationError, "the name is taken");
  await assertRejects(() => server.callTool("read"), RangeError);
});
