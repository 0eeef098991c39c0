/** What a server lists, and clients may hear of when it changes. */
export type ListKind = "tools" | "resources" | "prompts";
