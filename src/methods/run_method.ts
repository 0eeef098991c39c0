import type { Call, Method } from "../features/call.ts";
import { failure, type Outcome } from "../features/outcome.ts";
import { type Awaitable, isThenable } from "../ports/awaitable.ts";
import type { JsonObject } from "../protocol/json.ts";
import { ErrorCode } from "../protocol/error_code.ts";
import { type Around, surround } from "./around.ts";

/** One method of an era. */
export interface MethodRow {
  /** Serves it. */
  readonly run: Method;
  /** Whether it exists at the moment. Default: always. */
  readonly isServed?: () => boolean;
  /** Whether the answer needs its own headers, and never becomes a stream. Default `false`. */
  readonly neverStreams?: boolean;
  /** The registered name that parameters ask for; absent where a method is about nothing. */
  readonly targetOf?: (params: JsonObject) => string | undefined;
  /** What the caller gets for a fault. Default: -32603 on HTTP 500. */
  readonly onFault?: (reference: string) => Outcome;
}

/** The methods of one era, by name. */
export type MethodTable = ReadonlyMap<string, MethodRow>;

/**
 * Runs a call against the table it is given.
 *
 * @param around What runs around the method, the outermost first.
 * @returns The outcome; never rejects. Whatever a method throws is a fault: the caller gets a random
 * reference, the log gets the same reference with the cause (ERR-10).
 */
export function runMethod(
  table: MethodTable,
  call: Call,
  around: readonly Around[] = [],
): Awaitable<Outcome> {
  const row = table.get(call.method);
  if (row === undefined || row.isServed?.() === false) {
    return failure(ErrorCode.methodNotFound, "Method not found");
  }
  try {
    const outcome = around.length === 0
      ? row.run(call)
      : surround(around, row.run, row.targetOf?.(call.params))(call);
    return isThenable(outcome) ? outcome.catch((cause) => faultOf(row, call, cause)) : outcome;
  } catch (cause) {
    return faultOf(row, call, cause);
  }
}

function faultOf({ targetOf, onFault }: MethodRow, call: Call, cause: unknown): Outcome {
  return toFault(call, cause, { target: targetOf?.(call.params), mask: onFault });
}

/** How a fault is told. */
interface FaultOptions {
  /** What the call asked for, as it was registered. */
  readonly target?: string | undefined;
  /** Writes the answer. Default: -32603 on HTTP 500. */
  readonly mask?: ((reference: string) => Outcome) | undefined;
}

/** What the caller gets for a failure of the server, whose cause goes to the log alone. */
export function toFault(
  call: Call,
  cause: unknown,
  { target, mask = maskedFault }: FaultOptions = {},
): Outcome {
  return mask(reportFault(call, cause, target));
}

function reportFault(call: Call, cause: unknown, target: string | undefined): string {
  const reference = crypto.randomUUID();
  const { method, params } = call;
  const name = target ?? params.name;
  // A call that stops because its client left does what it should.
  const isStopped = call.isAbandoned && cause instanceof Error && cause.name === "AbortError";
  const fields = { method, ...(typeof name === "string" ? { name: name.slice(0, 128) } : {}) };
  if (isStopped) {
    const message = `${method} stopped: its client left`;
    call.log.debug?.({ level: "debug", event: "call.stopped", message, fields });
  } else {
    const message = `${method} failed`;
    call.log({
      level: "error",
      event: "call.fault",
      message,
      cause,
      fields: { reference, ...fields },
    });
  }
  return reference;
}

function maskedFault(reference: string): Outcome {
  return {
    type: "error",
    error: { code: ErrorCode.internalError, message: "Internal error", data: { reference } },
    status: 500,
  };
}
