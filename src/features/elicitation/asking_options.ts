import { ConfigurationError } from "../../ports/configuration_error.ts";
import { findStray } from "../../ports/find_stray.ts";

/** How the server keeps where a call stands that asks over several rounds. */
export interface AskingOptions {
  /** How long answers are waited for, in milliseconds. Default 10 minutes. */
  readonly ttlMs?: number;
  /** How many rounds of questions one call may ask. Default 5. */
  readonly maxRounds?: number;
  /**
   * What a state does that is not this caller's, this call's or this server's, or is too old.
   * `"reject"` refuses the call, as the protocol demands; `"askAgain"` ignores the state, so that the
   * user is asked anew. It is never used either way. Default `"reject"`.
   */
  readonly invalidState?: "reject" | "askAgain";
  /**
   * Encrypts the state (AES-GCM), so that whoever sees it cannot read the answers in it. Default
   * `false`: it is sealed against changes and readable.
   */
  readonly encrypt?: boolean;
  /**
   * Whether a server without a `secret` makes one for itself. Only where one process serves every
   * request: another process, or this one after a restart, opens nothing it has sealed. Default
   * `false`.
   */
  readonly singleProcess?: boolean;
}

/** The options with every default filled in. */
export type AskingSettings = Required<AskingOptions>;

const DEFAULTS: AskingSettings = {
  ttlMs: 10 * 60 * 1000,
  maxRounds: 5,
  invalidState: "reject",
  encrypt: false,
  singleProcess: false,
};

/**
 * Checks the options and fills in the defaults.
 *
 * @throws {ConfigurationError} when one is unknown or wrong, naming it.
 */
export function readAskingOptions(options: AskingOptions = {}): AskingSettings {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const stray = findStray(Object.fromEntries(given), Object.keys(DEFAULTS), "an option");
  if (stray !== undefined) throw invalid(stray);
  for (const [key, value] of given) {
    const standard = DEFAULTS[key as keyof AskingSettings];
    if (typeof value !== typeof standard) throw invalid(`${key} must be a ${typeof standard}`);
    if (typeof value === "number" && !(Number.isSafeInteger(value) && value >= 1)) {
      throw invalid(`${key} must be an integer of at least 1`);
    }
  }
  const settings: AskingSettings = { ...DEFAULTS, ...Object.fromEntries(given) };
  if (settings.invalidState !== "reject" && settings.invalidState !== "askAgain") {
    throw invalid('invalidState must be "reject" or "askAgain"');
  }
  return settings;
}

function invalid(problem: string): ConfigurationError {
  return new ConfigurationError(`Cannot create server: option requestState.${problem}`);
}
