import type { Denied } from "../gate/admit.ts";
import type { Logger } from "../ports/logger.ts";
import type { ErrorOutcome } from "./outcome.ts";

/** The cause of a refusal by a permission that looked at the row. */
export const ON_THE_ROW = "A permission refused the row";

/**
 * What the gate's refusal becomes: a challenge, unless a limit was the reason. The log hears the
 * cause, which the caller does not (O-3).
 *
 * @param denied The refusal.
 * @param called What was called, in words such as `tool "echo"`.
 * @param log Where the cause goes.
 */
export function refusedByGate(
  { error, scopes, retryAfter, because }: Denied,
  { where: binding }: { readonly where: string },
  log: Logger,
): ErrorOutcome {
  log.info?.({
    level: "info",
    event: "call.denied",
    message: "The gate refused a call",
    fields: { binding, because },
  });
  if (retryAfter !== undefined) return { type: "error", error, retryAfter };
  return { type: "error", error, challenge: scopes === undefined ? {} : { scopes } };
}
