import type { Awaitable } from "../ports/awaitable.ts";
import type { KeepLiterals } from "./keep_literals.ts";

/** A lazy list: counted, and sliced by the page that is asked for. */
export interface Pageable<Row = unknown> {
  /** How many rows there are. */
  readonly count: () => Awaitable<number>;
  /** Rows from `offset`, at most `limit`. */
  readonly slice: (offset: number, limit: number) => Awaitable<readonly Row[]>;
  /** Carries the type of its rows; never present at run time. */
  readonly "~row"?: Row;
}

const PAGEABLE = Symbol("pageable");

/**
 * Wraps a lazy source of rows: a paginated tool counts it and takes one page, everything else takes
 * all of it.
 *
 * @example
 * ```ts
 * import { pageable } from "@limen/mcp";
 * import { assertEquals } from "@std/assert";
 *
 * const rows = [1, 2, 3];
 * const source = pageable({
 *   count: () => rows.length,
 *   slice: (offset, limit) => rows.slice(offset, offset + limit),
 * });
 * assertEquals(await source.slice(1, 1), [2]);
 * ```
 */
export function pageable<Row>(
  source: Pageable<Row> & Pick<Pageable<Row | KeepLiterals<Row>>, "slice">,
): Pageable<Row> {
  return Object.freeze({ count: source.count, slice: source.slice, [PAGEABLE]: true });
}

/** Tells a source made by `pageable()`. */
export function isPageable(value: unknown): value is Pageable {
  return typeof value === "object" && value !== null && PAGEABLE in value;
}

/** One page, as it is served (K-92). */
export interface Page {
  /** The rows. */
  readonly items: readonly unknown[];
  /** The page that is served, from 1. */
  readonly page: number;
  /** How many pages there are, at least 1. */
  readonly totalPages: number;
  /** Whether another page follows. */
  readonly hasNext: boolean;
}

/** Which page is asked for. */
export interface PageRequest {
  /** From 1; out of range clamps. */
  readonly page: number;
  /** Rows of a page; out of range clamps. */
  readonly limit: number;
  /** The most rows of a page; absent is no bound. */
  readonly maxPageSize: number | undefined;
}

/** Rows of a page where the caller does not say. */
export const DEFAULT_PAGE_SIZE = 100;

/**
 * Takes one page. The count comes first, and a page past the end serves the last one and says so
 * (K-90, K-91).
 */
export async function takePage(
  rows: Pageable | readonly unknown[],
  request: PageRequest,
): Promise<Page> {
  const limit = Math.max(1, Math.min(request.limit, request.maxPageSize ?? Infinity));
  const total = isPageable(rows) ? await rows.count() : rows.length;
  const totalPages = Math.max(1, Math.ceil(total / limit));
  const page = Math.min(Math.max(1, request.page), totalPages);
  const offset = (page - 1) * limit;
  const items = await rows.slice(offset, isPageable(rows) ? limit : offset + limit);
  return { items, page, totalPages, hasNext: page < totalPages };
}
