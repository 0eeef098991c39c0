/** The protocol revisions that this library speaks, the newest first. */
export const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18"] as const;

/** One protocol revision. */
export type Revision = (typeof REVISIONS)[number];
