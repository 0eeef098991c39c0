import { ConfigurationError } from "../ports/configuration_error.ts";
import { findStray } from "../ports/find_stray.ts";

/** A year of 366 days: what a count may be kept for. */
const MAX_SECONDS = 31_622_400;

/** What a number of a limiter must be. */
interface NumberRule {
  readonly isValid: (value: number) => boolean;
  readonly what: string;
}

type RuleName = "calls" | "seconds" | "rate";

const RULES: Readonly<Record<RuleName, NumberRule>> = {
  calls: {
    isValid: (value) => Number.isSafeInteger(value) && value >= 1,
    what: "an integer of at least 1",
  },
  seconds: {
    isValid: (value) => value >= 0.001 && value <= MAX_SECONDS,
    what: `a number of seconds from 0.001 to ${MAX_SECONDS}`,
  },
  rate: {
    isValid: (value) => value > 0 && value <= 1e6,
    what: "a number above 0, up to 1000000",
  },
};

/**
 * Checks the options of a limiter.
 *
 * @param factory Whose they are, for errors: `"fixedWindow()"`.
 * @param options The options.
 * @param numbers Which numbers there must be, and by which rule.
 * @throws {ConfigurationError} when an option is unknown or wrong, naming it.
 */
export function checkLimiter(
  factory: string,
  options: object,
  numbers: Readonly<Record<string, RuleName>>,
): void {
  const given = options as Readonly<Record<string, unknown>>;
  const stray = findStray(given, [...Object.keys(numbers), "namespace", "key"], "an option");
  if (stray !== undefined) throw invalid(factory, stray);
  for (const [key, rule] of Object.entries(numbers)) {
    const value = given[key];
    if (typeof value === "number" && RULES[rule].isValid(value)) continue;
    throw invalid(factory, `${key} must be ${RULES[rule].what}`);
  }
  const { namespace, key } = given;
  if (namespace !== undefined && (typeof namespace !== "string" || namespace === "")) {
    throw invalid(factory, "namespace must be a text that is not empty");
  }
  if (key !== undefined && typeof key !== "function") {
    throw invalid(factory, "key must be a function");
  }
}

function invalid(factory: string, problem: string): ConfigurationError {
  return new ConfigurationError(`Cannot create ${factory}: ${problem}`);
}
