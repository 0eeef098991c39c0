/** Something an operator may want to know. Never holds arguments, results, tokens or full ids. */
export interface LogEvent {
  /** How bad it is. */
  readonly level: "debug" | "info" | "warning" | "error";
  /** Stable name, such as `"call.fault"`. */
  readonly event: string;
  /** One sentence. */
  readonly message: string;
  /** What failed, when something did. */
  readonly cause?: unknown;
  /** Names, sizes and durations. */
  readonly fields?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

/** Receives events; must not throw. */
export type Log = (event: LogEvent) => void;
