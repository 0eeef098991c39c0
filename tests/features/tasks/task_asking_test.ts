import {
  inProcessExecutor,
  type McpServer,
  param,
  question,
  type ServerOptions,
  serviceSpec,
  unrestricted,
} from "@limen/mcp";
import { assertEquals } from "@std/assert";
import type { Message } from "../../_support/read_answer.ts";
import { TaskClient } from "../../_support/task_client.ts";
import { createTaskServer, TaskHooks, tokenOf } from "../../_support/task_fixture.ts";
import { until } from "../../_support/until.ts";

const permissions = [unrestricted];
const sure = () => question.form("Sure?", { sure: param.boolean({ required: true }) });
const YES = { action: "accept", content: { sure: true } };
const NO = { action: "decline" };

/** A client, and a server whose tools ask; `runs` counts how often their work began. */
function open(options: Partial<ServerOptions> = {}) {
  const server = createTaskServer(new TaskHooks(), {
    executor: inProcessExecutor(),
    secret: "a secret of at least 32 bytes, for tests",
    ...options,
  });
  const runs = { count: 0, prepared: 0 };
  register(server, runs);
  const client = new TaskClient(server, { token: tokenOf("ada") });
  const answer = (taskId: string, inputResponses: unknown): Promise<Message> =>
    client.ask("tasks/update", { taskId, inputResponses }).then(({ message }) => message);
  return { server, client, runs, answer, [Symbol.asyncDispose]: () => server.close() };
}

function register(server: McpServer, runs: { count: number; prepared: number }): void {
  const shared = { taskPolicy: "required", permissions, effect: "act" } as const;
  server.tool("two", { ...shared, description: "Asks two things at once." }, ({ ask }) => {
    runs.count++;
    const { a, b } = ask({ a: sure(), b: sure() });
    return { a: a.action, b: b.action };
  });
  server.tool("twice", { ...shared, description: "Asks, and asks again." }, ({ ask }) => {
    runs.count++;
    const first = ask({ first: sure() }).first.action;
    const second = ask({ second: sure() }).second.action;
    return { first, second };
  });
  server.tool("consent", { ...shared, description: "Asks for consent." }, async ({ confirm }) => {
    runs.count++;
    await confirm("Delete 7?", { id: 7 });
    await confirm("Delete 8?", { id: 8 });
    return "deleted";
  });
  const before = serviceSpec({
    permissions,
    prepare: ({ ask }) => {
      runs.prepared++;
      ask({ a: sure() });
    },
    run: ({ ask }) => {
      runs.count++;
      return { a: ask({ a: sure() }).a.action };
    },
  });
  server.registerTool(before, {
    name: "before",
    description: "Asks before it becomes a task.",
    taskPolicy: "required",
  });
}

Deno.test("a task asks several things at once, takes answers one by one, and goes on (J-33)", async () => {
  await using served = open();
  const { client, answer, runs } = served;
  const taskId = await client.start("two");
  const asking = await client.until(taskId, "input_required");
  assertEquals(Object.keys(asking.inputRequests), ["a", "b"]);
  const acknowledged = await answer(taskId, { a: YES, stranger: "what" });
  assertEquals(Object.keys(acknowledged.result).sort(), ["_meta", "resultType"]);
  assertEquals(Object.keys((await client.get(taskId)).inputRequests), ["b"]);
  await answer(taskId, { a: NO }); // answered already
  await Promise.all(Array.from({ length: 5 }, () => answer(taskId, { b: NO })));
  const done = await client.untilOver(taskId);
  assertEquals(done.result.structuredContent, { a: "accept", b: "decline" });
  assertEquals(["inputRequests" in done, "statusMessage" in done, runs.count], [false, false, 2]);
});

Deno.test("answers of an earlier round are still there in the next", async () => {
  await using served = open();
  const { client, answer } = served;
  const taskId = await client.start("twice");
  await client.until(taskId, "input_required");
  await answer(taskId, { first: YES });
  await until(async () => "second" in ((await client.get(taskId)).inputRequests ?? {}));
  await answer(taskId, { second: NO });
  assertEquals((await client.untilOver(taskId)).result.structuredContent, {
    first: "accept",
    second: "decline",
  });
});

Deno.test("B90: a second consent has a key of its own, and the first stays given", async () => {
  await using served = open();
  const { client, answer, runs } = served;
  const taskId = await client.start("consent");
  await client.until(taskId, "input_required");
  await answer(taskId, { confirm: { action: "accept", content: {} } });
  await until(async () => "confirm~2" in ((await client.get(taskId)).inputRequests ?? {}));
  await answer(taskId, { confirm: { action: "accept", content: {} } }); // of the round before
  assertEquals((await client.get(taskId)).status, "input_required");
  await answer(taskId, { "confirm~2": { action: "accept", content: {} } });
  const done = await client.untilOver(taskId);
  assertEquals([done.status, done.result.isError ?? false, runs.count], ["completed", false, 3]);
});

Deno.test("B87: a malformed answer to what is asked is -32602, and changes nothing", async () => {
  await using served = open();
  const { client, answer } = served;
  const taskId = await client.start("two");
  const asking = await client.until(taskId, "input_required");
  for (const wrong of [undefined, null, [], 5, "a", { a: 5 }, { a: [] }, { a: null }, { a: {} }]) {
    assertEquals((await answer(taskId, wrong)).error.code, -32602, JSON.stringify(wrong));
  }
  assertEquals(await client.get(taskId), asking);
  await client.cancel(taskId);
  const cancelled = await client.get(taskId);
  assertEquals((await answer(taskId, { a: YES, b: YES })).result.resultType, "complete");
  assertEquals(await client.get(taskId), cancelled);
});

Deno.test("what prepare asks is answered before there is a task, and known in it (J-10, J-14)", async () => {
  await using served = open();
  const { client, runs } = served;
  const { result } = (await client.ask("tools/call", { name: "before", arguments: {} })).message;
  assertEquals([result.resultType, "taskId" in result], ["input_required", false]);
  const inputResponses = { a: YES };
  const { requestState } = result;
  const params = { name: "before", arguments: {}, inputResponses, requestState };
  const handle = (await client.ask("tools/call", params)).message.result;
  assertEquals(handle.resultType, "task");
  const done = await client.untilOver(handle.taskId);
  assertEquals(done.result.structuredContent, { a: "accept" });
  assertEquals([runs.prepared, runs.count], [2, 1]);
});

Deno.test("a task asks no more rounds than a call", async () => {
  await using served = open({ requestState: { maxRounds: 1 } });
  const { client, answer } = served;
  const taskId = await client.start("twice");
  await client.until(taskId, "input_required");
  await answer(taskId, { first: YES });
  const done = await client.untilOver(taskId);
  assertEquals([done.status, done.result.isError], ["completed", true]);
});
