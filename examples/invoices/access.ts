import { type Authenticator, staticTokens } from "@limen/mcp";

const OWNER = { user: { id: "owner", authenticated: true } } as const;

/**
 * Says who calls. Without a token the caller is the owner: the server listens on this machine only.
 * With one, whoever sends it is the owner, whoever sends none may read, and a wrong one is refused.
 */
export function createAccess(token: string | undefined): Authenticator {
  if (token === undefined) return { authenticate: () => OWNER };
  return staticTokens([{ token, user: OWNER.user }], { allowAnonymous: true });
}
