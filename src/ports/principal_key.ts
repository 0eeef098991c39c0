import type { Principal } from "./principal.ts";

/**
 * The text under which everything of a principal is kept: sessions, tasks, states (H-26).
 *
 * @returns `"user:…"`, or the one `"anonymous"` that all callers without a credential share.
 * @throws {TypeError} for an authenticated caller without an id, who must never share a key.
 */
export function principalKey(user: Principal): string {
  if (!user.authenticated) return "anonymous";
  if (user.id !== undefined && user.id !== "") return `user:${user.id}`;
  throw new TypeError("Cannot tell principals apart: the authenticator gave a user without an id");
}
