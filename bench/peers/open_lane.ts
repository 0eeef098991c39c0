import type { Case } from "./cases.ts";
import type { Lane, LaneName, OpenLane } from "./lane.ts";

/** Modules load only when their lane is measured, so that no lane pays for another's imports. */
const modules: Readonly<Record<LaneName, () => Promise<{ readonly open: OpenLane }>>> = {
  "floor": () => import("./floor.ts"),
  "limen-modern": () => import("./limen.ts"),
  "limen-legacy": () => import("./limen.ts"),
  "limen-session": () => import("./limen.ts"),
  "limen-published": () => import("./limen_published.ts"),
  "sdk2-modern": () => import("./sdk2.ts"),
  "sdk2-legacy": () => import("./sdk2.ts"),
  "tmcp-modern": () => import("./tmcp.ts"),
  "mcp-lite": () => import("./mcp_lite.ts"),
  "fastmcp-edge": () => import("./fastmcp.ts"),
};

/**
 * Loads the module of a lane and builds its server for one case.
 *
 * @param name The lane.
 * @param workload The case whose tools the server registers.
 * @returns The lane, ready for requests.
 */
export async function openLane(name: LaneName, workload: Case): Promise<Lane> {
  const { open } = await modules[name]();
  return await open(workload, name);
}
