import type { CallRequest } from "../kernel/call_context.ts";
import type { Awaitable } from "../ports/awaitable.ts";
import type { HostContext } from "../ports/host_context.ts";
import type { Caller } from "../ports/principal.ts";
import type { ListKind } from "./list_kind.ts";

/** Something that can be heard of: where it is published, and the notification that tells of it. */
export interface Topic {
  /** Its name on the broker; opaque, and no boundary of authorization (S-10). */
  readonly name: string;
  /** The JSON-RPC method of the notification. */
  readonly method: string;
  /** Whether somebody may hear of it now (B11); absent where everybody may. */
  readonly isGranted?: (listener: Listener) => Awaitable<boolean>;
}

/** Who listens, as far as it is known when the request is long over. */
export interface Listener {
  /** Who listens. */
  readonly caller: Caller;
  /** What the platform passed with the request. */
  readonly host: HostContext;
  /** What is left of the request. */
  readonly request: CallRequest | undefined;
}

/** The topics of one server. */
export interface Topics {
  /** That a list changed. */
  list(kind: ListKind): Topic;
  /** The same of several lists; the array is shared, since most who listen listen to the same. */
  lists(kinds: readonly ListKind[]): readonly Topic[];
  /**
   * That a resource changed, by its exact URI.
   *
   * @param partition What keeps equal URIs of different callers apart (B11); empty for none.
   */
  resource(uri: string, partition: string): Topic;
  /** That the status of a task changed. */
  task(taskId: string): Topic;
}

/**
 * Names the topics of a server: servers of different names share a broker without hearing each other.
 *
 * @param server The server's name.
 */
export function createTopics(server: string): Topics {
  const namespace = encodeURIComponent(server);
  const listTopic = (kind: ListKind): Topic => ({
    name: `kind:${namespace}:${kind}/list_changed`,
    method: `notifications/${kind}/list_changed`,
  });
  const lists = {
    tools: listTopic("tools"),
    resources: listTopic("resources"),
    prompts: listTopic("prompts"),
  };
  const combinations = new Map<string, readonly Topic[]>();
  return {
    lists: (kinds) => {
      const key = kinds.join();
      const known = combinations.get(key) ?? kinds.map((kind) => lists[kind]);
      combinations.set(key, known); // of three kinds there are few
      return known;
    },
    list: (kind) => lists[kind],
    resource: (uri, partition) => ({
      name: `resource:${namespace}:${encodeURIComponent(partition)}:${uri}`,
      method: "notifications/resources/updated",
    }),
    task: (taskId) => ({
      name: `task:${namespace}:${taskId}`,
      method: "notifications/tasks",
    }),
  };
}
