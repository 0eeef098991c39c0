import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { type } from "arktype";
import { z } from "zod";
import {
  type ArgumentsDescription,
  describeArguments,
  describeMany,
  type JsonSchema,
} from "../../src/schema/convert_schema.ts";
import { jsonSchema } from "../../src/schema/json_schema.ts";
import { param } from "../../src/schema/param.ts";

type Options = Partial<ArgumentsDescription>;

function list(options: Options): { text: string; names: readonly string[] | undefined } {
  const { schema, names } = describeArguments({
    unknownArguments: "reject",
    where: 'tool "a"',
    ...options,
  });
  return { text: JSON.stringify(schema), names };
}

const raw = jsonSchema({ type: "object", properties: { a: {}, b: {} }, required: ["a"] });
const node = z.object({
  v: z.string(),
  get next() {
    return node.optional();
  },
});

const SHEET: readonly {
  readonly title: string;
  readonly options: Options;
  readonly text: string;
  readonly names: readonly string[] | undefined;
}[] = [
  {
    title: "nothing (K-45)",
    options: {},
    text: '{"type":"object","additionalProperties":false}',
    names: [],
  },
  {
    title: "nothing, open",
    options: { unknownArguments: "ignore" },
    text: '{"type":"object"}',
    names: [],
  },
  {
    title: "each kind of parameter (K-13, K-47)",
    options: {
      parameters: {
        s: param.string({ required: true, help: "Text.", header: "Region" }),
        c: param.string({ nullable: true, choices: ["a", "b"] }),
        m: param.string({ format: "decimal" }),
        i: param.integer({ required: true, default: 3 }),
        n: param.number({ nullable: true, default: null }),
        l: param.array(param.string({ choices: ["x"] }), { itemsNullable: true }),
        free: param.array(),
      },
    },
    text: '{"type":"object","properties":{' +
      '"s":{"type":"string","description":"Text.","x-mcp-header":"Region"},' +
      '"c":{"type":["string","null"],"enum":["a","b",null]},' +
      '"m":{"type":"string","format":"decimal"},' +
      '"i":{"type":"integer","default":3},' +
      '"n":{"type":["number","null"],"default":null},' +
      '"l":{"type":"array","items":{"type":["string","null"],"enum":["x",null]}},' +
      '"free":{"type":"array"}},"required":["s"],"additionalProperties":false}',
    names: ["s", "c", "m", "i", "n", "l", "free"],
  },
  {
    title: "closed objects and rows under reject (K-45)",
    options: {
      parameters: {
        o: param.object({ fields: { a: param.string({ required: true }) } }),
        r: param.array({ a: param.boolean() }),
      },
    },
    text: '{"type":"object","properties":{' +
      '"o":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],' +
      '"additionalProperties":false},' +
      '"r":{"type":"array","items":{"type":"object","properties":{"a":{"type":"boolean"}},' +
      '"additionalProperties":false}}},"additionalProperties":false}',
    names: ["o", "r"],
  },
  {
    title: "open objects and rows under ignore (K-45)",
    options: {
      unknownArguments: "ignore",
      parameters: { o: param.object({ fields: {} }), r: param.array({}, { itemsNullable: true }) },
    },
    text: '{"type":"object","properties":{"o":{"type":"object","properties":{}},' +
      '"r":{"type":"array","items":{"type":["object","null"],"properties":{}}}}}',
    names: ["o", "r"],
  },
  {
    title: "parameters, then shapes, then input (K-44)",
    options: {
      parameters: { id: param.integer({ required: true }) },
      shapes: { fields: param.string({ help: "Which." }) },
      input: z.object({ a: z.string().describe("A.") }).describe("All."),
    },
    text: '{"type":"object","description":"All.","properties":{"id":{"type":"integer"},' +
      '"fields":{"type":"string","description":"Which."},' +
      '"a":{"type":"string","description":"A."}},' +
      '"required":["id","a"],"additionalProperties":false}',
    names: ["id", "fields", "a"],
  },
  {
    title: "names of the server (K-32, K-33, K-46)",
    options: {
      parameters: { id: param.integer({ required: true }), at: param.string({ required: true }) },
      input: z.object({ tenant: z.string(), locale: z.string() }),
      omit: new Set(["tenant", "at"]),
      optional: new Set(["locale"]),
    },
    text: '{"type":"object","properties":{"id":{"type":"integer"},"locale":{"type":"string"}},' +
      '"required":["id"],"additionalProperties":false}',
    names: ["id", "locale"],
  },
  {
    title: "a recursive root beside parameters (K-44)",
    options: { parameters: { id: param.integer() }, input: node },
    text: '{"type":"object","properties":{"id":{"type":"integer"},"v":{"type":"string"},' +
      '"next":{"$ref":"#/$defs/root"}},"required":["v"],"additionalProperties":false,' +
      '"$defs":{"root":{"type":"object","properties":{"v":{"type":"string"},' +
      '"next":{"$ref":"#/$defs/root"}},"required":["v"]}}}',
    names: ["id", "v", "next"],
  },
  {
    title: "alternatives, which decide themselves",
    options: { input: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]) },
    text: '{"type":"object","anyOf":[' +
      '{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},' +
      '{"type":"object","properties":{"b":{"type":"string"}},"required":["b"]}]}',
    names: undefined,
  },
  {
    title: "an object that says it is open",
    options: { input: z.looseObject({ a: z.string() }) },
    text: '{"type":"object","additionalProperties":{},"properties":{"a":{"type":"string"}},' +
      '"required":["a"]}',
    names: undefined,
  },
  {
    title: "an object that says it is closed, under ignore",
    options: { input: z.strictObject({ a: z.string() }), unknownArguments: "ignore" },
    text: '{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string"}},' +
      '"required":["a"]}',
    names: ["a"],
  },
  {
    title: "a raw schema, verbatim",
    options: { input: raw },
    text: '{"type":"object","properties":{"a":{},"b":{}},"required":["a"]}',
    names: undefined,
  },
  {
    title: "a raw schema beside parameters",
    options: { input: raw, parameters: { id: param.integer() }, omit: new Set(["a"]) },
    text: '{"type":"object","properties":{"id":{"type":"integer"},"b":{}}}',
    names: undefined,
  },
];

for (const { title, options, text, names } of SHEET) {
  Deno.test(`describeArguments() lists ${title}`, () =>
    assertEquals(list(options), { text, names }));
}

const WRONG: readonly { readonly options: Options; readonly message: string }[] = [
  {
    options: { parameters: { a: param.string() }, input: z.object({ a: z.string() }) },
    message: 'Cannot describe tool "a": argument "a" is declared twice',
  },
  {
    options: { parameters: { a: param.string() }, shapes: { a: param.string() } },
    message: 'Cannot describe tool "a": argument "a" is declared twice',
  },
  {
    options: { parameters: JSON.parse('{"__proto__":{"type":"string"}}') },
    message: 'Cannot describe tool "a": "__proto__" is no name',
  },
  {
    options: { input: z.string() },
    message: 'Cannot describe input of tool "a": its root must be an object',
  },
  {
    options: { input: z.union([z.object({}), z.string()]) },
    message: 'Cannot describe input of tool "a": its root must be an object',
  },
  {
    options: { input: jsonSchema({ type: ["object", "null"] }) },
    message: 'Cannot describe input of tool "a": its root must be an object',
  },
  {
    options: { input: jsonSchema({ anyOf: [{ type: "object" }] }) },
    message: 'Cannot describe input of tool "a": a raw schema says type "object" at its root',
  },
  {
    options: { input: z.object({ due: z.date() }) },
    message:
      'Cannot describe input of tool "a": Date cannot be represented in JSON Schema (at due)',
  },
];

// B68
for (const { options, message } of WRONG) {
  Deno.test(`describeArguments() refuses: ${message} (${Object.keys(options)})`, () => {
    const error = assertThrows(() => list(options), Error) as Error;
    assertEquals(error.name, "ConfigurationError");
    assertStringIncludes(error.message, message);
  });
}

Deno.test("describeArguments() takes no member of Object.prototype for a declared name", () => {
  const { names } = list({ parameters: { toString: param.string(), constructor: param.string() } });
  assertEquals(names, ["toString", "constructor"]);
});

// K-48
Deno.test("describeMany() describes one closed list", () => {
  const options = { name: "invoices", maxItems: 1000, unknownArguments: "reject" } as const;
  const item: JsonSchema = { type: "object", properties: { amount: { type: "integer" } } };
  assertEquals(
    JSON.stringify(describeMany(item, options)),
    '{"type":"object","properties":{"invoices":{"type":"array","maxItems":1000,"items":' +
      '{"type":"object","properties":{"amount":{"type":"integer"}}}}},' +
      '"required":["invoices"],"additionalProperties":false}',
  );
});

Deno.test("describeMany() keeps the references of its item working", () => {
  const options = { name: "nodes", maxItems: 10, unknownArguments: "ignore" } as const;
  const item = {
    $schema: "http://json-schema.org/draft-07/schema#",
    properties: { next: { $ref: "#" }, tag: { $ref: "#/definitions/tag" } },
    definitions: { tag: { enum: ["x"] } },
    $defs: { root: {} },
  };
  const many = describeMany(item, options);
  const validate = jsonSchema(many)["~standard"].validate;
  assertEquals(validate({ nodes: [{ tag: "x", next: { tag: "x" } }] }), {
    value: { nodes: [{ tag: "x", next: { tag: "x" } }] },
  });
  assertEquals(validate({ nodes: [{ next: { tag: "y" } }] }), {
    issues: [{ path: ["nodes", "0", "next", "tag"], message: 'Expected one of ["x"].' }],
  });
});

Deno.test("describeArguments() lists an ArkType union of objects as open", () => {
  const { names } = list({ input: type({ a: "string" }, "|", { b: "number" }) });
  assertEquals(names, undefined);
});
