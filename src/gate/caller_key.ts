import type { HostContext } from "../ports/host_context.ts";
import type { Caller } from "../ports/principal.ts";
import { addressKey } from "./address_key.ts";

/**
 * The text under which the calls of a caller are counted (B9), tagged so that nobody's id is taken
 * for an address.
 *
 * @returns `p:` and the id of a caller who has one, else `a:` and the address; `undefined` for a
 * caller of whom neither is known.
 */
export function callerKey({ user }: Caller, host: HostContext): string | undefined {
  if (user.authenticated && user.id !== undefined && user.id !== "") return `p:${user.id}`;
  return addressKey(host.clientAddress);
}
