import type { Outcome } from "../features/outcome.ts";
import type { Log } from "../ports/log_event.ts";
import { sizeOf } from "../present/result_size.ts";
import type { Around } from "./around.ts";

/** Tells a log of every call how it ended, how long it took and how large its result is (O-1). */
export function logCalls(log: Log): Around {
  return async (call, next, target) => {
    const { method, params } = call;
    const name = target ?? params.name;
    const start = performance.now();
    let outcome: Outcome | undefined;
    try {
      return outcome = await next(call);
    } finally {
      log({
        level: "debug",
        event: "call.done",
        message: `${method} has ended`,
        fields: {
          method,
          ...(typeof name === "string" ? { name: name.slice(0, 128) } : {}),
          durationMs: performance.now() - start,
          ...describe(outcome),
        },
      });
    }
  };
}

function describe(
  outcome: Outcome | undefined,
): { readonly outcome: string; readonly bytes?: number } {
  if (outcome === undefined) return { outcome: "fault" };
  if (outcome.type === "error") return { outcome: String(outcome.error.code) };
  if (outcome.type === "input_required") return { outcome: outcome.type };
  const { failure, isError = false } = outcome.result;
  const ended = failure?.type ?? (isError ? "tool_error" : outcome.type);
  return { outcome: ended, bytes: sizeOf(outcome.result) };
}
