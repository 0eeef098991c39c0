import type { Principal } from "./principal.ts";

/**
 * The text under which everything of a principal is kept: sessions, tasks, states (H-26).
 *
 * @returns `"user:…"`, or the one `"anonymous"` that all callers without a credential share.
 * @throws {TypeError} for an authenticated caller without an id of well-formed text, who must never
 * share a key.
 */
export function principalKey(user: Principal): string {
  if (!user.authenticated) return "anonymous";
  const id: unknown = user.id;
  // Half a surrogate pair would become the same bytes as another half.
  if (typeof id === "string" && id !== "" && id.isWellFormed()) return `user:${id}`;
  throw new TypeError(
    "Cannot tell principals apart: the authenticator gave a user without an id of well-formed text",
  );
}
