import { isJsonObject, type JsonObject, ownValue } from "../../protocol/json.ts";
import type { ListKind } from "../list_kind.ts";

/** What a client asks to hear of, without what is malformed and without duplicates. */
export interface ListenFilter {
  /** The lists. */
  readonly lists: readonly ListKind[];
  /** The resources, by URI. */
  readonly uris: readonly string[];
  /** The tasks. */
  readonly taskIds: readonly string[];
}

/** The members of the filter that concern a list each, in the order of the acknowledgement. */
export const LIST_FLAGS: Readonly<Record<ListKind, string>> = {
  tools: "toolsListChanged",
  prompts: "promptsListChanged",
  resources: "resourcesListChanged",
};

/** How many resources, and how many tasks, one stream may watch (B13). */
export const MAX_WATCHED = 100;

/**
 * Reads the filter of `subscriptions/listen`: only `true` opts in, malformed entries are dropped (S-1).
 *
 * @returns The filter, or what is wrong with the parameters.
 */
export function readFilter(params: JsonObject): ListenFilter | string {
  const notifications = ownValue(params, "notifications");
  if (!isJsonObject(notifications)) return "notifications must be an object";
  const kinds = Object.keys(LIST_FLAGS) as ListKind[];
  const filter = {
    lists: kinds.filter((kind) => ownValue(notifications, LIST_FLAGS[kind]) === true),
    uris: textsOf(ownValue(notifications, "resourceSubscriptions")),
    taskIds: textsOf(ownValue(notifications, "taskIds")),
  };
  if (filter.uris.length > MAX_WATCHED) {
    return `resourceSubscriptions may hold ${MAX_WATCHED} URIs`;
  }
  return filter.taskIds.length > MAX_WATCHED ? `taskIds may hold ${MAX_WATCHED} ids` : filter;
}

/** Topics are well-formed text. */
function textsOf(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  const texts = list.filter((one): one is string => typeof one === "string" && one.isWellFormed());
  return [...new Set(texts)];
}
