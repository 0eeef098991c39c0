import type { Visitor } from "../../gate/charge_limits.ts";
import type { ListenSlots } from "../../gate/listen_slots.ts";
import { ErrorCode } from "../../protocol/error_code.ts";
import { type ErrorOutcome, failure } from "../outcome.ts";

/**
 * Refuses one stream too many: 429 where the caller has its share, 503 where the process has (S-7).
 *
 * @returns The refusal, or `undefined` where there is room.
 */
export function refuseFull(slots: ListenSlots, visitor: Visitor): ErrorOutcome | undefined {
  const full = slots.findFull(visitor);
  if (full === undefined) return undefined;
  const isCaller = full.of === "caller";
  const message = isCaller
    ? "You have too many subscriptions: end one first"
    : "Too many subscriptions are open: try again later";
  const refused = failure(ErrorCode.internalError, message);
  return { ...refused, status: isCaller ? 429 : 503, retryAfter: 5 };
}
