import { boundMethod } from "../../features/bound_method.ts";
import { createDiscover } from "../../features/discovery/discover.ts";
import { complete } from "../../features/outcome.ts";
import { ownValue } from "../../protocol/json.ts";
import type { MethodRow } from "../../methods/run_method.ts";
import type { Catalogue } from "../catalogue.ts";
import { catalogueMethods } from "../catalogue_methods.ts";
import { ErrorCode } from "../../protocol/error_code.ts";
import type { Era } from "../era.ts";
import { REVISIONS } from "../../protocol/revision.ts";
import { createLegacyEncoder } from "./encode_outcome.ts";
import { enterSession } from "./enter_session.ts";
import { createInitialize } from "./initialize.ts";
import type { LegacySessions } from "./legacy_sessions.ts";
import { wrapOutputSchema } from "./wrap_output_schema.ts";

/** Makes the legacy era of a server: its method table, its sessions and its encoder. */
export function createLegacyEra(catalogue: Catalogue, sessions: LegacySessions | undefined): Era {
  const { catalogTtlMs, dispatchTimeoutMs, serverInfo, instructions } = catalogue;
  const { rows, capabilities } = catalogueMethods(catalogue, {
    resourceNotFound: ErrorCode.resourceNotFound,
    outputSchema: wrapOutputSchema,
    knowsTasks: false,
  });
  const methods = new Map<string, MethodRow>([
    ["initialize", {
      run: boundMethod(
        createInitialize({ serverInfo, instructions, capabilities, sessions: sessions?.kept }),
        dispatchTimeoutMs,
      ),
      neverStreams: true,
    }],
    ["ping", { run: () => complete({ members: "" }) }],
    ["server/discover", {
      run: createDiscover({
        era: "legacy",
        supportedVersions: REVISIONS,
        capabilities,
        instructions,
        ttlMs: catalogTtlMs,
      }),
    }],
    ...rows,
  ]);
  return {
    methods,
    cancelsOnDisconnect: false,
    mirrorsArguments: false,
    asksByResult: false,
    encode: createLegacyEncoder(),
    enter: (route, headers, by) => enterSession(route, headers, sessions, by),
    notice: ({ method, params }, { sid }) => {
      if (method === "notifications/cancelled" && sid !== undefined) {
        sessions?.cancel(sid, ownValue(params, "requestId"));
      }
    },
    track: ({ sid }, id, cancel) =>
      sid === undefined || sessions === undefined ? () => {} : sessions.track(sid, id, cancel),
  };
}
