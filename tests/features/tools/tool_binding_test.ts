import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  ConfigurationError,
  jsonSchema,
  McpServer,
  param,
  selectorSpec,
  serviceSpec,
  unrestricted,
} from "@limen/mcp";
import { z } from "zod";
import { mcpRequest } from "../../_support/mcp_request.ts";
import { readAnswer } from "../../_support/read_answer.ts";
import { assertSound } from "../../_support/wire_sheet.ts";

const open = { permissions: [unrestricted] };
const spec = serviceSpec({ ...open, run: () => 1 });
const withOutput = serviceSpec({ ...open, output: z.object({}), run: () => ({}) });
const valid = { name: "a", description: "Does it." };

const REFUSED: readonly (readonly [
  title: string,
  spec: unknown,
  options: object,
  message: RegExp,
])[] = [
  ["an empty name", spec, { name: "" }, /name must have 1 to 128 characters/],
  ["a long name", spec, { name: "x".repeat(129) }, /name must have 1 to 128 characters/],
  ["a name that is no text", spec, { name: 5 }, /name must have 1 to 128 characters/],
  ["a description that is no text", spec, { description: 5 }, /description must be a text$/],
  ["an unknown option", spec, { colour: 1 }, /colour is not an option of a tool/],
  ["what is no spec", {}, {}, /expected a spec made by serviceSpec\(\) or selectorSpec\(\)/],
  ["an unknown policy", spec, { unknownArguments: "warn" }, /unknownArguments must be/],
  ["no scopes", spec, { scopes: [] }, /scopes is empty, which would admit everyone/],
  ["a scope that breaks out", spec, { scopes: ['a"b'] }, /scopes holds "a\\"b", not a scope/],
  ["two scopes in one", spec, { scopes: "a b" }, /scopes holds "a b", not a scope/],
  ["an empty scope", spec, { scopes: "" }, /scopes holds "", not a scope/],
  ["an unknown kind", spec, { contentKind: "xml" }, /contentKind must be one of json, text/],
  ["an inherited kind", spec, { contentKind: "toString" }, /contentKind must be one of/],
  ["media without a type", spec, { contentKind: "image" }, /contentMimeType is needed/],
  ["a type without media", spec, { contentMimeType: "a/b" }, /contentMimeType is for image/],
  ["text with an output", withOutput, { contentKind: "text" }, /output cannot be served as/],
  ["capabilities that are a text", spec, { requiresClient: "roots" }, /requiresClient must be/],
  ["a ceiling of nothing", spec, { maxResultBytes: 0 }, /maxResultBytes must be an integer/],
  ["a ceiling that is a text", spec, { maxResultBytes: "1" }, /maxResultBytes must be an integer/],
  ["metadata that is a list", spec, { meta: [] }, /meta must be an object/],
  ["metadata that is no JSON", spec, { meta: { n: 2n ** 64n } }, /meta.*bigint is out of range/],
  ["hints that are a text", spec, { annotations: "safe" }, /annotations must be an object/],
  [
    "two arguments under one header",
    serviceSpec({
      ...open,
      reads: { a: param.string({ header: "X" }), b: param.string({ header: "x" }) },
      run: () => 1,
    }),
    {},
    /repeats the header mcp-param-x/,
  ],
  [
    "an input that is no object",
    serviceSpec({ ...open, input: jsonSchema({ type: "array" }), run: () => 1 }),
    {},
    /input of tool "a"/,
  ],
];

for (const [title, one, options, message] of REFUSED) {
  Deno.test(`registerTool() refuses ${title}, naming the tool and the property`, () => {
    const server = new McpServer({ name: "s", version: "1" });
    const error = assertThrows(
      () => server.registerTool(one as typeof spec, { ...valid, ...options } as typeof valid),
      ConfigurationError,
    );
    assertMatch(error.message, message);
    const { name = "a" } = options as { name?: unknown };
    assert(error.message.includes(`tool ${JSON.stringify(name)}`), error.message);
  });
}

Deno.test("registerTool() refuses a name that is taken; names have a case (B65)", () => {
  const server = new McpServer({ name: "s", version: "1" });
  server.registerTool(spec, valid);
  server.registerTool(spec, { ...valid, name: "A" });
  const error = assertThrows(() => server.registerTool(spec, valid), ConfigurationError);
  assertEquals(error.message, 'Cannot register tool "a": the name is taken');
});

Deno.test("tool() refuses an effect that it does not know", () => {
  const server = new McpServer({ name: "s", version: "1" });
  for (const effect of ["write", "toString", undefined]) {
    const options = { ...open, description: "T.", effect: effect as "act" };
    const error = assertThrows(() => server.tool("a", options, () => 1), ConfigurationError);
    assertEquals(
      error.message,
      'Cannot register tool "a": effect must be one of read, act, create, update, delete',
    );
  }
});

/** The tools that a server lists. */
async function listed(server: McpServer) {
  const answer = await readAnswer(await server.fetch(mcpRequest("modern")));
  assertSound(answer, "tools/list");
  return answer.message?.result.tools;
}

Deno.test("tools/list tells everything that was declared (M-1, M-2, M-5)", async () => {
  const server = new McpServer({ name: "s", version: "1" });
  server.registerTool(
    selectorSpec({
      ...open,
      kind: "list",
      reads: { status: param.string({ choices: ["open", "paid"], help: "Only these." }) },
      output: z.object({ id: z.number() }),
      select: () => [],
    }),
    {
      ...valid,
      title: "A",
      annotations: { openWorldHint: false },
      meta: { "example/key": [1] },
    },
  );
  assertEquals(await listed(server), [{
    name: "a",
    title: "A",
    description: "Does it.",
    inputSchema: {
      type: "object",
      properties: {
        status: { type: "string", enum: ["open", "paid"], description: "Only these." },
      },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    _meta: { "example/key": [1] },
    outputSchema: {
      type: "array",
      items: {
        type: "object",
        properties: { id: { type: "number" } },
        required: ["id"],
        additionalProperties: false,
      },
    },
  }]);
});

const HINTS = [
  ["read", undefined, { readOnlyHint: true }],
  ["act", undefined, { readOnlyHint: false, destructiveHint: true }],
  ["act", true, { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
  ["create", undefined, { readOnlyHint: false, destructiveHint: false }],
  ["update", false, { readOnlyHint: false, destructiveHint: true, idempotentHint: false }],
  ["delete", undefined, { readOnlyHint: false, destructiveHint: true }],
] as const;

for (const [effect, idempotent, annotations] of HINTS) {
  const said = idempotent === undefined ? "" : `, idempotent: ${idempotent}`;
  Deno.test(`tool() derives the hints of effect: "${effect}"${said} (M-1, M-3)`, async () => {
    const server = new McpServer({ name: "s", version: "1" });
    const more = idempotent === undefined ? {} : { idempotent };
    server.tool("a", { ...open, ...more, description: "T.", effect }, () => 1);
    assertEquals((await listed(server))[0].annotations, annotations);
  });
}

Deno.test("tool() lets the author's hints win (M-2)", async () => {
  const server = new McpServer({ name: "s", version: "1" });
  const annotations = { destructiveHint: true, title: "A" };
  server.tool("a", { ...open, annotations, description: "T.", effect: "create" }, () => 1);
  assertEquals((await listed(server))[0].annotations, {
    readOnlyHint: false,
    destructiveHint: true,
    title: "A",
  });
});
