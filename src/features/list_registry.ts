import { andThen, type Awaitable, isThenable } from "../ports/awaitable.ts";
import type { ResultText } from "../present/result_text.ts";
import type { Call, Method } from "./call.ts";
import { type ListOptions, ListPages } from "./list_pages.ts";
import { complete, invalidParams, type Outcome } from "./outcome.ts";
import type { Registry } from "./registry.ts";

/** Which items a caller is shown. */
export interface ListFilter<Item> {
  /** Whether anything is asked about these items at all; where not, the list is the same for all. */
  readonly applies: (items: readonly Item[]) => boolean;
  /** Whether the caller is shown an item. */
  readonly isShown: (item: Item, call: Call) => Awaitable<boolean>;
}

/** How much text of lists is kept for callers who are shown different items, in characters (B13). */
const MAX_KEPT_LENGTH = 8 << 20;

/**
 * Makes the method that lists a registry: its pages are built once for each version of it, and for each
 * selection of items that some caller is shown. What is kept is bounded; the filter itself is asked
 * anew for every listing.
 *
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination}
 */
export function listRegistry<Item>(
  registry: Pick<Registry<Item>, "all" | "version">,
  options: ListOptions<Item>,
  filter?: ListFilter<Item>,
): Method {
  let version = -1;
  let items: readonly Item[] = [];
  let pages = new ListPages(items, options);
  let filters = false;
  const kept = new KeptPages<Item>();
  return (call) => {
    if (version !== registry.version) {
      version = registry.version;
      items = registry.all();
      pages = new ListPages(items, options);
      filters = filter?.applies(items) === true;
      kept.clear();
    }
    if (!filters) return toOutcome(pages.page(call.params.cursor));
    // The items of the moment, whatever is registered while the filter is asked.
    const [asked, askedVersion] = [items, version];
    return andThen(selectItems(asked, filter!, call), (selection) => {
      const found = askedVersion === version ? kept.get(selection) : undefined;
      const shown = found ?? privatePages(asked, selection, options);
      const shownLength = shown.length;
      const page = shown.page(call.params.cursor);
      if (askedVersion === version && shown.length > shownLength) kept.keep(selection, shown);
      return toOutcome(page);
    });
  };
}

function toOutcome(page: ResultText | undefined): Outcome {
  return page === undefined ? invalidParams("Invalid cursor") : complete(page);
}

/** Which items are shown, one character each; synchronous while the filter is. */
function selectItems<Item>(
  items: readonly Item[],
  { isShown }: ListFilter<Item>,
  call: Call,
): Awaitable<string> {
  let selection = "";
  for (let i = 0; i < items.length; i++) {
    const shown = isShown(items[i]!, call);
    if (isThenable(shown)) return selectRest(items, i, shown, selection, isShown, call);
    selection += shown ? "1" : "0";
  }
  return selection;
}

async function selectRest<Item>(
  items: readonly Item[],
  first: number,
  pending: Promise<boolean>,
  start: string,
  isShown: ListFilter<Item>["isShown"],
  call: Call,
): Promise<string> {
  let selection = start + (await pending ? "1" : "0");
  for (let i = first + 1; i < items.length; i++) {
    selection += await isShown(items[i]!, call) ? "1" : "0";
  }
  return selection;
}

function privatePages<Item>(
  items: readonly Item[],
  selection: string,
  options: ListOptions<Item>,
): ListPages<Item> {
  const shown = items.filter((_, i) => selection[i] === "1");
  return new ListPages(shown, { ...options, cache: { ...options.cache, cacheScope: "private" } });
}

/** The pages of the last selections, until their text grows over the bound. */
class KeptPages<Item> {
  readonly #pages: Map<string, ListPages<Item>> = new Map();

  get(selection: string): ListPages<Item> | undefined {
    return this.#pages.get(selection);
  }

  /** Keeps pages, and drops the oldest selections while there is too much text. */
  keep(selection: string, pages: ListPages<Item>): void {
    this.#pages.set(selection, pages);
    let length = 0;
    for (const [key, one] of this.#pages) length += key.length + one.length;
    for (const [oldest, one] of this.#pages) {
      if (length <= MAX_KEPT_LENGTH) break;
      this.#pages.delete(oldest);
      length -= oldest.length + one.length;
    }
  }

  clear(): void {
    this.#pages.clear();
  }
}
