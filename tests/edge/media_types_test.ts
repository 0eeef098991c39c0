import { assertEquals } from "@std/assert";
import { isJsonContent, parseAccept } from "../../src/edge/media_types.ts";

const ACCEPTS: readonly (readonly [header: string | null, json: boolean, stream: boolean])[] = [
  [null, true, false],
  ["", true, false],
  ["*/*", true, true],
  ["application/*", true, false],
  ["text/*", false, true],
  ["application/json", true, false],
  ["text/event-stream", false, true],
  ["application/json, text/event-stream", true, true],
  ["application/json;q=0.5,text/event-stream;q=0.1", true, true],
  ["application/json; q=0, text/event-stream", false, true],
  ["*/*, text/event-stream;q=0", true, false], // the closer range decides
  ["text/event-stream;q=0, */*", true, false],
  ["application/json;charset=utf-8;q=0.0, */*;q=1", false, true],
  ["APPLICATION/JSON;Q=1", true, false],
  ["application/jsonp", false, false],
  ["application/json;q=x", false, false],
  ["text/html, application/xhtml+xml", false, false],
  [",,", false, false],
];

for (const [header, json, stream] of ACCEPTS) {
  Deno.test(`parseAccept() reads ${JSON.stringify(header)}`, () => {
    assertEquals(parseAccept(header), { json, stream });
  });
}

Deno.test("isJsonContent() wants exactly application/json, with any parameters", () => {
  const yes = ["application/json", "Application/JSON", "application/json;charset=utf-8"];
  assertEquals(yes.filter(isJsonContent), yes);
  const no = [null, "", "text/json", "application/json5", "text/plain;application/json", ";"];
  assertEquals(no.filter(isJsonContent), []);
});
