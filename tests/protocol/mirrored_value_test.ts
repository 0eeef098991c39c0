import { assertEquals } from "@std/assert";
import { decodeMirrored } from "../../src/protocol/mirrored_value.ts";

const cases: readonly (readonly [value: string, expected: string | undefined])[] = [
  ["echo", "echo"],
  ["", ""],
  ["a b\tc", "a b\tc"],
  ["=?base64?ZWNobw==?=", "echo"],
  ["=?base64??=", ""],
  ["=?base64?w7w=?=", "\u00fc"],
  ["=?base64?77u/YQ==?=", "\ufeffa"], // a byte order mark is text
  ["=?base64?=", "=?base64?="], // too short to hold both marks
  ["=?base64?ZWNobw==", "=?base64?ZWNobw=="], // not closed: plain
  ["=?BASE64?ZWNobw==?=", "=?BASE64?ZWNobw==?="], // marks have a case: plain
  ["=?base64?%%%?=", undefined],
  ["=?base64?ZWNobw?=", undefined], // padding is missing
  ["=?base64?ZWNobw===?=", undefined],
  ["=?base64?ZW Nobw==?=", undefined],
  ["=?base64?ZWNob_==?=", undefined],
  ["=?base64?/w==?=", undefined], // not UTF-8
  ["=?base64?7aC9?=", undefined], // half of a surrogate pair
  ["\u00fc", undefined],
  ["a\u0000", undefined],
  ["a\u007f", undefined],
];

for (const [value, expected] of cases) {
  Deno.test(`decodeMirrored() reads ${JSON.stringify(value)} as ${JSON.stringify(expected)}`, () => {
    assertEquals(decodeMirrored(value), expected);
  });
}
