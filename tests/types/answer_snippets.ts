import type { Snippet } from "./snippet.ts";

const WIDE =
  "const wide = z.object({ id: z.number(), a: z.string(), b: z.string(), c: z.string(), " +
  "d: z.string(), total: z.number(), dueAt: z.string() });" +
  "interface Wide { id: number; a: string; b: string; c: string; d: string; total: string }" +
  "declare const wides: { find(): Promise<Wide>; all(): Promise<Wide[]> };";

/** Answers that are not the output, of functions that a compiler does not look into (TS-1). */
export const ANSWER_SNIPPETS: readonly Snippet[] = [
  {
    title: "a service that answers wrongly after a statement",
    code: "serviceSpec({ ...open, output: row, run: () => { return { v: 1 }; } });",
    says: "Type '() => { v: 1; }' is not assignable to type " +
      "'AnswerMismatch<{ v: 1; }, { v: string; }>'",
  },
  {
    title: "a tool that answers wrongly after a statement",
    code:
      'server.tool("t", { ...tool, reads, output: row }, ({ args }) => { return { v: args.count }; });',
    says: "'AnswerMismatch<{ v: number; }, { v: string; }>'",
  },
  {
    title: "a row that a retrieve answers wrongly after a statement",
    code: "selectorSpec({ ...one, output: row, select: () => { return { v: 1 }; } });",
    says: "'AnswerMismatch<{ v: 1; }, { v: string; }>'",
  },
  {
    title: "rows that a list answers wrongly after a statement",
    code: "selectorSpec({ ...list, output: row, select: () => { return [{ v: 1 }]; } });",
    says: "'AnswerMismatch<{ v: 1; }, { v: string; }>'",
  },
  {
    title: "a list of a many service that is wrong after a statement",
    code:
      "serviceSpec({ ...open, many: true, input: row, output: row, run: () => { return [{ v: 1 }]; } });",
    says: "'AnswerMismatch<{ v: 1; }, { v: string; }>'",
  },
  {
    title: "a set in place of the list of a many service",
    code: "serviceSpec({ ...open, many: true, input: row, output: row, " +
      'run: () => { return new Set([{ v: "a" }]); } });',
    says: "'AnswerMismatch<Set<{ v: string; }>, readonly { v: string; }[]>'",
  },
  {
    title: "a function of the author's that answers wrongly",
    code: "const load = () => ({ v: 1 }); serviceSpec({ ...open, output: row, run: load });",
    says: "'AnswerMismatch<{ v: number; }, { v: string; }>'",
  },
  {
    title: "one of two answers that is wrong",
    code: "serviceSpec({ ...open, reads, output: row, run: ({ args }) => { " +
      'if (args.count > 1) return { v: 1 }; return { v: "a" }; } });',
    says: "'AnswerMismatch<{ v: 1; }, { v: string; }>'",
  },
  {
    title: "a text in place of a number",
    code: 'serviceSpec({ ...open, output: z.number(), run: () => { return "1"; } });',
    says: "'AnswerMismatch<string, number>'",
  },
  {
    title: "an answer of somebody else's, which is wrong",
    code: `${WIDE} declare const kept: { find(): Wide; all(): Wide[] };` +
      "serviceSpec({ ...open, output: wide, run: () => kept.find() });",
    says:
      "required in type 'AnswerMismatch<{ total: string; }, { total: number; dueAt: string; }>'",
  },
  {
    title: "rows of somebody else's, which are wrong",
    code: `${WIDE} declare const kept: { find(): Wide; all(): Wide[] };` +
      "selectorSpec({ ...list, output: wide, select: () => kept.all() });",
    says:
      "required in type 'AnswerMismatch<{ total: string; }, { total: number; dueAt: string; }>'",
  },
  {
    title: "a field that is there and undefined, where it may be missing",
    code:
      "declare const some: Schema<{ a?: string; b: number }>; declare const a: string | undefined;" +
      "serviceSpec({ ...open, output: some, run: () => { return { a, b: 1 }; } });",
    says: "'AnswerMismatch<{ a: string | undefined; }, { a?: string; }>'",
  },
  {
    title: "a row that may be missing",
    code: "const rows = new Map<number, { v: string }>();" +
      "serviceSpec({ ...open, output: row, run: () => rows.get(1) });",
    says: "Type 'undefined' is not assignable to type 'AnswerMismatch<undefined, { v: string; }>'",
  },
  {
    title: "a choice of answers, one of which is wrong",
    code: "serviceSpec({ ...open, reads, output: row, " +
      'run: ({ args }) => args.count > 1 ? { v: 1 } : { v: "a" } });',
    says: "required in type 'AnswerMismatch<{ v: 1; }, { v: string; }>'",
  },
  {
    title: "rows that are extended wrongly",
    code: "selectorSpec({ ...list, output: row, select: () => [], " +
      "extend: () => { return [{ v: 1 }]; } });",
    says: "'AnswerMismatch<{ v: 1; }, { v: string; }>'",
  },
  {
    title: "a prompt of a role that there is not, after a statement",
    code: 'server.registerPrompt("p", { ...open }, () => { ' +
      'return [{ role: "system", content: "a" }]; });',
    says: "'AnswerMismatch<{ role: \"system\"; content: string; }, PromptPart>'",
  },
  {
    title: "an answer that is not the output, later",
    code: 'server.tool("t", { ...tool, output: row }, async () => { return { v: 1 }; });',
    says: "Type '() => Promise<{ v: 1; }>' is not assignable to type " +
      "'AnswerMismatch<{ v: 1; }, { v: string; }>'",
  },
  {
    title: "the fields of a wide row that do not fit, and no others",
    code: `${WIDE} serviceSpec({ ...open, output: wide, run: () => wides.find() });`,
    says: "'AnswerMismatch<{ total: string; }, { total: number; dueAt: string; }>'",
  },
  {
    title: "the fields of wide rows that do not fit, and no others",
    code: `${WIDE} selectorSpec({ ...list, output: wide, select: async () => await wides.all() });`,
    says: "'AnswerMismatch<{ total: string; }, { total: number; dueAt: string; }>'",
  },
  {
    title: "a row that may be missing, later",
    code: "const rows = new Map<number, { v: string }>();" +
      "serviceSpec({ ...open, output: row, run: async () => rows.get(1) });",
    says: "'AnswerMismatch<undefined, { v: string; }>'",
  },
  {
    title: "nothing, later",
    code: 'server.tool("t", { ...tool, output: row }, async () => {});',
    says: "'AnswerMismatch<void, { v: string; }>'",
  },
  {
    title: "a literal that there is not, later",
    code: 'serviceSpec({ ...open, output: choice, run: async () => ({ v: "c", n: [1] }) });',
    says: '\'AnswerMismatch<{ v: "c"; }, { v: "a" | "b"; }>\'',
  },
  {
    title: "a member of a discriminated union that is wrong, later",
    code:
      'const either = z.discriminatedUnion("k", [z.object({ k: z.literal("a"), a: z.number() }), ' +
      'z.object({ k: z.literal("b"), b: z.string() })]);' +
      'serviceSpec({ ...open, output: either, run: async () => ({ k: "a", a: "1" }) });',
    says: '\'AnswerMismatch<{ k: "a"; a: "1"; }, { k: "a"; a: number; } | { k: "b"; ',
  },
  {
    title: "a row that a retrieve answers wrongly, later",
    code: "selectorSpec({ ...one, output: row, select: async () => { return { v: 1 }; } });",
    says: "'AnswerMismatch<{ v: 1; }, { v: string; }>'",
  },
  {
    title: "one row in place of a list, later",
    code: 'selectorSpec({ ...list, output: row, select: async () => ({ v: "a" }) });',
    says: "'AnswerMismatch<{ v: \"a\"; }, Rows<{ v: string; }>>'",
  },
  {
    title: "rows that are yielded wrongly",
    code: "selectorSpec({ ...list, output: row, select: function* () { yield { v: 1 }; } });",
    says: "'AnswerMismatch<{ v: 1; }, { v: string; }>'",
  },
  {
    title: "rows that are yielded wrongly, later",
    code: "selectorSpec({ ...list, output: row, select: async function* () { yield { v: 1 }; } });",
    says: "'AnswerMismatch<{ v: 1; }, { v: string; }>'",
  },
  {
    title: "a row that is presented wrongly",
    code: "selectorSpec({ ...list, output: row, select: () => [], present: () => ({ v: 1 }) });",
    says: "'AnswerMismatch<{ v: 1; }, { v: string; }>'",
  },
  {
    title: "a prompt that answers what the wire carries",
    code: 'server.registerPrompt("p", { ...open }, async () => ({ messages: [] }));',
    says: "'AnswerMismatch<{ messages: never[]; }, PromptAnswer>'",
  },
  {
    title: "a prompt of a role that there is not",
    code: 'server.registerPrompt("p", { ...open }, () => [{ role: "system", content: "a" }]);',
    says: 'Type \'"system"\' is not assignable to type \'"user" | "assistant"\'',
  },
  {
    title: "answers that fit, after a statement",
    code: 'serviceSpec({ ...open, output: row, run: () => { return JSON.parse(""); } });' +
      "serviceSpec({ ...open, output: row, run: () => { throw new Error(); } });" +
      'serviceSpec({ ...open, output: row, run: () => { return { v: "a", more: 1 }; } });' +
      'serviceSpec({ ...open, output: choice, run: () => { return { v: "a", n: [2] }; } });' +
      "serviceSpec({ ...open, many: true, input: row, output: row, run: ({ args }) => { return args; } });" +
      "selectorSpec({ ...one, output: row, select: () => { return null; } });" +
      'selectorSpec({ ...one, reads, output: row, select: ({ args }) => { if (args.count > 1) return { v: "a" }; } });' +
      'selectorSpec({ ...list, output: choice, select: () => { return [{ v: "a", n: [2] }]; } });' +
      'selectorSpec({ ...list, output: row, select: () => { return new Set([{ v: "a" }]); } });' +
      "selectorSpec({ ...list, output: row, select: () => [], extend: (rows) => { return rows; } });" +
      'server.tool("t", { ...tool, reads, output: row }, ({ args }) => { return { v: args.name }; });' +
      'server.registerPrompt("p", { ...open }, () => { return ["a", { role: "user", content: "b" }]; });',
  },
  {
    title: "answers that fit, later",
    code: 'serviceSpec({ ...open, output: row, run: async () => JSON.parse("") });' +
      "serviceSpec({ ...open, output: row, run: async () => { throw new Error(); } });" +
      "serviceSpec({ ...open, many: true, input: row, output: row, run: async ({ args }) => args });" +
      "selectorSpec({ ...one, output: row, select: async () => undefined });" +
      "selectorSpec({ ...list, output: row, select: async () => [] });" +
      'selectorSpec({ ...list, output: row, select: async () => new Map([[1, { v: "a" }]]).values() });' +
      'selectorSpec({ ...list, output: choice, select: async function* () { yield { v: "a", n: [1] }; } });' +
      "selectorSpec({ ...list, output: row, select: () => [], present: async (found) => ({ ...found }) });" +
      'server.registerPrompt("p", { ...open }, async () => ["a", { role: "assistant", content: "b" }]);',
  },
  {
    title: "answers of an output that a caller chooses",
    code: "function make<Out extends Schema>(output: Out, load: () => Promise<InputOf<Out>>) {" +
      "selectorSpec({ ...one, output, select: () => load() });" +
      "selectorSpec({ ...list, output, select: async () => [await load()] });" +
      'server.tool("t", { ...tool, output }, async () => await load());' +
      "serviceSpec({ ...open, many: true, input: row, output, run: async () => [await load()], " +
      "reread: async () => [await load()] });" +
      "selectorSpec({ ...list, output, select: () => [], extend: async () => [await load()] });" +
      "return serviceSpec({ ...open, output, run: () => load(), reread: () => load() }); }",
  },
  {
    title: "rows of a type that a caller chooses",
    code: "function make<Row extends { v: string }>(found: Row) {" +
      "selectorSpec({ ...one, output: row, select: () => { return found; } });" +
      "selectorSpec({ ...one, output: row, select: async () => found });" +
      "selectorSpec({ ...list, output: row, select: () => [found] });" +
      "selectorSpec({ ...list, output: row, select: async () => { return [found]; } });" +
      "selectorSpec({ ...list, output: row, select: function* () { yield found; } });" +
      "selectorSpec({ ...list, output: row, select: () => pageable({ count: () => 1, slice: () => [found] }) });" +
      "return serviceSpec({ ...open, output: row, run: async () => found, present: () => found }); }",
  },
  {
    title: "functions that are generic",
    code: 'function load<Given>(pool: Given) { return { v: "a", pool }; }' +
      "selectorSpec({ ...one, output: row, select: load });" +
      "selectorSpec({ ...list, output: row, select: <Given>(pool: Given) => [load(pool)] });" +
      'server.tool("t", { ...tool, output: row }, async <Given>(pool: Given) => load(pool));',
  },
];
