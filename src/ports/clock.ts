/** Where the time comes from. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}
