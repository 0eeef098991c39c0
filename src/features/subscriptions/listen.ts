import { createSeedPool, type SeedPool } from "../../kernel/pool.ts";
import type { ListenSlots } from "../../gate/listen_slots.ts";
import type { Awaitable } from "../../ports/awaitable.ts";
import { quote, serialize } from "../../present/serialize.ts";
import { MetaKey } from "../../protocol/meta_key.ts";
import type { Call, Method } from "../call.ts";
import type { Feed } from "../feed.ts";
import { InProcessCall } from "../in_process_call.ts";
import type { ListKind } from "../list_kind.ts";
import { invalidParams } from "../outcome.ts";
import type { ResourceRegistry } from "../resources/resource_registry.ts";
import { refuseUndeclared } from "../tasks/task_extension.ts";
import type { Listener, Topic, Topics } from "../topics.ts";
import { closeFeed } from "./close_feed.ts";
import { grantUris, isUriGranted } from "./grant_uris.ts";
import { refuseFull } from "./refuse_full.ts";
import { LIST_FLAGS, type ListenFilter, readFilter } from "./read_filter.ts";

/** What clients may listen to. */
export interface ListenOptions {
  /** Whether anything can be told: there is a broker, and answers may be streams. */
  readonly canPush: boolean;
  /** Whether the server has lists of a kind; asked at each call, since catalogues may grow. */
  readonly hasList: (kind: ListKind) => boolean;
  /** How many clients may listen. */
  readonly slots: ListenSlots;
  /** What URIs name. */
  readonly resources: ResourceRegistry;
  /** Where events are published. */
  readonly topics: Topics;
  /** Keeps equal URIs of different callers apart (B11). Default: nothing does. */
  readonly partition?: ((pool: SeedPool) => string) | undefined;
  /** Whether a task is the caller's; absent where there are no tasks. */
  readonly ownsTask?: ((call: Call, taskId: string) => Awaitable<boolean>) | undefined;
}

/**
 * Makes `subscriptions/listen`: filter ▸ grants ▸ a feed, which begins with the acknowledgement and
 * ends with an empty result (S-1…S-6). What is refused is left out of the acknowledgement, so that
 * nobody learns what exists.
 *
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions}
 */
export function createListen(options: ListenOptions): Method {
  const { slots } = options;
  return async (call) => {
    const { signal } = call; // read, so that a client who leaves before the answer is noticed
    const full = refuseFull(slots, call); // before anything is read for the caller
    if (full !== undefined) return full;
    const filter = readFilter(call.params);
    if (typeof filter === "string") return invalidParams(`Invalid params: ${filter}`);
    const undeclared = filter.taskIds.length === 0
      ? undefined
      : refuseUndeclared(call.clientCapabilities);
    if (undeclared !== undefined) return undeclared;
    const granted = await grant(filter, call, options);
    signal.throwIfAborted();
    return { ...closeFeed(call.id ?? ""), feed: createFeed(granted, call, options) };
  };
}

async function grant(
  { lists, uris, taskIds }: ListenFilter,
  call: Call,
  { canPush, hasList, resources, ownsTask }: ListenOptions,
): Promise<ListenFilter> {
  if (!canPush) return { lists: [], uris: [], taskIds: [] };
  const owned: string[] = [];
  for (const id of taskIds) if (await ownsTask?.(call, id) === true) owned.push(id);
  return {
    lists: lists.filter(hasList),
    uris: uris.length === 0 ? uris : await grantUris(uris, call, resources),
    taskIds: owned,
  };
}

function createFeed(granted: ListenFilter, call: Call, options: ListenOptions): Feed {
  const id = quote(call.id ?? "");
  const { lists, uris, taskIds } = granted;
  const notifications = {
    ...Object.fromEntries(lists.map((kind) => [LIST_FLAGS[kind], true])),
    ...(uris.length === 0 ? {} : { resourceSubscriptions: uris }),
    ...(taskIds.length === 0 ? {} : { taskIds }),
  };
  const method = "notifications/subscriptions/acknowledged";
  return {
    lists: options.topics.lists(lists),
    watched: uris.length + taskIds.length === 0 ? [] : watch(granted, call, options),
    first: `{"jsonrpc":"2.0","method":"${method}","params":{"notifications":` +
      `${serialize(notifications)},"_meta":{"${MetaKey.subscriptionId}":${id}}}}`,
  };
}

/** The topics of what may be taken away again; they hold on to nothing of the call. */
function watch(
  { uris, taskIds }: ListenFilter,
  call: Call,
  { topics, partition, resources, ownsTask }: ListenOptions,
): readonly Topic[] {
  const { method, log } = call;
  const part = uris.length === 0 ? "" : partition?.(createSeedPool(call)) ?? "";
  const askFor = ({ caller, host, request }: Listener): Call =>
    new InProcessCall(method, {}, { caller, host, request, log, signal: undefined });
  return [
    ...uris.map((uri): Topic => ({
      ...topics.resource(uri, part),
      isGranted: (listener) => isUriGranted(uri, askFor(listener), resources, false),
    })),
    ...taskIds.map((taskId): Topic => ({
      ...topics.task(taskId),
      isGranted: (listener) => ownsTask?.(askFor(listener), taskId) ?? false,
    })),
  ];
}
