/**
 * A finished result as JSON text, the same for every era: encoders join the parts and add their own.
 */
export interface ResultText {
  /** The members of the result without braces: `"content":[…]`. May be empty. */
  readonly members: string;
  /** The JSON text of `structuredContent`. */
  readonly structured?: string;
  /** Whether `structuredContent` is wrapped for callers whose revision allows objects only. */
  readonly wrapsForLegacy?: boolean;
  /** The JSON text of `_meta`: an object. */
  readonly meta?: string;
  /** A result inside this one, as its member `result`: what came of a task. */
  readonly inner?: ResultText;
  /** How long a client may keep it, and for whom. */
  readonly cache?: CacheHint;
  /** Whether the object is kept and served again, so that its bytes are worth keeping. */
  readonly reusable?: boolean;
  /** Whether a tool reports a failure. */
  readonly isError?: boolean;
  /** What failed, for the log and for what runs around methods; never written. */
  readonly failure?: Failure;
}

/** Why a tool reports a failure. */
export interface Failure {
  /** What kind of failure. */
  readonly type: string;
  /** What the domain threw, where it refused. */
  readonly cause?: unknown;
}

/** Caching hint of a result. */
export interface CacheHint {
  /** Milliseconds for which the result counts as fresh; 0 means not at all. */
  readonly ttlMs: number;
  /** Whether callers may share it. */
  readonly cacheScope: "public" | "private";
}
