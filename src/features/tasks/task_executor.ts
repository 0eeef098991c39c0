import type { Awaitable } from "../../ports/awaitable.ts";

/**
 * Where long work goes: `inProcessExecutor()`, or a job queue in a few lines.
 *
 * A queue may deliver a task more than once, and to any process: whoever claims it first runs it, and
 * for everyone else `runHere` and `server.runTask` do nothing.
 */
export interface TaskExecutor {
  /**
   * Takes a task, and resolves once it is sure to be delivered; with what, is not looked at. Must not
   * wait for the work.
   *
   * @param taskId What to hand to `server.runTask` in the process that runs it: one string.
   * @param runHere Runs it in this process; a job queue ignores it. Resolves when the work has ended.
   * @throws Whatever keeps it from being taken: the task has failed then, and the client is told why.
   */
  enqueue(taskId: string, runHere: () => Promise<void>): Awaitable<unknown>;

  /**
   * Whether what waits is lost with this process. The server then says of each waiting task that its
   * process lives, and another process takes it over when that ends. Default `false`.
   */
  readonly isVolatile?: boolean;

  /** Takes nothing new, and resolves when what it took has ended. Called by `server.close()`. */
  close?(): Promise<void>;
}
