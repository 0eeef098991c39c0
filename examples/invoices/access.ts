import { type Authenticator, staticTokens } from "@limen/mcp";
import { owner, type Staff, visitor } from "./staff.ts";

/**
 * Says who calls. Without a token the caller is the owner: the server listens on this machine only.
 * With one, whoever sends it is the owner, whoever sends none may read, and a wrong one is refused.
 */
export function createAccess(token: string | undefined): Authenticator<Staff> {
  if (token === undefined) return { authenticate: () => ({ user: owner }) };
  const tokens = staticTokens([{ token, user: owner }]);
  return {
    ...tokens,
    authenticate: (request, host) =>
      request.headers.has("authorization") ? tokens.authenticate(request, host) : { user: visitor },
  };
}
