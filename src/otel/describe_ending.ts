import type { Attributes } from "@opentelemetry/api";
import type { Call } from "../features/call.ts";
import type { Outcome } from "../features/outcome.ts";
import { ServiceError, ServiceValidationError } from "../kernel/service_error.ts";
import { ErrorCode } from "../protocol/error_code.ts";

/** How a call ended, in the words of the conventions. */
export interface Ending {
  /** Why it failed: `error.type`, and the code of JSON-RPC. Default: it did not. */
  readonly labels?: Attributes;
  /** The exception to record. Default: none. */
  readonly exception?: Error;
}

/** Describes a call that has an outcome. */
export function describeOutcome(outcome: Outcome, recordsRefusals: boolean): Ending {
  const cause = outcome.type === "error"
    ? outcome.cause
    : outcome.type === "complete"
    ? outcome.result.failure?.cause
    : undefined;
  const labels = labelsOf(outcome);
  if (labels === undefined) return {};
  const isRecorded = recordsRefusals && cause instanceof ServiceError &&
    !(cause instanceof ServiceValidationError);
  return isRecorded ? { labels, exception: cause } : { labels };
}

/** Describes a call that threw: a fault, unless it stopped because nobody waits for it. */
export function describeFault(cause: unknown, { isAbandoned }: Call): Ending {
  if (isAbandoned && cause instanceof Error && cause.name === "AbortError") {
    return { labels: { "error.type": "cancelled" } };
  }
  const labels = codeOf(ErrorCode.internalError);
  return cause instanceof Error ? { labels, exception: cause } : { labels };
}

function labelsOf(outcome: Outcome): Attributes | undefined {
  if (outcome.type === "error") return codeOf(outcome.error.code);
  if (outcome.type !== "complete" || outcome.result.isError !== true) return undefined;
  return { "error.type": "tool_error" };
}

function codeOf(code: number): Attributes {
  return { "error.type": String(code), "rpc.response.status_code": String(code) };
}
