import type { McpServer } from "@limen/mcp";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { TaskClient } from "../../_support/task_client.ts";
import { TaskHooks, tokenOf } from "../../_support/task_fixture.ts";
import { until } from "../../_support/until.ts";

/** A server whose tasks are run by the executor under test, in this process or elsewhere. */
export interface ExecutorTrial {
  /** Whom clients ask. */
  readonly server: McpServer;
  /** Delivers a task once more, as a queue may at any time. */
  readonly redeliver: (taskId: string) => Promise<void>;
  /** Ends everything. */
  readonly close: () => Promise<void>;
}

/**
 * Registers what holds of tasks whichever executor runs them.
 *
 * @param name What is tested.
 * @param open Makes a fresh server.
 */
export function executorSuite(
  name: string,
  open: (hooks: TaskHooks) => Promise<ExecutorTrial>,
): void {
  const test = (
    title: string,
    run: (
      trial: ExecutorTrial & { hooks: TaskHooks; ada: TaskClient; bob: TaskClient },
    ) => Promise<void>,
  ): void => {
    Deno.test(`${name}: ${title}`, async () => {
      const hooks = new TaskHooks();
      const trial = await open(hooks);
      const [ada, bob] = ["ada", "bob"].map((id) =>
        new TaskClient(trial.server, { token: tokenOf(id) })
      ) as [TaskClient, TaskClient];
      try {
        await run({ ...trial, hooks, ada, bob });
      } finally {
        await trial.close();
      }
    });
  };

  test("a task answers with a handle, then with the result of its tool (J-3, J-5, J-13, J-31)", async ({ ada }) => {
    const handle = await ada.call("count", { to: 3 });
    assertEquals([handle.resultType, handle.status, handle.ttlMs, handle.pollIntervalMs], [
      "task",
      "working",
      86_400_000,
      5000,
    ]);
    assertMatch(handle.taskId, /^[A-Za-z0-9_-]{43}$/);
    assertMatch(handle.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const task = await ada.untilOver(handle.taskId);
    assertEquals([task.resultType, task.status, task.createdAt], [
      "complete",
      "completed",
      handle.createdAt,
    ]);
    assertEquals(task.result.structuredContent, { counted: 3 });
    assertEquals(task.result.content, [{ type: "text", text: '{"counted":3}' }]);
    assertEquals(task.result.resultType, "complete");
    assert(!("ttlMs" in task.result) && !("cacheScope" in task));
  });

  test("B90: 200 handles can be read at once, in parallel", async ({ ada }) => {
    const tasks = await Promise.all(Array.from({ length: 200 }, async (_, to) => {
      const taskId = await ada.start("count", { to });
      const { status } = await ada.get(taskId);
      return { taskId, status, to };
    }));
    for (const { status } of tasks) assert(["working", "completed"].includes(status), status);
    for (const { taskId, to } of tasks) {
      const task = await ada.untilOver(taskId);
      assertEquals(task.result.structuredContent, { counted: to });
    }
  });

  test("B90: a tool that reports a failure has completed (J-22)", async ({ ada }) => {
    const task = await ada.untilOver(await ada.start("refuse"));
    assertEquals([task.status, task.result.isError, "error" in task], ["completed", true, false]);
    assertEquals(JSON.parse(task.result.content[0].text).error.message, "The domain says no");
  });

  test("a fault has failed, and tells nothing but where to look (J-22)", async ({ ada, hooks }) => {
    const task = await ada.untilOver(await ada.start("fail"));
    assertEquals([task.status, task.error.code, task.error.message], [
      "failed",
      -32603,
      "Internal error",
    ]);
    assertEquals([task.statusMessage, "result" in task], ["Internal error", false]);
    assert(!JSON.stringify(task).includes("secret-text"));
    const fault = hooks.events.find(({ event }) => event === "call.fault");
    assertEquals(fault?.fields?.reference, task.error.data.reference);
  });

  test("a task is run as its caller, with the scopes that were left (J-21)", async ({ ada }) => {
    const task = await ada.untilOver(await ada.start("who"));
    assertEquals(task.result.structuredContent, {
      id: "ada",
      authenticated: true,
      scopes: ["read", "write"],
      hasRequest: false,
    });
  });

  test("permissions are asked again where the task runs (J-21, K-53)", async ({ ada, hooks }) => {
    const taskId = await ada.start("wait", { key: "a" });
    await hooks.untilBegun("a");
    hooks.isOpen = false;
    hooks.gate("a").resolve();
    assertEquals((await ada.untilOver(taskId)).status, "completed"); // asked before it began
    hooks.isOpen = true;
    const blocked = await ada.start("wait", { key: "a" });
    assertEquals((await ada.untilOver(blocked)).status, "completed");
  });

  test("progress is told as a status message (J-24)", async ({ ada, hooks }) => {
    const taskId = await ada.start("wait", { key: "a" });
    await hooks.untilBegun("a");
    await until(async () => (await ada.get(taskId)).statusMessage === "Waiting (1/2)");
    assertEquals((await ada.get(taskId)).status, "working");
    hooks.gate("a").resolve();
    assertEquals((await ada.untilOver(taskId)).statusMessage, undefined);
  });

  test("B88: a cancellation reaches the work, and its end changes nothing (J-23, J-32)", async (trial) => {
    const { ada, hooks, redeliver } = trial;
    const taskId = await ada.start("wait", { key: "a" });
    await hooks.untilBegun("a");
    const acknowledged = await ada.cancel(taskId);
    assertEquals(Object.keys(acknowledged).sort(), ["_meta", "resultType"]);
    const task = await ada.get(taskId);
    assertEquals([task.status, task.statusMessage], [
      "cancelled",
      "Cancelled at the client's request.",
    ]);
    await until(() => hooks.aborted.length === 1);
    await redeliver(taskId);
    assertEquals(await ada.get(taskId), task);
    assertEquals(hooks.began, ["a"]);
  });

  test("B88: a cancellation after the end is acknowledged, and changes nothing", async ({ ada }) => {
    const taskId = await ada.start("count", { to: 1 });
    const task = await ada.untilOver(taskId);
    assertEquals(Object.keys(await ada.cancel(taskId)).sort(), ["_meta", "resultType"]);
    assertEquals(await ada.get(taskId), task);
  });

  test("B88: cancel and finish in the same tick, 200 times", async ({ ada, hooks }) => {
    const ends: Record<string, number> = {};
    for (let i = 0; i < 200; i++) {
      const key = String(i);
      const taskId = await ada.start("wait", { key });
      await hooks.untilBegun(key);
      if (i % 2 === 0) hooks.gate(key).resolve();
      const cancelled = ada.cancel(taskId);
      if (i % 2 === 1) hooks.gate(key).resolve();
      await cancelled;
      const task = await ada.get(taskId);
      assert(task.status === "completed" || task.status === "cancelled", task.status);
      assertEquals("result" in task, task.status === "completed");
      ends[task.status] = (ends[task.status] ?? 0) + 1;
      assertEquals(await ada.get(taskId), task);
    }
    assertEquals(hooks.began.length, 200);
    assertEquals((ends.completed ?? 0) + (ends.cancelled ?? 0), 200);
  });

  test("a task that is delivered again and again runs once (J-20)", async (trial) => {
    const { ada, hooks, redeliver } = trial;
    const taskId = await ada.start("wait", { key: "a" });
    const deliver = () => Array.from({ length: 10 }, () => redeliver(taskId));
    const early = deliver(); // the one that comes first has to wait for the work
    await hooks.untilBegun("a");
    await Promise.all(deliver());
    hooks.gate("a").resolve();
    await Promise.all(early);
    assertEquals((await ada.untilOver(taskId)).result.structuredContent, { waited: "a" });
    await redeliver(taskId);
    await redeliver("nobody-has-such-a-task");
    assertEquals(hooks.began, ["a"]);
  });

  test("a task is its creator's alone, and of others nobody learns (J-30)", async (trial) => {
    const { ada, bob, hooks } = trial;
    const taskId = await ada.start("wait", { key: "a" });
    const absent = "A".repeat(43);
    for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
      const told = await Promise.all([taskId, absent, "nope"].map(async (id) => {
        const { message } = await bob.ask(method, { taskId: id, inputResponses: {} });
        return [message.error.code, message.error.message.replace(id, "…"), message.error.data];
      }));
      assertEquals(told, Array(3).fill([-32602, 'Unknown task: "…"', undefined]));
    }
    hooks.gate("a").resolve();
    assertEquals((await ada.untilOver(taskId)).status, "completed");
  });
}
