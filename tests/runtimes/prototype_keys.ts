import { assertSame } from "./assert_same.ts";
import { callRequest, methodRequest } from "./call_request.ts";
import type { Case } from "./case.ts";
import { readAnswers, readProblems, readText } from "./read_answer.ts";

const unknown = { ["__proto__"]: ["Unknown argument."] };

/** Where a caller puts the key, and what the tool says is wrong. */
const REFUSED: readonly (readonly [where: string, tool: string, args: string, told: object])[] = [
  ["beside declared parameters", "declare", '{"id":1,KEY}', unknown],
  ["in a declared object", "declare", '{"id":1,"box":{KEY}}', { box: unknown }],
  ["in a declared row", "declare", '{"id":1,"rows":[{KEY}]}', { rows: { 0: unknown } }],
  [
    "deep in an open object",
    "declare",
    '{"id":1,"open":{"a":[{"b":{KEY}}]}}',
    { open: { a: { 0: { b: unknown } } } },
  ],
  ["beside a JSON Schema's properties", "constrain", "{KEY}", unknown],
  ["deep in a JSON Schema's object", "constrain", '{"filter":{"a":{KEY}}}', {
    filter: { a: unknown },
  }],
];

/** `JSON.parse()` makes it an own key; an object literal would set the prototype. */
const poisoned = (text: string): object =>
  JSON.parse(text.replaceAll("KEY", '"__proto__":{"polluted":1}'));

/** An own `__proto__` key is an unknown argument at every depth (B15). */
export const prototypeKeys: readonly Case[] = [
  ...REFUSED.map(([where, tool, args, told]): Case => ({
    title: `__proto__ ${where} is an unknown argument`,
    run: async ({ fetch }) => {
      assertSame(await readProblems(await fetch(callRequest(tool, poisoned(args)))), told);
      assertSame(await readText(await fetch(callRequest("is_polluted"))), "clean");
    },
  })),
  {
    title: "__proto__ in _meta changes nothing",
    run: async ({ fetch }) => {
      const meta = poisoned('{KEY,"nested":{KEY}}');
      const response = await fetch(callRequest("echo", { text: "hello" }, { meta }));
      assertSame(await readText(response), "hello");
      assertSame(await readText(await fetch(callRequest("is_polluted"))), "clean");
    },
  },
  {
    title: "__proto__ in params stands for nothing that a method reads",
    run: async ({ fetch }) => {
      const params = poisoned('{"__proto__":{"name":"echo","arguments":{"text":"hello"}}}');
      const [answer] = await readAnswers(await fetch(methodRequest("tools/call", params)));
      assertSame(answer?.error?.code, -32602);
    },
  },
];
