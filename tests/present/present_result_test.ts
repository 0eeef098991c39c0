import { assertEquals, assertThrows } from "@std/assert";
import {
  type ContentKind,
  type Presentation,
  presentResult,
} from "../../src/present/present_result.ts";

/** How a tool presents, with what a test is about. */
function how(contentKind: ContentKind, more: Partial<Presentation> = {}): Presentation {
  return {
    tool: "t",
    contentKind,
    contentMimeType: contentKind === "image" || contentKind === "audio" ? "image/png" : undefined,
    text: undefined,
    hasOutput: false,
    wrapsForLegacy: undefined,
    structuredContent: contentKind === "json" || contentKind === "links",
    ...more,
  };
}

/** The members of a result, parsed. */
async function present(value: unknown, presentation: Presentation): Promise<unknown> {
  const { members, structured } = await presentResult({ value }, presentation);
  const structuredContent = structured === undefined ? "" : `,"structuredContent":${structured}`;
  return JSON.parse(`{${members}${structuredContent}}`);
}

function text(value: string): object {
  return { type: "text", text: value };
}

const cases: readonly (readonly [
  title: string,
  value: unknown,
  presentation: Presentation,
  expected: object,
])[] = [
  ["an object as text and structure", { b: 1, a: "x" }, how("json"), {
    content: [text('{"b":1,"a":"x"}')],
    structuredContent: { b: 1, a: "x" },
  }],
  ["a text without output as it is", '{"a":1}', how("json"), { content: [text('{"a":1}')] }],
  ["a text with output as JSON", "a", how("json", { hasOutput: true }), {
    content: [text('"a"')],
    structuredContent: "a",
  }],
  ["a value in the author's words", { a: 1 }, how("json", { text: () => "**one**" }), {
    content: [text("**one**")],
    structuredContent: { a: 1 },
  }],
  ["a text in the author's words", "a", how("json", { text: (value) => `<${value}>` }), {
    content: [text("<a>")],
  }],
  ["a value without its structure", { a: 1 }, how("json", { structuredContent: false }), {
    content: [text('{"a":1}')],
  }],
  ["a text", "a\u2028", how("text"), { content: [text("a\u2028")] }],
  ["bytes", new Uint8Array([104, 105]), how("image"), {
    content: [{ type: "image", data: "aGk=", mimeType: "image/png" }],
  }],
  ["base64", "aGk=", how("audio", { contentMimeType: "audio/wav" }), {
    content: [{ type: "audio", data: "aGk=", mimeType: "audio/wav" }],
  }],
  ["one link", { uri: "x://a", name: "A" }, how("links"), {
    content: [{ type: "resource_link", uri: "x://a", name: "A" }],
    structuredContent: { uri: "x://a", name: "A" },
  }],
  ["links", [{ uri: "x://a", name: "A", mimeType: "text/plain", type: "file" }], how("links"), {
    content: [{ type: "resource_link", uri: "x://a", name: "A", mimeType: "text/plain" }],
    structuredContent: [{ uri: "x://a", name: "A", mimeType: "text/plain", type: "file" }],
  }],
  ["no links", [], how("links"), { content: [], structuredContent: [] }],
  ["blocks", [text("a"), text("b")], how("blocks"), { content: [text("a"), text("b")] }],
];

for (const [title, value, presentation, expected] of cases) {
  Deno.test(`presentResult() presents ${title} (kind ${presentation.contentKind})`, async () => {
    assertEquals(await present(value, presentation), expected);
  });
}

Deno.test("presentResult() presents nothing as {}, in structure and in words (K-96)", async () => {
  const nothing = { value: undefined, isNothing: true };
  const { members, structured } = await presentResult(nothing, how("json", { hasOutput: true }));
  assertEquals([members, structured], ['"content":[{"type":"text","text":"{}"}]', "{}"]);
  const told = await presentResult(nothing, how("json", { text: (value) => `got ${value}` }));
  assertEquals(told.members, '"content":[{"type":"text","text":"got undefined"}]');
});

const MISFITS: readonly (readonly [kind: ContentKind, value: unknown, message: string])[] = [
  ["text", 5, "expected a string, got number"],
  ["text", null, "expected a string, got null"],
  ["image", { data: "x" }, "expected bytes or base64 text, got object"],
  ["audio", [1, 2], "expected bytes or base64 text, got a list"],
  ["links", [{ uri: "x://a" }], "expected objects with uri and name, got object"],
  ["links", undefined, "expected objects with uri and name, got undefined"],
  ["blocks", "a", "expected a list of content blocks, got string"],
  ["blocks", [5], "expected a list of content blocks, got a list"],
];

for (const [kind, value, message] of MISFITS) {
  Deno.test(`presentResult() answers output_encoding where ${message} (M-27, kind ${kind})`, async () => {
    assertEquals(await present(value, how(kind)), {
      content: [text(JSON.stringify({
        error: {
          type: "output_encoding",
          message: `Tool "t" declares contentKind "${kind}": ${message}`,
        },
      }))],
      isError: true,
    });
  });
}

Deno.test("presentResult() faults where the author's words are no text", () => {
  for (const value of ["a", { a: 1 }]) {
    const presentation = how("json", { text: () => 5 as never });
    assertThrows(() => presentResult({ value }, presentation), TypeError);
  }
});
