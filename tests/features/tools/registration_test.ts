/** Every knob of a tool, and every refusal at its registration (T-2, T-3, T-10…T-17, M-10, M-11). */
import { assertEquals, assertThrows } from "@std/assert";
import {
  ConfigurationError,
  McpServer,
  param,
  selectorSpec,
  serviceSpec,
  unrestricted,
} from "@limen/mcp";
import { z } from "zod";
import { serveSpec } from "../../_support/serve_spec.ts";

const open = { permissions: [unrestricted] };
const service = serviceSpec({ ...open, run: () => 1 });
const list = selectorSpec({ ...open, kind: "list", select: () => [1] });
const retrieve = selectorSpec({ ...open, kind: "retrieve", select: () => ({ id: 1 }) });
const described = serviceSpec({
  ...open,
  reads: { id: param.integer() },
  output: z.object({ id: z.number() }),
  run: () => ({ id: 1 }),
});

Deno.test("a tool without knobs is listed with what follows from its spec (T-2, L-2)", async () => {
  const tool = serveSpec(service);
  for (const era of ["modern", "legacy"] as const) {
    assertEquals(await tool.entry(era), {
      name: "t",
      description: "Tests.",
      inputSchema: { type: "object", additionalProperties: false },
      annotations: { readOnlyHint: false, destructiveHint: true },
    });
  }
});

Deno.test("a tool with every knob of a listing is listed with all of them (T-2, M-2, M-5, M-10, L-2)", async () => {
  const icons = [
    { src: "https://s.example/i.png", mimeType: "image/png", sizes: ["48x48"], theme: "dark" },
    { src: "data:image/png;base64,AA==" },
  ];
  const meta = { "example/key": { deep: [1, null] }, io: "x" };
  const tool = serveSpec(described, {
    binding: {
      title: "T",
      icons,
      meta,
      annotations: { destructiveHint: false, openWorldHint: false, title: "Mine" },
      displayName: "For people",
      displayDescription: "For this process",
    },
  });
  assertEquals(await tool.entry(), {
    name: "t",
    title: "T",
    description: "Tests.",
    icons,
    inputSchema: {
      type: "object",
      properties: { id: { type: "integer" } },
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      openWorldHint: false,
      title: "Mine",
    },
    _meta: meta,
    outputSchema: {
      type: "object",
      properties: { id: { type: "number" } },
      required: ["id"],
      additionalProperties: false,
    },
  }); // displayName and displayDescription are never sent
});

Deno.test("empty metadata and empty icons are left out (M-5, M-12)", async () => {
  const entry = await serveSpec(service, { binding: { meta: {}, icons: [] } }).entry();
  assertEquals(["_meta" in entry, "icons" in entry], [false, false]);
});

Deno.test("a tool without a description warns, and where they are required is refused (T-2, T-12)", async () => {
  for (const description of [undefined, "", " \n"]) {
    const tool = serveSpec(service, { binding: { description } });
    assertEquals(tool.events.map(({ level, event }) => [level, event]), [
      ["warning", "UndescribedTool"],
    ]);
    assertEquals("description" in await tool.entry(), false); // no fallback, and no blank
    const server = { requireToolDescriptions: true };
    const error = assertThrows(
      () => serveSpec(service, { binding: { description }, server }),
      ConfigurationError,
    );
    assertEquals(
      error.message,
      'Cannot register tool "t": description must say what the tool does',
    );
  }
});

Deno.test("a list that is not paged warns, and where paging is required is refused (T-17, Q-8)", () => {
  assertEquals(serveSpec(list).events.map(({ event }) => event), ["UnboundedList"]);
  assertEquals(serveSpec(list, { binding: { paginate: true } }).events, []);
  const error = assertThrows(
    () => serveSpec(list, { server: { requireListPagination: true } }),
    ConfigurationError,
  );
  assertEquals(error.message, 'Cannot register tool "t": a list needs paginate: true');
});

Deno.test("what a server refuses leaves nothing registered (T-1, K-3)", async () => {
  const server = new McpServer({ name: "s", version: "1", requireToolDescriptions: true });
  assertThrows(() => server.registerTool(service, { name: "t" }), ConfigurationError);
  server.registerTool(service, { name: "t", description: "Now it does." });
  await server.close();
});

// T-10…T-16: the message names the tool and the property.
const REFUSED: readonly (readonly [spec: unknown, binding: object, problem: string])[] = [
  [{}, {}, "expected a spec made by serviceSpec() or selectorSpec()"], // K-2, T-10
  [{ ...service }, {}, "expected a spec made by serviceSpec() or selectorSpec()"],
  [undefined, {}, "expected a spec made by serviceSpec() or selectorSpec()"],
  [service, { paginate: true }, "paginate is for a list, not for a service"], // T-11
  [service, { paginate: false }, "paginate is for a list, not for a service"],
  [service, { maxPageSize: 5 }, "maxPageSize is for a list, not for a service"],
  [retrieve, { paginate: true }, "paginate is for a list, not for a retrieve"],
  [retrieve, { maxPageSize: 5 }, "maxPageSize is for a list, not for a retrieve"],
  [list, { maxPageSize: 0 }, "maxPageSize must be an integer of at least 1, or null for no bound"],
  [list, { paginate: "yes" }, "paginate must be true or false"],
  [service, { unknownArguments: "passthrough" }, 'unknownArguments must be "reject" or "ignore"'],
  [service, { permissions: [] }, "permissions is not an option of a tool"], // T-4
  [service, { outputFormat: "toon" }, "outputFormat is not an option of a tool"], // T-4
  [
    service,
    { scopes: [] },
    "scopes is empty, which would admit everyone; leave it out instead",
  ], // T-13
  [
    service,
    { includeOutputSchema: true, includeStructuredContent: false },
    "includeOutputSchema promises what includeStructuredContent leaves out",
  ], // T-14
  [service, { contentKind: "image" }, 'contentMimeType is needed for contentKind "image"'], // T-15
  [service, { contentKind: "audio" }, 'contentMimeType is needed for contentKind "audio"'],
  [
    service,
    { contentMimeType: "image/png" },
    'contentMimeType is for image and audio, not for "json"',
  ],
  [
    service,
    { contentKind: "image", contentMimeType: "image/png", includeStructuredContent: true },
    'includeStructuredContent cannot be true for contentKind "image"',
  ],
  [
    service,
    { contentKind: "audio", contentMimeType: "audio/wav", includeOutputSchema: true },
    'includeOutputSchema cannot be true for contentKind "audio"',
  ],
  [
    described,
    { contentKind: "image", contentMimeType: "image/png" },
    'output cannot be served as contentKind "image"',
  ],
  [service, { alwaysListed: 1 }, "alwaysListed must be true or false"],
  [service, { title: " " }, "title must be a text that is not blank"],
  [service, { displayName: 5 }, "displayName must be a text"],
  [service, { annotations: [] }, "annotations must be an object"],
  [service, { serverArguments: 5 }, "serverArguments must be an object"],
  [
    service,
    { dispatchTimeoutMs: 0 },
    "dispatchTimeoutMs must be an integer of at least 1, or null for no bound",
  ],
  [
    service,
    { maxResultBytes: 1.5 },
    "maxResultBytes must be an integer of at least 1, or null for no bound",
  ],
  ...["http://s.example/i.png", "javascript:alert(1)", "file:///i.png", "", "https:i.png"].map(
    (src) =>
      [service, { icons: [{ src }] }, "the src of an icon must be an https: or data: URL"] as const,
  ), // M-11, T-16
  [service, { icons: [{}] }, "icons must be a list of objects with src"],
  [service, { icons: {} }, "icons must be a list of objects with src"],
  [
    service,
    { icons: [{ src: "data:,", theme: "blue" }] },
    'the theme of an icon must be "light" or "dark"',
  ],
  [service, { icons: [{ src: "data:,", sizes: "48x48" }] }, "the sizes of an icon must be a list"],
];

for (const [spec, binding, problem] of REFUSED) {
  Deno.test(`registerTool() refuses ${JSON.stringify(binding)}: ${problem} (T-10 to T-16)`, () => {
    const error = assertThrows(() => serveSpec(spec, { binding }), ConfigurationError);
    assertEquals(error.message, `Cannot register tool "t": ${problem}`);
  });
}

Deno.test("registerTool() refuses a name twice, and keeps the first (T-10)", async () => {
  const { server, call } = serveSpec(service);
  const error = assertThrows(
    () => server.registerTool(retrieve, { name: "t", description: "Another." }),
    ConfigurationError,
  );
  assertEquals(error.message, 'Cannot register tool "t": the name is taken');
  assertEquals((await call()).value, 1);
});

const A = { token: { scopes: ["a"] }, user: { id: "ada", authenticated: true } };
const AB = { ...A, token: { scopes: ["b", "a", "c"] } };

Deno.test("scopes are all needed, and one may be written without a list (T-13, T-30)", async () => {
  const both = serveSpec(service, { binding: { scopes: ["a", "b"] } });
  for (const as of [undefined, A]) {
    const { status, error } = await both.call({}, as === undefined ? {} : { as });
    assertEquals([status, error], [403, {
      code: -32006,
      message: "Insufficient permission",
      data: { requiredScopes: ["a", "b"] },
    }]);
  }
  assertEquals((await both.call({}, { as: AB })).value, 1);
  const one = serveSpec(service, { binding: { scopes: "abc" } });
  assertEquals((await one.call()).error?.data, { requiredScopes: ["abc"] });
});

// M-15: what is sent and advertised, by server and by tool.
const INCLUDED:
  readonly (readonly [server: object, binding: object, value: boolean, schema: boolean])[] = [
    [{}, {}, true, true],
    [{ includeOutputSchema: false }, {}, true, false],
    [{ includeStructuredContent: false, includeOutputSchema: false }, {}, false, false],
    [{ includeOutputSchema: false }, { includeOutputSchema: true }, true, true],
    [{}, { includeOutputSchema: false }, true, false],
    [{}, { includeStructuredContent: false, includeOutputSchema: false }, false, false],
    [{ includeStructuredContent: false }, { includeStructuredContent: true }, true, true],
    [{}, { includeStructuredContent: false }, false, false],
  ];

for (const [server, binding, value, schema] of INCLUDED) {
  Deno.test(`${JSON.stringify([server, binding])} sends a value: ${value}, a schema: ${schema} (M-15, M-16, T-50)`, async () => {
    const tool = serveSpec(described, { server, binding });
    const { result } = await tool.call();
    assertEquals("structuredContent" in result!, value);
    assertEquals(result!.content, [{ type: "text", text: '{"id":1}' }]); // M-16: always in full
    assertEquals("outputSchema" in await tool.entry(), schema);
  });
}

Deno.test("a tool that is removed is neither listed nor called", async () => {
  const tool = serveSpec(service);
  const options = { name: "u", description: "U." };
  const registration = tool.server.registerTool(retrieve, options);
  const input = { params: { name: "u" } };
  assertEquals((await tool.call({}, { input })).value, { id: 1 });
  registration.remove();
  registration.remove(); // twice does nothing
  assertEquals((await tool.call({}, { input })).error?.message, 'Unknown tool: "u"');
  assertEquals((await tool.entry()).name, "t");
  tool.server.registerTool(list, options); // the name is free again
  assertEquals((await tool.call({}, { input })).value, [1]);
});
