import { ConfigurationError } from "../ports/configuration_error.ts";
import { findStray } from "../ports/find_stray.ts";

/** How results are kept that a caller reads later, by a token. */
export interface ContinuationOptions {
  /** How long a result is kept, in milliseconds. Default 300 000. */
  readonly ttlMs?: number;
  /** Rows of a page where the caller names no number. Default 20. */
  readonly pageSize?: number;
  /** The most rows of a page. Default: `pageSize`. */
  readonly maxPageSize?: number;
  /**
   * How many bytes one caller may have kept within `ttlMs`; what is smaller than 1 KiB counts for 1 KiB,
   * so that their number is bounded as well. Past that the caller is answered without a token.
   * Default 4 MiB.
   */
  readonly maxBytesPerCaller?: number;
  /**
   * Whether callers who are anonymous get tokens. They all count as one caller, and whoever has such a
   * token may read what is behind it. Default `false`.
   */
  readonly anonymous?: boolean;
}

/** The options with every default filled in. */
export type ContinuationSettings = Required<ContinuationOptions>;

/**
 * Checks the option `continuations` of a server.
 *
 * @throws {ConfigurationError} when it is wrong, naming the property.
 */
export function readContinuationOptions(options: ContinuationOptions = {}): ContinuationSettings {
  const { pageSize = 20 } = options;
  const defaults: ContinuationSettings = {
    ttlMs: 300_000,
    pageSize,
    maxPageSize: pageSize,
    maxBytesPerCaller: 4 << 20,
    anonymous: false,
  };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const stray = findStray(Object.fromEntries(given), Object.keys(defaults), "an option");
  if (stray !== undefined) throw invalid(stray);
  for (const [key, value] of given) {
    const isClaim = key === "anonymous";
    if (isClaim ? typeof value !== "boolean" : !(Number.isSafeInteger(value) && value >= 1)) {
      throw invalid(`${key} must be ${isClaim ? "a boolean" : "an integer of at least 1"}`);
    }
  }
  const settings = { ...defaults, ...Object.fromEntries(given) };
  if (settings.maxPageSize < pageSize) throw invalid("maxPageSize is less than pageSize");
  return Object.freeze(settings);
}

function invalid(problem: string): ConfigurationError {
  return new ConfigurationError(`Cannot create server: option continuations.${problem}`);
}
