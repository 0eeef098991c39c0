/**
 * BullMQ as the executor of a server's tasks: one function for the processes that answer requests, and
 * one for those that do the work.
 *
 * @module
 */
import type { McpServer, Principal, SeedValues, TaskExecutor } from "@limen/mcp";
import { type Queue, Worker, type WorkerOptions } from "npm:bullmq@6.7.0";

/**
 * Hands tasks to a queue. A job holds the id of a task and nothing else.
 *
 * Jobs get ids of their own: a task that asked a question is queued again while its first job may not
 * have been put away, and BullMQ ignores a job whose id it knows. Whatever is queued twice runs once.
 */
export function bullmqExecutor(queue: Queue): TaskExecutor {
  return {
    enqueue: async (taskId) => {
      await queue.add("task", taskId, { removeOnComplete: true, removeOnFail: 1000 });
    },
    close: () => queue.close(),
  };
}

/**
 * Runs the tasks of a queue in this process, until it is closed.
 *
 * A job whose worker died is delivered again, to be told that its task has failed: let the lock last
 * longer than the server's `leaseMs`, or the second delivery comes while the task still counts as
 * being run. BullMQ gives up on a job that was lost more often than `maxStalledCount`.
 *
 * @param server A server with the same tools, stores and secret as those that answer requests.
 * @param name The queue's name.
 */
export function startWorker<User extends Principal, Seeds extends SeedValues>(
  server: McpServer<User, Seeds>,
  name: string,
  options: WorkerOptions,
): Worker {
  return new Worker(name, ({ data }) => server.runTask(data), {
    concurrency: 10,
    lockDuration: 45_000,
    maxStalledCount: 3,
    ...options,
  });
}
