import { ConfigurationError } from "../../ports/configuration_error.ts";
import type { TaskExecutor } from "./task_executor.ts";

/** Options of {@linkcode inProcessExecutor}. */
export interface InProcessExecutorOptions {
  /** How many tasks run at a time. Default 10. */
  readonly maxRunning?: number;
  /**
   * How many may wait for their turn. Default 1000. One more is refused, so that callers cannot fill
   * the memory of the process.
   */
  readonly maxWaiting?: number;
}

/**
 * Runs tasks in this process, the one that came first before the others.
 *
 * `server.close()` waits until everything that was taken has ended. What a process leaves behind that
 * ends sooner is found when the client asks: work that had not begun is taken over by the process that
 * is asked, where the store is shared; work that had begun has failed.
 *
 * @throws {ConfigurationError} when a bound is no integer of at least 1.
 *
 * @example
 * ```ts
 * import { inProcessExecutor, McpServer, serviceSpec, unrestricted } from "@limen/mcp";
 *
 * const server = new McpServer({
 *   name: "rows",
 *   version: "1.0.0",
 *   executor: inProcessExecutor({ maxRunning: 4 }),
 *   tasks: { anonymous: true },
 * });
 * const rebuild = serviceSpec({
 *   permissions: [unrestricted],
 *   run: ({ progress }) => progress(1, { total: 1, message: "Rebuilding" }),
 *   allowNone: true,
 * });
 * server.registerTool(rebuild, {
 *   name: "rows_rebuild",
 *   description: "Rebuilds the index.",
 *   taskPolicy: "optional",
 * });
 * ```
 */
export function inProcessExecutor(options: InProcessExecutorOptions = {}): TaskExecutor {
  const { maxRunning = 10, maxWaiting = 1000 } = options;
  for (const [name, bound] of Object.entries({ maxRunning, maxWaiting })) {
    if (Number.isSafeInteger(bound) && bound >= 1) continue;
    throw new ConfigurationError(
      `Cannot create executor: ${name} must be an integer of at least 1: got ${bound}`,
    );
  }
  return new InProcessExecutor(maxRunning, maxWaiting);
}

class InProcessExecutor implements TaskExecutor {
  readonly isVolatile = true;
  readonly #maxRunning: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => Promise<void>)[] = [];
  #running = 0;
  #isClosed = false;
  #drained: (() => void) | undefined;

  constructor(maxRunning: number, maxWaiting: number) {
    this.#maxRunning = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  enqueue(_taskId: string, runHere: () => Promise<void>): void {
    if (this.#isClosed) throw new Error("The server is shutting down");
    if (this.#waiting.length >= this.#maxWaiting) throw new Error("Too many tasks are waiting");
    this.#waiting.push(runHere);
    queueMicrotask(() => this.#start());
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return new Promise((resolve) => {
      this.#drained = resolve;
      this.#start();
    });
  }

  #start(): void {
    while (this.#running < this.#maxRunning && this.#waiting.length > 0) {
      this.#running++;
      this.#waiting.shift()!().catch(() => {}).finally(() => { // the server has logged what failed
        this.#running--;
        this.#start();
      });
    }
    if (this.#isClosed && this.#running === 0) this.#drained?.();
  }
}
