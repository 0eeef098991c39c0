import type { Authenticator } from "@limen/mcp";
import type { Caller, Principal } from "@limen/mcp/auth";

/** Asks an authenticator who sent a request; `null` for a credential that is refused. */
export async function knownCaller<User extends Principal>(
  auth: Authenticator<User>,
  request: Request,
): Promise<Caller<User> | null> {
  const said = await auth.authenticate(request, {});
  return said === null || "because" in said ? null : said;
}
