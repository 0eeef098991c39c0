/** A tool behind a dispatcher answers as it would by itself (B14, HV-50, W-43, W-46). */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import {
  authenticated,
  fixedWindow,
  type McpServer,
  param,
  selectorSpec,
  ServiceConflict,
  serviceSpec,
  unrestricted,
} from "@limen/mcp";
import { fakeClock } from "@limen/mcp/testing";
import { z } from "zod";
import { askAs, serverOfCallers } from "../../../_support/ask_as.ts";
import type { Message } from "../../../_support/read_answer.ts";

const ERAS = ["modern", "legacy"] as const;
const ada = { user: { id: "ada", authenticated: true }, token: { scopes: ["a"] } };

/** What every tool of these tests asks and does is noted here. */
let asked: string[] = [];

const noting = {
  message: "noted",
  hasPermission: ({ user }: { readonly user: { readonly authenticated: boolean } }) => {
    asked.push("permission");
    return user.authenticated;
  },
};
const permissions = [unrestricted];

/** Registers one tool of every kind, flat or behind the dispatcher `all`. */
function register(server: McpServer, behind: { readonly dispatcher?: string }): McpServer {
  const add = (name: string, spec: unknown, options: object = {}) =>
    server.registerTool(spec as Parameters<McpServer["registerTool"]>[0], {
      name,
      description: `The tool ${name}.`,
      ...options,
      ...behind,
    });
  const run = ({ args }: { readonly args: object }) => {
    asked.push("run");
    return { id: 1, ...args };
  };
  add(
    "echo",
    serviceSpec({
      reads: { id: param.integer({ required: true }) },
      input: z.object({ note: z.string().max(3).optional() }),
      permissions,
      run,
    }),
  );
  add(
    "list",
    selectorSpec({
      kind: "list",
      output: z.object({ id: z.int() }),
      permissions,
      select: () => [{ id: 1 }],
    }),
  );
  add(
    "pages",
    selectorSpec({
      kind: "list",
      output: z.object({ id: z.int() }),
      permissions,
      select: () => [{ id: 1 }],
    }),
    { paginate: true },
  );
  add(
    "misfit",
    serviceSpec({
      output: z.object({ id: z.int() }),
      permissions,
      run: () => ({}) as { id: number },
    }),
  );
  add("guarded", serviceSpec({ permissions: [noting], run }));
  add("scoped", serviceSpec({ permissions: [noting], run }), { scopes: ["a", "b"] });
  add("limited", serviceSpec({ permissions, run }), {
    rateLimits: fixedWindow({ maxCalls: 1, perSeconds: 3600 }),
  });
  add("demanding", serviceSpec({ permissions, run }), { requiresClient: { sampling: {} } });
  add("large", serviceSpec({ permissions, run: () => "x".repeat(500) }), { maxResultBytes: 100 });
  add("slow", serviceSpec({ permissions, run: ({ signal }) => untilStopped(signal) }), {
    dispatchTimeoutMs: 5,
  });
  add(
    "refuses",
    serviceSpec({
      permissions,
      run: () => {
        throw new ServiceConflict("It is paid.");
      },
    }),
  );
  add("gone", selectorSpec({ kind: "retrieve", permissions, select: () => undefined }));
  add(
    "closed",
    serviceSpec({
      permissions,
      affordances: [{ code: "closed", reason: "The books are closed.", when: () => false }],
      run,
    }),
  );
  add("filled", serviceSpec({ reads: { id: param.integer() }, permissions, run }), {
    serverArguments: { values: { id: 9 } },
  });
  add(
    "many",
    serviceSpec({
      many: true,
      input: z.object({ id: z.int() }),
      output: z.object({ id: z.int() }),
      permissions,
      run: ({ args }) => [...args],
    }),
  );
  add(
    "progress",
    serviceSpec({
      permissions,
      run: ({ progress }) => {
        progress(1, { total: 2 });
        return "done";
      },
    }),
  );
  add("picture", serviceSpec({ permissions, run: () => "AA==" }), {
    contentKind: "image",
    contentMimeType: "image/png",
  });
  return server;
}

async function untilStopped(signal: AbortSignal): Promise<string> {
  if (!signal.aborted) {
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  }
  return "stopped";
}

/** Both servers count the same time, whatever the machine does between two calls. */
const clock = fakeClock();

function createFlat(options: object = {}): McpServer {
  return register(serverOfCallers({ clock, ...options }), {});
}

function createHidden(options: object = {}): McpServer {
  const server = serverOfCallers({ clock, ...options });
  server.registerDispatcher({ name: "all", description: "Everything.", effect: "write" });
  return register(server, { dispatcher: "all" });
}

interface Row {
  readonly tool: string;
  readonly args?: Message;
  readonly as?: typeof ada;
  readonly meta?: Message;
  readonly options?: object;
  /** How often it is called. Default 1. */
  readonly times?: number;
}

const ROWS: Readonly<Record<string, Row>> = {
  "a value": { tool: "echo", args: { id: "7", note: "abc" } },
  "a missing argument": { tool: "echo" },
  "several wrong arguments": { tool: "echo", args: { id: "x", note: "long", more: 1 } },
  "arguments that are repeated": {
    tool: "echo",
    args: { id: "x" },
    options: { includeValidationValue: true },
  },
  "a list, which legacy callers get wrapped": { tool: "list" },
  "a page": { tool: "pages", args: { page: 2, limit: 1 } },
  "a permission that refuses": { tool: "guarded" },
  "a permission that admits": { tool: "guarded", as: ada },
  "a scope that is missing": { tool: "scoped", as: ada },
  "a limit": { tool: "limited", times: 2 },
  "a client that cannot": { tool: "demanding" },
  "a client that can": {
    tool: "demanding",
    meta: { "io.modelcontextprotocol/clientCapabilities": { sampling: {} } },
  },
  "a result over its ceiling": { tool: "large" },
  "a deadline": { tool: "slow" },
  "a refusal of the domain": { tool: "refuses" },
  "a row that is not there": { tool: "gone" },
  "a condition that does not hold": { tool: "closed" },
  "an argument of the server": { tool: "filled", args: { id: 1 } },
  "many at once": { tool: "many", args: { items: [{ id: 1 }, { id: 2 }] } },
  "one bad of many": { tool: "many", args: { items: [{ id: 1 }, {}] } },
  "progress": { tool: "progress", meta: { progressToken: "p" } },
  "a picture": { tool: "picture" },
  "a structured value that is left out": {
    tool: "list",
    options: { includeStructuredContent: false },
  },
};

for (const era of ERAS) {
  for (const [what, row] of Object.entries(ROWS)) {
    Deno.test(`a tool behind a dispatcher answers with ${what} as by itself: ${era}`, async () => {
      const { tool, args, as, meta, options, times = 1 } = row;
      const sent = { era, ...(as && { as }), ...(meta && { meta }) };
      const [flat, hidden] = [createFlat(options), createHidden(options)];
      for (let i = 0; i < times; i++) {
        asked = [];
        const byItself = await askAs(flat, "tools/call", { name: tool, arguments: args }, sent);
        const askedByItself = asked;
        asked = [];
        const behind = { tool, ...(args && { params: args }) };
        const passed = await askAs(hidden, "tools/call", { name: "all", arguments: behind }, sent);
        const { text: _, headers: __, ...expected } = byItself;
        const { text: ___, headers, ...actual } = passed;
        assertEquals(actual, expected);
        assertEquals(asked, askedByItself); // nothing is asked twice
        for (const name of ["www-authenticate", "retry-after", "content-type"]) {
          assertEquals(headers.get(name), byItself.headers.get(name), name);
        }
      }
    });
  }
}

Deno.test("a fault behind a dispatcher is masked, and logged under the name of the tool", async () => {
  const events: Message[] = [];
  const server = createHidden({
    log: (event: Message) => void events.push(event),
    logLevel: "debug",
  });
  const params = { name: "all", arguments: { tool: "misfit" } };
  const { status, message } = await askAs(server, "tools/call", params);
  assertEquals(status, 500);
  assertEquals(message.error.code, -32603);
  const of = (name: string) => events.find(({ event }) => event === name)!.fields;
  assertEquals(of("call.fault").name, "misfit");
  assertEquals(of("call.fault").reference, message.error.data.reference);
  assertEquals(of("call.done").name, "misfit");
});

Deno.test("what runs around a method is told of the tool behind the dispatcher (B14)", async () => {
  const targets: unknown[] = [];
  const server = createHidden({
    around: [(call: never, next: (call: never) => unknown, target: unknown) => {
      targets.push(target);
      return next(call);
    }],
  });
  for (const args of [{ tool: "list" }, { tool: "help" }, { tool: "nope" }, { tool: 1 }, {}]) {
    await askAs(server, "tools/call", { name: "all", arguments: args });
  }
  assertEquals(targets, ["list", "all", undefined, undefined, undefined]);
});

Deno.test("a tool behind a dispatcher cannot be called by its own name", async () => {
  const server = createHidden();
  for (const era of ERAS) {
    const hidden = await askAs(server, "tools/call", { name: "list" }, { era });
    const absent = await askAs(server, "tools/call", { name: "lost" }, { era });
    assertEquals(hidden.text, absent.text.replace("lost", "list"));
    assertEquals(hidden.message.error.message, 'Unknown tool: "list"');
  }
});

Deno.test("the quota of a tool is its own, however it is reached (B14)", async () => {
  const server = createHidden();
  const call = (tool: string) =>
    askAs(server, "tools/call", { name: "all", arguments: { tool } }, { as: ada });
  await call("limited");
  assertEquals((await call("limited")).message.error.code, -32005);
  assertEquals((await call("echo")).status, 200); // another tool has another
});

Deno.test("a dispatcher checks what is its own, and reports it at once (B15)", async () => {
  const server = createHidden();
  const rows: readonly (readonly [unknown, Message])[] = [
    [{}, {
      message: "Missing required argument(s): `tool`.",
      detail: { tool: ["This field is required."] },
    }],
    [{ tool: 1, params: [], verify: "x", extra: 1 }, {
      message: "Invalid arguments",
      detail: {
        extra: ["Unknown argument."],
        tool: ["Expected a string."],
        params: ["Expected an object."],
        verify: ["Enter true, false, 1 or 0."],
      },
    }],
    [JSON.parse('{"tool":"echo","params":{"__proto__":{"id":1}}}'), {
      message: "Invalid arguments",
      detail: { params: { ["__proto__"]: ["Unknown argument."] } },
    }],
    [{ tool: "__proto__" }, {
      message: 'Unknown tool: "__proto__"; tool "help" lists those there are',
    }],
    [{ tool: "constructor" }, {
      message: 'Unknown tool: "constructor"; tool "help" lists those there are',
    }],
  ];
  for (const [args, expected] of rows) {
    const { message, status } = await askAs(server, "tools/call", { name: "all", arguments: args });
    assertEquals([status, message.result.isError], [200, true]);
    const { error } = JSON.parse(message.result.content[0].text);
    assertEquals(error, JSON.parse(JSON.stringify({ type: "validation_error", ...expected })));
  }
});

Deno.test("verify stands beside the tool or among its arguments, and means nothing to a read (W-43, W-46)", async () => {
  const server = serverOfCallers();
  server.registerDispatcher({ name: "all", description: "Everything.", effect: "write" });
  const behind = { description: "T.", permissions, dispatcher: "all" };
  const written = { id: "w1", note: "as it was sent" };
  server.tool("write", { ...behind, effect: "update" }, () => written);
  server.tool("own", { ...behind, effect: "update", verifyKey: "echo" }, () => written);
  server.tool("read", { ...behind, effect: "read" }, () => written);
  const isWhole = async (args: Message) => {
    const { message } = await askAs(server, "tools/call", { name: "all", arguments: args });
    assertEquals(message.result.isError, undefined, message.result.content?.[0]?.text);
    return "note" in message.result.structuredContent;
  };
  for (
    const [args, expected] of [
      [{ tool: "write", verify: true }, true],
      [{ tool: "write", verify: "false" }, false],
      [{ tool: "write", params: { verify: true } }, true],
      [{ tool: "write", params: { verify: true }, verify: false }, false],
      [{ tool: "write" }, false],
      [{ tool: "own", verify: true }, true],
      [{ tool: "own", params: { echo: true } }, true],
      [{ tool: "read", verify: true }, true],
    ] as const
  ) assertEquals(await isWhole(args), expected, JSON.stringify(args));
});

/** One caller is shown nothing but the open tool; the others are shown what they may run. */
function createFiltered(): McpServer {
  const server = serverOfCallers({ filterListings: true });
  server.registerDispatcher({ name: "all", description: "Everything.", effect: "write" });
  const spec = (options: object) =>
    serviceSpec({ permissions: [authenticated], run: () => 1, ...options });
  const register = (name: string, made: unknown, options: object = {}) =>
    server.registerTool(made as Parameters<McpServer["registerTool"]>[0], {
      name,
      description: "T.",
      dispatcher: "all",
      ...options,
    });
  register("open", spec({ permissions }));
  register("permit", spec({}));
  register("scoped", spec({ permissions }), { scopes: "z" });
  register("needs", spec({}), { requiresClient: { sampling: {} } });
  register("broken", spec({ reads: { id: param.integer({ required: true }) } }));
  register("world", spec({ affordances: [{ code: "c", reason: "Closed.", when: () => false }] }));
  register("shown", spec({}), { alwaysListed: true });
  return server;
}

Deno.test("a tool that a caller is not shown answers as one that is not there (security B14)", async () => {
  const server = createFiltered();
  for (const era of ERAS) {
    const ask = async (args: Message) =>
      (await askAs(server, "tools/call", { name: "all", arguments: args }, { era })).text;
    for (const tool of ["permit", "scoped", "needs", "broken", "world"]) {
      for (const params of [undefined, { id: "x" }, { verify: true }]) {
        const told = await ask({ tool, params });
        assertEquals(told, (await ask({ tool: "nope", params })).replace("nope", tool));
      }
      const told = await ask({ tool: "help", params: { tool } });
      assertEquals(
        told,
        (await ask({ tool: "help", params: { tool: "nope" } })).replace("nope", tool),
      );
    }
  }
});

Deno.test("a tool that a caller is shown refuses in its own words (B14, L-11)", async () => {
  const server = createFiltered();
  const call = async (tool: string, as?: typeof ada) => {
    const sent = { name: "all", arguments: { tool } };
    return (await askAs(server, "tools/call", sent, as && { as })).message;
  };
  assertEquals((await call("shown")).error.code, -32006);
  assertEquals((await call("needs", ada)).error.code, -32021);
  assertEquals(JSON.parse((await call("world", ada)).result.content[0].text).error.code, "c");
  assert((await call("permit", ada)).result.isError !== true);
  assertNotEquals((await call("broken", ada)).result.isError, undefined);
});
