import type { Caller } from "./principal.ts";

/** What the platform knows beside the request: the option `host` makes one, the pool holds it. */
export interface HostContext {
  /** Address of the client, without port; absent or `undefined` where it is not known. */
  readonly clientAddress?: string | undefined;
  /** Whom the application authenticated itself. */
  readonly caller?: Caller;
  /** Anything else the application passes on. */
  readonly [key: string]: unknown;
}
