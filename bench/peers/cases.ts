import type { Tool } from "./tool.ts";

/** Names of the cases, as `--json` prints them. */
export const caseNames = [
  "echo",
  "echo1000",
  "list10",
  "list1000",
  "bulk60",
  "bulk60-schema",
  "progress100",
] as const;

/** Name of one case. */
export type CaseName = typeof caseNames[number];

/** One workload: the tools of the server, and the request that is repeated. */
export interface Case {
  /** What the server registers. */
  readonly tools: readonly Tool[];
  /** The method that is called. */
  readonly method: "tools/call" | "tools/list";
  /** The tool that is called; empty for a list. */
  readonly tool: string;
  /** The arguments of the call; empty for a list. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Progress notifications before the result. */
  readonly frames: number;
}

const echo: Tool = {
  name: "echo",
  kind: "echo",
  description: "Answers with the text it was sent.",
};
const text = "The quick brown fox jumps over the lazy dog";

function catalogue(count: number): readonly Tool[] {
  const filler = Array.from({ length: count - 1 }, (_, index): Tool => ({
    name: `search_records_${index + 1}`,
    kind: "search",
    description: `Searches the records of collection ${
      index + 1
    } and answers with those that match all filters.`,
  }));
  return [echo, ...filler];
}

function call(tool: Tool, args: Case["arguments"], frames = 0): Case {
  return { tools: [tool], method: "tools/call", tool: tool.name, arguments: args, frames };
}

/**
 * A tools/call of `echo` on a server of `count` tools.
 *
 * @param count How many tools there are.
 * @returns The case.
 */
export function echoCase(count: number): Case {
  return { ...call(echo, { text }), tools: catalogue(count) };
}

/**
 * A tools/list of `count` tools on one page.
 *
 * @param count How many tools there are.
 * @returns The case.
 */
export function listCase(count: number): Case {
  return { tools: catalogue(count), method: "tools/list", tool: "", arguments: {}, frames: 0 };
}

/** The cases by name. */
export const cases: Readonly<Record<CaseName, Case>> = {
  "echo": echoCase(1),
  "echo1000": echoCase(1000),
  "list10": listCase(10),
  "list1000": listCase(1000),
  "bulk60": call({ name: "bulk", kind: "bulk", description: "Answers with sixty rows." }, {}),
  "bulk60-schema": call(
    { name: "bulk", kind: "bulk-schema", description: "Answers with sixty checked rows." },
    { limit: 60 },
  ),
  "progress100": call(
    { name: "progress", kind: "progress", description: "Reports progress a hundred times." },
    {},
    100,
  ),
};
