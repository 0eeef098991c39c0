/**
 * What the fuzz test sends: valid requests of both eras in which a few things are changed, and bodies
 * that are anything.
 *
 * @module
 */
import fc from "fast-check";

/** A request, before it has a session. */
export interface FuzzInput {
  /** HTTP method. */
  readonly verb: string;
  /** Path and query. */
  readonly path: string;
  /** The body of a POST. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** Headers by name, in order; `null` removes what was there. `SESSION` is replaced by a session's id. */
  readonly headers: readonly (readonly [name: string, value: string | null])[];
}

/** Stands for the id of a session that lives. */
export const SESSION = "a-living-session";

type Json = fc.JsonValue;

const TOOLS: Readonly<Record<string, Record<string, Json>>> = {
  echo: { text: "hello" },
  structured: { v: "value" },
  hdr: { n: 1, v: "value", a: { b: 3 } },
  noargs: {},
  fail: {},
  refuse: {},
  is_error: {},
  progress: { values: [1, 2] },
  nope: {},
};

/** Methods with parameters as they should be. */
const CALLS: readonly (readonly [method: string, params: Record<string, Json>])[] = [
  ["initialize", {
    protocolVersion: "2025-11-25",
    capabilities: { elicitation: {} },
    clientInfo: { name: "fuzz", version: "1" },
  }],
  ["ping", {}],
  ["server/discover", {}],
  ["tools/list", { cursor: "tools:2" }],
  ["resources/list", {}],
  ["resources/templates/list", {}],
  ["resources/read", { uri: "notes://1" }],
  ["resources/read", { uri: "notes://13" }],
  ["prompts/list", {}],
  ["prompts/get", { name: "review", arguments: { language: "rust" } }],
  ["completion/complete", {
    ref: { type: "ref/prompt", name: "review" },
    argument: { name: "language", value: "ru" },
  }],
  ["notifications/initialized", {}],
  ["notifications/cancelled", { requestId: 1 }],
  ["logging/setLevel", { level: "info" }],
  ["tasks/get", { taskId: "1" }],
  ...Object.entries(TOOLS).map((
    [name, args],
  ): [string, Record<string, Json>] => ["tools/call", { name, arguments: args }]),
];

/** Values that broke somebody once, as JSON text. */
const AWKWARD: readonly string[] = [
  "null",
  "1e999",
  "-0",
  "9007199254740993",
  '"\\ud800"',
  '"\\u0000"',
  '"\\u2028\\r\\n\\r\\nHTTP/1.1 200 OK"',
  '"../../etc/passwd"',
  '"notes://%zz"',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  `${"[".repeat(200)}${"]".repeat(200)}`,
  `"${"x".repeat(10_000)}"`,
  `[${"0,".repeat(2000)}0]`,
];

const json = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
  fc.constantFrom(...AWKWARD),
);

const headerText = fc.oneof(
  fc.string({ unit: "binary-ascii", maxLength: 20 }),
  fc.constantFrom(
    "*/*",
    "text/html",
    "null",
    "https://evil.example",
    "=?base64?!?=",
    "é",
    "a".repeat(9000),
  ),
).map((text) => text.replace(/[^\x20-\x7E\xA0-\xFF]/g, ""));

const headerName = fc.constantFrom(
  "accept",
  "authorization",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "cookie",
  "host",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-param-n",
  "mcp-protocol-version",
  "mcp-session-id",
  "origin",
  "traceparent",
  "x-forwarded-for",
);

/** What is done to the text or the headers of a request. */
type Change =
  | { readonly type: "replace" | "remove" | "repeat"; readonly at: number; readonly json: string }
  | { readonly type: "cut" | "insert"; readonly at: number; readonly text: string }
  | { readonly type: "header"; readonly name: string; readonly value: string | null };

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constantFrom("replace" as const, "remove" as const, "repeat" as const),
      at: fc.nat(),
      json,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constantFrom("cut" as const, "insert" as const),
      at: fc.nat(),
      text: fc.string({ unit: "binary-ascii", maxLength: 5 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("header" as const),
      name: headerName,
      value: fc.option(headerText),
    }),
  },
);

const REVISION = "2026-07-28";

/** A valid request, with up to three changes. */
const changed: fc.Arbitrary<FuzzInput> = fc.record({
  call: fc.constantFrom(...CALLS),
  era: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("modern", "legacy") },
    fc.constant("legacy without session"),
  ),
  id: fc.constantFrom<Json>(1, "a", 0),
  verb: fc.oneof(
    { weight: 12, arbitrary: fc.constant("POST") },
    fc.constantFrom("GET", "DELETE", "PUT", "OPTIONS", "HEAD"),
  ),
  path: fc.oneof(
    { weight: 9, arbitrary: fc.constant("/mcp") },
    fc.constantFrom("/", "/.well-known/oauth-protected-resource", "/mcp?access_token=x", "/%00"),
  ),
  changes: fc.array(change, { maxLength: 3 }),
}).map(({ call: [method, params], era, id, verb, path, changes }) => {
  const isModern = era === "modern";
  const meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientCapabilities": {},
    progressToken: "t",
  };
  const message = {
    jsonrpc: "2.0",
    ...(method.startsWith("notifications/") ? {} : { id }),
    method,
    params: isModern ? { ...params, _meta: meta } : params,
  };
  const name = params.name ?? params.uri;
  const headers: [string, string | null][] = [
    ["content-type", "application/json"],
    ["accept", verb === "GET" ? "text/event-stream" : "application/json, text/event-stream"],
    ["mcp-protocol-version", isModern ? REVISION : "2025-11-25"],
    ...(isModern ? [["mcp-method", method] as [string, string]] : []),
    ...(method === "tools/call" && params.name === "hdr"
      ? [["mcp-param-n", "1"], ["mcp-param-v", "value"], ["mcp-param-a-b", "3"]] as [
        string,
        string,
      ][]
      : []),
    ...(isModern && typeof name === "string" ? [["mcp-name", name] as [string, string]] : []),
    ...(era === "legacy" ? [["mcp-session-id", SESSION] as [string, string]] : []),
  ];
  let body = JSON.stringify(message);
  for (const one of changes) {
    if (one.type === "header") headers.push([one.name, one.value]);
    else body = apply(one, body);
  }
  return { verb, path, body, headers };
});

/** Changes a text, by its JSON values where there are any. */
function apply(change: Exclude<Change, { readonly type: "header" }>, body: string): string {
  if (change.type === "cut") return body.slice(0, change.at % (body.length + 1));
  if (change.type === "insert") {
    const at = change.at % (body.length + 1);
    return body.slice(0, at) + change.text + body.slice(at);
  }
  const members = [...body.matchAll(/"[^"\\]*":("[^"\\]*"|[0-9]+|\{\}|\[[0-9,]*\])/g)];
  if (members.length === 0) return body;
  const { 0: member, 1: value = "", index } = members[change.at % members.length]!;
  const rest = body.slice(index + member.length);
  const start = body.slice(0, index);
  const key = member.slice(0, -value.length);
  if (change.type === "replace") return `${start}${key}${change.json}${rest}`;
  if (change.type === "repeat") return `${start}${member},${key}${change.json}${rest}`;
  return rest.startsWith(",") ? start + rest.slice(1) : start.replace(/,$/, "") + rest;
}

/** A body that is anything, under the headers of either era. */
const anyBody: fc.Arbitrary<FuzzInput> = fc.record({
  body: fc.oneof(
    fc.uint8Array({ maxLength: 64 }).map((bytes) => new Uint8Array(bytes)),
    fc.string({ unit: "binary", maxLength: 64 }),
    json,
  ),
  era: fc.constantFrom("modern", "legacy"),
}).map(({ body, era }) => ({
  verb: "POST",
  path: "/mcp",
  body,
  headers: [
    ["content-type", "application/json"],
    ...(era === "modern"
      ? [["mcp-protocol-version", REVISION], ["mcp-method", "tools/list"]]
      : [["mcp-protocol-version", "2025-11-25"], ["mcp-session-id", SESSION]]),
  ] as [string, string][],
}));

/** Any of them. */
export const fuzzInput: fc.Arbitrary<FuzzInput> = fc.oneof(
  { weight: 6, arbitrary: changed },
  { weight: 1, arbitrary: anyBody },
);
