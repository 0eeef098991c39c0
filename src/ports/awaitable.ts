/** A value or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** Tells whether a value must be awaited: any thenable counts, so that none is taken for a value. */
export function isThenable(value: unknown): value is Promise<unknown> {
  return typeof value === "object" && value !== null && "then" in value &&
    typeof value.then === "function";
}
