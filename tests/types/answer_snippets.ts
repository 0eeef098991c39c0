import type { Snippet } from "./snippet.ts";

const WIDE =
  "const wide = z.object({ id: z.number(), a: z.string(), b: z.string(), c: z.string(), " +
  "d: z.string(), total: z.number(), dueAt: z.string() });" +
  "interface Wide { id: number; a: string; b: string; c: string; d: string; total: string }" +
  "declare const wides: { find(): Promise<Wide>; all(): Promise<Wide[]> };";

/** Answers that are not the output, of functions that a compiler looks into less (TS-1). */
export const ANSWER_SNIPPETS: readonly Snippet[] = [
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
      "return serviceSpec({ ...open, output, run: () => load(), reread: () => load() }); }",
  },
];
