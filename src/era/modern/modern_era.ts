import { createDiscover } from "../../features/discovery/discover.ts";
import { boundMethod } from "../../features/bound_method.ts";
import { createListen } from "../../features/subscriptions/listen.ts";
import type { ListenSlots } from "../../gate/listen_slots.ts";
import type { MethodRow } from "../../methods/run_method.ts";
import { ErrorCode } from "../../protocol/error_code.ts";
import { isJsonObject, type JsonObject } from "../../protocol/json.ts";
import { REVISIONS } from "../../protocol/revision.ts";
import type { Catalogue } from "../catalogue.ts";
import { catalogueMethods } from "../catalogue_methods.ts";
import type { Era } from "../era.ts";
import { createTaskMethods } from "./task_methods.ts";
import { createModernEncoder } from "./encode_outcome.ts";

/**
 * Makes the modern era of a server: its method table and its encoder.
 *
 * @param slots How many clients may listen.
 */
export function createModernEra(catalogue: Catalogue, slots: ListenSlots): Era {
  const { catalogTtlMs, serverInfo, instructions, broker, streaming } = catalogue;
  const { rows, capabilities: plain } = catalogueMethods(catalogue, {
    resourceNotFound: ErrorCode.invalidParams,
    outputSchema: (schema) => schema,
    knowsTasks: true,
  });
  const tasks = createTaskMethods(catalogue.taskContext);
  const canPush = broker !== undefined && streaming === "auto";
  const capabilities = (): JsonObject => canPush ? withPush(plain()) : plain();
  const listen = createListen({ ...catalogue, slots, canPush, hasList: (kind) => kind in plain() });
  const methods = new Map<string, MethodRow>([
    ["server/discover", {
      run: createDiscover({
        era: "modern",
        supportedVersions: REVISIONS,
        capabilities: () => ({ ...capabilities(), ...tasks.capabilities }),
        instructions,
        ttlMs: catalogTtlMs,
      }),
    }],
    ["subscriptions/listen", {
      run: boundMethod(listen, catalogue.dispatchTimeoutMs),
      neverStreams: true, // its answer is a stream of its own
    }],
    ...rows,
    ...tasks.rows,
  ]);
  return {
    methods,
    cancelsOnDisconnect: true,
    mirrorsArguments: true,
    asksByResult: true,
    encode: createModernEncoder(serverInfo),
  };
}

/** What is told through `subscriptions/listen`, and so to modern clients only (H-52). */
function withPush(capabilities: JsonObject): JsonObject {
  const pushed = Object.entries(capabilities).map(([kind, flags]) => {
    if (!isJsonObject(flags) || !Object.hasOwn(PUSH, kind)) return [kind, flags];
    return [kind, { ...flags, ...PUSH[kind as keyof typeof PUSH] }];
  });
  return Object.fromEntries(pushed);
}

const PUSH = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
} as const;
