import { assert, assertEquals } from "@std/assert";
import { createCancelTask } from "../../../src/features/tasks/cancel_task.ts";
import { createTask } from "../../../src/features/tasks/create_task.ts";
import { describeTask } from "../../../src/features/tasks/describe_task.ts";
import { runTask } from "../../../src/features/tasks/run_task.ts";
import { createTaskContext } from "../../../src/features/tasks/task_context.ts";
import type { TaskRecord } from "../../../src/features/tasks/task_record.ts";
import { createTaskWriter } from "../../../src/era/modern/encode_outcome.ts";
import type { Call } from "../../../src/features/call.ts";
import { InProcessCall } from "../../../src/features/in_process_call.ts";
import { complete, failure, type Outcome } from "../../../src/features/outcome.ts";
import { createLogger } from "../../../src/ports/logger.ts";
import { memoryStore } from "../../../src/stores/memory_store.ts";
import { assertConforms } from "../../_support/spec_schema.ts";

/** Runs one task to its end, and answers what was announced. */
async function announce(
  perform: (call: Call) => Outcome,
  { cancels = false, fails = false } = {},
): Promise<readonly TaskRecord[]> {
  const announced: TaskRecord[] = [];
  const messages: string[] = [];
  const context = createTaskContext({
    maxRounds: 5,
    executor: { enqueue: () => {} },
    store: memoryStore(),
    name: "s",
    now: Date.now,
    log: createLogger(({ message }) => void messages.push(message), "warning"),
    perform,
    announce: (record) => {
      announced.push(record);
      if (fails) throw new Error("nobody listens");
    },
  });
  const makeCall = (method: string, params: { readonly taskId?: string }) => {
    const caller = { user: { authenticated: false } };
    const options = { caller, request: undefined, host: {}, signal: undefined, log: context.log };
    const clientCapabilities = { extensions: { "io.modelcontextprotocol/tasks": {} } };
    return Object.assign(new InProcessCall(method, params, options), { clientCapabilities });
  };
  const called = { where: 'tool "t"', isIdempotent: false };
  const handle = await createTask(context, makeCall("tools/call", {}), called);
  assert(handle.type === "task");
  const { taskId } = JSON.parse(`{${handle.result.members}}`);
  assertEquals(announced, []); // nobody knows of it yet
  if (cancels) await createCancelTask(context)(makeCall("tasks/cancel", { taskId }));
  await runTask(context, taskId, {});
  assertEquals(messages, fails ? ["What follows from the change of a task failed"] : []);
  return announced;
}

const write = createTaskWriter({ name: "s", version: "1" });

const CASES: readonly (readonly [string, () => Promise<readonly TaskRecord[]>])[] = [
  ["completed", () => announce(() => complete({ members: '"content":[]' }))],
  ["failed", () => announce(() => failure(-32006, "Insufficient permission"))],
  ["cancelled", () => announce(() => complete({ members: "" }), { cancels: true })],
];

for (const [status, run] of CASES) {
  Deno.test(`the end of a task that is ${status} is announced once, as a whole task (J-35)`, async () => {
    const announced = await run();
    assertEquals(announced.map((record) => record.status), [status]);
    const params = JSON.parse(write(describeTask(announced[0]!)));
    assertEquals(params.result?.resultType, status === "completed" ? "complete" : undefined);
    assertConforms({ jsonrpc: "2.0", method: "notifications/tasks", params }, "");
  });
}

Deno.test("an announcement that fails is logged, and changes nothing (J-35)", async () => {
  const announced = await announce(() => complete({ members: "" }), { fails: true });
  assertEquals(announced.map(({ status }) => status), ["completed"]);
});
