import type { Denied } from "../gate/admit.ts";
import type { ErrorOutcome } from "./outcome.ts";

/** Tells a caller that the gate refused, with what the challenge says. */
export function refusedByGate({ error, scopes }: Denied): ErrorOutcome {
  return { type: "error", error, challenge: scopes === undefined ? {} : { scopes } };
}
