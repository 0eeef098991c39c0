import { isPageable, type Pageable } from "./pageable.ts";

/**
 * Makes a list of what a list selector answered: an array, an iterable, an async iterable or a lazy
 * source.
 *
 * @param value What it answered.
 * @param where For the error: `tool "a"`.
 * @param keepsLazy Whether a lazy source is handed on as it is.
 * @throws {TypeError} for anything else: the author's fault.
 */
export async function gatherRows(
  value: unknown,
  where: string,
  keepsLazy: boolean,
): Promise<readonly unknown[] | Pageable> {
  if (Array.isArray(value)) return value;
  if (isPageable(value)) return keepsLazy ? value : await value.slice(0, await value.count());
  if (typeof value === "object" && value !== null) {
    if (Symbol.iterator in value) return [...value as Iterable<unknown>];
    if (Symbol.asyncIterator in value) {
      const rows: unknown[] = [];
      for await (const row of value as AsyncIterable<unknown>) rows.push(row);
      return rows;
    }
  }
  throw new TypeError(`Cannot present the rows of ${where}: select must answer a list`);
}
