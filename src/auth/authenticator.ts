import type { Awaitable } from "../ports/awaitable.ts";
import type { HostContext } from "../ports/host_context.ts";
import type { Caller, Principal } from "../ports/principal.ts";

/** A credential that is refused, with the reason. */
export interface RefusedCredential {
  /** Why, for the log alone: the answer is the same 401 whatever it is. Never holds the credential. */
  readonly because: string;
  /** Nobody calls. */
  readonly user?: undefined;
  /** Nothing is permitted. */
  readonly token?: undefined;
}

/** Says who sent a request. Asked for every request, before any session is looked at. */
export interface Authenticator<User extends Principal = Principal> {
  /**
   * Answers who sent a request.
   *
   * @param request The request; its body must not be read.
   * @param host What the platform passed, as the server's option `host` gives it.
   * @returns Who calls; or why nobody does, or `null`, for a request that is turned away with 401.
   */
  readonly authenticate: (
    request: Request,
    host: HostContext,
  ) => Awaitable<Caller<User> | RefusedCredential | null>;
  /** Issuers of the tokens it takes; clients learn them from the server. Default: none are named. */
  readonly authorizationServers?: readonly string[];
  /**
   * Told once, while the server is built, how the server is set up.
   *
   * @throws {ConfigurationError} when the authenticator is not fit for that.
   */
  readonly checkServer?: (server: ServerFacts) => void;
}

/** What an authenticator may have to know of the server that asks it. */
export interface ServerFacts {
  /** Where clients reach the server. */
  readonly publicUrl: string | undefined;
  /** Whether the server has the option `host`. */
  readonly hasHost: boolean;
}
