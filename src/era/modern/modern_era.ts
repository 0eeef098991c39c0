import { createDiscover } from "../../features/discovery/discover.ts";
import type { MethodRow } from "../../methods/run_method.ts";
import { ErrorCode } from "../../protocol/error_code.ts";
import { REVISIONS } from "../../protocol/revision.ts";
import type { Catalogue } from "../catalogue.ts";
import { catalogueMethods } from "../catalogue_methods.ts";
import type { Era } from "../era.ts";
import { createTaskMethods } from "./task_methods.ts";
import { createModernEncoder } from "./encode_outcome.ts";

/** Makes the modern era of a server: its method table and its encoder. */
export function createModernEra(catalogue: Catalogue): Era {
  const { catalogTtlMs, serverInfo, instructions } = catalogue;
  const { rows, capabilities } = catalogueMethods(catalogue, {
    resourceNotFound: ErrorCode.invalidParams,
    outputSchema: (schema) => schema,
    knowsTasks: true,
  });
  const tasks = createTaskMethods(catalogue.taskContext);
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
