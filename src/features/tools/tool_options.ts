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
  /** Ceiling of the encoded result in bytes. Default: the server's setting. */
  readonly maxResultBytes?: number | null;
  /** How long a call may take, in milliseconds; the work is told, not torn. Default: the server's. */
  readonly dispatchTimeoutMs?: number | null;
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
  /** Not for a service. */
  readonly paginate?: never;
}

/** The options of a service, a list or a retrieve. */
export type ToolOptionsOf<Kind extends SpecKind> = {
  readonly service: ServiceToolOptions;
  readonly list: ListToolOptions;
  readonly retrieve: ToolOptions;
}[Kind];

/** Every option there is. */
export type AnyToolOptions = ToolOptions & Omit<ListToolOptions, keyof ToolOptions>;
