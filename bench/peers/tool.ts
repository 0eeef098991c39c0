/** What a tool of the bench does; every lane registers the same tools in its own words. */
export type ToolKind = "echo" | "search" | "bulk" | "bulk-schema" | "progress";

/** One tool that a lane registers. */
export interface Tool {
  /** Name on the wire. */
  readonly name: string;
  /** What it does. */
  readonly kind: ToolKind;
  /** The text a model reads. */
  readonly description: string;
}
