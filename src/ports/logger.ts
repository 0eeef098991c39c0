import { callHook } from "./call_hook.ts";
import type { Log, LogEvent, LogLevel } from "./log_event.ts";

/**
 * Where the events of a server go. The levels that nobody may have asked for are members, absent
 * where nobody did: `log.debug?.({ … })` builds no event then.
 */
export interface Logger {
  /** Takes warnings and errors. */
  (event: LogEvent): void;
  /** Takes what is good to know. Default: nobody wants it. */
  readonly info?: Log;
  /** Takes what is said of every call. Default: nobody wants it. */
  readonly debug?: Log;
}

const RANKS: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warning: 2, error: 3 };

/**
 * Makes the logger of a server: nothing below the level reaches the log, and a log that throws takes
 * no call with it.
 */
export function createLogger(log: Log, level: LogLevel): Logger {
  const least = RANKS[level];
  const write = (event: LogEvent): void => {
    if (RANKS[event.level] < least) return;
    callHook(() => log(event)); // where it fails, nobody is left to tell
  };
  return Object.assign(
    (event: LogEvent): void => write(event),
    least <= RANKS.info ? { info: write } : {},
    least <= RANKS.debug ? { debug: write } : {},
  );
}
