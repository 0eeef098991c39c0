/**
 * Names a session in logs and spans without giving away its id, which is a credential of sorts.
 *
 * @returns The first 8 characters and `…`; `-` where there is no id (O-2).
 */
export function fingerprint(id: string | null | undefined): string {
  return id === null || id === undefined ? "-" : `${id.slice(0, 8)}…`;
}
