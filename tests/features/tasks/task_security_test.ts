import { inProcessExecutor, type ServerOptions, staticTokens } from "@limen/mcp";
import { memoryStore } from "@limen/mcp/stores/memory";
import { assert, assertEquals } from "@std/assert";
import { TaskClient } from "../../_support/task_client.ts";
import { createTaskServer, restoreUser, TaskHooks, tokenOf } from "../../_support/task_fixture.ts";
import { until } from "../../_support/until.ts";

const token = tokenOf("ada");
const secret = "a secret of at least 32 bytes, for tests";

type Restored = ReturnType<NonNullable<ServerOptions["restoreCaller"]>>;

const NOT_RESTORED: readonly (readonly [title: string, restore: () => Restored])[] = [
  ["is unknown", () => undefined],
  ["is deactivated", () => ({ user: { id: "ada", authenticated: true, active: false } })],
  ["is not authenticated", () => ({ user: { authenticated: false } })],
  ["is another", () => ({ user: { id: "bob", authenticated: true } })],
  ["cannot be looked up", () => Promise.reject(new Error("secret-text"))],
];

for (const [title, restoreCaller] of NOT_RESTORED) {
  Deno.test(`security B12: a task fails whose caller ${title}, and never runs as anyone else`, async () => {
    const hooks = new TaskHooks();
    const server = createTaskServer(hooks, { executor: inProcessExecutor(), restoreCaller });
    const ada = new TaskClient(server, { token });
    const task = await ada.untilOver(await ada.start("wait", { key: "a" }));
    assertEquals([task.status, task.error, hooks.began], [
      "failed",
      { code: -32006, message: "Insufficient permission" },
      [],
    ]);
    assert(!JSON.stringify(task).includes("secret-text"));
    await server.close();
  });
}

Deno.test("B12: a task has the scopes it was created with, cut by those that are left", async () => {
  let left: readonly string[] = ["read", "admin"];
  const hooks = new TaskHooks();
  const server = createTaskServer(hooks, {
    executor: inProcessExecutor(),
    implies: { admin: ["read"] },
    restoreCaller: (id) => {
      const restored = restoreUser(id) as { readonly user: { readonly authenticated: true } };
      return { ...restored, token: { scopes: left, claims: { team: "a" } } };
    },
  });
  const ada = new TaskClient(server, { token });
  const task = await ada.untilOver(await ada.start("who"));
  assertEquals(task.result.structuredContent.scopes, ["read"]); // of read and write; admin is new
  left = ["admin"]; // which implies read
  const implied = await ada.untilOver(await ada.start("who"));
  assertEquals(implied.result.structuredContent.scopes, ["read"]);
  left = [];
  const denied = await ada.untilOver(await ada.start("who"));
  assertEquals([denied.status, denied.error.code], ["failed", -32006]);
  await server.close();
});

Deno.test("B12: anonymous callers get no tasks unless the server says so", async () => {
  const hooks = new TaskHooks();
  const server = createTaskServer(hooks, { executor: inProcessExecutor() });
  const nobody = new TaskClient(server);
  assertEquals((await nobody.call("count", { to: 1 })).resultType, "complete");
  const refused = await nobody.ask("tools/call", { name: "refuse", arguments: {} });
  assertEquals([refused.status, refused.message.error.code], [403, -32006]);
  await server.close();
});

Deno.test("B12: where the server says so, an anonymous task is run as nobody", async () => {
  const hooks = new TaskHooks();
  const server = createTaskServer(hooks, {
    executor: inProcessExecutor(),
    tasks: { anonymous: true },
  });
  const nobody = new TaskClient(server);
  const task = await nobody.untilOver(await nobody.start("count", { to: 1 }));
  assertEquals(task.status, "completed");
  const ada = new TaskClient(server, { token });
  const { message } = await ada.ask("tasks/get", { taskId: task.taskId });
  assertEquals(message.error.code, -32602);
  await server.close();
});

Deno.test("B12: a record that was changed, moved or made up does not exist", async () => {
  const store = memoryStore();
  const records = new Map<string, string>();
  const stores = {
    ...store,
    set: (...args: Parameters<typeof store.set>) => {
      records.set(args[0], args[1]);
      return store.set(...args);
    },
  };
  const hooks = new TaskHooks();
  const executor = { enqueue: () => {} };
  const server = createTaskServer(hooks, { executor, stores, secret });
  const ada = new TaskClient(server, { token });
  const first = await ada.start("wait", { key: "a" });
  const second = await ada.start("wait", { key: "b" });
  const text = (await store.get(`task:${first}`))!;
  const json = text.slice(text.indexOf(".") + 1);
  const wrong = [
    text.replace('"owner":"user:ada"', '"owner":"user:bob"'),
    text.replace('"key":"a"', '"key":"c"'),
    json,
    `.${json}`,
    "",
    "null",
    (await store.get(`task:${second}`))!,
  ];
  for (const record of wrong) {
    await store.set(`task:${first}`, record);
    const { message } = await ada.ask("tasks/get", { taskId: first });
    assertEquals(message.error, { code: -32602, message: `Unknown task: "${first}"` });
    await server.runTask(first);
  }
  assertEquals(hooks.began, []);
  await store.set(`task:${first}`, text);
  assertEquals((await ada.get(first)).status, "working");

  const stranger = createTaskServer(hooks, { executor, stores, secret: `another ${secret}` });
  const unknown = await new TaskClient(stranger, { token }).ask("tasks/get", { taskId: first });
  assertEquals(unknown.message.error.code, -32602);
  const rotated = createTaskServer(hooks, {
    executor,
    stores,
    secret: [`another ${secret}`, secret],
  });
  assertEquals((await new TaskClient(rotated, { token }).get(first)).status, "working");
});

Deno.test("J-2: a record holds no token and no claim, and a client sees only the task", async () => {
  const store = memoryStore();
  const hooks = new TaskHooks();
  const server = createTaskServer(hooks, {
    executor: { enqueue: () => {} },
    stores: store,
    secret,
    auth: {
      authenticate: () => ({
        user: { id: "ada", authenticated: true },
        token: { scopes: ["read"], audience: "here", claims: { ssn: "secret-claim" } },
      }),
    },
  });
  const ada = new TaskClient(server, { token });
  const taskId = await ada.start("wait", { key: "a" });
  const record = (await store.get(`task:${taskId}`))!;
  assert(!record.includes("secret-claim") && !record.includes(token));
  assert(record.includes('"scopes":["read"],"audience":"here"'));
  assertEquals(Object.keys(await ada.get(taskId)).sort(), [
    "_meta",
    "createdAt",
    "lastUpdatedAt",
    "pollIntervalMs",
    "resultType",
    "status",
    "taskId",
    "ttlMs",
  ]);
  hooks.gate("a").resolve();
  await server.runTask(taskId);
  const kept = (await store.get(`task:${taskId}`))!; // what only the work needed is gone
  assert(!kept.includes("clientCapabilities") && !kept.includes('"key"'));
});

Deno.test("B13: a caller has so many unfinished tasks, and the next one when one has ended", async () => {
  const hooks = new TaskHooks();
  const server = createTaskServer(hooks, {
    executor: inProcessExecutor(),
    tasks: { maxPerCaller: 2 },
  });
  const [ada, bob] = ["ada", "bob"].map((id) => new TaskClient(server, { token: tokenOf(id) })) as [
    TaskClient,
    TaskClient,
  ];
  const first = await ada.start("wait", { key: "a" });
  await ada.start("wait", { key: "b" });
  const refused = await ada.ask("tools/call", { name: "wait", arguments: { key: "c" } });
  assertEquals([refused.message.error.code, refused.headers.get("retry-after")], [-32005, "5"]);
  await bob.start("wait", { key: "d" });
  await hooks.untilBegun("a");
  await ada.cancel(first);
  await ada.start("wait", { key: "c" });
  for (const key of ["b", "c", "d"]) hooks.gate(key).resolve();
  await server.close();
});

Deno.test("B13: an end that could not be counted is counted when the caller is at the limit", async () => {
  const store = memoryStore();
  let isDown = false;
  const hooks = new TaskHooks();
  const server = createTaskServer(hooks, {
    executor: inProcessExecutor(),
    secret,
    tasks: { maxPerCaller: 1 },
    stores: {
      ...store,
      get: (key) =>
        isDown && key.startsWith("task-slot:") ? Promise.reject(new Error("down")) : store.get(key),
    },
  });
  const ada = new TaskClient(server, { token });
  const taskId = await ada.start("wait", { key: "a" });
  isDown = true;
  hooks.gate("a").resolve();
  await ada.untilOver(taskId);
  await until(() => hooks.events.some(({ event }) => event === "task.state"));
  isDown = false;
  assertEquals((await ada.untilOver(await ada.start("count", { to: 1 }))).status, "completed");
  await server.close();
});

Deno.test("a deactivated account sees its tasks no more", async () => {
  let active = true;
  const tokens = staticTokens([{ token, user: { id: "ada", authenticated: true } }]);
  const hooks = new TaskHooks();
  const server = createTaskServer(hooks, {
    executor: inProcessExecutor(),
    auth: {
      authenticate: async (request, host) => {
        const caller = await tokens.authenticate(request, host);
        return caller?.user === undefined ? caller : { user: { ...caller.user, active } };
      },
    },
  });
  const ada = new TaskClient(server, { token });
  const taskId = await ada.start("count", { to: 1 });
  active = false;
  const { message } = await ada.ask("tasks/get", { taskId });
  assertEquals(message.error.code, -32602);
  await server.close();
});
