import { assertEquals, assertInstanceOf, assertRejects, assertThrows } from "@std/assert";
import * as v from "@valibot/valibot";
import { type } from "arktype";
import { z } from "zod";
import { jsonSchema } from "../../src/schema/json_schema.ts";
import { Problems } from "../../src/schema/problems.ts";
import type { StandardSchema } from "../../src/schema/standard_schema.ts";
import { validateSchema } from "../../src/schema/validate.ts";

function problemsOf(schema: StandardSchema, value: unknown, includeValues = false): string {
  const problems = new Problems();
  assertEquals(validateSchema(schema, value, problems, { includeValues }), undefined);
  return JSON.stringify(problems.toTree());
}

Deno.test("validateSchema() answers the output at once when the schema does", () => {
  const problems = new Problems();
  const schema = z.object({ n: z.coerce.number() });
  assertEquals(validateSchema(schema, { n: "5" }, problems, { includeValues: false }), { n: 5 });
  assertEquals(problems.size, 0);
});

Deno.test("validateSchema() answers a promise when the schema does", async () => {
  const schema = v.pipeAsync(v.string(), v.checkAsync(() => Promise.resolve(false), "Taken."));
  const problems = new Problems();
  const result = validateSchema(schema, "a", problems, { includeValues: false, at: ["name"] });
  assertInstanceOf(result, Promise);
  assertEquals(await result, undefined);
  assertEquals(JSON.stringify(problems.toTree()), '{"name":["Taken."]}');
});

Deno.test("validateSchema() lets a fault of the validator through", async () => {
  const options = { includeValues: false };
  const fail = (): never => {
    throw new TypeError("Broken");
  };
  const schema = (validate: () => never | Promise<never>): StandardSchema => ({
    "~standard": { version: 1, vendor: "test", validate },
  });
  assertThrows(() => validateSchema(schema(fail), 1, new Problems(), options), TypeError, "Broken");
  await assertRejects(
    () =>
      validateSchema(
        schema(() => Promise.reject(new TypeError("Broken"))),
        1,
        new Problems(),
        options,
      ) as Promise<unknown>,
    TypeError,
  );
});

// B17
const SECRET = "hunter2";
const SHEET: readonly {
  readonly title: string;
  readonly schema: StandardSchema;
  readonly value: unknown;
  readonly tree: string;
}[] = [
  {
    title: "valibot",
    schema: v.object({ pin: v.pipe(v.string(), v.regex(/^\d+$/)) }),
    value: { pin: SECRET },
    tree: '{"pin":["Expected /^\\\\d+$/."]}',
  },
  {
    title: "valibot, after a transformation",
    schema: v.object({ pin: v.pipe(v.string(), v.toUpperCase(), v.digits()) }),
    value: { pin: SECRET },
    tree: '{"pin":["Invalid value."]}',
  },
  {
    title: "ArkType",
    schema: type({ mode: "'a' | 'b'" }),
    value: { mode: SECRET },
    tree: '{"mode":["mode must be \\"a\\" or \\"b\\""]}',
  },
  {
    title: "ArkType, with an object for a value",
    schema: type({ mode: "'a' | 'b'" }),
    value: { mode: { inner: [SECRET] } },
    tree: '{"mode":["mode must be \\"a\\" or \\"b\\""]}',
  },
  {
    title: "Zod, with the author's message",
    schema: z.object({ n: z.string().refine(() => false, { error: (i) => `No: ${i.input}` }) }),
    value: { n: SECRET },
    tree: '{"n":["Invalid value."]}',
  },
  {
    title: "Zod, whose messages name types",
    schema: z.object({ n: z.number() }),
    value: { n: SECRET },
    tree: '{"n":["Invalid input: expected number, received string"]}',
  },
  {
    title: "raw JSON Schema",
    schema: jsonSchema({ properties: { n: { exclusiveMinimum: 10 } } }),
    value: { n: 10 },
    tree: '{"n":["Must be greater than 10."]}',
  },
];

for (const { title, schema, value, tree } of SHEET) {
  Deno.test(`validateSchema() keeps values out of the messages of ${title}`, () => {
    assertEquals(problemsOf(schema, value), tree);
  });
}

Deno.test("validateSchema() shows values where that is allowed", () => {
  const schema = v.pipe(v.string(), v.regex(/^\d+$/));
  const shown =
    '{"non_field_errors":["Invalid format: Expected /^\\\\d+$/ but received \\"hunter2\\""]}';
  assertEquals(problemsOf(schema, SECRET, true), shown);
});

Deno.test("validateSchema() never takes issues for success", () => {
  const schema: StandardSchema = {
    "~standard": { version: 1, vendor: "test", validate: () => ({ issues: [] }) },
  };
  assertEquals(problemsOf(schema, 1), '{"non_field_errors":["Invalid value."]}');
});

Deno.test("validateSchema() reads own properties alone on the way to a value", () => {
  const schema: StandardSchema = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: () => ({
        issues: [{ message: "Wrong.", path: ["__proto__", { key: "toString" }] }],
      }),
    },
  };
  assertEquals(problemsOf(schema, {}), '{"__proto__":{"toString":["Wrong."]}}');
});

// B13
Deno.test("validateSchema() runs no pattern on a string over 64 KiB", () => {
  const problems = new Problems();
  const schema = z.object({ a: z.string().regex(/^(a+)+$/) });
  const value = { a: `${"a".repeat(65_536)}!` };
  validateSchema(schema, value, problems, { includeValues: false, hasPatterns: true });
  assertEquals(JSON.stringify(problems.toTree()), '{"a":["String is too long to check."]}');
});
