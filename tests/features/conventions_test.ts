/** Sentences that a server adds for agents (M-40…M-43). */
import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { ConfigurationError, param, selectorSpec, serviceSpec, unrestricted } from "@limen/mcp";
import { z } from "zod";
import { renderConventions } from "../../src/features/conventions.ts";
import { serveSpec } from "../_support/serve_spec.ts";

const NAMES = "`id`, `name`";

Deno.test("conventions keep the library's words where none are given (M-40, M-43)", () => {
  const { missingArguments, ...rest } = renderConventions({});
  assertEquals(missingArguments(NAMES), "Missing required argument(s): `id`, `name`.");
  assertEquals(rest, {
    handleFieldDescription:
      "Opaque value for other tools; never read it out to the user or make one up.",
    handleLine: "Handles are opaque: pass them on to other tools as they are, never show them.",
    queryParamOnPages: "On a paged result it applies to each item in items, never to the page " +
      "envelope (items, page, totalPages, hasNext).",
  });
});

// M-42: every field is a template.
const TEMPLATES: readonly (readonly [template: string, rendered: string])[] = [
  ["Send {names}!", "Send `id`, `name`!"],
  ["{names}", "`id`, `name`"],
  ["{names} and {names}", "`id`, `name` and `id`, `name`"],
  ["{{names}}", "{names}"],
  ["{{{names}}}", "{`id`, `name`}"],
  ["Say what.", "Say what."],
];
for (const [template, rendered] of TEMPLATES) {
  Deno.test(`missingArguments ${JSON.stringify(template)} says ${JSON.stringify(rendered)} (M-42)`, () => {
    assertEquals(
      renderConventions({ missingArguments: template }).missingArguments(NAMES),
      rendered,
    );
  });
}

const FIELDS = ["handleFieldDescription", "handleLine", "queryParamOnPages"] as const;

for (const field of FIELDS) {
  Deno.test(`${field} is dropped by null, and renders braces (M-40, M-42)`, () => {
    assertEquals(renderConventions({ [field]: null })[field], undefined);
    assertEquals(renderConventions({ [field]: "a {{b}}" })[field], "a {b}");
  });
}

const REFUSED: readonly (readonly [field: string, value: unknown, problem: RegExp])[] = [
  ...FIELDS.flatMap((field) =>
    ([
      ["{names}", /has the placeholder \{names\}, which it does not take/],
      ["{", /has a single brace; double it/],
      ["a } b", /has a single brace; double it/],
      [5, /must be a text or null/],
    ] as const).map(([value, problem]) => [field, value, problem] as const)
  ),
  ...([
    ["{name}", /has the placeholder \{name\}/],
    ["{}", /has the placeholder \{\}/],
    ["{names:q}", /has the placeholder \{names:q\}/],
    ["{names!z}", /has the placeholder \{names!z\}/],
    ["{names", /has a single brace; double it/],
    ["names}", /has a single brace; double it/],
    ["{{names}", /has a single brace; double it/],
    ["", /must be a sentence/],
    [" \n", /must be a sentence/],
    [null, /must be a sentence/],
    [5, /must be a sentence/],
  ] as const).map(([value, problem]) => ["missingArguments", value, problem] as const),
  ["handle_line", "a", /is not a convention/],
];

for (const [field, value, problem] of REFUSED) {
  Deno.test(`new McpServer() refuses ${field} ${JSON.stringify(value)} (M-40, M-42)`, () => {
    const spec = serviceSpec({ permissions: [unrestricted], run: () => 1 });
    const conventions = { [field]: value };
    const error = assertThrows(
      () => serveSpec(spec, { server: { conventions } }),
      ConfigurationError,
    );
    assertMatch(error.message, new RegExp(`^Cannot create server: convention ${field} `));
    assertMatch(error.message, problem);
  });
}

const list = selectorSpec({
  permissions: [unrestricted],
  kind: "list",
  reads: { id: param.integer({ required: true }) },
  shapes: { fields: param.string({ help: "Which." }) },
  output: z.object({ id: z.string(), other: z.string().describe("Mine.") }),
  audience: { id: { as: "handle" }, other: { as: "handle" } },
  select: () => [],
});

Deno.test("a server's own words reach every place (M-41)", async () => {
  const conventions = {
    handleFieldDescription: "H.",
    handleLine: "L.",
    queryParamOnPages: "P.",
    missingArguments: "Send {names}.",
  };
  const tool = serveSpec(list, { server: { conventions }, binding: { paginate: true } });
  const { description, inputSchema, outputSchema } = await tool.entry();
  assertEquals(description, "Tests. L."); // no label, no prefix
  assertEquals(inputSchema.properties.fields.description, "Which. P.");
  const { properties } = outputSchema.properties.items.items;
  assertEquals([properties.id.description, properties.other.description], ["H.", "Mine."]);
  for (const era of ["modern", "legacy"] as const) {
    assertEquals((await tool.call({}, { era })).refusal?.message, "Send `id`.");
  }
});

Deno.test("null drops a sentence everywhere, its prefix too (M-40, M-41)", async () => {
  const conventions = { handleFieldDescription: null, handleLine: null, queryParamOnPages: null };
  const tool = serveSpec(list, { server: { conventions }, binding: { paginate: true } });
  const { description, inputSchema, outputSchema } = await tool.entry();
  assertEquals(description, "Tests.");
  assertEquals(inputSchema.properties.fields.description, "Which.");
  assertEquals("description" in outputSchema.properties.items.items.properties.id, false);
});

Deno.test("a shape of a list that is not paged is told nothing of pages (M-40)", async () => {
  const { inputSchema } = await serveSpec(list).entry();
  assertEquals(inputSchema.properties.fields.description, "Which.");
});
