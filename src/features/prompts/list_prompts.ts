import type { Method } from "../call.ts";
import { listRegistry } from "../list_registry.ts";
import { permissionFilter } from "../permission_filter.ts";
import type { Registry } from "../registry.ts";
import type { PromptBinding } from "./prompt_binding.ts";

/** How prompts are listed. */
export interface ListPromptsOptions {
  /** Entries of a page. */
  readonly pageSize: number;
  /** How long a client may keep a page, in milliseconds. */
  readonly ttlMs: number;
  /** Whether what the caller may not get is left out (L-4). */
  readonly byPermission: boolean;
}

/**
 * Makes `prompts/list`.
 *
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#listing-prompts}
 */
export function createListPrompts(
  registry: Registry<PromptBinding>,
  { pageSize, ttlMs, byPermission }: ListPromptsOptions,
): Method {
  const list = {
    list: "prompts",
    member: "prompts",
    pageSize,
    cache: { ttlMs, cacheScope: "public" },
    write: ({ listing }: PromptBinding) => listing,
  } as const;
  return listRegistry(registry, list, byPermission ? permissionFilter : undefined);
}
