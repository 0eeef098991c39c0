/** A value of JSON by its literals, or what yields such values. */
export interface LiteralHint extends Iterable<LiteralHint>, AsyncIterable<LiteralHint> {
  /** Literals of every kind, since one stands for all of its kind. */
  readonly [key: string]: "" | 0 | true | LiteralHint;
}

/**
 * Nothing: `never`, as soon as `T` is known. While `T` is being inferred, a function that answers `T`
 * or this keeps the literals of what it answers, so that `{ status: "paid" }` fits
 * `"open" | "paid"` without `as const`. Hover: nothing of it.
 */
export type KeepLiterals<T> = T extends unknown ? never : LiteralHint;
