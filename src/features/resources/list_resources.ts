import type { Method } from "../call.ts";
import { listRegistry } from "../list_registry.ts";
import { permissionFilter } from "../permission_filter.ts";
import type { ResourceRegistry } from "./resource_registry.ts";

/** How resources are listed. */
export interface ListResourcesOptions {
  /** Entries of a page. */
  readonly pageSize: number;
  /** How long a client may keep a page, in milliseconds. */
  readonly ttlMs: number;
  /** Whether what the caller may not read is left out (L-4). */
  readonly byPermission: boolean;
}

/**
 * Makes `resources/list` and `resources/templates/list`.
 *
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/server/resources#listing-resources}
 */
export function createListResources(
  { concrete, templates }: ResourceRegistry,
  { pageSize, ttlMs, byPermission }: ListResourcesOptions,
): { readonly resources: Method; readonly templates: Method } {
  const shared = {
    pageSize,
    cache: { ttlMs, cacheScope: "public" },
    write: ({ listing }: { readonly listing: string }) => listing,
  } as const;
  const filter = byPermission ? permissionFilter : undefined;
  const list = { ...shared, list: "resources", member: "resources" };
  const templateList = { ...shared, list: "templates", member: "resourceTemplates" };
  return {
    resources: listRegistry(concrete, list, filter),
    templates: listRegistry(templates, templateList, filter),
  };
}
