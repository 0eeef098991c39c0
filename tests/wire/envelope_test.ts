/**
 * Section B of the wire cases: the JSON-RPC envelope (ERR-1). H-11 is settled by the specification: other
 * `params` than an object are -32602.
 */
import type { McpInput } from "../_support/mcp_request.ts";
import { asLegacy, testSheet, type WireCase } from "../_support/wire_sheet.ts";

const ENVELOPE = '{"io.modelcontextprotocol/protocolVersion":"2026-07-28",' +
  '"io.modelcontextprotocol/clientCapabilities":{}}';
const echo: McpInput = { method: "tools/call", params: { name: "echo", arguments: { text: "a" } } };
const accepted: WireCase["expected"] = {
  status: 202,
  message: null,
  headers: { "content-type": null },
};

function refused(code: number, id?: unknown): WireCase["expected"] {
  return { status: 400, message: { ...(id === undefined ? {} : { id }), error: { code } } };
}

/** The rows of an era: a body whose `_meta` is the envelope is modern by that alone. */
const createCases = (meta: string): readonly WireCase[] => [
  ...[0, "", "1", 1, "abc", 9007199254740991, -1].map((id): WireCase => ({
    id: typeof id === "number" && id !== 0 || id === "1" || id === "abc" ? "B22" : "B21",
    title: `the id ${JSON.stringify(id)} comes back as it is`,
    era: "modern",
    input: { id },
    expected: { status: 200, message: { id, result: {} } },
  })),
  ...[0, ""].map((id): WireCase => ({
    id: "B21",
    title: `the id ${JSON.stringify(id)} comes back as it is on a stream`,
    era: "modern",
    input: {
      id,
      method: "tools/call",
      params: { name: "progress", arguments: { values: [1] } },
      meta: { progressToken: "t" },
    },
    expected: {
      status: 200,
      headers: { "content-type": "text/event-stream" },
      message: { id, result: {} },
      ran: ["progress"],
      notifications: [{
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: "t", progress: 1, total: 10, message: "at 1" },
      }],
    },
  })),
  ...["9007199254740993", "1.5", "1e400", "null", "true", "{}", "[1]"].map((id): WireCase => ({
    id: "B22",
    title: `the id ${id} is refused, since it could not come back`,
    era: "modern",
    input: { body: listed(id, meta) },
    expected: refused(-32600),
  })),
  {
    id: "B22",
    title: "a whole number written with a fraction is that number",
    era: "modern",
    input: { body: listed("1.0", meta) },
    expected: { status: 200, message: { id: 1, result: {} } },
  },
  {
    id: "B22",
    title: "half of a surrogate pair in an id is U+FFFD",
    era: "modern",
    input: { body: listed('"a\\ud83d"', meta) },
    expected: { status: 200, message: { id: "a\ufffd", result: {} } },
  },
  ...["notifications/initialized", "notifications/cancelled", "notifications/xyz"].map(
    (method): WireCase => ({
      id: "B24",
      title: `${method} gets 202 and nothing else`,
      era: "modern",
      input: { id: null, method, params: { requestId: 999 } },
      expected: accepted,
    }),
  ),
  {
    id: "B24",
    title: "a notification needs no envelope", // H-17
    era: "modern",
    input: { id: null, method: "notifications/cancelled", message: { params: undefined } },
    expected: accepted,
  },
  {
    id: "B25",
    title: "tools/call without an id runs nothing",
    era: "modern",
    input: { ...echo, id: null },
    expected: accepted,
  },
  ...[
    ["an empty body", ""],
    ["an open brace", "{"],
    ["half a word", "nul"],
    ["two messages", "{}{}"],
    ["a form", "a=b"],
  ].map(([title, body]): WireCase => ({
    id: "B27",
    title: `${title} is -32700 on 400`,
    era: "modern",
    input: { body: body! },
    expected: { ...refused(-32700), headers: { "content-type": "application/json" } },
  })),
  ...['"x"', "7", "null", "true", "[]", '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]'].map(
    (body): WireCase => ({
      id: "B27",
      title: `${body} is -32600 on 400`,
      era: "modern",
      input: { body },
      expected: refused(-32600),
    }),
  ),
  {
    id: "B27",
    title: "a byte order mark does not count",
    era: "modern",
    input: { body: `\ufeff${listed("1", meta)}` },
    expected: { status: 200, message: { id: 1, result: {} } },
  },
  ...[
    ["jsonrpc 1.0", { jsonrpc: "1.0" }],
    ["no jsonrpc", { jsonrpc: undefined }],
    ["a number as method", { method: 5 }],
    ["no method", { method: undefined }],
    ["a response", { method: undefined, params: undefined, result: {} }],
  ].map(([title, message]): WireCase => ({
    id: "B28",
    title: `${title} is -32600 on 400`,
    era: "modern",
    input: { message: message as McpInput["message"] & object },
    expected: refused(-32600, 1),
  })),
  ...[[], "x", 5, null, true].map((params): WireCase => ({
    id: "B28",
    title: `params ${JSON.stringify(params)} are -32602 on 400`,
    era: "modern",
    input: { message: { params } },
    expected: refused(-32602, 1),
  })),
  ...[{}, 5, null, undefined].map((name): WireCase => ({
    id: "B28",
    title: `the tool name ${JSON.stringify(name)} is -32602 on 200`,
    era: "modern",
    input: { method: "tools/call", params: { name } },
    expected: { status: 200, message: { id: 1, error: { code: -32602 } } },
  })),
  ...[[], "x", 5].map((args): WireCase => ({
    id: "B28",
    title: `the arguments ${JSON.stringify(args)} are -32602 on 200`,
    era: "modern",
    input: { method: "tools/call", params: { name: "echo", arguments: args } },
    expected: { status: 200, message: { id: 1, error: { code: -32602 } } },
  })),
  ...[10_000, 100_000].map((depth): WireCase => ({
    id: "B30",
    title: `${depth} arrays in one another are refused with 400`,
    era: "modern",
    input: { ...echo, body: nested(depth, meta) },
    expected: refused(-32600),
  })),
];

/** A tools/list whose id is written by hand. */
function listed(id: string, meta: string): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/list","params":{"_meta":${meta}}}`;
}

function nested(depth: number, meta: string): string {
  const args = `{"text":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo",` +
    `"arguments":${args},"_meta":${meta}}}`;
}

testSheet([...createCases(ENVELOPE), ...asLegacy(createCases("{}"))]);
