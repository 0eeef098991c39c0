import type { Announcer } from "../announcer.ts";
import type { ListKind } from "../list_kind.ts";
import type { Registry } from "../registry.ts";
import type { ResourceRegistry } from "../resources/resource_registry.ts";

/** What a server lists. */
export interface ListedRegistries {
  readonly tools: Pick<Registry<unknown>, "watch">;
  readonly resources: ResourceRegistry;
  readonly prompts: Pick<Registry<unknown>, "watch">;
}

/**
 * Announces what is registered or removed while requests are served: the changes of one turn together.
 *
 * @param isServing Whether anybody can know a list: a server that is being built announces nothing.
 */
export function announceLists(
  { tools, resources, prompts }: ListedRegistries,
  announcer: Announcer,
  isServing: () => boolean,
): void {
  const changed = new Set<ListKind>();
  const follow = (kind: ListKind, registry: Pick<Registry<unknown>, "watch">): void => {
    registry.watch(() => {
      if (!isServing() || changed.has(kind)) return;
      changed.add(kind);
      queueMicrotask(() => {
        changed.delete(kind);
        announcer.listChanged(kind);
      });
    });
  };
  follow("tools", tools);
  follow("resources", resources.concrete);
  follow("resources", resources.templates);
  follow("prompts", prompts);
}
