import type { HostContext } from "../ports/host_context.ts";
import type { Authenticator, ServerFacts } from "./authenticator.ts";

/**
 * Makes an authenticator of one that is made from what the platform passes with the first request, and
 * stays the same from then on. What it demands of the server is asked then.
 *
 * @param create Makes it; called again only where it threw.
 * @param server How the server is set up.
 */
export function createLateAuthenticator(
  create: (host: HostContext) => Authenticator,
  server: ServerFacts,
): Authenticator {
  let made: Authenticator | undefined;
  const make = (host: HostContext): Authenticator => {
    const auth = create(host);
    auth.checkServer?.(server);
    return made = auth;
  };
  return { authenticate: (request, host) => (made ?? make(host)).authenticate(request, host) };
}
