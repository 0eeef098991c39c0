import type { Call } from "./call.ts";
import { type ErrorOutcome, invalidParams } from "./outcome.ts";

/**
 * Refuses a state that cannot be used: one answer, whatever is the matter with it, so that nobody learns
 * from it how to make a better one. The log hears why (B8).
 *
 * @param call Who brought it.
 * @param because The exact cause, for the log.
 */
export function invalidState(
  { method, params: { name }, log }: Pick<Call, "log" | "method" | "params">,
  because: string,
): ErrorOutcome {
  log({
    level: "warning",
    event: "request_state.invalid",
    message: "A request brought a state that cannot be used",
    fields: { method, ...(typeof name === "string" ? { name: name.slice(0, 128) } : {}), because },
  });
  return invalidParams("Invalid params: requestState is not valid for this request");
}
