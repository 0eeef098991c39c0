/** Shapes, output and audience: what a row is to an agent (K-80…K-86, T-45). */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { Validator } from "@cfworker/json-schema";
import {
  type AudienceFields,
  ConfigurationError,
  jsonSchema,
  param,
  type Schema,
  selectorSpec,
  serviceSpec,
  ServiceValidationError,
  unrestricted,
} from "@limen/mcp";
import fc from "fast-check";
import { z } from "zod";
import { compileAudience } from "../../src/kernel/audience.ts";
import { serveSpec } from "../_support/serve_spec.ts";

const open = { permissions: [unrestricted] };
const one = { ...open, kind: "retrieve" } as const;
const list = { ...open, kind: "list" } as const;
const row = { id: 1, title: "A", secret: "x", state: 2 };

Deno.test("shapes are advertised beside reads, and only the presenter gets them (K-80)", async () => {
  const seen: unknown[] = [];
  const spec = selectorSpec({
    ...list,
    reads: { id: param.integer() },
    shapes: { upper: param.boolean({ help: "In capitals." }) },
    select: ({ args }) => (seen.push(args), [{ title: "a" }, { title: "b" }]),
    present: (row, { shapes, user }) => (seen.push(shapes, user.authenticated), {
      title: shapes.upper ? String((row as { title: string }).title).toUpperCase() : row,
    }),
  });
  const tool = serveSpec(spec);
  assertEquals((await tool.entry()).inputSchema.properties, {
    id: { type: "integer" },
    upper: { type: "boolean", description: "In capitals." },
  });
  const { value } = await tool.call({ id: "3", upper: "true" });
  assertEquals(value, [{ title: "A" }, { title: "B" }]); // K-86: item by item
  assertEquals(seen, [{ id: 3 }, { upper: true }, false, { upper: true }, false]);
});

Deno.test("output checks and strips what present renders, and is what is advertised (K-27, K-82, K-83)", async () => {
  const output = z.object({ id: z.number(), title: z.string().optional() });
  const spec = selectorSpec({ ...one, output, select: () => row });
  const tool = serveSpec(spec);
  assertEquals((await tool.call()).value, { id: 1, title: "A" });
  const { outputSchema } = await tool.entry();
  assertEquals([outputSchema.type, outputSchema.required], ["object", ["id"]]);
  const lists = serveSpec(selectorSpec({ ...list, output, select: () => [row] }));
  const schema = (await lists.entry()).outputSchema;
  assertEquals([schema.type, schema.items.type], ["array", "object"]);
  const legacy = (await lists.entry("legacy")).outputSchema; // M-15
  assertEquals([legacy.type, legacy.required, legacy.properties.result.type], [
    "object",
    ["result"],
    "array",
  ]);
});

Deno.test("a spec without output serves the value as it is, and advertises no schema (K-27)", async () => {
  const tool = serveSpec(selectorSpec({ ...one, select: () => row }));
  assertEquals((await tool.call()).value, row);
  assertEquals("outputSchema" in await tool.entry(), false);
});

/** A presenter that refuses whatever is asked of it. */
function picky(fields: object = {}) {
  return selectorSpec({
    ...one,
    shapes: { fields: param.string({ nullable: true }), expand: param.string() },
    select: () => row,
    present: (): never => {
      throw new ServiceValidationError("No such field: nope.");
    },
    ...fields,
  });
}

// T-45
const SHAPES: readonly (readonly [sent: object, names: string, key: string])[] = [
  [{ fields: "nope" }, "fields", "fields"],
  [{ fields: "nope", expand: "x" }, "fields, expand", "non_field_errors"],
  [{ fields: null, expand: "x" }, "expand", "expand"],
];
for (const [sent, names, key] of SHAPES) {
  Deno.test(`a presenter that refuses ${JSON.stringify(sent)} is told to the caller (K-81, T-45)`, async () => {
    const { refusal } = await serveSpec(picky()).call(sent);
    assertEquals(refusal, {
      type: "validation_error",
      message: `${names} was rejected while rendering the result: No such field: nope.`,
      detail: { [key]: ["No such field: nope."] },
    });
  });
}

Deno.test("a presenter that refuses what nobody sent is a fault (T-45)", async () => {
  for (const sent of [{}, { fields: null }]) {
    assertEquals((await serveSpec(picky()).call(sent)).status, 500);
  }
  const binding = { serverArguments: { values: { fields: "nope" } } };
  assertEquals((await serveSpec(picky(), { binding }).call({})).status, 500);
  const present = () => {
    throw new Error("secret-text");
  };
  const { status, body } = await serveSpec(picky({ present })).call({ fields: "nope" });
  assertEquals([status, body.includes("secret")], [500, false]);
});

Deno.test("on a paged tool the refusal of a shape says where shapes apply (T-45, M-41, K-49)", async () => {
  const NOTE = "On a paged result it applies to each item in items, never to the page envelope " +
    "(items, page, totalPages, hasNext).";
  const shapes = { fields: param.string({ help: "Which fields." }), expand: param.string() };
  const spec = picky({ kind: "list", shapes, select: () => [row] });
  const tool = serveSpec(spec, { binding: { paginate: true } });
  const { refusal } = await tool.call({ fields: "nope" });
  assertEquals(
    refusal?.message,
    `fields was rejected while rendering the result: No such field: nope. ${NOTE}`,
  );
  const { properties } = (await tool.entry()).inputSchema;
  assertEquals(properties.fields.description, `Which fields. ${NOTE}`);
  assertEquals(properties.expand.description, NOTE);
});

const shown = z.object({
  id: z.string(),
  title: z.string(),
  secret: z.string(),
  state: z.enum(["o", "p"]),
  tags: z.array(z.enum(["r", "g"])),
  at: z.number().nullable(),
});
const audience: AudienceFields = {
  id: { as: "handle" },
  title: { as: "label" },
  secret: { as: "hidden" },
  state: { choices: { o: "Open", p: "Paid" } },
  tags: { choices: { r: "Red", g: "Green" } },
  at: {
    description: "When.",
    format: {
      schema: { type: "string", format: "date-time" },
      write: (value) => new Date(value as number).toISOString(),
    },
  },
};
const record: z.infer<typeof shown> = {
  id: "i1",
  title: "A",
  secret: "x",
  state: "o",
  tags: ["r", "r"],
  at: 0,
};

Deno.test("an audience changes rows and their schema alike (K-84, K-85)", async () => {
  const spec = selectorSpec({ ...list, output: shown, audience, select: () => [record] });
  const tool = serveSpec(spec, { binding: { paginate: true } });
  const { value } = await tool.call() as { value: { items: unknown } };
  assertEquals(value.items, [{
    id: "i1",
    title: "A",
    state: "Open",
    tags: ["Red", "Red"],
    at: "1970-01-01T00:00:00.000Z",
  }]);
  const { outputSchema, description } = await tool.entry();
  const { items } = outputSchema.properties.items;
  assertEquals(items.required, ["id", "title", "state", "tags", "at"]);
  assertEquals(Object.keys(items.properties), ["id", "title", "state", "tags", "at"]);
  assertEquals(items.properties.id, {
    type: "string",
    description: "Opaque value for other tools; never read it out to the user or make one up.",
  });
  assertEquals(items.properties.state, { type: "string", enum: ["Open", "Paid"] });
  assertEquals(items.properties.tags, {
    type: "array",
    items: { type: "string", enum: ["Red", "Green"] },
  });
  assertEquals(items.properties.at, {
    anyOf: [{ type: "string", format: "date-time" }, { type: "null" }],
    description: "When.",
  });
  assertEquals(
    description,
    "Tests. Identify records by `title`. Handles are opaque: pass them on to other tools as they " +
      "are, never show them.",
  ); // M-41
});

// K-85: what is shown of one value.
const VALUES:
  readonly (readonly [value: unknown, field: AudienceFields[string], shown: unknown])[] = [
    ["o", { choices: { o: "Open" } }, "Open"],
    ["?", { choices: { o: "Open" } }, "?"],
    ["o", { as: "handle", choices: { o: "Open" } }, "o"],
    [["o", "?"], { choices: { o: "Open" } }, ["Open", "?"]],
    [null, { choices: { null: "None" } }, null],
    ["toString", { choices: { o: "Open" } }, "toString"],
    ["o", { choices: { o: "Open" }, format: { schema: {}, write: () => "F" } }, "F"],
    [null, { format: { schema: {}, write: () => "F" } }, null],
    ["o", { as: "handle", format: { schema: {}, write: () => "F" } }, "o"],
  ];
for (const [value, field, expected] of VALUES) {
  Deno.test(`an audience shows ${JSON.stringify(value)} with ${JSON.stringify(field)} as ${JSON.stringify(expected)} (K-85)`, () => {
    const schema = { type: "object", properties: { v: { type: ["string", "null"] } } };
    const { show } = compileAudience({ v: field }, schema, {
      where: "t",
      handleDescription: undefined,
    });
    assertEquals(show({ v: value }), { v: expected });
    assertEquals(show({}), {});
    assertEquals(show(null), null);
  });
}

Deno.test("an audience lists one display once, and keeps a handle's own words (K-85)", () => {
  const schema = { type: "object", properties: { s: { type: "string" }, h: { type: "string" } } };
  const compiled = compileAudience(
    { s: { choices: { a: "Open", b: "Open" } }, h: { as: "handle", description: "Mine." } },
    schema,
    { where: "t", handleDescription: "Theirs." },
  );
  assertEquals(compiled.schema.properties, {
    s: { anyOf: [{ type: "string", enum: ["Open"] }, { type: "string" }] },
    h: { type: "string", description: "Mine." },
  });
});

// K-84
const REFUSED: readonly (readonly [audience: AudienceFields, message: RegExp])[] = [
  [{ nope: {} }, /audience names "nope", which output does not declare/],
  [{ id: { as: "label" }, title: { as: "label" } }, /audience has two labels, "id" and "title"/],
];
for (const [fields, message] of REFUSED) {
  Deno.test(`registerTool() refuses an audience of ${JSON.stringify(fields)} (K-84)`, () => {
    const spec = selectorSpec({ ...one, output: shown, audience: fields, select: () => record });
    assertMatch(assertThrows(() => serveSpec(spec), ConfigurationError).message, message);
  });
}

Deno.test("serviceSpec() refuses an audience without an output (K-84)", () => {
  const error = assertThrows(
    () => serviceSpec({ ...open, audience: { id: {} }, run: () => 1 }),
    ConfigurationError,
  );
  assertMatch(error.message, /audience needs an output, whose fields it names/);
});

/** A field of a generated output: its schema, its values, and what may be said of it. */
const field = fc.oneof(
  fc.record({
    schema: fc.constant({ type: "string", enum: ["a", "b", "c"] }),
    values: fc.constant(fc.constantFrom("a", "b", "c")),
    choices: fc.constantFrom(undefined, { a: "A", b: "B", c: "C" }, { a: "A", b: "A" }),
  }),
  fc.record({
    schema: fc.constant({ type: ["string", "null"], enum: ["a", "b", null] }),
    values: fc.constant(fc.constantFrom("a", "b", null)),
    choices: fc.constantFrom(undefined, { a: "A", b: "B" }, { a: "A", null: "None" }),
  }),
  fc.record({
    schema: fc.constant({ type: "array", items: { type: "integer", enum: [1, 2] } }),
    values: fc.constant(fc.array(fc.constantFrom(1, 2))),
    choices: fc.constantFrom(undefined, { 1: "One", 2: "Two" }, { 1: "One" }),
  }),
  fc.record({
    schema: fc.constantFrom({ type: ["boolean", "null"] }, {
      oneOf: [{ const: true }, { const: null }, { const: false }],
    }),
    values: fc.constant(fc.constantFrom(true, false, null)),
    choices: fc.constantFrom(undefined, { true: "Yes", false: "No" }, {
      true: "Yes",
      false: "Yes",
    }),
  }),
  fc.record({
    schema: fc.constantFrom({}, { type: ["string", "integer"] }),
    values: fc.constant(fc.oneof(fc.string(), fc.integer())),
    choices: fc.constantFrom(undefined, { a: "A", 1: "One" }),
  }),
  fc.record({
    schema: fc.constant({ anyOf: [{ type: "number" }, { type: "null" }] }),
    values: fc.constant(fc.option(fc.integer())),
    choices: fc.constant(undefined),
  }),
);
const said = fc.record({
  as: fc.constantFrom(undefined, "content", "label", "handle", "hidden"),
  isFormatted: fc.boolean(),
  isRequired: fc.boolean(),
  isSpoken: fc.boolean(),
});

Deno.test("a shown row always fits the shown schema, and shows nothing hidden (K-85)", () => {
  const format = {
    schema: { type: "string", minLength: 2 },
    write: (value: unknown) => `<${JSON.stringify(value)}>`,
  };
  fc.assert(fc.property(
    fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.tuple(field, said), { maxKeys: 4 })
      .chain((fields) =>
        fc.tuple(
          fc.constant(fields),
          fc.record(
            Object.fromEntries(
              Object.entries(fields).map((
                [name, [{ values }]],
              ) => [name, values as fc.Arbitrary<unknown>]),
            ),
            {
              requiredKeys: Object.keys(fields).filter((name) => fields[name]![1].isRequired),
            },
          ),
        )
      ),
    ([fields, row]) => {
      const names = Object.keys(fields);
      const schema = {
        type: "object",
        properties: Object.fromEntries(names.map((name) => [name, fields[name]![0].schema])),
        required: names.filter((name) => fields[name]![1].isRequired),
        additionalProperties: false,
      };
      let hasLabel = false;
      const audience: Record<string, AudienceFields[string]> = {};
      for (const [name, [{ choices }, { as, isFormatted, isSpoken }]] of Object.entries(fields)) {
        if (!isSpoken) continue;
        const isSecondLabel = as === "label" && hasLabel;
        hasLabel ||= as === "label";
        audience[name] = {
          ...as === undefined || isSecondLabel ? {} : { as },
          ...choices === undefined ? {} : { choices: choices as Record<string, string> },
          ...isFormatted ? { format } : {},
        };
      }
      const compiled = compileAudience(audience, schema, {
        where: "t",
        handleDescription: "Opaque.",
      });
      const value = compiled.show(row) as object;
      const { valid, errors } = new Validator(compiled.schema, "2020-12", false).validate(value);
      assert(valid, JSON.stringify([value, compiled.schema, errors]));
      for (const [name, { as }] of Object.entries(audience)) {
        if (as === "hidden") {
          assert(!(name in value) && !(name in (compiled.schema.properties as object)));
        }
      }
    },
  ));
});

Deno.test("what is not declared never reaches the wire, whatever is said of the audience (K-85)", async () => {
  const output = jsonSchema({
    type: "object",
    properties: { id: { type: "integer" }, secret: { type: "string" } },
    required: ["id", "secret"],
  }) as Schema<{ id: number; secret: string }>;
  const spec = serviceSpec({
    ...open,
    output,
    audience: { secret: { as: "hidden" } },
    run: () => ({ id: 1, secret: "secret-text" }),
  });
  const { value, body } = await serveSpec(spec).call();
  assertEquals([value, body.includes("secret")], [{ id: 1 }, false]);
});
