/**
 * Every event that a server logs, by its stable name: how bad it is, and what its fields say. The
 * table of `docs/logging.md` is made from it.
 */
export interface LogEvents {
  /** A call failed for a reason that is a bug; `cause` holds what was thrown. */
  readonly "call.fault": {
    readonly level: "error";
    readonly fields: {
      /** What the caller was told, to find this event by. */
      readonly reference: string;
      /** The JSON-RPC method. */
      readonly method: string;
      /** What was asked for: as it was registered, or up to 128 characters of what the caller wrote. */
      readonly name?: string;
    };
  };
  /** A request failed outside of any call, such as in the option `host`; `cause` says how. */
  readonly "request.fault": {
    readonly level: "error";
    readonly fields: {
      /** What the caller was told, to find this event by. */
      readonly reference: string;
    };
  };
  /** A permission check threw, which refuses; `cause` holds what was thrown. */
  readonly "permission.fault": { readonly level: "error" };
  /** The option `audit` failed to take a record; `cause` holds what it threw. */
  readonly "audit.fault": { readonly level: "error" };
  /** Work after the commit failed, which fails no call; `cause` holds what was thrown. */
  readonly "after_commit.fault": { readonly level: "error" };
  /** A request was turned away before any method ran, for a reason that its sender is not told. */
  readonly "request.refused": {
    /** A warning where an operator could not explain it otherwise; info for a client's own mistake. */
    readonly level: "warning" | "info";
    readonly fields: {
      /** Which rung of the ladder refused. */
      readonly refused: string;
      /** HTTP status of the answer. */
      readonly status: number;
      /** The exact cause. */
      readonly because: string;
      /** The session, by the first 8 characters of its id; `-` where none was sent. */
      readonly session?: string;
      /** The refused `Origin`. */
      readonly origin?: string;
      /** The refused `Host`. */
      readonly host?: string;
      /** The protocol revision that was asked for. */
      readonly revision?: string;
    };
  };
  /** The executor refused a task; `cause` says why. */
  readonly "task.refused": { readonly level: "error" };
  /** The caller of a task could not be restored; `cause` holds what was thrown. */
  readonly "task.caller": { readonly level: "error" };
  /** The state of a task could not be written or followed; it is tried again, or told at a poll. */
  readonly "task.state": { readonly level: "warning" };
  /** The other processes could not be told, or heard, of a task that was cancelled. */
  readonly "task.signal": { readonly level: "warning" };
  /** A call took longer than its deadline. */
  readonly "call.timeout": {
    readonly level: "warning";
    readonly fields: {
      /** The tool, */
      readonly tool?: string;
      /** or any other method. */
      readonly method?: string;
      /** The deadline. */
      readonly dispatchTimeoutMs: number;
    };
  };
  /** A call was refused, because too many are in flight in this process. */
  readonly "server.busy": {
    readonly level: "warning";
    readonly fields: {
      /** The JSON-RPC method. */
      readonly method: string;
    };
  };
  /** A result was over its ceiling and was not sent. */
  readonly "result.too_large": {
    readonly level: "warning";
    readonly fields: {
      /** The tool, */
      readonly tool?: string;
      /** or the resource. */
      readonly resource?: string;
      /** The size of the result. */
      readonly bytes: number;
      /** The ceiling. */
      readonly maxResultBytes: number;
    };
  };
  /** A caller asked for a longer page than is served, and got the longest. */
  readonly "page.clamped": {
    readonly level: "warning";
    readonly fields: {
      /** What was called. */
      readonly binding: string;
      /** The most rows of a page. */
      readonly maxPageSize: number;
    };
  };
  /** A caller sent arguments that are the server's, and other values. */
  readonly "server_argument.dropped": {
    readonly level: "warning";
    readonly fields: {
      /** The tool. */
      readonly tool: string;
      /** Names of the arguments. */
      readonly arguments: readonly string[];
    };
  };
  /** A result could not be kept for later, or not found again; `cause` says how. */
  readonly "continuation.store": { readonly level: "warning" };
  /** A request brought a state that is not its own, or too old: it was refused, or asked anew. */
  readonly "request_state.invalid": {
    readonly level: "warning";
    readonly fields: {
      /** The JSON-RPC method. */
      readonly method: string;
      /** The tool or prompt, up to 128 characters of what the caller wrote. */
      readonly name?: string;
      /** The exact cause, which the caller is not told. */
      readonly because: string;
    };
  };
  /** The stream of a session broke; `cause` says how. */
  readonly "session.stream": { readonly level: "warning" };
  /** A message for a session could not be carried or recorded; `cause` says how. */
  readonly "session.feed": { readonly level: "warning" };
  /** The other processes could not be told of a cancellation or the end of a session. */
  readonly "session.signal": { readonly level: "warning" };
  /** A change could not be published, and nobody was told of it; `cause` says how. */
  readonly "subscription.publish": {
    readonly level: "warning";
    readonly fields: {
      /** The method of the notification. */
      readonly notification: string;
    };
  };
  /** What was published on a topic of this server is not what it publishes; `cause` says how. */
  readonly "subscription.event": {
    readonly level: "warning";
    readonly fields: {
      /** The method of the notification. */
      readonly notification: string;
    };
  };
  /** A client could not begin to listen, since the broker failed; `cause` says how. */
  readonly "subscription.broker": { readonly level: "warning" };
  /** A resource that a client wants to watch could not be read; `cause` holds what was thrown. */
  readonly "subscription.grant": { readonly level: "error" };
  /** The URIs that a call invalidates could not be worked out; `cause` holds what was thrown. */
  readonly "subscription.invalidate": {
    readonly level: "error";
    readonly fields: {
      /** The tool. */
      readonly tool: string;
    };
  };
  /** A tool answered plain data in the shape of a result. */
  readonly LooksLikeToolResult: {
    readonly level: "warning";
    readonly fields: {
      /** The tool. */
      readonly tool: string;
    };
  };
  /** A tool was registered under a name that model APIs refuse. */
  readonly ToolName: { readonly level: "warning" };
  /** A tool was registered that is a list without pages. */
  readonly UnboundedList: { readonly level: "warning" };
  /** A tool was registered without a description. */
  readonly UndescribedTool: { readonly level: "warning" };
  /** A tool was registered without a permission check. */
  readonly UnguardedTool: { readonly level: "warning" };
  /** The gate refused a call: scopes, permissions or a limit. */
  readonly "call.denied": {
    readonly level: "info";
    readonly fields: {
      /** What was called. */
      readonly binding: string;
      /** The exact cause. */
      readonly because: string;
    };
  };
  /** A continuation token was refused, for a reason that its sender is not told. */
  readonly "continuation.refused": {
    readonly level: "info";
    readonly fields: {
      /** The tool that it was sent to. */
      readonly tool: string;
      /** The exact cause. */
      readonly because: string;
    };
  };
  /** A client opened a conversation, by `initialize` or `server/discover`. */
  readonly "era.chosen": {
    readonly level: "info";
    readonly fields: {
      /** Which generation of the protocol it speaks. */
      readonly era: string;
      /** The protocol revision that was agreed on; absent before the client has chosen. */
      readonly revision?: string;
      /** What the client calls itself, up to 64 characters. */
      readonly client?: string;
      /** The session that was opened, by the first 8 characters of its id; `-` for none. */
      readonly session?: string;
    };
  };
  /** A call has ended, in whatever way. */
  readonly "call.done": {
    readonly level: "debug";
    readonly fields: {
      /** The JSON-RPC method. */
      readonly method: string;
      /** What was asked for: as it was registered, or up to 128 characters of what the caller wrote. */
      readonly name?: string;
      /** How it ended: the type of the outcome, of a tool's failure, or a JSON-RPC error code. */
      readonly outcome: string;
      /** How long it took. */
      readonly durationMs: number;
      /** Size of the result; absent where there is none. */
      readonly bytes?: number;
    };
  };
  /** A call stopped because its client left. */
  readonly "call.stopped": {
    readonly level: "debug";
    readonly fields: {
      /** The JSON-RPC method. */
      readonly method: string;
      /** What was asked for: as it was registered, or up to 128 characters of what the caller wrote. */
      readonly name?: string;
    };
  };
}

/** Name of an event. */
export type LogEventName = keyof LogEvents;
