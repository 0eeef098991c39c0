import { ConfigurationError } from "../ports/configuration_error.ts";
import { isLoopback } from "../ports/is_loopback.ts";

/** Who may call from a browser, and under which host names. */
export interface OriginOptions {
  /** The server's public URL; its origin is allowed. */
  readonly publicUrl?: string | undefined;
  /** Further origins, exactly as a browser sends them; `["*"]` allows all. */
  readonly allowedOrigins: readonly string[];
  /** The only values of `Host` that are served; absent serves every one. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Whether callers authenticate. */
  readonly hasAuth: boolean;
}

/** Judges the `Origin` and the `Host` of a request. */
export interface OriginPolicy {
  /** Whether a page of this origin may call; an absent header is no page. */
  allowsOrigin(origin: string, host: () => string): boolean;
  /** Whether `Host` must be read at all. */
  readonly restrictsHosts: boolean;
  /** Whether requests under this host name are served. */
  allowsHost(host: string): boolean;
}

/**
 * Makes the policy that stops DNS rebinding (B1): a page is served only if its origin is the server's
 * own, is listed, or is on this machine while the request is to this machine. Nothing matches by
 * prefix, and `null` matches nothing.
 *
 * @throws {ConfigurationError} when every origin is allowed and nothing else protects the server.
 */
export function createOriginPolicy(options: OriginOptions): OriginPolicy {
  const { publicUrl, allowedOrigins, allowedHosts, hasAuth } = options;
  const allowsAll = allowedOrigins.includes("*");
  if (allowsAll && !hasAuth && allowedHosts === undefined) {
    throw new ConfigurationError(
      'Cannot create server: allowedOrigins ["*"] without auth lets every web page call it; ' +
        "set allowedHosts or auth",
    );
  }
  const origins = new Set(allowedOrigins.map(normalizeOrigin));
  if (publicUrl !== undefined) origins.add(new URL(publicUrl).origin);
  const hosts = allowedHosts && new Set(allowedHosts.map((host) => host.toLowerCase()));
  return {
    allowsOrigin: (origin, host) =>
      (allowsAll && origin !== "null") || origins.has(origin) ||
      (isLoopbackOrigin(origin) && isLoopbackName(hostName(host()))),
    restrictsHosts: hosts !== undefined,
    allowsHost: (host) =>
      hosts === undefined || hosts.has(host.toLowerCase()) ||
      hosts.has(hostName(host).toLowerCase()),
  };
}

function normalizeOrigin(origin: string): string {
  if (origin === "*") return origin;
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url === undefined || url.origin === "null" || url.origin !== origin.replace(/\/$/, "")) {
    throw new ConfigurationError(
      `Cannot create server: allowedOrigins holds ${JSON.stringify(origin)}, ` +
        'not an origin such as "https://app.example"',
    );
  }
  return url.origin;
}

function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return (protocol === "http:" || protocol === "https:") && isLoopbackName(hostname);
}

/** The host without its port. */
function hostName(host: string): string {
  return host.replace(/:[0-9]+$/, "");
}

/** A host as `Host` has it, where some leave out the brackets. */
function isLoopbackName(name: string): boolean {
  return name === "::1" || isLoopback(name);
}
