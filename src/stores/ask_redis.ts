import { StoreFullError } from "./store_full_error.ts";
import { StoreUnavailableError } from "./store_unavailable_error.ts";

/** Options of {@linkcode askRedis}. */
export interface AskRedisOptions {
  /** What is tried; begins the message of an error. */
  readonly action: string;
  /** How long to wait, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Waits for an answer of Redis, and no longer than it may.
 *
 * @param send Sends what is asked; its signal is aborted when nobody waits any more.
 * @throws {StoreFullError} when Redis has no memory left, and refused the write.
 * @throws {StoreUnavailableError} when no answer came in time, or an error did.
 */
export async function askRedis<T>(
  send: (signal: AbortSignal) => Promise<T>,
  { action, timeoutMs }: AskRedisOptions,
): Promise<T> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new StoreUnavailableError(`${action}: Redis did not answer within ${timeoutMs} ms`));
      controller.abort();
    }, timeoutMs);
  });
  try {
    return await Promise.race([send(controller.signal), late]);
  } catch (error) {
    throw error instanceof StoreUnavailableError ? error : toStoreError(action, error);
  } finally {
    clearTimeout(timer);
  }
}

/** Names the kind of the error only: the text of a reply may repeat keys and values. */
function toStoreError(action: string, cause: unknown): Error {
  const { message, code } = cause instanceof Error
    ? cause as Error & { readonly code?: unknown }
    : { message: "", code: undefined };
  // Within a script, the code stands later in the text.
  if (/\bOOM command not allowed/.test(message)) {
    return new StoreFullError(`${action}: Redis has no memory left`, { cause });
  }
  const reply = /^[A-Z]{3,}(?= )/.exec(message)?.[0];
  const kind = reply ?? (typeof code === "string" ? code : undefined);
  const detail = kind === undefined ? "the client failed" : `Redis failed with ${kind}`;
  return new StoreUnavailableError(`${action}: ${detail}`, { cause });
}
