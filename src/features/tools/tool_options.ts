import type { SpecKind } from "../../kernel/spec.ts";
import type { ContentKind } from "../../present/present_result.ts";
import type { ToolAnnotations } from "../../protocol/descriptors.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Descriptor } from "../check_descriptor.ts";
import type { GateOptions } from "../read_gate.ts";

/** How a spec is served as a tool. Where a server setting exists, `null` lifts its bound. */
export interface ToolOptions extends Descriptor, GateOptions {
  /** Wire name, unique on the server. */
  readonly name: string;
  /** What the tool does, for the model. Default: none, with a warning. */
  readonly description?: string;
  /** Hints, over those that follow from the spec. */
  readonly annotations?: ToolAnnotations;
  /** Arguments that the server fills or withholds; a caller's own are dropped. Default: none. */
  readonly serverArguments?: ServerArguments;
  /** What happens to arguments nobody declared. Default `"reject"`. */
  readonly unknownArguments?: "reject" | "ignore";
  /** Listed to every caller, whatever permissions and conditions say. Default `false`. */
  readonly alwaysListed?: boolean;
  /**
   * The dispatcher that the tool stands behind: clients list the dispatcher and not the tool. It must
   * be registered before. Default: the tool is listed itself.
   */
  readonly dispatcher?: string;
  /** What the value becomes on the wire. Default `"json"`. */
  readonly contentKind?: ContentKind;
  /** Media type; needed for `image` and `audio`, refused elsewhere. */
  readonly contentMimeType?: string;
  /** Whether `structuredContent` is sent. Default: the server's setting. */
  readonly includeStructuredContent?: boolean;
  /** Whether the output schema is advertised. Default: the server's setting. */
  readonly includeOutputSchema?: boolean;
  /** Capabilities the client must declare; otherwise the call is refused with -32021. */
  readonly requiresClient?: JsonObject;
  /**
   * Whether it answers with a probe in place of its value: how the value begins, how large it is, and a
   * token that reads it piece by piece. The tool then takes that token. `false` keeps a value whole that
   * is over the server's `probeAboveBytes`. Default: by the size of each value.
   */
  readonly heavy?: boolean;
  /** Ceiling of the encoded result in bytes. Default: the server's setting. */
  readonly maxResultBytes?: number | null;
  /** How long a call may take, in milliseconds; the work is told, not torn. Default: the server's. */
  readonly dispatchTimeoutMs?: number | null;
  /**
   * Whether what a user answers works once, for operations that must not happen twice: an answer that
   * was used is refused, also after a failure. The mark is in `stores`, so that processes have to share
   * one. Default `false`: an answer may be sent again while it is fresh, as after a lost connection.
   */
  readonly singleUse?: boolean;
  /**
   * Whether a call may become a task, which runs on while its client does something else:
   * `"optional"` for clients that know tasks, `"required"` to refuse all others. Needs the server's
   * option `executor`; without it `"optional"` runs at once. Default `"forbidden"`.
   */
  readonly taskPolicy?: "forbidden" | "optional" | "required";
  /** Name for people, for code of this process; never sent. Default: none. */
  readonly displayName?: string;
  /** Description for people, for code of this process; never sent. Default: none. */
  readonly displayDescription?: string;
}

/** Arguments of a tool that are not the caller's. */
export interface ServerArguments {
  /** Values that are used for every call. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Names that no call ever has, so that their defaults apply. */
  readonly withheld?: readonly string[];
}

/** How a list is served as a tool. */
export interface ListToolOptions extends ToolOptions {
  /** Serves the list in pages, with `page` and `limit` as arguments. Default `false`. */
  readonly paginate?: boolean;
  /** The most rows of a page. Default: the server's setting. */
  readonly maxPageSize?: number | null;
}

/** How a service is served as a tool. */
export interface ServiceToolOptions extends ToolOptions {
  /**
   * The resources that a call changes: `["notes://{id}", "notes://all"]`. A variable is a field of the
   * result or else an argument; whoever watches one of the URIs is told once the call has committed
   * and succeeded. Needs the server's option `broker`. Default: none.
   */
  readonly invalidates?: readonly string[];
  /** Not for a service. */
  readonly paginate?: never;
  /**
   * Whether a write that declares an `action` answers with a short confirmation. Default: the server's
   * setting.
   */
  readonly lean?: boolean;
  /** What the argument is called by which a caller asks such a write for everything. Default `"verify"`. */
  readonly verifyKey?: string;
  /**
   * Whether the tool takes the token of an earlier answer, and gives one: at the price of five more
   * arguments in its listing, which the server's `continuationTool` saves. Default `false`.
   */
  readonly continuation?: boolean;
}

/** The options of a service, a list or a retrieve. */
export type ToolOptionsOf<Kind extends SpecKind> = {
  readonly service: ServiceToolOptions;
  readonly list: ListToolOptions;
  readonly retrieve: ToolOptions;
}[Kind];

/** Every option there is. */
export type AnyToolOptions =
  & ToolOptions
  & Omit<ListToolOptions, keyof ToolOptions>
  & Pick<ServiceToolOptions, "continuation" | "invalidates" | "lean" | "verifyKey">;
