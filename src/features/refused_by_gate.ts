import type { Denied } from "../gate/admit.ts";
import type { ErrorOutcome } from "./outcome.ts";

/** What the gate's refusal becomes: a challenge, unless a limit was the reason. */
export function refusedByGate({ error, scopes, retryAfter }: Denied): ErrorOutcome {
  if (retryAfter !== undefined) return { type: "error", error, retryAfter };
  return { type: "error", error, challenge: scopes === undefined ? {} : { scopes } };
}
