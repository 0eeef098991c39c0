import type { CacheHint, ResultText } from "../present/result_text.ts";
import { decodeCursor, encodeCursor } from "./list_cursor.ts";

/** How a list is written. */
export interface ListOptions<Item> {
  /** Names the list in its cursors: lower-case letters. */
  readonly list: string;
  /** The member of the result that holds the entries. */
  readonly member: string;
  /** Entries of a page. */
  readonly pageSize: number;
  /** How long a client may keep a page, and for whom. */
  readonly cache: CacheHint;
  /** Writes an entry as JSON text. */
  readonly write: (item: Item) => string;
}

/** Some items as pages of finished JSON text, each built when it is first asked for and then kept. */
export class ListPages<Item> {
  readonly #items: readonly Item[];
  readonly #options: ListOptions<Item>;
  readonly #pages: Map<number, ResultText> = new Map();
  #length = 0;

  /**
   * Takes the items as they are now; whoever is shown other items needs pages of their own.
   *
   * @param items What is listed, in order.
   * @param options How it is written.
   */
  constructor(items: readonly Item[], options: ListOptions<Item>) {
    this.#items = items;
    this.#options = options;
  }

  /**
   * Finds a page.
   *
   * @param cursor Where it begins, as the page before it said; `undefined` for the first.
   * @returns The page, or `undefined` where no page begins there. Only a cursor that was issued is
   * taken, so that no more pages are kept than there are.
   */
  page(cursor: unknown): ResultText | undefined {
    const { list, pageSize } = this.#options;
    const offset = cursor === undefined ? 0 : decodeCursor(list, cursor);
    if (offset === undefined || offset % pageSize !== 0) return undefined;
    if (offset > 0 && offset >= this.#items.length) return undefined;
    let page = this.#pages.get(offset);
    if (page === undefined) this.#pages.set(offset, page = this.#build(offset));
    return page;
  }

  /** How much text is kept, in characters. */
  get length(): number {
    return this.#length;
  }

  #build(offset: number): ResultText {
    const { list, member, pageSize, cache, write } = this.#options;
    const end = offset + pageSize;
    const entries = this.#items.slice(offset, end).map(write);
    const next = end < this.#items.length ? `,"nextCursor":"${encodeCursor(list, end)}"` : "";
    const members = `"${member}":[${entries.join(",")}]${next}`;
    this.#length += members.length;
    return { members, cache, reusable: true };
  }
}
