import {
  inProcessExecutor,
  lateStore,
  McpServer,
  type ServerOptions,
  type TaskExecutor,
} from "@limen/mcp";
import {
  type KeyValueStore,
  memoryBroker,
  memoryStore,
  StoreFullError,
} from "@limen/mcp/stores/memory";
import { type FakeClock, fakeClock } from "@limen/mcp/testing";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { TaskClient } from "../../_support/task_client.ts";
import { createTaskServer, TaskHooks, tokenOf } from "../../_support/task_fixture.ts";
import { until } from "../../_support/until.ts";

const token = tokenOf("ada");
const secret = "a secret of at least 32 bytes, for tests";
const LEASE_MS = 30_000;

/** Takes tasks, and delivers them when a test says so. */
class ManualQueue implements TaskExecutor {
  readonly taken: string[] = [];
  failure: Error | undefined;

  enqueue(taskId: string): void {
    if (this.failure !== undefined) throw this.failure;
    this.taken.push(taskId);
  }
}

/** Two processes over one store, one queue and one clock. */
interface Pair extends AsyncDisposable {
  readonly one: McpServer;
  readonly two: McpServer;
  readonly hooks: TaskHooks;
  readonly queue: ManualQueue;
  readonly clock: FakeClock;
  readonly store: KeyValueStore;
  readonly ada: TaskClient;
}

function openPair(options: Partial<ServerOptions> = {}): Pair {
  const hooks = new TaskHooks();
  const queue = new ManualQueue();
  const clock = fakeClock();
  const store = options.stores ?? memoryStore({ clock });
  const [one, two] = [1, 2].map(() =>
    createTaskServer(hooks, { executor: queue, stores: store, secret, clock, ...options })
  ) as [McpServer, McpServer];
  const close = async () => {
    await Promise.all([one.close(), two.close()]);
  };
  const ada = new TaskClient(one, { token });
  return { one, two, hooks, queue, clock, store, ada, [Symbol.asyncDispose]: close };
}

Deno.test("runTask() runs in another process what the first has created (J-1, J-12)", async () => {
  await using pair = openPair();
  const taskId = await pair.ada.start("count", { to: 2 });
  assertEquals(pair.queue.taken, [taskId]); // written and queued before the handle
  assertEquals((await pair.ada.get(taskId)).status, "working");
  await pair.two.runTask(taskId);
  assertEquals((await pair.ada.get(taskId)).result.structuredContent, { counted: 2 });
});

Deno.test("runTask() makes a late store, in a process that no request has reached (J-1)", async () => {
  await using pair = openPair();
  const { ada, queue, clock, store } = pair;
  const stores = lateStore((host) => host.stores as KeyValueStore);
  const worker = createTaskServer(new TaskHooks(), { executor: queue, stores, secret, clock });
  const taskId = await ada.start("count", { to: 2 });
  await worker.runTask(taskId, { host: { stores: store } });
  assertEquals((await ada.get(taskId)).result.structuredContent, { counted: 2 });
  await worker.close();
});

Deno.test("runTask() rejects with a ConfigurationError where there is no executor (J-20)", async () => {
  const server = new McpServer({ name: "s", version: "1" });
  await assertRejects(() => server.runTask("a"), Error, "the server has no executor");
});

Deno.test("runTask() tells the queue of a fault, once the client is told (J-22)", async () => {
  await using pair = openPair();
  const taskId = await pair.ada.start("fail");
  const error = await assertRejects(() => pair.two.runTask(taskId), Error, "reference");
  assert(!error.message.includes("secret-text"));
  assertEquals((await pair.ada.get(taskId)).status, "failed");
  await pair.two.runTask(taskId); // and a queue that tries again finds nothing to do
});

Deno.test("an executor that refuses fails the task, and the handle says why (J-12)", async () => {
  await using pair = openPair();
  pair.queue.failure = new Error(`The queue is full${"!".repeat(300)}`);
  const handle = await pair.ada.call("count", { to: 1 });
  assertEquals([handle.resultType, handle.status, "error" in handle], ["task", "failed", false]);
  assertMatch(handle.statusMessage, /^The task could not be queued: The queue is full!+$/);
  assert(handle.statusMessage.length < 250);
  const task = await pair.ada.get(handle.taskId);
  assertEquals(task.error, { code: -32603, message: "The task could not be queued" });
});

Deno.test("an executor that does not answer within a lease has refused (J-12)", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await using pair = openPair({ executor: { enqueue: () => promise }, tasks: { leaseMs: 30 } });
  const handle = await pair.ada.call("count", { to: 1 });
  assertEquals([handle.status, handle.statusMessage], [
    "failed",
    "The task could not be queued: The queue does not answer",
  ]);
  resolve();
  await pair.two.runTask(handle.taskId); // it was taken all the same, and nothing is left to do
  assertEquals((await pair.ada.get(handle.taskId)).status, "failed");
});

Deno.test("work whose process is gone has failed at the next poll, in neutral words (J-20)", async () => {
  await using pair = openPair();
  const { ada, two, hooks, clock } = pair;
  const taskId = await ada.start("wait", { key: "a" });
  const lost = two.runTask(taskId).catch(() => {});
  await hooks.untilBegun("a");
  clock.advance(LEASE_MS - 1);
  assertEquals((await ada.get(taskId)).status, "working");
  clock.advance(1);
  const task = await ada.get(taskId);
  assertEquals([task.status, task.statusMessage], ["failed", "The work was interrupted"]);
  assertEquals(task.error, { code: -32603, message: "The work was interrupted" });
  hooks.gate("a").resolve(); // it was late rather than gone
  await lost;
  assertEquals(await ada.get(taskId), task);
});

Deno.test("work whose process is gone has failed at a redelivery (J-20)", async () => {
  await using pair = openPair();
  const { ada, one, two, hooks, clock } = pair;
  const taskId = await ada.start("wait", { key: "a" });
  const lost = two.runTask(taskId).catch(() => {});
  await hooks.untilBegun("a");
  await one.runTask(taskId); // the lease holds
  clock.advance(LEASE_MS);
  await one.runTask(taskId);
  hooks.gate("a").resolve();
  await lost;
  assertEquals((await ada.get(taskId)).status, "failed");
  assertEquals(hooks.began, ["a"]);
});

Deno.test("idempotent work begins again, and the first run has no say any more (J-20)", async () => {
  await using pair = openPair();
  const { ada, one, two, hooks, clock, queue } = pair;
  const taskId = await ada.start("wait_again", { key: "a" });
  const late = two.runTask(taskId).catch(() => {});
  await hooks.untilBegun("a");
  clock.advance(LEASE_MS);
  assertEquals((await ada.get(taskId)).status, "working"); // the poll hands it over again
  assertEquals(queue.taken, [taskId, taskId]);
  const again = one.runTask(taskId);
  await hooks.untilBegun("a", 2);
  hooks.gate("a").resolve();
  await Promise.all([late, again]);
  assertEquals((await ada.get(taskId)).result.structuredContent, { waited: "a" });
});

Deno.test("a task that its queue has lost is handed over again at a poll (J-20)", async () => {
  await using pair = openPair();
  const { ada, one, clock, queue, hooks } = pair;
  const taskId = await ada.start("wait", { key: "a" });
  clock.advance(10 * LEASE_MS);
  assertEquals((await ada.get(taskId)).status, "working");
  assertEquals(queue.taken, [taskId, taskId]);
  hooks.gate("a").resolve();
  await Promise.all([one.runTask(taskId), one.runTask(taskId)]);
  assertEquals([(await ada.get(taskId)).status, hooks.began], ["completed", ["a"]]);
});

Deno.test("a task that waited in a process that is gone is taken over by the one that is asked", async () => {
  const waiting: (() => Promise<void>)[] = [];
  const executor: TaskExecutor = {
    isVolatile: true,
    enqueue: (_taskId, runHere) => void waiting.push(runHere),
  };
  await using pair = openPair({ executor });
  const { ada, hooks, clock } = pair;
  hooks.gate("a").resolve();
  const taskId = await ada.start("wait", { key: "a" });
  assertEquals(waiting.length, 1);
  clock.advance(LEASE_MS);
  await ada.get(taskId);
  assertEquals(waiting.length, 2);
  await Promise.all(waiting.map((run) => run()));
  assertEquals([(await ada.get(taskId)).status, hooks.began], ["completed", ["a"]]);
});

Deno.test("B88: an expired task is unknown to get, cancel and update (J-34)", async () => {
  await using pair = openPair({ tasks: { ttlMs: 1000 } });
  const { ada, clock } = pair;
  const taskId = await ada.start("count", { to: 1 });
  assertEquals((await ada.get(taskId)).ttlMs, 1000);
  clock.advance(999);
  await pair.one.runTask(taskId);
  assertEquals((await ada.get(taskId)).status, "completed"); // the end did not prolong it
  clock.advance(1);
  for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
    const { message } = await ada.ask(method, { taskId, inputResponses: {} });
    assertEquals([message.error.code, message.error.message], [
      -32602,
      `Unknown task: "${taskId}"`,
    ]);
  }
});

Deno.test("without a time to live the client is told of no end, and a task stays for 7 days (J-34)", async () => {
  await using pair = openPair({ tasks: { ttlMs: null, pollIntervalMs: null } });
  const { ada, clock } = pair;
  const handle = await ada.call("count", { to: 1 });
  assertEquals([handle.ttlMs, "pollIntervalMs" in handle], [null, false]);
  clock.advance(7 * 24 * 60 * 60 * 1000 - 1);
  assertEquals((await ada.get(handle.taskId)).status, "working");
  clock.advance(1);
  const { message } = await ada.ask("tasks/get", { taskId: handle.taskId });
  assertEquals(message.error.code, -32602);
});

Deno.test("a cancellation reaches another process at once, through the broker (J-32)", async () => {
  const broker = memoryBroker();
  await using pair = openPair({ broker });
  const { ada, two, hooks } = pair;
  const taskId = await ada.start("wait", { key: "a" });
  const work = two.runTask(taskId).catch(() => {});
  await hooks.untilBegun("a");
  await ada.cancel(taskId);
  await until(() => hooks.aborted.length === 1);
  await work;
  assertEquals(broker.activeSubscriptions, 0);
});

Deno.test("without a broker a cancellation reaches another process with its next sign of life", async () => {
  await using pair = openPair({ tasks: { leaseMs: 30 } });
  const { ada, two, hooks } = pair;
  const taskId = await ada.start("wait", { key: "a" });
  const work = two.runTask(taskId).catch(() => {});
  await hooks.untilBegun("a");
  await ada.cancel(taskId);
  await until(() => hooks.aborted.length === 1);
  await work;
});

Deno.test("a broker that fails keeps no task from running or from being cancelled", async () => {
  const broken = () => Promise.reject(new Error("gone"));
  const broker = { activeSubscriptions: 0, publish: broken, subscribe: broken };
  await using pair = openPair({ broker });
  const { ada, two, hooks } = pair;
  const taskId = await ada.start("wait", { key: "a" });
  await ada.cancel(taskId);
  const other = await ada.start("wait", { key: "b" });
  hooks.gate("b").resolve();
  await two.runTask(other);
  assertEquals((await ada.get(taskId)).status, "cancelled");
  assertEquals((await ada.get(other)).status, "completed");
  const warned = hooks.events.filter(({ event }) => event === "task.signal");
  assertEquals(warned.length, 2);
});

Deno.test("a process gives signs of life for as long as the work takes", async () => {
  const store = memoryStore();
  await using pair = openPair({ stores: store, tasks: { leaseMs: 300 }, clock: { now: Date.now } });
  const { ada, two, hooks } = pair;
  const taskId = await ada.start("wait", { key: "a" });
  const work = two.runTask(taskId);
  await hooks.untilBegun("a");
  const end = Date.now() + 1200; // four leases
  while (Date.now() < end) {
    assertEquals((await ada.get(taskId)).status, "working");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  hooks.gate("a").resolve();
  await work;
  assertEquals((await ada.get(taskId)).status, "completed");
});

Deno.test("work is not over before the last sign of life is written", async () => {
  const store = memoryStore();
  let writing = 0;
  await using pair = openPair({
    stores: {
      ...store,
      compareAndSet: async (...args) => {
        writing++;
        await new Promise((resolve) => setTimeout(resolve, 5));
        writing--;
        return await store.compareAndSet(...args);
      },
    },
    tasks: { leaseMs: 30 },
    clock: { now: Date.now },
  });
  const { ada, two, hooks } = pair;
  for (let i = 0; i < 10; i++) {
    const key = `${i}`;
    const taskId = await ada.start("wait", { key });
    const work = two.runTask(taskId);
    await hooks.untilBegun(key);
    await until(() => writing > 0);
    hooks.gate(key).resolve();
    await work;
    assertEquals(writing, 0);
  }
});

/** A store that does not write while it is told not to. */
function createFlakyStore(): KeyValueStore & { failure: Error | undefined } {
  const store = memoryStore();
  const write =
    <Args extends readonly unknown[], T>(call: (...args: Args) => Promise<T>) =>
    (...args: Args): Promise<T> =>
      flaky.failure === undefined ? call(...args) : Promise.reject(flaky.failure);
  const flaky = {
    failure: undefined as Error | undefined,
    get: store.get,
    set: write(store.set),
    delete: write(store.delete),
    compareAndSet: write(store.compareAndSet),
    increment: write(store.increment),
  };
  return flaky;
}

Deno.test("a store that is away for a moment costs no result", async () => {
  const store = createFlakyStore();
  await using pair = openPair({ stores: store });
  const { ada, two, hooks } = pair;
  const taskId = await ada.start("wait", { key: "a" });
  const work = two.runTask(taskId);
  await hooks.untilBegun("a");
  store.failure = new Error("away");
  hooks.gate("a").resolve();
  await until(() => hooks.events.some(({ message }) => message.includes("end of a task failed")));
  store.failure = undefined;
  await work;
  assertEquals((await ada.get(taskId)).result.structuredContent, { waited: "a" });
});

Deno.test("a result that finds no room has failed, in a few words", async () => {
  const store = memoryStore();
  let isFull = false;
  await using pair = openPair({
    stores: {
      ...store,
      compareAndSet: (key, expected, next, options) => {
        const isResult = isFull && next.includes("structured");
        return isResult
          ? Promise.reject(new StoreFullError("full"))
          : store.compareAndSet(key, expected, next, options);
      },
    },
  });
  const { ada, two } = pair;
  const taskId = await ada.start("count", { to: 1 });
  isFull = true;
  await two.runTask(taskId);
  const task = await ada.get(taskId);
  assertEquals([task.status, task.error.message], ["failed", "The result could not be kept"]);
});

Deno.test("close() waits for the work that was taken, and takes no more", async () => {
  const hooks = new TaskHooks();
  const server = createTaskServer(hooks, { executor: inProcessExecutor({ maxRunning: 1 }) });
  const ada = new TaskClient(server, { token });
  await ada.start("wait", { key: "a" });
  await ada.start("wait", { key: "b" });
  await hooks.untilBegun("a");
  let isClosed = false;
  const closing = server.close().then(() => isClosed = true);
  hooks.gate("a").resolve();
  await hooks.untilBegun("b");
  assertEquals(isClosed, false);
  hooks.gate("b").resolve();
  await closing;
});

Deno.test("inProcessExecutor() runs so many at a time, lets so many wait, and refuses the rest", async () => {
  const hooks = new TaskHooks();
  const executor = inProcessExecutor({ maxRunning: 2, maxWaiting: 1 });
  const server = createTaskServer(hooks, { executor });
  const ada = new TaskClient(server, { token });
  for (const key of ["a", "b", "c"]) {
    await ada.start("wait", { key });
    if (key !== "c") await hooks.untilBegun(key);
  }
  const refused = await ada.call("wait", { key: "d" });
  assertEquals([refused.status, refused.statusMessage], [
    "failed",
    "The task could not be queued: Too many tasks are waiting",
  ]);
  assertEquals(hooks.began, ["a", "b"]);
  for (const key of ["a", "b", "c"]) hooks.gate(key).resolve();
  await server.close();
  assertEquals(hooks.began, ["a", "b", "c"]);
});
