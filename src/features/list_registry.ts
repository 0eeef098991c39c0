import type { Method } from "./call.ts";
import { type ListOptions, ListPages } from "./list_pages.ts";
import { complete, invalidParams } from "./outcome.ts";
import type { Registry } from "./registry.ts";

/**
 * Makes the method that lists a registry: its pages are built once for each version of it.
 *
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination}
 */
export function listRegistry<Item>(registry: Registry<Item>, options: ListOptions<Item>): Method {
  let pages: ListPages<Item> | undefined;
  let version = -1;
  return ({ params }) => {
    if (pages === undefined || version !== registry.version) {
      pages = new ListPages(registry.all(), options);
      version = registry.version;
    }
    const page = pages.page(params.cursor);
    return page === undefined ? invalidParams("Invalid cursor") : complete(page);
  };
}
