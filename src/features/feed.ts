import type { Topic } from "./topics.ts";

/** What a client listens to, before any result: data, until a transport opens a stream for it. */
export interface Feed {
  /** What it hears of; empty where nothing was granted, and the result follows at once. */
  readonly topics: readonly Topic[];
  /** The first message, as JSON text. */
  readonly first: string;
  /** Whether all of it would be granted again; absent where that cannot change. */
  readonly isStillGranted?: () => Promise<boolean>;
}
