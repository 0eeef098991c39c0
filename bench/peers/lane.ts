import type { Case } from "./cases.ts";

/** Names of the lanes, in the order of the table. */
export const laneNames = [
  "floor",
  "limen-modern",
  "limen-legacy",
  "limen-session",
  "sdk2-modern",
  "sdk2-legacy",
  "tmcp-modern",
  "mcp-lite",
  "fastmcp-edge",
] as const;

/** Limen as it is built for publishing, which differs from the sources in how fast it loads. */
export const publishedLane = "limen-published";

/** Name of one lane. */
export type LaneName = typeof laneNames[number] | typeof publishedLane;

/** A server under measurement and the wire it is spoken to. */
export interface Lane {
  /** Answers one request. */
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** `modern` sends the request envelope and the mirrored headers, `legacy` neither. */
  readonly wire: "modern" | "legacy";
  /** Headers beside those of the wire. Default none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a lane's module exports: builds a server for one case; throws when the lane cannot serve it. */
export type OpenLane = (workload: Case, name: LaneName) => Lane | Promise<Lane>;
