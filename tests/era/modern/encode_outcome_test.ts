/** H-60: only modern results name their type. ERR-1, ERR-11: errors keep their codes. */
import { assertEquals } from "@std/assert";
import { createModernEncoder } from "../../../src/era/modern/encode_outcome.ts";
import type { Outcome } from "../../../src/features/outcome.ts";
import type { RequestId } from "../../../src/protocol/json_rpc.ts";

const encode = createModernEncoder({ name: "s\u2028", version: "1" });
const IDENTITY = '"io.modelcontextprotocol/serverInfo":{"name":"s\\u2028","version":"1"}';

function complete(result: Extract<Outcome, { type: "complete" }>["result"]): Outcome {
  return { type: "complete", result };
}

/** The body as text. */
function bodyOf(outcome: Outcome, id: RequestId = 1): string {
  const { body } = encode(outcome, id);
  return typeof body === "string" ? body : new TextDecoder().decode(body);
}

const members = '"content":[]';
const RESULTS: readonly (readonly [title: string, outcome: Outcome, text: string])[] = [
  [
    "a plain result",
    complete({ members }),
    `"content":[],"resultType":"complete","_meta":{${IDENTITY}}`,
  ],
  [
    "structured content",
    complete({ members, structured: "null" }),
    `"content":[],"structuredContent":null,"resultType":"complete","_meta":{${IDENTITY}}`,
  ],
  [
    "a hint for caches",
    complete({ members, cache: { ttlMs: 0, cacheScope: "private" } }),
    `"content":[],"ttlMs":0,"cacheScope":"private","resultType":"complete","_meta":{${IDENTITY}}`,
  ],
  [
    "metadata beside the server's",
    complete({ members, meta: '{"a":1}' }),
    `"content":[],"resultType":"complete","_meta":{${IDENTITY},"a":1}`,
  ],
  [
    "metadata that is empty",
    complete({ members, meta: "{}" }),
    `"content":[],"resultType":"complete","_meta":{${IDENTITY}}`,
  ],
];

for (const [title, outcome, text] of RESULTS) {
  Deno.test(`createModernEncoder() writes ${title}`, () => {
    assertEquals(bodyOf(outcome), `{"jsonrpc":"2.0","id":1,"result":{${text}}}`);
  });
}

Deno.test("createModernEncoder() writes a result that is kept as bytes, under each id", () => {
  const outcome = complete({ members: '"tools":["\u00fc"]', reusable: true });
  const [first, second] = [bodyOf(outcome, 1), bodyOf(outcome, "two")];
  assertEquals(first.startsWith('{"jsonrpc":"2.0","id":1,"result":{"tools":["\u00fc"],'), true);
  assertEquals(second, first.replace('"id":1', '"id":"two"'));
});

const IDS: readonly (readonly [id: RequestId, text: string])[] = [
  [0, "0"],
  [-0, "0"],
  [9007199254740991, "9007199254740991"],
  ["", '""'],
  ["1", '"1"'],
  ['"\u2028\ud83d', '"\\"\\u2028\ufffd"'],
];

for (const [id, text] of IDS) {
  Deno.test(`createModernEncoder() writes the id ${JSON.stringify(id)} as ${JSON.stringify(text)}`, () => {
    assertEquals(
      bodyOf(complete({ members }), id).slice(0, 22 + text.length),
      `{"jsonrpc":"2.0","id":${text}`,
    );
  });
}

// H-15
const STATUSES: readonly (readonly [code: number, status: number])[] = [
  [-32600, 200],
  [-32601, 404],
  [-32602, 200],
  [-32603, 200],
  [-32005, 200],
  [-32006, 403],
  [-32020, 400],
  [-32021, 400],
  [-32022, 400],
  [7, 200],
];

for (const [code, status] of STATUSES) {
  Deno.test(`createModernEncoder() answers error ${code} on HTTP ${status} (H-15)`, () => {
    const outcome: Outcome = { type: "error", error: { code, message: "a\u2028" } };
    assertEquals(encode(outcome, 1), {
      status,
      body: `{"jsonrpc":"2.0","id":1,"error":{"code":${code},"message":"a\\u2028"}}`,
    });
    assertEquals(encode({ ...outcome, status: 418 }, 1).status, 418);
  });
}

Deno.test("createModernEncoder() passes on what a challenge says", () => {
  const error = { code: -32006, message: "a" };
  const { challenge } = encode({ type: "error", error, challenge: { scopes: ["a"] } }, 1);
  assertEquals(challenge, { scopes: ["a"] });
});
