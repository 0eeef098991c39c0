import type { LogEventName } from "./log_events.ts";

/** How much an operator wants to hear: a level, and all that are worse. */
export type LogLevel = "debug" | "info" | "warning" | "error";

/** Something an operator may want to know. Never holds arguments, results, tokens or full ids. */
export interface LogEvent {
  /** How bad it is. */
  readonly level: LogLevel;
  /** Stable name, such as `"call.fault"`; {@linkcode LogEvents} lists them with their fields. */
  readonly event: LogEventName;
  /** One sentence. */
  readonly message: string;
  /** What failed, when something did. */
  readonly cause?: unknown;
  /** Names, sizes and durations. */
  readonly fields?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

/** Receives events; must not throw. */
export type Log = (event: LogEvent) => void;
