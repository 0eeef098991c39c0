/**
 * What a running task asks, from the inside: the work is a script of rounds, the client is the wire's.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { createCancelTask } from "../../../src/features/tasks/cancel_task.ts";
import { createTask } from "../../../src/features/tasks/create_task.ts";
import { createGetTask } from "../../../src/features/tasks/get_task.ts";
import { inProcessExecutor } from "../../../src/features/tasks/in_process_executor.ts";
import type { TaskCall } from "../../../src/features/tasks/task_call.ts";
import { createTaskContext } from "../../../src/features/tasks/task_context.ts";
import type { TaskQuestions } from "../../../src/features/tasks/task_questions.ts";
import type { TaskAnswers, TaskRecord } from "../../../src/features/tasks/task_record.ts";
import { createUpdateTask } from "../../../src/features/tasks/update_task.ts";
import { InProcessCall } from "../../../src/features/in_process_call.ts";
import { complete, type Outcome } from "../../../src/features/outcome.ts";
import { createModernEncoder } from "../../../src/era/modern/encode_outcome.ts";
import { createLogger } from "../../../src/ports/logger.ts";
import { memoryStore } from "../../../src/stores/memory_store.ts";
import type { Message } from "../../_support/read_answer.ts";
import { assertConforms } from "../../_support/spec_schema.ts";
import { until } from "../../_support/task_fixture.ts";

const FORM = {
  method: "elicitation/create",
  params: {
    mode: "form",
    message: "Sure?",
    requestedSchema: { type: "object", properties: { sure: { type: "boolean" } } },
  },
};

/** A task whose work asks these rounds of questions, and then is done. */
async function open(rounds: readonly Omit<TaskQuestions, "type">[]) {
  const seen: (TaskAnswers | undefined)[] = [];
  const announced: TaskRecord[] = [];
  const executor = inProcessExecutor();
  const context = createTaskContext({
    executor,
    store: memoryStore(),
    name: "s",
    now: Date.now,
    log: createLogger(() => {}, "warning"),
    tasks: { anonymous: true },
    announce: (record) => void announced.push(record),
    perform: (call): Outcome | TaskQuestions => {
      seen.push((call as TaskCall).answers);
      const round = rounds[seen.length - 1];
      return round === undefined
        ? complete({ members: '"content":[]' })
        : { type: "input_required", ...round };
    },
  });
  const encode = createModernEncoder({ name: "s", version: "1" });
  const methods = {
    "tasks/get": createGetTask(context),
    "tasks/update": createUpdateTask(context),
    "tasks/cancel": createCancelTask(context),
  };
  const makeCall = (method: string, params: object) =>
    Object.assign(
      new InProcessCall(method, params as Message, {
        caller: { user: { authenticated: false } },
        request: undefined,
        host: {},
        signal: undefined,
        log: context.log,
      }),
      { clientCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } },
    );
  const ask = async (method: keyof typeof methods, params: object): Promise<Message> => {
    const { body } = encode(await methods[method](makeCall(method, params)), 1);
    const message = JSON.parse(String(body));
    assertConforms(message, method);
    return message;
  };
  const made = encode(
    await createTask(context, makeCall("tools/call", { name: "t" }), {
      where: 'tool "t"',
      isIdempotent: false,
    }),
    1,
  );
  const { taskId } = JSON.parse(String(made.body)).result;
  const get = async (): Promise<Message> => (await ask("tasks/get", { taskId })).result;
  const answer = (inputResponses: unknown): Promise<Message> =>
    ask("tasks/update", { taskId, inputResponses });
  const untilIs = async (status: string): Promise<Message> => {
    await until(async () => (await get()).status === status);
    return await get();
  };
  const cancel = () => ask("tasks/cancel", { taskId });
  const close = async () => {
    await executor.close?.();
    context.held.clear();
  };
  return { seen, announced, get, answer, cancel, untilIs, [Symbol.asyncDispose]: close };
}

const YES = { action: "accept", content: { sure: true } };

Deno.test("a task asks several things at once, takes answers one by one, and goes on (J-33)", async () => {
  await using task = await open([{ requests: { a: FORM, b: FORM }, pending: { round: 1 } }]);
  const asking = await task.untilIs("input_required");
  assertEquals(asking.inputRequests, { a: FORM, b: FORM });
  const acknowledged = await task.answer({ a: YES, stranger: "what" });
  assertEquals(Object.keys(acknowledged.result).sort(), ["_meta", "resultType"]);
  assertEquals((await task.get()).inputRequests, { b: FORM });
  await task.answer({ a: { action: "decline" } }); // answered already
  await task.answer({ b: YES });
  const done = await task.untilIs("completed");
  assertEquals(["inputRequests" in done, "statusMessage" in done], [false, false]);
  assertEquals(task.seen, [undefined, { responses: { a: YES, b: YES }, pending: { round: 1 } }]);
});

Deno.test("B90: a second question has a key of its own, and its answer comes under the first one's", async () => {
  await using task = await open([
    { requests: { confirm: FORM }, pending: { round: 1 } },
    { requests: { confirm: FORM, other: FORM }, pending: { round: 2 } },
    { requests: { confirm: FORM } },
  ]);
  await task.untilIs("input_required");
  await task.answer({ confirm: YES });
  await until(async () => Object.hasOwn((await task.get()).inputRequests ?? {}, "confirm~2"));
  await task.answer({ confirm: YES }); // of the round before
  assertEquals(Object.keys((await task.get()).inputRequests), ["confirm~2", "other"]);
  await task.answer({ "confirm~2": { action: "decline" }, other: YES });
  await until(async () => Object.hasOwn((await task.get()).inputRequests ?? {}, "confirm~3"));
  await task.answer({ "confirm~3": YES });
  await task.untilIs("completed");
  assertEquals(task.seen, [
    undefined,
    { responses: { confirm: YES }, pending: { round: 1 } },
    { responses: { confirm: { action: "decline" }, other: YES }, pending: { round: 2 } },
    { responses: { confirm: YES } },
  ]);
});

Deno.test("B87: answers that are no objects are -32602, and change nothing", async () => {
  await using task = await open([{ requests: { a: FORM } }]);
  await task.untilIs("input_required");
  for (const wrong of [undefined, null, [], 5, "a", { a: 5 }, { a: [] }, { a: null }]) {
    assertEquals((await task.answer(wrong)).error.code, -32602);
  }
  assertEquals((await task.get()).inputRequests, { a: FORM });
  await task.cancel();
});

Deno.test("an update is acknowledged whatever becomes of the task (J-33)", async () => {
  await using task = await open([{ requests: { a: FORM } }]);
  await task.untilIs("input_required");
  await task.cancel();
  const cancelled = await task.get();
  assertEquals([cancelled.status, "inputRequests" in cancelled], ["cancelled", false]);
  assertEquals((await task.answer({ a: YES })).result.resultType, "complete");
  assertEquals(await task.get(), cancelled);
  assertEquals(task.seen.length, 1);
});

Deno.test("two last answers at once let the work begin once", async () => {
  await using task = await open([{ requests: { a: FORM } }]);
  await task.untilIs("input_required");
  await Promise.all(Array.from({ length: 10 }, () => task.answer({ a: YES })));
  await task.untilIs("completed");
  assertEquals(task.seen.length, 2);
});

Deno.test("every change of a status is announced once, in order, once it is written (J-35)", async () => {
  await using task = await open([{ requests: { a: FORM } }]);
  await task.untilIs("input_required");
  await task.answer({ a: YES });
  await task.untilIs("completed");
  assertEquals(task.announced.map(({ status }) => status), [
    "input_required",
    "working",
    "completed",
  ]);
});
