/** A picture that stands for a tool, a resource, a prompt or the server. */
export interface Icon {
  /** An `https:` or a `data:` URL. */
  readonly src: string;
  /** Media type, where the URL's own is missing or generic. */
  readonly mimeType?: string;
  /** Such as `["48x48"]`, or `["any"]`. */
  readonly sizes?: readonly string[];
  /** The background it is drawn for. */
  readonly theme?: "light" | "dark";
}

/** Who a program is. */
export interface Implementation {
  /** Programmatic name. */
  readonly name: string;
  /** Version string. */
  readonly version: string;
  /** Display name. */
  readonly title?: string;
  /** What it does. */
  readonly description?: string;
  /** Its home page. */
  readonly websiteUrl?: string;
  /** Its icons. */
  readonly icons?: readonly Icon[];
}

/** Hints about what a tool does; clients trust them only from servers they trust. */
export interface ToolAnnotations {
  /** Display title. */
  readonly title?: string;
  /** Changes nothing. */
  readonly readOnlyHint?: boolean;
  /** May destroy something. */
  readonly destructiveHint?: boolean;
  /** The same call twice does no more than once. */
  readonly idempotentHint?: boolean;
  /** Reaches systems outside. */
  readonly openWorldHint?: boolean;
}
