import { inProcessExecutor } from "@limen/mcp";
import { createTaskServer } from "../../_support/task_fixture.ts";
import { executorSuite } from "./executor_suite.ts";

// The suite names J-3, J-5, J-13, J-20, J-21, J-22, J-23, J-24, J-30, J-31 and J-32.
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
