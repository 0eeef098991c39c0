/** What a value becomes on the wire, and how a call ends (M-12, M-16, M-25…M-27, T-30, T-46, T-50). */
import { assertEquals } from "@std/assert";
import { authenticated, param, serviceSpec, toolResult, unrestricted } from "@limen/mcp";
import { z } from "zod";
import { serveSpec } from "../../_support/serve_spec.ts";

const open = { permissions: [unrestricted] };
const PNG = { contentKind: "image", contentMimeType: "image/png" };
const WAV = { contentKind: "audio", contentMimeType: "audio/wav" };
const link = { uri: "x://a", name: "A", description: "D.", mimeType: "a/b", annotations: {} };
const window = new Uint8Array([0, 104, 105, 0]).subarray(1, 3);
const text = (value: string) => ({ type: "text", text: value });

// M-25, M-26: by kind, never by looking at the value.
const KINDS: readonly (readonly [
  title: string,
  binding: object,
  value: unknown,
  content: readonly object[],
  structured?: unknown,
])[] = [
  ["json", {}, { b: 1, a: [null] }, [text('{"b":1,"a":[null]}')], { b: 1, a: [null] }],
  ["json of a date", {}, { at: new Date(0) }, [text('{"at":"1970-01-01T00:00:00.000Z"}')], {
    at: "1970-01-01T00:00:00.000Z",
  }],
  ["json that looks like a link", {}, { uri: "x://a", name: "A" }, [
    text('{"uri":"x://a","name":"A"}'),
  ], { uri: "x://a", name: "A" }],
  ["a text", {}, "# Hello", [text("# Hello")]],
  ["a text by kind", { contentKind: "text" }, "a", [text("a")]],
  ["bytes", PNG, new Uint8Array([104, 105]), [{
    type: "image",
    data: "aGk=",
    mimeType: "image/png",
  }]],
  ["a window of bytes", PNG, window, [{ type: "image", data: "aGk=", mimeType: "image/png" }]],
  ["a view", WAV, new DataView(window.buffer, 1, 2), [
    { type: "audio", data: "aGk=", mimeType: "audio/wav" },
  ]],
  ["a buffer", PNG, new Uint8Array([104, 105]).buffer, [
    { type: "image", data: "aGk=", mimeType: "image/png" },
  ]],
  ["a blob", PNG, new Blob(["hi"]), [{ type: "image", data: "aGk=", mimeType: "image/png" }]],
  ["base64", PNG, "aGk=", [{ type: "image", data: "aGk=", mimeType: "image/png" }]],
  ["a link", { contentKind: "links" }, link, [{ type: "resource_link", ...link }], link],
  ["links", { contentKind: "links" }, [link], [{ type: "resource_link", ...link }], [link]],
  ["blocks", { contentKind: "blocks" }, [text("a"), text("b")], [text("a"), text("b")]],
];

for (const [title, binding, value, content, structured] of KINDS) {
  for (const era of ["modern", "legacy"] as const) {
    Deno.test(`a tool serves ${title} by its contentKind, in the ${era} era (M-25, M-26, T-50)`, async () => {
      const { result } = await serveSpec(serviceSpec({ ...open, run: () => value }), { binding })
        .call({}, { era });
      assertEquals(result?.content, content);
      const isWrapped = era === "legacy" && Array.isArray(structured);
      assertEquals(result?.structuredContent, isWrapped ? { result: structured } : structured);
      assertEquals("isError" in result!, false);
      assertEquals(result?.resultType, era === "modern" ? "complete" : undefined);
    });
  }
}

Deno.test("a result by hand carries what its author says, metadata of the call included (M-5, M-25)", async () => {
  const resource = { uri: "x://a", text: "a" };
  const run = () =>
    toolResult({
      content: [{ type: "resource", resource }],
      structuredContent: { a: 1 },
      meta: { "example/key": 1 },
    });
  const { result } = await serveSpec(serviceSpec({ ...open, run }), {
    binding: { meta: { "example/listed": 1 } },
  }).call();
  assertEquals(result?.content, [{ type: "resource", resource }]);
  assertEquals(result?.structuredContent, { a: 1 });
  assertEquals(result?._meta["example/key"], 1);
  assertEquals("example/listed" in result?._meta, false); // never the binding's
});

// M-27, T-46
const MISFITS: readonly (readonly [binding: object, value: unknown, message: string])[] = [
  [
    PNG,
    { a: 1 },
    'Tool "t" declares contentKind "image": expected bytes or base64 text, got object',
  ],
  [
    { contentKind: "text" },
    5,
    'Tool "t" declares contentKind "text": expected a string, got number',
  ],
  [
    { contentKind: "links" },
    [{ uri: "x://a" }],
    'Tool "t" declares contentKind "links": expected objects with uri and name, got object',
  ],
  [
    { contentKind: "blocks" },
    "a",
    'Tool "t" declares contentKind "blocks": expected a list of content blocks, got string',
  ],
];

for (const [binding, value, message] of MISFITS) {
  Deno.test(`${message} (M-27, T-46)`, async () => {
    const { refusal } = await serveSpec(serviceSpec({ ...open, run: () => value }), { binding })
      .call();
    assertEquals(refusal, { type: "output_encoding", message });
  });
}

Deno.test("a result over its ceiling is refused in full, in both eras (M-30, T-46)", async () => {
  const spec = serviceSpec({ ...open, run: () => ({ text: "x".repeat(500) }) });
  for (const era of ["modern", "legacy"] as const) {
    const tool = serveSpec(spec, { binding: { maxResultBytes: 1000 } });
    assertEquals((await tool.call({}, { era })).refusal?.type, "result_too_large");
    const lifted = { binding: { maxResultBytes: null }, server: { maxResultBytes: 10 } };
    assertEquals((await serveSpec(spec, lifted).call({}, { era })).refusal, undefined);
  }
});

Deno.test("a call is judged in one order: name, scopes, permissions, arguments, run (T-30)", async () => {
  const noted: string[] = [];
  const spec = serviceSpec({
    reads: { id: param.integer({ required: true }) },
    permissions: [authenticated],
    run: () => {
      noted.push("run");
      return 1;
    },
  });
  const tool = serveSpec(spec, { binding: { scopes: "a" } });
  const nobody = { user: { authenticated: false } };
  const ada = { user: { id: "ada", authenticated: true } };
  const token = { scopes: ["a"] };
  const unknown = { params: { name: "u", arguments: { id: 1 } } };
  assertEquals((await tool.call({}, { input: unknown })).error?.code, -32602); // T-30.1
  const unscoped = await tool.call({}, { as: nobody });
  assertEquals(unscoped.error?.data, { requiredScopes: ["a"] });
  const denied = await tool.call({}, { as: { ...nobody, token } });
  assertEquals(denied.error, { code: -32006, message: "Insufficient permission" });
  const invalid = await tool.call({ id: "x" }, { as: { ...ada, token } });
  assertEquals(invalid.refusal?.detail, { id: ["Enter a whole number."] });
  assertEquals(noted, []);
  assertEquals((await tool.call({ id: 1 }, { as: { ...ada, token } })).value, 1);
});

for (
  const params of [{ name: 5 }, {}, { name: "t", arguments: [] }, { name: "t", arguments: "a" }]
) {
  Deno.test(`tools/call with ${JSON.stringify(params)} is malformed (T-30)`, async () => {
    const { status, error } = await serveSpec(serviceSpec({ ...open, run: () => 1 }))
      .call({}, { input: { params } });
    assertEquals([status, error?.code], [200, -32602]);
  });
}

Deno.test("an author's words replace the text and never the structure (M-16)", async () => {
  const spec = serviceSpec({
    ...open,
    output: z.object({ id: z.number() }),
    text: ({ id }) => `Number ${id}`,
    run: () => ({ id: 1 }),
  });
  const { result } = await serveSpec(spec).call();
  assertEquals([result?.content, result?.structuredContent], [[text("Number 1")], { id: 1 }]);
});

Deno.test("a server says who it is; empty icons are none, and instructions are not its description (M-12)", async () => {
  const about = { title: "S", description: "A server.", websiteUrl: "https://s.example" };
  const server = { ...about, icons: [], instructions: "Ask." };
  const tool = serveSpec(serviceSpec({ ...open, run: () => 1 }), { server });
  const { result } = await tool.call();
  assertEquals(result?._meta["io.modelcontextprotocol/serverInfo"], {
    name: "s",
    version: "1",
    ...about,
  });
});
