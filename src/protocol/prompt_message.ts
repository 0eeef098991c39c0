import type { ContentBlock } from "./content.ts";

/** One message of a prompt. */
export interface PromptMessage {
  /** Who says it. */
  readonly role: "user" | "assistant";
  /** What is said: one block. */
  readonly content: ContentBlock;
}
