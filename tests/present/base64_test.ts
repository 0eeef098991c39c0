import { assertEquals } from "@std/assert";
import { encodeBase64, isBytes } from "../../src/present/base64.ts";

const window = new Uint8Array([0, 104, 105, 0]).subarray(1, 3);
const cases: readonly (readonly [title: string, value: Parameters<typeof encodeBase64>[0]])[] = [
  ["bytes", new Uint8Array([104, 105])],
  ["a window of bytes", window],
  ["a view of other elements", new Uint16Array([0x6968])],
  ["a DataView", new DataView(window.buffer, 1, 2)],
  ["a buffer", new Uint8Array([104, 105]).buffer],
  ["a Blob", new Blob(["hi"])],
];

for (const [title, value] of cases) {
  Deno.test(`encodeBase64() encodes ${title}, and of a view only its window (M-26)`, async () => {
    assertEquals(isBytes(value), true);
    assertEquals(await encodeBase64(value), "aGk=");
  });
}

Deno.test("encodeBase64() joins large content without padding, on runtimes of any age", async () => {
  const bytes = Uint8Array.from({ length: 100_001 }, (_, i) => i % 251);
  const native = Object.getOwnPropertyDescriptor(Uint8Array.prototype, "toBase64");
  const decode = async () =>
    Uint8Array.from(atob(await encodeBase64(bytes)), (character) => character.charCodeAt(0));
  assertEquals(await decode(), bytes);
  try {
    Reflect.deleteProperty(Uint8Array.prototype, "toBase64");
    assertEquals(await decode(), bytes);
  } finally {
    if (native !== undefined) Object.defineProperty(Uint8Array.prototype, "toBase64", native);
  }
});

Deno.test("isBytes() knows bytes from text and lists", () => {
  assertEquals(["aGk=", [104, 105], null, {}, 5].map(isBytes), [false, false, false, false, false]);
});
