import { createDiscover } from "../../features/discovery/discover.ts";
import { createCallTool } from "../../features/tools/call_tool.ts";
import { createListTools } from "../../features/tools/list_tools.ts";
import type { MethodRow } from "../../methods/run_method.ts";
import { REVISIONS } from "../../protocol/revision.ts";
import { toolFaults } from "../tool_faults.ts";
import type { Catalogue } from "../catalogue.ts";
import type { Era } from "../era.ts";
import { createModernEncoder } from "./encode_outcome.ts";

/** Makes the modern era of a server: its method table and its encoder. */
export function createModernEra(catalogue: Catalogue): Era {
  const { tools, pageSize, catalogTtlMs, serverInfo, instructions } = catalogue;
  const hasTools = (): boolean => tools.size > 0;
  const methods = new Map<string, MethodRow>([
    ["server/discover", {
      run: createDiscover({
        supportedVersions: REVISIONS,
        capabilities: () => (hasTools() ? { tools: {} } : {}),
        instructions,
        ttlMs: catalogTtlMs,
      }),
    }],
    ["tools/list", {
      run: createListTools(tools, {
        pageSize,
        ttlMs: catalogTtlMs,
        outputSchema: (schema) => schema,
      }),
      isServed: hasTools,
    }],
    ["tools/call", { run: createCallTool(tools), isServed: hasTools, ...toolFaults(catalogue) }],
  ]);
  return {
    methods,
    cancelsOnDisconnect: true,
    mirrorsArguments: true,
    encode: createModernEncoder(serverInfo),
  };
}
