import type { Snippet } from "./snippet.ts";

/** Mistakes in specs and their bindings, by the field they are in (TS-1, TS-4). */
export const SPEC_SNIPPETS: readonly Snippet[] = [
  {
    title: "a seed that there is not",
    code: "seeded.serviceSpec({ ...open, run: ({ tenent }) => tenent });",
    says: "Property 'tenent' does not exist on type '{ readonly args: {}; ",
  },
  {
    title: "a seed on hover (TS-4)",
    code:
      "seeded.serviceSpec({ ...open, run: ({ tenant }) => { const x: never = tenant; return x; } });",
    says: "Type 'string' is not assignable to type 'never'",
  },
  {
    title: "a spec whose seeds the server does not have",
    code: 'server.registerTool(seeded.serviceSpec({ ...open, run: () => 1 }), { name: "t" });',
    says: "Property 'tenant' is missing in type 'Principal' but required in type 'Staff'",
  },
  {
    title: "a spec for other users",
    code:
      'server.registerTool(specsFor<Staff>({}).serviceSpec({ ...open, run: () => 1 }), { name: "t" });',
    says: "Property 'tenant' is missing in type 'Principal' but required in type 'Staff'",
  },
  {
    title: "paginate on a retrieve",
    code:
      'server.registerTool(selectorSpec({ ...one, select: () => 1 }), { name: "t", paginate: true });',
    says: "'paginate' does not exist in type 'ToolOptions'",
  },
  {
    title: "paginate on a service",
    code:
      'server.registerTool(serviceSpec({ ...open, run: () => 1 }), { name: "t", paginate: true });',
    says: "Type 'true' is not assignable to type 'never'",
  },
  {
    title: "paginate on a list",
    code:
      'server.registerTool(selectorSpec({ ...list, select: () => [] }), { name: "t", paginate: true });',
  },
  {
    title: "a row that a list selector answers wrongly",
    code: "selectorSpec({ ...list, output: row, select: () => [{ v: 1 }] });",
    says: "Type 'number' is not assignable to type 'string'",
  },
  {
    title: "a lazy row that is wrong",
    code:
      "selectorSpec({ ...list, output: row, select: () => pageable({ count: () => 0, slice: () => [{ v: 1 }] }) });",
    says: "'Pageable<{ v: 1; }>' but required in type 'AnswerMismatch<{ v: 1; }, { v: string; }>'",
  },
  {
    title: "a list of a many service that holds wrong rows",
    code: "serviceSpec({ ...open, many: true, input: row, output: row, run: () => [{ v: 1 }] });",
    says: "Type 'number' is not assignable to type 'string'",
  },
  {
    title: "one row from a many service",
    code: 'serviceSpec({ ...open, many: true, input: row, output: row, run: () => ({ v: "a" }) });',
    says: "required in type 'AnswerMismatch<{ v: \"a\"; }, readonly { v: string; }[]>'",
  },
  {
    title: "the list of a many service on hover (TS-4)",
    code:
      "serviceSpec({ ...open, many: true, input: row, run: ({ args }) => { const x: never = args; return x; } });",
    says: "Type 'readonly { v: string; }[]' is not assignable to type 'never'",
  },
  {
    title: "the target row on hover (TS-4)",
    code:
      "serviceSpec({ ...open, instance: found, run: ({ instance }) => { const x: never = instance; return x; } });",
    says: "Type '{ v: string; }' is not assignable to type 'never'",
  },
  {
    title: "a target row where nothing finds one",
    code: "serviceSpec({ ...open, run: ({ instance }) => instance });",
    says: "Property 'instance' does not exist on type '{ readonly args: {}; ",
  },
  {
    title: "a target row of a look-up without output",
    code:
      "serviceSpec({ ...open, instance: selectorSpec({ ...one, select: () => ({ v: 1 }) }), run: ({ instance }) => instance.v });",
    says: "'instance' is of type 'unknown'",
  },
  {
    title: "a dispatcher that does not say what its tools do",
    code: 'server.registerDispatcher({ name: "d", description: "D." });',
    says: "Property 'effect' is missing in type '{ name: string; description: string; }'",
  },
  {
    title: "a look-up of many rows as instance",
    code:
      "serviceSpec({ ...open, instance: selectorSpec({ ...list, select: () => [] }), run: () => 1 });",
    says: "Type '\"list\"' is not assignable to type '\"retrieve\"'",
  },
  {
    title: "a shape that there is not",
    code:
      "selectorSpec({ ...one, output: row, shapes: { full: param.boolean() }, select: () => null, " +
      "present: (row, { shapes }) => shapes.ful ? row : row });",
    says: "Property 'ful' does not exist on type '{ readonly full?: boolean | undefined; }'",
  },
  {
    title: "a condition that looks at arguments (TS-3, K-73)",
    code:
      'serviceSpec({ ...open, affordances: [{ code: "a", reason: "A.", when: ({ args }) => args }], run: () => 1 });',
    says: "Property 'args' does not exist on type ",
  },
  {
    title: "a seed that looks at arguments (TS-3, K-36)",
    code: "poolSeeds({ a: ({ args }) => args });",
    says: "Property 'args' does not exist on type ",
  },
  {
    title: "seeds of other users than the server's",
    code: "new McpServer<Principal, { tenant: string }>({ ...about, seeds });",
    says: "Property 'tenant' is missing in type 'Principal' but required in type 'Staff'",
  },
  {
    title: "seeds that are extended, and used by the server's own users",
    code:
      "const more = poolSeeds({ a: () => 1 }).extend({ b: ({ user }: SeedPool<Staff>) => user.tenant });" +
      "specsFor(more).serviceSpec({ permissions: [isClerk], run: ({ user, a, b }) => user.tenant + a.toFixed() + b });" +
      "new McpServer({ ...about, seeds: seeds.extend({ c: () => 1 }) })" +
      '.registerTool(seeded.serviceSpec({ ...open, run: () => 1 }), { name: "t" });' +
      "new McpServer<Staff, { tenant: string }>({ ...about, seeds });",
  },
  {
    title: "a refusal whose words are no text",
    code: "new ServiceNotFound(1);",
    says: "Argument of type 'number' is not assignable to parameter of type 'string'",
  },
  {
    title: "refusals with and without a cause",
    code: 'new ServiceNotFound("It is gone."); new ServiceConflict(); ' +
      'new ServiceError("No.", { cause: new Error() });',
  },
  {
    title: "work after the commit, whatever it answers",
    code: "serviceSpec({ ...open, run: ({ afterCommit }) => {" +
      'afterCommit(() => queue.add("a")); afterCommit(async () => { await queue.add("a"); }); afterCommit(() => {}); } });',
  },
  {
    title: "work that was begun before the commit",
    code: 'serviceSpec({ ...open, run: ({ afterCommit }) => { afterCommit(queue.add("a")); } });',
    says:
      "Argument of type 'Promise<{ id: string; }>' is not assignable to parameter of type '() => unknown'",
  },
  {
    title: "a field of the other kind of spec",
    code: "selectorSpec({ ...one, atomic: true, select: () => 1 });",
    says: "'atomic' does not exist in type 'SelectorOptions<",
  },
  {
    title: "a re-read that answers another row",
    code:
      'serviceSpec({ ...open, output: row, run: () => ({ v: "a" }), reread: () => ({ v: 1 }) });',
    says:
      "Type '() => { v: 1; }' is not assignable to type 'AnswerMismatch<{ v: 1; }, { v: string; }>'",
  },
  {
    title: "a re-read that looks at the result, and answers another row",
    code: 'serviceSpec({ ...open, output: row, run: () => ({ v: "a" }), ' +
      "reread: async ({ result }) => ({ v: result.v.length }) });",
    says: "is not assignable to type 'AnswerMismatch<{ v: number; }, { v: string; }>'",
  },
  {
    title: "a lazy row of a selector that looks at its arguments",
    code: "selectorSpec({ ...list, reads, output: row, select: async ({ args }) => " +
      "pageable({ count: () => 0, slice: () => [{ v: args.count }] }) });",
    says: "required in type 'AnswerMismatch<{ v: number; }, { v: string; }>'",
  },
  {
    title: "a re-read that is any",
    code:
      'serviceSpec({ ...open, output: row, run: () => ({ v: "a" }), reread: () => JSON.parse("") });',
  },
  {
    title: "literals of an answer, which keep their types",
    code: 'serviceSpec({ ...open, output: choice, run: () => ({ v: "a", n: [2] }) });' +
      'serviceSpec({ ...open, output: choice, run: async ({ args }) => { return { v: "a", n: [1] }; }, ' +
      'reread: () => ({ v: "b", n: [] }) });' +
      'serviceSpec({ ...open, many: true, input: row, output: choice, run: () => [{ v: "a", n: [1] }] });' +
      'selectorSpec({ ...one, output: choice, select: () => null, present: () => ({ v: "a", n: [] }) });' +
      'selectorSpec({ ...list, output: choice, select: () => [{ v: "a", n: [2] }] });' +
      'selectorSpec({ ...list, output: choice, select: function* () { yield { v: "a", n: [2] }; } });' +
      "selectorSpec({ ...list, output: choice, select: async () => " +
      'pageable({ count: () => 1, slice: async () => [{ v: "a", n: [2] }] }) });' +
      'server.tool("t", { ...tool, output: choice }, () => ({ v: "a", n: [1] }));',
  },
  {
    title: "a literal that there is not",
    code: 'serviceSpec({ ...open, output: choice, run: () => ({ v: "c", n: [1] }) });',
    says: 'Type \'"c"\' is not assignable to type \'"a" | "b"\'',
  },
  {
    title: "schemas of other libraries, as they are (TS-5)",
    code:
      "serviceSpec({ ...open, input: z.object({ n: z.string().transform(Number) }), run: ({ args }) => { const n: number = args.n; return n; } });",
  },
  {
    title: "bytes, blobs, iterables and lazy rows, without a cast (TS-6)",
    code: "serviceSpec({ ...open, run: () => new Uint8Array(1) });" +
      "serviceSpec({ ...open, run: () => new Blob([]) });" +
      'selectorSpec({ ...list, output: row, select: function* () { yield { v: "a" }; } });' +
      'selectorSpec({ ...list, output: row, select: () => pageable({ count: () => 1, slice: () => [{ v: "a" }] }) });',
  },
];
