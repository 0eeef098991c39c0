import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "@valibot/valibot";
import { type } from "arktype";
import { z } from "zod";
import {
  describeArguments,
  describeInput,
  describeOutput,
} from "../../src/schema/convert_schema.ts";
import { jsonSchema } from "../../src/schema/json_schema.ts";
import type { Schema } from "../../src/schema/standard_schema.ts";

// K-25 to K-28, B68: one sheet over the schema libraries.

interface Node {
  readonly value: string;
  readonly next?: Node | undefined;
}
const valibotNode: v.GenericSchema<Node> = v.object({
  value: v.string(),
  next: v.optional(v.lazy(() => valibotNode)),
});
const zodNode = z.object({
  value: z.string(),
  get next() {
    return zodNode.optional();
  },
});
const arkNode = type.module({ node: { value: "string", "next?": "node" } }).node;

const SHEET: readonly {
  readonly title: string;
  readonly schema: Schema;
  readonly listed: string;
}[] = [
  {
    title: "valibot",
    schema: toStandardJsonSchema(v.object({
      text: v.pipe(v.string(), v.minLength(2)),
      maybe: v.optional(v.number()),
      given: v.optional(v.string(), "x"),
      either: v.union([v.string(), v.number()]),
      mode: v.picklist(["a", "b"]),
      day: v.pipe(v.string(), v.isoDate()),
      inner: v.object({ list: v.array(v.boolean()) }),
      free: v.unknown(),
    })),
    listed: '{"type":"object","properties":{"text":{"type":"string","minLength":2},' +
      '"maybe":{"type":"number"},"given":{"type":"string","default":"x"},' +
      '"either":{"anyOf":[{"type":"string"},{"type":"number"}]},' +
      '"mode":{"enum":["a","b"],"type":"string"},"day":{"type":"string","format":"date"},' +
      '"inner":{"type":"object","properties":{"list":{"type":"array","items":{"type":"boolean"}}},' +
      '"required":["list"]},"free":{}},' +
      '"required":["text","either","mode","day","inner","free"],"additionalProperties":false}',
  },
  {
    title: "Zod",
    schema: z.object({
      text: z.string().min(2),
      maybe: z.number().optional(),
      given: z.string().default("x"),
      either: z.union([z.string(), z.number()]),
      mode: z.enum(["a", "b"]),
      day: z.string().meta({ format: "date" }),
      inner: z.object({ list: z.array(z.boolean()) }),
      free: z.any(),
    }),
    listed: '{"type":"object","properties":{"text":{"type":"string","minLength":2},' +
      '"maybe":{"type":"number"},"given":{"default":"x","type":"string"},' +
      '"either":{"type":["string","number"]},' +
      '"mode":{"type":"string","enum":["a","b"]},"day":{"type":"string","format":"date"},' +
      '"inner":{"type":"object","properties":{"list":{"type":"array","items":{"type":"boolean"}}},' +
      '"required":["list"]},"free":{}},' +
      '"required":["text","either","mode","day","inner","free"],"additionalProperties":false}',
  },
  {
    title: "ArkType",
    schema: type({
      text: "string >= 2",
      "maybe?": "number",
      given: "string = 'x'",
      either: "string | number",
      mode: "'a' | 'b'",
      day: "string <= 10",
      inner: { list: "boolean[]" },
      free: "unknown",
    }),
    listed: '{"type":"object","properties":{"day":{"type":"string","maxLength":10},' +
      '"either":{"anyOf":[{"type":"number"},{"type":"string"}]},"free":{},' +
      '"inner":{"type":"object","properties":{"list":{"type":"array","items":{"type":"boolean"}}},' +
      '"required":["list"]},"mode":{"enum":["a","b"]},"text":{"type":"string","minLength":2},' +
      '"given":{"type":"string"},"maybe":{"type":"number"}},' +
      '"required":["day","either","free","inner","mode","text"],"additionalProperties":false}',
  },
  {
    title: "raw JSON Schema",
    schema: jsonSchema({
      type: "object",
      properties: { day: { type: "string", format: "date" } },
      dependentRequired: { day: ["hour"] },
      unevaluatedProperties: false,
    }),
    listed: '{"type":"object","properties":{"day":{"type":"string","format":"date"}},' +
      '"dependentRequired":{"day":["hour"]},"unevaluatedProperties":false}',
  },
  {
    title: "a recursive type of valibot",
    schema: toStandardJsonSchema(valibotNode),
    listed: '{"type":"object","properties":{"value":{"type":"string"},' +
      '"next":{"$ref":"#/$defs/0"}},"required":["value"],"additionalProperties":false,' +
      '"$defs":{"0":{"type":"object","properties":{"value":{"type":"string"},' +
      '"next":{"$ref":"#/$defs/0"}},"required":["value"]}}}',
  },
  {
    title: "a recursive type of Zod",
    schema: zodNode,
    listed: '{"type":"object","properties":{"value":{"type":"string"},' +
      '"next":{"$ref":"#/$defs/root"}},"required":["value"],"additionalProperties":false,' +
      '"$defs":{"root":{"type":"object","properties":{"value":{"type":"string"},' +
      '"next":{"$ref":"#/$defs/root"}},"required":["value"]}}}',
  },
  {
    title: "a recursive type of ArkType",
    schema: arkNode,
    listed: '{"type":"object","properties":{"value":{"type":"string"},' +
      '"next":{"$ref":"#/$defs/node"}},"required":["value"],"additionalProperties":false,' +
      '"$defs":{"node":{"type":"object","properties":{"value":{"type":"string"},' +
      '"next":{"$ref":"#/$defs/node"}},"required":["value"]}}}',
  },
];

for (const { title, schema, listed } of SHEET) {
  Deno.test(`describeArguments() lists the input of ${title}`, () => {
    const options = { input: schema, unknownArguments: "reject", where: 'tool "a"' } as const;
    // ArkType numbers its definitions in the order of their creation.
    const text = JSON.stringify(describeArguments(options).schema).replace(
      /intersection\d+/g,
      "node",
    );
    assertEquals(text, listed);
  });
}

const UNCONVERTIBLE: readonly {
  readonly title: string;
  readonly describe: () => unknown;
  readonly message: string;
}[] = [
  {
    title: "a date of valibot",
    describe: () => describeInput(toStandardJsonSchema(v.object({ due: v.date() })), "input"),
    message:
      'Cannot describe input: The "date" schema cannot be converted to JSON Schema. (at due)',
  },
  {
    title: "a date of Zod",
    describe: () =>
      describeInput(z.object({ rows: z.array(z.object({ due: z.date() })) }), "input"),
    message: "Cannot describe input: Date cannot be represented in JSON Schema (at rows.0.due)",
  },
  {
    title: "a date of ArkType",
    describe: () => describeInput(type({ inner: { due: "Date" } }), "input"),
    message: "Cannot describe input: the type has no JSON Schema (at inner.due)",
  },
  {
    title: "an optional date of ArkType, in a list",
    describe: () => describeInput(type({ "dues?": "Date[]" }), "input"),
    message: "Cannot describe input: the type has no JSON Schema (at dues.0)",
  },
  {
    title: "a transformation to a date of ArkType, as output",
    describe: () => describeOutput(type({ due: "string.date.parse" }), "output"),
    message: "Cannot describe output: the type has no JSON Schema (at due)",
  },
  {
    title: "plain valibot",
    describe: () => describeInput(v.object({}) as never, 'input of tool "a"'),
    message: 'Cannot describe input of tool "a": wrap it with toStandardJsonSchema() of ' +
      "@valibot/to-json-schema",
  },
  {
    title: "a library without JSON Schema",
    describe: () =>
      describeInput(
        { "~standard": { version: 1, vendor: "old", validate: () => ({ value: 1 }) } } as never,
        "input",
      ),
    message: "Cannot describe input: this version of old does not write JSON Schema",
  },
  {
    title: "what is no schema",
    describe: () => describeInput({ type: "object" } as never, "input"),
    message: "Cannot describe input: it is no Standard Schema",
  },
];

for (const { title, describe, message } of UNCONVERTIBLE) {
  Deno.test(`describeInput() refuses ${title}`, () => {
    const error = assertThrows(describe, Error) as Error;
    assertEquals(error.name, "ConfigurationError");
    assertStringIncludes(error.message, message);
  });
}

Deno.test("describeInput() takes what is anything for anything, asynchronous checks included", () => {
  const schemas: readonly Schema[] = [
    z.object({ a: z.any(), b: z.unknown(), c: z.record(z.string(), z.unknown()) }),
    z.object({ a: z.any().refine(() => Promise.resolve(false)) }),
    {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: () => Promise.reject(new Error("never seen")),
        jsonSchema: {
          input: () => ({ type: "object", properties: { a: {} } }),
          output: () => ({}),
        },
      },
    },
    type({ a: "unknown", "[string]": "unknown" }),
    toStandardJsonSchema(v.object({ a: v.any(), b: v.optional(v.unknown()) })),
  ];
  for (const schema of schemas) assertEquals(describeInput(schema, "input")["type"], "object");
});

Deno.test("describeOutput() describes what a schema gives", () => {
  const schema = z.object({ n: z.string().default("x") });
  assertEquals(JSON.stringify(describeInput(schema, "input")["required"]), undefined);
  assertEquals(JSON.stringify(describeOutput(schema, "output")["required"]), '["n"]');
});
