import type { Revision } from "../../protocol/revision.ts";

/** The revisions that carry their envelope on every request, the newest first. */
export const MODERN_REVISIONS: readonly Revision[] = ["2026-07-28"];

/** Whether a version string names one of them. */
export function isModernRevision(version: string): boolean {
  return (MODERN_REVISIONS as readonly string[]).includes(version);
}
