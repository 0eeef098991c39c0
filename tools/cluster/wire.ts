/**
 * What the processes of the cluster and their clients agree on.
 *
 * @module
 */

/** How a server keeps its legacy sessions; also its path. */
export const KINDS = ["sealed", "stored"] as const;

/** One of them. */
export type Kind = typeof KINDS[number];

/** How many calls each of the limited tools admits of one caller, all processes together. */
export const QUOTA = 50;

/** The credential of a client. */
export function tokenOf(client: number): string {
  return `token-of-client-${client}`;
}
