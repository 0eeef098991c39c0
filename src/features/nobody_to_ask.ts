import type { NobodyToAsk } from "../kernel/input_required.ts";
import { ConfigurationError } from "../ports/configuration_error.ts";
import { ErrorCode } from "../protocol/error_code.ts";
import { capabilitiesFor } from "./elicitation/input_request.ts";
import { type ErrorOutcome, failure } from "./outcome.ts";

/** Refuses a call that has to ask what its client takes no questions about, naming what is missing. */
export function nobodyToAsk({ questions }: NobodyToAsk): ErrorOutcome {
  return failure(ErrorCode.missingClientCapability, "Missing required client capability", {
    requiredCapabilities: capabilitiesFor(questions),
  });
}

/**
 * Tells an author whose question no client takes what is wrong with it: nothing of a caller is in it
 * (E-2, E-3).
 */
export function whereAsked<T>(ask: () => T): T | ErrorOutcome {
  try {
    return ask();
  } catch (cause) {
    if (!(cause instanceof ConfigurationError)) throw cause;
    return { ...failure(ErrorCode.internalError, cause.message), cause };
  }
}
