import { assertEquals, assertThrows } from "@std/assert";
import { findMirroredHeaders } from "../../src/schema/mirrored_headers.ts";
import type { JsonSchema } from "../../src/schema/convert_schema.ts";

const region = { type: "string", "x-mcp-header": "Region" };

Deno.test("findMirroredHeaders() finds string, integer and boolean arguments at any depth", () => {
  const schema = {
    type: "object",
    properties: {
      region,
      "x-mcp-header": { type: "number" },
      inner: {
        type: "object",
        properties: {
          properties: { type: "integer", "x-mcp-header": "Shard-Id" },
          dry: { type: "boolean", "x-mcp-header": "dry!run" },
        },
      },
    },
    default: { "x-mcp-header": "none" },
    anyOf: [{ required: ["region"] }],
  };
  assertEquals(findMirroredHeaders(schema, 'tool "a"'), [
    { header: "mcp-param-region", path: ["region"], type: "string" },
    { header: "mcp-param-shard-id", path: ["inner", "properties"], type: "integer" },
    { header: "mcp-param-dry!run", path: ["inner", "dry"], type: "boolean" },
  ]);
});

Deno.test("findMirroredHeaders() finds none where there is none", () => {
  assertEquals(findMirroredHeaders({ type: "object" }, 'tool "a"'), []);
});

const WRONG: readonly { readonly schema: JsonSchema; readonly message: string }[] = [
  {
    schema: { properties: { a: { type: "string", "x-mcp-header": "" } } },
    message: "properties.a needs an HTTP token as x-mcp-header",
  },
  {
    schema: { properties: { a: { type: "string", "x-mcp-header": "a\r\nb" } } },
    message: "properties.a needs an HTTP token as x-mcp-header",
  },
  {
    schema: { properties: { a: { type: "string", "x-mcp-header": "É" } } },
    message: "properties.a needs an HTTP token as x-mcp-header",
  },
  {
    schema: { properties: { a: { type: "string", "x-mcp-header": true } } },
    message: "properties.a needs an HTTP token as x-mcp-header",
  },
  {
    schema: { properties: { region, b: { type: "integer", "x-mcp-header": "REGION" } } },
    message: "properties.b repeats the header mcp-param-region",
  },
  {
    schema: { properties: { a: { type: "number", "x-mcp-header": "A" } } },
    message: "properties.a is neither string, integer nor boolean",
  },
  {
    schema: { properties: { a: { type: ["string", "null"], "x-mcp-header": "A" } } },
    message: "properties.a is neither string, integer nor boolean",
  },
  {
    schema: { properties: { a: { $ref: "#/$defs/a", "x-mcp-header": "A" } } },
    message: "properties.a is neither string, integer nor boolean",
  },
  { schema: region, message: "its root is not reached through properties alone" },
  {
    schema: { properties: { a: { items: region } } },
    message: "properties.a.items is not reached through properties alone",
  },
  {
    schema: { anyOf: [{ properties: { region } }] },
    message: "anyOf.0.properties.region is not reached through properties alone",
  },
  {
    schema: { then: { properties: { region } } },
    message: "then.properties.region is not reached through properties alone",
  },
  {
    schema: { $defs: { region } },
    message: "$defs.region is not reached through properties alone",
  },
  {
    schema: { patternProperties: { "^a": region } },
    message: "patternProperties.^a is not reached through properties alone",
  },
];

for (const { schema, message } of WRONG) {
  Deno.test(`findMirroredHeaders() refuses: ${message} ${JSON.stringify(schema)}`, () => {
    const error = assertThrows(() => findMirroredHeaders(schema, 'tool "a"'), Error) as Error;
    assertEquals(error.name, "ConfigurationError");
    assertEquals(
      error.message,
      `Cannot mirror an argument of tool "a" into a header: ${message}`,
    );
  });
}
