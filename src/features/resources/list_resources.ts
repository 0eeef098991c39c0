import type { Method } from "../call.ts";
import { listRegistry } from "../list_registry.ts";
import type { ResourceRegistry } from "./resource_registry.ts";

/** How resources are listed. */
export interface ListResourcesOptions {
  /** Entries of a page. */
  readonly pageSize: number;
  /** How long a client may keep a page, in milliseconds. */
  readonly ttlMs: number;
}

/**
 * Makes `resources/list` and `resources/templates/list`.
 *
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/server/resources#listing-resources}
 */
export function createListResources(
  { concrete, templates }: ResourceRegistry,
  { pageSize, ttlMs }: ListResourcesOptions,
): { readonly resources: Method; readonly templates: Method } {
  const shared = {
    pageSize,
    cache: { ttlMs, cacheScope: "public" },
    write: ({ listing }: { readonly listing: string }) => listing,
  } as const;
  return {
    resources: listRegistry(concrete, { ...shared, list: "resources", member: "resources" }),
    templates: listRegistry(templates, {
      ...shared,
      list: "templates",
      member: "resourceTemplates",
    }),
  };
}
