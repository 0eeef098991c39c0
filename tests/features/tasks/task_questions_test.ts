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
import type { TaskRecord } from "../../../src/features/tasks/task_record.ts";
import type { InputRequiredOutcome } from "../../../src/features/elicitation/ask_back.ts";
import type { Pending, Received } from "../../../src/features/elicitation/pending.ts";
import { createUpdateTask } from "../../../src/features/tasks/update_task.ts";
import { InProcessCall } from "../../../src/features/in_process_call.ts";
import { complete, type Outcome } from "../../../src/features/outcome.ts";
import { createModernEncoder } from "../../../src/era/modern/encode_outcome.ts";
import { createLogger } from "../../../src/ports/logger.ts";
import { memoryStore } from "../../../src/stores/memory_store.ts";
import type { Message } from "../../_support/read_answer.ts";
import { assertConforms } from "../../_support/spec_schema.ts";
import { until } from "../../_support/until.ts";

const FORM = {
  method: "elicitation/create",
  params: {
    mode: "form",
    message: "Sure?",
    requestedSchema: { type: "object", properties: { sure: { type: "boolean" } } },
  },
};

/** What goes with the questions of a round. */
function kept(round: number, names: readonly string[]): Pending {
  return { round, names, answers: {}, arguments: {}, consents: [] };
}

/** A task whose work asks these rounds of questions, and then is done. */
async function open(rounds: readonly Omit<InputRequiredOutcome, "type">[]) {
  const seen: (Pick<Received, "answers" | "round"> | undefined)[] = [];
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
    maxRounds: 5,
    perform: (call): Outcome => {
      const { input } = call as TaskCall;
      seen.push(input && { round: input.round, answers: { ...input.answers } });
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
  await using task = await open([
    { requests: { a: FORM, b: FORM }, pending: kept(1, ["a", "b"]) },
  ]);
  const asking = await task.untilIs("input_required");
  assertEquals(asking.inputRequests, { a: FORM, b: FORM });
  const acknowledged = await task.answer({ a: YES, stranger: "what" });
  assertEquals(Object.keys(acknowledged.result).sort(), ["_meta", "resultType"]);
  assertEquals((await task.get()).inputRequests, { b: FORM });
  await task.answer({ a: { action: "decline" } }); // answered already
  await task.answer({ b: YES });
  const done = await task.untilIs("completed");
  assertEquals(["inputRequests" in done, "statusMessage" in done], [false, false]);
  assertEquals(task.seen, [undefined, { round: 1, answers: { a: YES, b: YES } }]);
});

Deno.test("B90: a second question has a key of its own, and its answer comes under the first one's", async () => {
  await using task = await open([
    { requests: { sure: FORM }, pending: kept(1, ["sure"]) },
    { requests: { sure: FORM, other: FORM }, pending: kept(2, ["sure", "other"]) },
    { requests: { sure: FORM }, pending: kept(3, ["sure"]) },
  ]);
  await task.untilIs("input_required");
  await task.answer({ sure: YES });
  await until(async () => Object.hasOwn((await task.get()).inputRequests ?? {}, "sure~2"));
  await task.answer({ sure: YES }); // of the round before
  assertEquals(Object.keys((await task.get()).inputRequests), ["sure~2", "other"]);
  await task.answer({ "sure~2": { action: "decline" }, other: YES });
  await until(async () => Object.hasOwn((await task.get()).inputRequests ?? {}, "sure~3"));
  await task.answer({ "sure~3": YES });
  await task.untilIs("completed");
  assertEquals(task.seen, [
    undefined,
    { round: 1, answers: { sure: YES } },
    { round: 2, answers: { sure: { action: "decline" }, other: YES } },
    { round: 3, answers: { sure: YES } },
  ]);
});

Deno.test("B87: answers that are no objects are -32602, and change nothing", async () => {
  await using task = await open([{ requests: { a: FORM }, pending: kept(1, ["a"]) }]);
  await task.untilIs("input_required");
  for (const wrong of [undefined, null, [], 5, "a", { a: 5 }, { a: [] }, { a: null }]) {
    assertEquals((await task.answer(wrong)).error.code, -32602);
  }
  assertEquals((await task.get()).inputRequests, { a: FORM });
  await task.cancel();
});

Deno.test("an update is acknowledged whatever becomes of the task (J-33)", async () => {
  await using task = await open([{ requests: { a: FORM }, pending: kept(1, ["a"]) }]);
  await task.untilIs("input_required");
  await task.cancel();
  const cancelled = await task.get();
  assertEquals([cancelled.status, "inputRequests" in cancelled], ["cancelled", false]);
  assertEquals((await task.answer({ a: YES })).result.resultType, "complete");
  assertEquals(await task.get(), cancelled);
  assertEquals(task.seen.length, 1);
});

Deno.test("two last answers at once let the work begin once", async () => {
  await using task = await open([{ requests: { a: FORM }, pending: kept(1, ["a"]) }]);
  await task.untilIs("input_required");
  await Promise.all(Array.from({ length: 10 }, () => task.answer({ a: YES })));
  await task.untilIs("completed");
  assertEquals(task.seen.length, 2);
});

Deno.test("every change of a status is announced once, in order, once it is written (J-35)", async () => {
  await using task = await open([{ requests: { a: FORM }, pending: kept(1, ["a"]) }]);
  await task.untilIs("input_required");
  await task.answer({ a: YES });
  await task.untilIs("completed");
  assertEquals(task.announced.map(({ status }) => status), [
    "input_required",
    "working",
    "completed",
  ]);
});
