import type { Descriptor } from "../../check_descriptor.ts";

/** What the tools behind a dispatcher do: all of them only read, or some write. */
export type DispatcherEffect = "read" | "write";

/** How a dispatcher is listed, and what it takes. */
export interface ToolDispatcherOptions extends Descriptor {
  /** Wire name, unique among all tools of the server, those behind dispatchers included. */
  readonly name: string;
  /** What its tools are for: all that a model knows of them before it asks for help. */
  readonly description: string;
  /**
   * What its tools do. A client that lets reads pass without asking its user decides by the hints of
   * the dispatcher, so that one which reads takes no tool that writes.
   */
  readonly effect: DispatcherEffect;
}
