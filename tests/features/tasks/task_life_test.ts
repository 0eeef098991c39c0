import {
  inProcessExecutor,
  McpServer,
  param,
  type ServerOptions,
  ServiceError,
  unrestricted,
} from "@limen/mcp";
import { assertEquals, assertMatch } from "@std/assert";
import { TaskClient } from "../../_support/task_client.ts";

function createServer(options: Partial<ServerOptions> = {}): McpServer {
  const server = new McpServer({
    name: "tasks",
    version: "1.0.0",
    log: () => {},
    executor: inProcessExecutor(),
    tasks: { anonymous: true, pollIntervalMs: 10 },
    ...options,
  });
  const permissions = [unrestricted];
  server.tool("count", {
    description: "Counts.",
    effect: "act",
    reads: { to: param.integer({ required: true }) },
    taskPolicy: "optional",
    permissions,
  }, ({ args }) => ({ counted: args.to }));
  server.tool("must", {
    description: "Fails.",
    effect: "act",
    taskPolicy: "required",
    permissions,
  }, () => {
    throw new ServiceError("no");
  });
  return server;
}

Deno.test("a task answers with a handle, and then with the result of its tool", async () => {
  const server = createServer();
  const client = new TaskClient(server);
  const handle = await client.call("count", { to: 3 });
  assertEquals([handle.resultType, handle.status, handle.ttlMs, handle.pollIntervalMs], [
    "task",
    "working",
    86_400_000,
    10,
  ]);
  assertMatch(handle.taskId, /^[A-Za-z0-9_-]{43}$/);
  const task = await client.untilOver(handle.taskId);
  assertEquals(task.status, "completed");
  assertEquals(task.result.structuredContent, { counted: 3 });
  assertEquals(task.result.resultType, "complete");
  await server.close();
});
