import type { HostContext } from "../ports/host_context.ts";
import { isJsonObject } from "../protocol/json.ts";

/** Makes the host of a request; `info` is what the platform passed. */
export type Host = (request: Request, info?: unknown) => HostContext;

/**
 * Makes what is known without the option `host`: the client's address, from the info that Deno passes
 * and, behind proxies, from the header that they add to.
 *
 * @param trustedProxies How many entries from the right of `X-Forwarded-For` the client's address
 * stands; 0 leaves the header unread.
 */
export function createDefaultHost(trustedProxies: number): Host {
  return trustedProxies === 0
    ? (_, info) => info === undefined ? NOTHING : lazyHost(() => socketAddress(info))
    : ({ headers }, info) =>
      lazyHost(() => forwardedAddress(headers, trustedProxies) ?? socketAddress(info));
}

const NOTHING: HostContext = Object.freeze({});

function lazyHost(read: () => string | undefined): HostContext {
  return new LazyHost(read) as object as HostContext;
}

/** Reads the address only when somebody asks for it. */
class LazyHost {
  readonly #read: () => string | undefined;

  constructor(read: () => string | undefined) {
    this.#read = read;
  }

  get clientAddress(): string | undefined {
    return this.#read();
  }
}

function socketAddress(info: unknown): string | undefined {
  const address = isJsonObject(info) ? info.remoteAddr : undefined;
  const name = isJsonObject(address) ? address.hostname : undefined;
  return typeof name === "string" ? name : undefined;
}

/** Entries further left are whatever the client wrote. */
function forwardedAddress(headers: Headers, trustedProxies: number): string | undefined {
  const entry = headers.get("x-forwarded-for")?.split(",").at(-trustedProxies)?.trim();
  if (entry === undefined || entry === "") return undefined;
  // Some proxies add the port: 192.0.2.1:4711, [2001:db8::1]:4711.
  return /^\[(.*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
}
