/**
 * What the processes of the cluster and their clients agree on.
 *
 * @module
 */

/** How a server keeps its legacy sessions; also its path. */
export const KINDS = ["sealed", "stored"] as const;

/** One of them. */
export type Kind = typeof KINDS[number];

/** The path of the server with tasks and changes. */
export const WORK = "work";

/** The resource that changes as number `n` of a group does; each changes once. */
export function changeUri(group: number, n: number): string {
  return `changes://${group}/${n}`;
}

/** How many calls each of the limited tools admits of one caller, all processes together. */
export const QUOTA = 50;

/** The credential of a client. */
export function tokenOf(client: number): string {
  return `token-of-client-${client}`;
}
