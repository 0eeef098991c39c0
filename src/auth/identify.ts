import { chargeLimits, type Limits } from "../gate/charge_limits.ts";
import type { FailedAuthentication } from "../gate/failed_authentication.ts";
import { overLimit } from "../gate/over_limit.ts";
import type { Awaitable } from "../ports/awaitable.ts";
import type { HostContext } from "../ports/host_context.ts";
import type { Caller } from "../ports/principal.ts";
import type { RequestId } from "../protocol/json_rpc.ts";
import { isRefusal, type Refusal } from "../protocol/refusal.ts";
import type { Authentication } from "./authentication.ts";

/** How callers are told apart and counted. */
export interface Identification {
  /** Answers who calls. */
  readonly authenticate: Authentication;
  /** Counts the requests of each caller. */
  readonly perCaller: Limits | undefined;
  /** Counts the requests that fail to authenticate. */
  readonly failures: FailedAuthentication | undefined;
}

/** What is known of a request before its sender is. */
export interface Arrival {
  /** What the platform passed. */
  readonly host: HostContext;
  /** The JSON-RPC id; absent for what is no request of JSON-RPC. */
  readonly id: RequestId | undefined;
  /** Whether it is a notification of JSON-RPC. Default `false`. */
  readonly isNotification?: boolean;
}

/**
 * Finds out who calls, and whether so many requests are in order. Notifications are not charged: they
 * have no answer, and one of them takes load away.
 *
 * @returns The caller; or the refusal: shut out ▸ 401 ▸ over the limit of the caller.
 */
export function identify(
  request: Request,
  by: Identification,
  arrival: Arrival,
): Awaitable<Caller | Refusal> {
  const { authenticate, perCaller, failures } = by;
  if (perCaller === undefined && failures === undefined) {
    return authenticate(request, arrival.host, arrival.id);
  }
  return identifyCounted(request, by, arrival);
}

async function identifyCounted(
  request: Request,
  { authenticate, perCaller, failures }: Identification,
  { host, id, isNotification = false }: Arrival,
): Promise<Caller | Refusal> {
  const shutOut = await failures?.find(host);
  if (shutOut !== undefined) return refuse(shutOut, id);
  const caller = await authenticate(request, host, id);
  if (isRefusal(caller)) {
    const seconds = await failures?.count(host);
    return seconds === undefined ? caller : refuse(seconds, id);
  }
  if (perCaller === undefined || isNotification) return caller;
  const seconds = await chargeLimits(perCaller, { caller, host });
  return seconds === undefined ? caller : refuse(seconds, id);
}

/** A request of JSON-RPC gets its error in a 200, like that of a binding's limit. */
function refuse(seconds: number, id: RequestId | undefined): Refusal {
  const { error, retryAfter } = overLimit(seconds);
  return {
    refused: "rate-limited",
    status: id === undefined ? 429 : 200,
    error,
    headers: { "retry-after": String(retryAfter) },
    ...(id === undefined ? {} : { id }),
  };
}
