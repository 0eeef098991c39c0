/** A value or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** Tells whether a value must be awaited: any thenable counts, so that none is taken for a value. */
export function isThenable(value: unknown): value is Promise<unknown> {
  return typeof value === "object" && value !== null &&
    typeof (value as { readonly then?: unknown }).then === "function";
}

/**
 * Goes on with a value as soon as it is there: at once where it is no promise, so that a call whose
 * parts are all synchronous waits for nothing.
 */
export function andThen<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  // A thenable that is no promise may answer nothing to `then`; a promise is handed on as it is.
  return isThenable(value) ? Promise.resolve(value).then(next) : next(value);
}
