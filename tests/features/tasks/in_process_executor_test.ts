import { inProcessExecutor } from "@limen/mcp";
import { createTaskServer } from "../../_support/task_fixture.ts";
import { executorSuite } from "./executor_suite.ts";

executorSuite("inProcessExecutor()", (hooks) => {
  const server = createTaskServer(hooks, {
    executor: inProcessExecutor(),
    limits: { perCaller: { maxInFlight: 1000 } },
    tasks: { maxPerCaller: 1000 },
  });
  return Promise.resolve({
    server,
    redeliver: (taskId) => server.runTask(taskId),
    close: () => server.close(),
  });
});
