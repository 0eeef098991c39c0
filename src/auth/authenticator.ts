import type { Awaitable } from "../ports/awaitable.ts";
import type { Caller, Principal } from "../ports/principal.ts";

/** Says who sent a request. Asked for every request, before anything else is looked at. */
export interface Authenticator<User extends Principal = Principal> {
  /**
   * Answers who sent a request.
   *
   * @param request The request; its body must not be read.
   * @returns Who calls, or `null` for a request that is turned away with 401.
   */
  readonly authenticate: (request: Request) => Awaitable<Caller<User> | null>;
  /**
   * Told once, while the server is built, where the server is.
   *
   * @throws {ConfigurationError} when the authenticator is not fit for that place.
   */
  readonly checkServer?: (server: { readonly publicUrl: string | undefined }) => void;
}
