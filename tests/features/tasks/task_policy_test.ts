import {
  ConfigurationError,
  fixedWindow,
  inProcessExecutor,
  McpServer,
  type ServerOptions,
  serviceSpec,
  ServiceValidationError,
  unrestricted,
} from "@limen/mcp";
import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { mcpRequest } from "../../_support/mcp_request.ts";
import { readAnswer } from "../../_support/read_answer.ts";
import { TaskClient } from "../../_support/task_client.ts";
import { createTaskServer, TaskHooks, tokenOf } from "../../_support/task_fixture.ts";

const token = tokenOf("ada");

const POLICIES: readonly {
  readonly tool: "echo" | "count" | "refuse";
  readonly knowsTasks: boolean;
  readonly hasExecutor: boolean;
  readonly told: string | number;
}[] = [
  { tool: "echo", knowsTasks: true, hasExecutor: true, told: "complete" },
  { tool: "echo", knowsTasks: false, hasExecutor: true, told: "complete" },
  { tool: "echo", knowsTasks: true, hasExecutor: false, told: "complete" },
  { tool: "count", knowsTasks: true, hasExecutor: true, told: "task" },
  { tool: "count", knowsTasks: false, hasExecutor: true, told: "complete" },
  { tool: "count", knowsTasks: true, hasExecutor: false, told: "complete" },
  { tool: "refuse", knowsTasks: true, hasExecutor: true, told: "task" },
  { tool: "refuse", knowsTasks: false, hasExecutor: true, told: -32021 },
  { tool: "refuse", knowsTasks: true, hasExecutor: false, told: -32603 },
  { tool: "refuse", knowsTasks: false, hasExecutor: false, told: -32603 },
];

for (const { tool, knowsTasks, hasExecutor, told } of POLICIES) {
  const client = knowsTasks ? "a client that knows tasks" : "a client that does not";
  const server = hasExecutor ? "" : ", of a server that runs none";
  Deno.test(`tools/call of ${tool} by ${client}${server} is told ${told} (J-4, J-11)`, async () => {
    await using served = open({}, hasExecutor);
    const asked = new TaskClient(served.server, { token, knowsTasks });
    const args = { echo: { text: "a" }, count: { to: 1 }, refuse: {} }[tool];
    const { message, status } = await asked.ask("tools/call", { name: tool, arguments: args });
    assertEquals(message.error?.code ?? message.result.resultType, told);
    if (told === -32021) {
      assertEquals(status, 400);
      assertEquals(message.error.data, {
        requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } },
      });
    }
    if (told === -32603) assertMatch(message.error.message, /"refuse"/);
  });
}

Deno.test("a legacy caller knows no tasks, whatever it declares (J-4)", async () => {
  await using served = open();
  const call = async (method: string, params: object) => {
    const headers = { authorization: `Bearer ${token}` };
    const request = mcpRequest("legacy", { method, params: { ...params }, headers });
    return (await readAnswer(await served.server.fetch(request))).message!;
  };
  const counted = await call("tools/call", { name: "count", arguments: { to: 2 } });
  assertEquals(counted.result.structuredContent, { counted: 2 });
  const refused = await call("tools/call", { name: "refuse", arguments: {} });
  assertEquals(refused.error.code, -32021);
  for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
    assertEquals((await call(method, { taskId: "a" })).error.code, -32601);
  }
});

Deno.test("server/discover declares the extension where an executor is, and only to modern clients (H-52)", async () => {
  for (const hasExecutor of [true, false]) {
    await using served = open({}, hasExecutor);
    const asked = new TaskClient(served.server, { token });
    const { capabilities } = (await asked.ask("server/discover", {})).message.result;
    assertEquals(
      capabilities.extensions,
      hasExecutor ? { "io.modelcontextprotocol/tasks": {} } : undefined,
    );
    const get = await asked.ask("tasks/get", { taskId: "a" });
    assertEquals(get.message.error.code, hasExecutor ? -32602 : -32601);
    const list = await asked.ask("tasks/list", {});
    assertEquals([list.status, list.message.error.code], [404, -32601]);
  }
});

Deno.test("tasks/* need the extension declared, and a taskId (J-30)", async () => {
  await using served = open();
  const [knowing, unknowing] = [true, false].map((knowsTasks) =>
    new TaskClient(served.server, { token, knowsTasks })
  ) as [TaskClient, TaskClient];
  const taskId = await knowing.start("count", { to: 1 });
  for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
    const undeclared = await unknowing.ask(method, { taskId, inputResponses: {} });
    assertEquals([undeclared.status, undeclared.message.error.code], [400, -32021]);
    const bad = await knowing.ask(method, { taskId: 5, inputResponses: {} });
    assertEquals([bad.status, bad.message.error.code], [200, -32602]);
    const request = mcpRequest("modern", {
      method,
      params: { taskId },
      headers: { "mcp-name": "another", authorization: `Bearer ${token}` },
    });
    assertEquals(
      (await readAnswer(await served.server.fetch(request))).message?.error.code,
      -32020,
    );
  }
});

Deno.test("a refused caller gets no task: scopes, permissions, then limits, charged once (J-10, RL-2)", async () => {
  await using served = open();
  const { server, hooks } = served;
  const run = serviceSpec({ permissions: [unrestricted], allowNone: true, run: () => null });
  server.registerTool(run, {
    name: "limited",
    description: "Is limited.",
    taskPolicy: "optional",
    rateLimits: fixedWindow({ maxCalls: 1, perSeconds: 60 }),
  });
  server.registerTool(run, {
    name: "scoped",
    description: "Is scoped.",
    taskPolicy: "optional",
    scopes: "admin",
  });
  const asked = new TaskClient(server, { token });
  const scoped = await asked.ask("tools/call", { name: "scoped", arguments: {} });
  assertEquals([scoped.status, scoped.message.error.code], [403, -32006]);
  hooks.isOpen = false;
  const denied = await asked.ask("tools/call", { name: "count", arguments: { to: 1 } });
  assertEquals([denied.status, denied.message.error.code], [403, -32006]);
  const task = await asked.untilOver(await asked.start("limited"));
  assertEquals(task.status, "completed"); // the worker charges nothing
  const limited = await asked.ask("tools/call", { name: "limited", arguments: {} });
  assertEquals(limited.message.error.code, -32005);
});

Deno.test("arguments that are refused at once make no task", async () => {
  await using served = open();
  const asked = new TaskClient(served.server, { token });
  const result = await asked.call("count", { to: "many" });
  assertEquals([result.resultType, result.isError], ["complete", true]);
});

Deno.test("prepare runs before the task is created, and not in the task (J-10, J-14)", async () => {
  await using served = open();
  const { server, hooks } = served;
  const asked = new TaskClient(server, { token });
  hooks.gate("a").resolve();
  const task = await asked.untilOver(await asked.start("wait", { key: "a" }));
  assertEquals([task.status, hooks.prepared, hooks.began], ["completed", 1, ["a"]]);

  server.registerTool(
    serviceSpec({
      permissions: [unrestricted],
      prepare: () => {
        throw new ServiceValidationError("Not now", { when: ["Too early."] });
      },
      run: () => "done",
    }),
    { name: "early", description: "Is too early.", taskPolicy: "required" },
  );
  const refused = await asked.call("early");
  assertEquals([refused.resultType, refused.isError], ["complete", true]);
  assertEquals(JSON.parse(refused.content[0].text).error.message, "Not now");
});

Deno.test("what follows the commit follows it in a task as well, once (J-25)", async () => {
  await using served = open();
  const done: string[] = [];
  served.server.registerTool(
    serviceSpec({
      permissions: [unrestricted],
      prepare: ({ afterCommit }) => afterCommit(() => void done.push("prepared")),
      run: ({ afterCommit }) => {
        afterCommit(() => void done.push("committed"));
        return "done";
      },
    }),
    { name: "commit", description: "Commits.", taskPolicy: "required" },
  );
  const asked = new TaskClient(served.server, { token });
  assertEquals((await asked.untilOver(await asked.start("commit"))).status, "completed");
  assertEquals(done, ["committed"]);
});

Deno.test("in process nobody knows tasks", async () => {
  await using served = open();
  const { server } = served;
  const user = { id: "ada", authenticated: true };
  assertEquals(await server.invokeTool("refuse", {}, { user }), {
    code: -32021,
    message: "Missing required client capability",
    data: { requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } },
  });
  const counted = await server.invokeTool("count", { to: 1 }, { user });
  assertEquals("structuredContent" in counted && counted.structuredContent, { counted: 1 });
  const refused = await server.callTool("refuse", {}, { user });
  assertEquals(refused.isError, true);
});

const REFUSED: readonly (readonly [title: string, options: object, says: RegExp])[] = [
  ["without restoreCaller beside auth", { restoreCaller: undefined }, /option restoreCaller/],
  ["without auth", { auth: undefined, restoreCaller: undefined }, /tasks: \{ anonymous: true \}/],
];

for (const [title, options, says] of REFUSED) {
  Deno.test(`a tool with a task policy is refused ${title} (B12)`, () => {
    const error = assertThrows(
      () => createTaskServer(new TaskHooks(), { executor: inProcessExecutor(), ...options }),
      ConfigurationError,
    );
    assertMatch(error.message, says);
  });
}

const WRONG_TASKS: readonly (readonly [tasks: object, says: RegExp])[] = [
  [{ ttlMs: 0 }, /option tasks.ttlMs must be an integer of at least 1/],
  [{ leaseMs: null }, /option tasks.leaseMs must be/],
  [{ maxPerCaller: 1.5 }, /option tasks.maxPerCaller must be/],
  [{ anonymous: "yes" }, /option tasks.anonymous must be true or false/],
  [{ colour: "red" }, /option tasks.colour is not an option/],
];

for (const [tasks, says] of WRONG_TASKS) {
  Deno.test(`new McpServer() refuses tasks: ${JSON.stringify(tasks)}`, () => {
    const options = { name: "s", version: "1", tasks } as object as ServerOptions;
    assertMatch(assertThrows(() => new McpServer(options), ConfigurationError).message, says);
  });
}

Deno.test("new McpServer() refuses an executor beside stores without a secret (B5, B12)", async () => {
  const { memoryStore } = await import("@limen/mcp/stores/memory");
  const options = { name: "s", version: "1", executor: inProcessExecutor(), stores: memoryStore() };
  const error = assertThrows(() => new McpServer(options), ConfigurationError);
  assertMatch(error.message, /option executor beside stores needs a secret/);
  assertThrows(() => inProcessExecutor({ maxRunning: 0 }), ConfigurationError, "maxRunning");
});

function open(options: Partial<ServerOptions> = {}, hasExecutor = true): AsyncDisposable & {
  readonly server: McpServer;
  readonly hooks: TaskHooks;
} {
  const hooks = new TaskHooks();
  const server = createTaskServer(hooks, {
    ...(hasExecutor ? { executor: inProcessExecutor() } : {}),
    ...options,
  });
  return { server, hooks, [Symbol.asyncDispose]: () => server.close() };
}
