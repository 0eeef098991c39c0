import { isScope } from "../gate/is_scope.ts";
import { ConfigurationError } from "../ports/configuration_error.ts";
import type { Authenticator } from "./authenticator.ts";
import { checkSecureUrl } from "./check_secure_url.ts";

/** What clients learn of how to get a token (RFC 9728), beside what the server knows by itself. */
export interface ResourceMetadataOptions {
  /** Issuers whose tokens are taken. Default: those that `auth` names. */
  readonly authorizationServers?: readonly string[];
  /**
   * Scopes that a client should ask for first; more are asked for when a call needs them. Default:
   * none are named, and clients ask for every scope there is.
   */
  readonly initialScopes?: readonly string[];
  /** Page for developers. Default: none. */
  readonly documentation?: string;
}

/** The protected-resource document of one server. */
export interface ResourceMetadata {
  /** Where it is; challenges point to it. */
  readonly url: string;
  /** Scopes that a client should ask for first. */
  readonly initialScopes: readonly string[];
  /** Answers a request to a well-known address; `undefined` where the document is not there. */
  answer(request: Request): Response | undefined;
}

/** What a server says of itself. */
export interface ResourceFacts {
  /** Where clients reach it. */
  readonly publicUrl?: string;
  /** Display name. */
  readonly title?: string;
  /** Who says who calls. */
  readonly auth?: Authenticator;
  /** What its author adds. */
  readonly resourceMetadata?: ResourceMetadataOptions;
}

/**
 * Makes the document that tells a client where to get a token for this server. It is at the root and
 * at the path-inserted well-known address, open to every origin, and says nothing that depends on
 * who asks. All of it comes from `publicUrl`; `Host` is not read.
 *
 * @param facts What the server says of itself.
 * @param scopes Every scope that is declared by the time of a request.
 * @returns The document, or `undefined` where no authorization server is named.
 * @throws {ConfigurationError} when there is no fit `publicUrl`, or an option is wrong.
 */
export function createResourceMetadata(
  facts: ResourceFacts,
  scopes: () => Iterable<string>,
): ResourceMetadata | undefined {
  const { publicUrl, title, auth, resourceMetadata: options = {} } = facts;
  const { authorizationServers = auth?.authorizationServers ?? [], initialScopes = [] } = options;
  if (auth === undefined && facts.resourceMetadata !== undefined) {
    throw invalid("resourceMetadata", "needs auth");
  }
  if (authorizationServers.length === 0) return undefined;
  if (publicUrl === undefined) {
    throw invalid("publicUrl", "is missing: clients must find the authorization server through it");
  }
  for (const url of authorizationServers) checkSecureUrl(url, SERVERS);
  const bad = initialScopes.find((scope) => !isScope(scope));
  if (bad !== undefined) {
    throw invalid("resourceMetadata", `holds ${JSON.stringify(bad)}, which is not a scope`);
  }
  const { origin, pathname, search, hash, username } = new URL(publicUrl);
  if (search !== "" || hash !== "" || username !== "") {
    throw invalid("publicUrl", "must have no user, query or fragment where tokens name it");
  }
  const root = "/.well-known/oauth-protected-resource";
  const inserted = pathname === "/" ? root : `${root}${pathname}`;
  const write = (): string =>
    JSON.stringify({
      resource: publicUrl,
      authorization_servers: authorizationServers,
      bearer_methods_supported: ["header"],
      scopes_supported: orNothing([...new Set(scopes())]),
      resource_name: title,
      resource_documentation: options.documentation,
    });
  return {
    url: `${origin}${inserted}`,
    initialScopes,
    answer: (request) => {
      const asked = withoutSlash(new URL(request.url).pathname);
      const isHere = asked === root || asked === withoutSlash(inserted);
      return isHere ? respond(request.method, write) : undefined;
    },
  };
}

function respond(method: string, write: () => string): Response {
  switch (method) {
    case "GET":
      return new Response(write(), { headers: DOCUMENT });
    case "HEAD":
      return new Response(null, { headers: DOCUMENT });
    case "OPTIONS":
      return new Response(null, { status: 204, headers: PREFLIGHT });
    default:
      return new Response(null, { status: 405, headers: { ...OPEN, allow: METHODS } });
  }
}

const SERVERS = "create server: an authorization server of option resourceMetadata or auth";
const METHODS = "GET, HEAD, OPTIONS";
const OPEN = { "access-control-allow-origin": "*", vary: "Origin" } as const;
const DOCUMENT = {
  ...OPEN,
  "content-type": "application/json",
  "cache-control": "no-store",
} as const;
const PREFLIGHT = {
  ...OPEN,
  "access-control-allow-methods": METHODS,
  "access-control-allow-headers": "*", // the document takes no credentials, and is the same for all
  "access-control-max-age": "7200",
} as const;

function orNothing(list: readonly string[]): readonly string[] | undefined {
  return list.length === 0 ? undefined : list; // RFC 9728, section 3.2
}

/** Clients differ in whether they keep the slash at the end of a path. */
function withoutSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}

function invalid(option: string, problem: string): ConfigurationError {
  return new ConfigurationError(`Cannot create server: option ${option} ${problem}`);
}
