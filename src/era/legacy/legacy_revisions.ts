import type { Revision } from "../../protocol/revision.ts";

/** The revisions that open with `initialize`, the newest first. Sessions hold an index: append only. */
export const LEGACY_REVISIONS: readonly Revision[] = ["2025-11-25", "2025-06-18"];

/** Whether a version string names one of them. */
export function isLegacyRevision(version: string): boolean {
  return (LEGACY_REVISIONS as readonly string[]).includes(version);
}
