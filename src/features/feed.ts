import type { Topic } from "./topics.ts";

/** What a client listens to, before any result: data, until a transport opens a stream for it. */
export interface Feed {
  /** The lists that it hears of. Where it hears of nothing at all, the result follows at once. */
  readonly lists: readonly Topic[];
  /** What else it hears of: what may be taken from it again. */
  readonly watched: readonly Topic[];
  /** The first message, as JSON text. */
  readonly first: string;
}
