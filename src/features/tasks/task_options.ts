import type { Awaitable } from "../../ports/awaitable.ts";
import { ConfigurationError } from "../../ports/configuration_error.ts";
import { findStray } from "../../ports/find_stray.ts";
import type { Caller, Principal } from "../../ports/principal.ts";

/** How tasks are kept. */
export interface TaskOptions {
  /**
   * How long a task and its result are kept after it was created, in milliseconds; `null` tells the
   * client of no end, and keeps it for 7 days. Default 24 hours.
   */
  readonly ttlMs?: number | null;
  /** How often a client is advised to ask, in milliseconds; `null` says nothing. Default 5000. */
  readonly pollIntervalMs?: number | null;
  /**
   * After how many milliseconds without a sign of life the process that runs a task counts as gone;
   * it gives a sign three times as often. The clocks of your processes may differ by half of it.
   * Default 30 000.
   */
  readonly leaseMs?: number;
  /**
   * How many unfinished tasks a caller may have: an id or, for anonymous callers, an address. One more
   * is refused like a call over a rate limit. Default 100.
   */
  readonly maxPerCaller?: number;
  /**
   * Whether callers without a credential may have tasks. Whoever knows the id of such a task may ask
   * for its result and cancel it: the id is all there is. Default `false`.
   */
  readonly anonymous?: boolean;
}

/**
 * Finds a caller again, in the process that runs a task: by the id that the principal had when the
 * task was created.
 *
 * @returns The user as of now, or `undefined` for one that is not to be had any more; the task has
 * failed then. Where it brings a `token`, the task has no scope that is missing there; without one, it
 * has those that it was created with.
 */
export type RestoreCaller<User extends Principal = Principal> = (
  id: string,
) => Awaitable<Caller<User> | undefined>;

/** The options with every default filled in. */
export type TaskSettings = Required<TaskOptions>;

const DEFAULTS: TaskSettings = {
  ttlMs: 24 * 60 * 60 * 1000,
  pollIntervalMs: 5000,
  leaseMs: 30_000,
  maxPerCaller: 100,
  anonymous: false,
};

/**
 * Checks the option `tasks` of a server, and fills in its defaults.
 *
 * @throws {ConfigurationError} when it is wrong, naming the property.
 */
export function readTaskOptions(options: TaskOptions = {}): TaskSettings {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw invalid("tasks must be an object");
  }
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const stray = findStray(Object.fromEntries(given), Object.keys(DEFAULTS), "an option");
  if (stray !== undefined) throw invalid(`tasks.${stray}`);
  for (const [key, value] of given) {
    if (key === "anonymous") {
      if (typeof value !== "boolean") throw invalid("tasks.anonymous must be true or false");
      continue;
    }
    const mayBeNull = key === "ttlMs" || key === "pollIntervalMs";
    if (value === null && mayBeNull) continue;
    if (!Number.isSafeInteger(value) || value < 1) {
      throw invalid(`tasks.${key} must be an integer of at least 1`);
    }
  }
  return { ...DEFAULTS, ...Object.fromEntries(given) };
}

function invalid(problem: string): ConfigurationError {
  return new ConfigurationError(`Cannot create server: option ${problem}`);
}
