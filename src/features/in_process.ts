import type { CallRequest } from "../kernel/call_context.ts";
import type { HostContext } from "../ports/host_context.ts";
import type { Principal } from "../ports/principal.ts";
import type { ContentBlock } from "../protocol/content.ts";
import type { JsonObject } from "../protocol/json.ts";

/** Who calls from within the process. */
export interface InProcessCaller<User extends Principal = Principal> {
  /** Whoever calls. Default: anonymous. */
  readonly user?: User;
  /** What the caller's token would permit. Default: there is no token. */
  readonly scopes?: readonly string[];
  /** The request that callables see; never changed. Default: none. */
  readonly request?: CallRequest;
  /** The pool's `host`. Default: empty. */
  readonly host?: HostContext;
  /** Cancels the call. Default: nothing does. */
  readonly signal?: AbortSignal;
}

/** What `tools/call` answers. */
export interface CalledTool {
  /** The blocks. */
  readonly content: readonly ContentBlock[];
  /** The machine-readable form. */
  readonly structuredContent?: unknown;
  /** Whether the tool reports a failure. */
  readonly isError?: boolean;
  /** Metadata of the result. */
  readonly _meta?: JsonObject;
}

/** What `tools/list` answers. */
export interface ListedTools {
  /** The tools, as they are listed. */
  readonly tools: readonly (JsonObject & { readonly name: string })[];
  /** Where the next page begins; absent on the last. */
  readonly nextCursor?: string;
}

/** Who lists the tools, and which. */
export interface ListOptions<User extends Principal = Principal> extends InProcessCaller<User> {
  /** Where the page begins. Default: with the first tool. */
  readonly cursor?: string;
  /** Lists also what no condition allows at the moment. Default `false`. */
  readonly includeUnavailable?: boolean;
}
