import type { Awaitable } from "../../ports/awaitable.ts";

/** Suggestions as they are served. */
export interface Suggestions {
  /** At most a hundred. */
  readonly values: readonly string[];
  /** Whether there are more. */
  readonly hasMore: boolean;
  /** How many there are in all, where that is known. */
  readonly total?: number;
}

const MAX_VALUES = 100;

/**
 * Takes a hundred suggestions of what a completer answered, and looks for one more: a lazy source is
 * pulled no further and then closed (C-2).
 *
 * @param answer A text, an iterable or an async iterable of texts and numbers, or nothing.
 * @throws {TypeError} for anything else.
 */
export function pullSuggestions(answer: unknown): Awaitable<Suggestions> {
  if (answer === undefined || answer === null) return { values: [], hasMore: false, total: 0 };
  if (typeof answer === "string") return { values: [answer], hasMore: false, total: 1 };
  if (typeof answer === "object" && Symbol.iterator in answer) {
    const values: string[] = [];
    for (const suggestion of answer as Iterable<unknown>) {
      values.push(toText(suggestion));
      if (values.length > MAX_VALUES) break;
    }
    return cut(values, lengthOf(answer));
  }
  if (typeof answer === "object" && Symbol.asyncIterator in answer) {
    return pullAsync(answer as AsyncIterable<unknown>);
  }
  throw new TypeError(`Cannot complete: a completer answered ${typeof answer}`);
}

async function pullAsync(source: AsyncIterable<unknown>): Promise<Suggestions> {
  const values: string[] = [];
  for await (const suggestion of source) {
    values.push(toText(suggestion));
    if (values.length > MAX_VALUES) break;
  }
  return cut(values);
}

function cut(pulled: readonly string[], known?: number): Suggestions {
  const hasMore = pulled.length > MAX_VALUES;
  const total = known ?? (hasMore ? undefined : pulled.length);
  const values = pulled.slice(0, MAX_VALUES);
  return total === undefined ? { values, hasMore } : { values, hasMore, total };
}

function lengthOf(source: object): number | undefined {
  if (Array.isArray(source)) return source.length;
  return source instanceof Set ? source.size : undefined;
}

function toText(suggestion: unknown): string {
  if (typeof suggestion === "string") return suggestion;
  if (typeof suggestion === "number") return String(suggestion);
  throw new TypeError(`Cannot complete: a completer suggested a ${typeof suggestion}`);
}
