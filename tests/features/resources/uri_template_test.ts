/** URI templates (R-3, Q-9, B20, B74, B75). */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { ConfigurationError } from "@limen/mcp";
import fc from "fast-check";
import { parseUriTemplate } from "../../../src/features/resources/uri_template.ts";

type Match = ReturnType<ReturnType<typeof parseUriTemplate>["match"]>;

const ROWS: readonly (readonly [template: string, uri: string, expected: Match])[] = [
  ["x://a", "x://a", { values: {} }],
  ["x://a", "x://a/", undefined],
  ["x://a", "X://a", undefined],
  ["x://{id}", "x://7", { values: { id: "7" } }],
  ["x://{id}", "x://", undefined],
  ["x://{id}", "x://a/b", undefined],
  ["x://{id}/data", "x://1/2/data", undefined],
  ["x://{id}/data", "x://1/data", { values: { id: "1" } }],
  ["x://{a}-{b}", "x://1-2-3", { values: { a: "1", b: "2-3" } }],
  ["x://{a}aa{b}", "x://aaaa", { values: { a: "a", b: "a" } }],
  ["x://{+path}", "x://a/b/c", { values: { path: "a/b/c" } }],
  ["x://{+path}/raw", "x://a/raw/b/raw", { values: { path: "a/raw/b" } }],
  ["x://{+a}/b/{c}", "x://1/b/2/b/3", { values: { a: "1/b/2", c: "3" } }],
  ["w://a.b/{c}", "w://aXb/p", undefined],
  ["w://a.b/{c}", "w://a.b/p", { values: { c: "p" } }],
  ["item://x/{id}", "item://x/a%20b", { values: { id: "a b" } }],
  ["item://x/{id}", "item://x/%C3%BC", { values: { id: "ü" } }],
  ["item://x/{id}", "item://x/ü", { values: { id: "ü" } }],
  ["item://x/{id}", "item://x/100%25", { values: { id: "100%" } }],
  ["item://x/{id}", "item://x/%2525", { values: { id: "%25" } }],
  ["item://x/{id}", "item://x/%ZZ", { malformed: "id" }],
  ["item://x/{id}", "item://x/%", { malformed: "id" }],
  ["item://x/{id}", "item://x/%C3", { malformed: "id" }],
  ["item://x/{id}", "item://x/a?b", { values: { id: "a?b" } }],
  ["file://docs/{name}", "file://docs/..%2F..%2Fetc%2Fpasswd", { malformed: "name" }],
  ["file://docs/{name}", "file://docs/%2e%2e", { malformed: "name" }],
  ["file://docs/{name}", "file://docs/..", { malformed: "name" }],
  ["file://docs/{name}", "file://docs/.", { malformed: "name" }],
  ["file://docs/{name}", "file://docs/a%2Fb", { malformed: "name" }],
  ["file://docs/{name}", "file://docs/a%5Cb", { malformed: "name" }],
  ["file://docs/{name}", "file://docs/a\\b", { malformed: "name" }],
  ["file://docs/{name}", "file://docs/a%00", { malformed: "name" }],
  ["file://docs/{name}", "file://docs/..a", { values: { name: "..a" } }],
  ["file://docs/{name}", "file://docs/%252e%252e", { values: { name: "%2e%2e" } }],
  ["file://docs/{+path}", "file://docs/a/../b", { malformed: "path" }],
  ["file://docs/{+path}", "file://docs/a%2F..%2Fb", { malformed: "path" }],
  ["file://docs/{+path}", "file://docs/a/./b", { malformed: "path" }],
  ["file://docs/{+path}", "file://docs/a/b%5C..", { malformed: "path" }],
  ["p://l{?page,limit}", "p://l", { values: {} }],
  ["p://l{?page,limit}", "p://l?", { values: {} }],
  ["p://l{?page,limit}", "p://l?limit=2&page=1", { values: { limit: "2", page: "1" } }],
  ["p://l{?page,limit}", "p://l?x=1&limit=a%20b+c", { values: { limit: "a b+c" } }],
  ["p://l{?page,limit}", "p://l?page=1&page=2", { values: { page: "1" } }],
  ["p://l{?page,limit}", "p://l?page=a=b&limit", { values: { page: "a=b", limit: "" } }],
  ["p://l{?page,limit}", "p://l?page=../x", { values: { page: "../x" } }],
  ["p://l{?page,limit}", "p://l?page=%", { malformed: "page" }],
  ["p://l{?page,limit}", "p://l?page=%00", { malformed: "page" }],
  ["p://l{?page,limit}", "p://l?%=1", { malformed: "%" }],
  ["p://l{?page,limit}", "p://l?other=%ZZ", { malformed: "other" }],
  ["p://l{?page,limit}", "p://l?page=1&page=%4", { malformed: "page" }],
  ["p://l{?page,limit}", "p://l?page=%E9", { malformed: "page" }], // this is not UTF-8
  ["p://l{?page,limit}", "p://l?other=%E9&%e9=1&page=2", { values: { page: "2" } }],
  ["p://l{?page,limit}", "p://lx?page=1", undefined],
  ["p://{+path}{?q}", "p://a/b?q=c/d", { values: { path: "a/b", q: "c/d" } }],
];

for (const [template, uri, expected] of ROWS) {
  Deno.test(`${template} holds ${uri} to be ${JSON.stringify(expected)}`, () => {
    assertEquals(parseUriTemplate(template, "resource").match(uri), expected);
  });
}

const REFUSED: readonly string[] = [
  "",
  "no-scheme",
  "{scheme}://x",
  "x://{}",
  "x://{a,b}",
  "x://{a b}",
  "x://{#a}",
  "x://{/a}",
  "x://{a*}",
  "x://{a:3}",
  "x://{a",
  "x://a}",
  "x://{{a}}",
  "x://{a}{b}",
  "x://{a}{+b}",
  "x://{a}/{a}",
  "x://{a}{?a}",
  "x://{__proto__}",
  "x://{?a}/b",
  "x://{?a}{?b}",
  "x://b?c=1{?a}",
  "x://a b",
];

for (const template of REFUSED) {
  Deno.test(`parseUriTemplate() refuses ${JSON.stringify(template)}`, () => {
    assertThrows(
      () => parseUriTemplate(template, 'resource "a"'),
      ConfigurationError,
      'Cannot register resource "a": uri ',
    );
  });
}

const segment = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((text) =>
  !/[\\/\0]/.test(text) && text !== "." && text !== ".." && text.isWellFormed()
);
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

Deno.test("match() gives back the values that a template was expanded with", () => {
  const template = parseUriTemplate("n://{user}:{tag}/x/{+path}{?page,q}", "resource");
  fc.assert(
    fc.property(segment, segment, path, fc.string({ unit: "grapheme" }), (user, tag, path, q) => {
      fc.pre(!q.includes("\0") && q.isWellFormed());
      const spelled = path.split("/").map(encode).join("/");
      const uri = `n://${encode(user)}:${encode(tag)}/x/${spelled}?q=${encode(q)}`;
      assertEquals(template.match(uri), { values: { user, tag, path, q } });
    }),
    { numRuns: 2000 },
  );
});

Deno.test("match() never throws, and never gives a value that climbs", () => {
  const template = parseUriTemplate("n://{a}/{+b}{?c}", "resource");
  const hostile = fc.array(
    fc.constantFrom("/", ".", "..", "%2e", "%2F", "%5c", "%00", "%", "%C3", "?", "&", "c=", "a"),
    { maxLength: 20 },
  ).map((parts) => `n://${parts.join("")}`);
  fc.assert(
    fc.property(hostile, (uri) => {
      const match = template.match(uri);
      if (match === undefined || "malformed" in match) return;
      const { a = "", b = "" } = match.values;
      assert(!a.includes("/") && !/[\\\0]/.test(a + b));
      assert([a, ...b.split("/")].every((part) => part !== "." && part !== ".."));
    }),
    { numRuns: 5000 },
  );
});

const HOSTILE: Readonly<Record<string, string>> = {
  dashes: "-".repeat(50_000),
  slashes: "/".repeat(50_000),
  mixed: "-/".repeat(25_000),
  "escaped dots": "%2e".repeat(16_666),
  "half escapes": "%".repeat(50_000),
  "almost the literal": "aaaaaaaa".repeat(6250) + "!",
};

for (const [name, tail] of Object.entries(HOSTILE)) {
  Deno.test(`match() is linear in a URI of 50,000 characters: ${name}`, () => {
    const templates = [
      "x://{a}-{b}-{c}-{d}/end",
      "x://{+a}/{+b}/{+c}/{+d}/end",
      "x://{+a}aaaaaaab{b}",
    ].map((text) => parseUriTemplate(text, "resource"));
    for (const template of templates) {
      // The best of many, since other work may have the processor meanwhile.
      let best = Infinity;
      for (let i = 0; i < 100 && best >= 20; i++) {
        const start = performance.now();
        template.match(`x://${tail}`);
        best = Math.min(best, performance.now() - start);
      }
      assert(best < 20, `Took ${best} ms`);
    }
  });
}
