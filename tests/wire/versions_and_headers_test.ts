/** Section A of the wire cases: versions and mirrored headers. H-53: what is gone is not there. */
import { assert, assertEquals } from "@std/assert";
import type { McpInput } from "../_support/mcp_request.ts";
import { testSheet, type WireCase } from "../_support/wire_sheet.ts";

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

const echo: McpInput = { method: "tools/call", params: { name: "echo", arguments: { text: "a" } } };
const served: WireCase["expected"] = {
  status: 200,
  message: { id: 1, result: { content: [{ type: "text", text: "a" }] } },
  ran: ["echo"],
};
const mismatch = (message: string): WireCase["expected"] => ({
  status: 400,
  message: { id: 1, error: { code: -32020, message: `Header mismatch: ${message}` } },
});

function hdr(
  args: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>>,
): McpInput {
  return { method: "tools/call", params: { name: "hdr", arguments: args }, headers };
}

/** A body that `JSON.stringify` does not write. */
function hdrText(args: string): McpInput {
  return {
    method: "tools/call",
    params: { name: "hdr" },
    body:
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hdr","arguments":${args},` +
      `"_meta":{"${VERSION}":"2026-07-28","${CAPABILITIES}":{}}}}`,
  };
}

const cases: readonly WireCase[] = [
  {
    id: "B01",
    title: "a name header that disagrees with the body is -32020 on 400",
    era: "modern",
    input: { ...echo, headers: { "mcp-name": "other" } },
    expected: mismatch("Mcp-Name does not match the body"),
  },
  ...(["mcp-protocol-version", "mcp-method", "mcp-name"] as const).map((header): WireCase => ({
    id: "B02",
    title: `a request without ${header} is -32020 on 400`,
    era: "modern",
    input: { ...echo, headers: { [header]: null } },
    expected: { status: 400, message: { id: 1, error: { code: -32020 } } },
  })),
  ...[
    ["bad base64", "=?base64?%%%?="],
    ["base64 of bytes that are not UTF-8", "=?base64?/w==?="],
    ["a mark in the wrong case", "=?BASE64?ZWNobw==?="],
    ["base64 without padding", "=?base64?ZWNobw?="],
    ["a mark that is not closed", "=?base64?ZWNobw=="],
    ["a mark inside a mark", "=?base64?PT9iYXNlNjQ/WldOb2J3PT0/PQ==?="],
    ["raw bytes", "\u00e9cho"],
  ].map(([title, value]): WireCase => ({
    id: "B04",
    title: `${title} in Mcp-Name is -32020 on 400`,
    era: "modern",
    input: { ...echo, headers: { "mcp-name": value! } },
    expected: mismatch("Mcp-Name does not match the body"),
  })),
  {
    id: "B04",
    title: "a name in base64 is read", // H-13
    era: "modern",
    input: { ...echo, headers: { "mcp-name": "=?base64?ZWNobw==?=" } },
    expected: served,
  },
  {
    id: "B06",
    title: "header names have no case",
    era: "modern",
    input: { ...echo, headers: { "mcp-method": null, "MCP-METHOD": "tools/call" } },
    expected: served,
  },
  {
    id: "B06",
    title: "header values have a case",
    era: "modern",
    input: { ...echo, headers: { "mcp-method": "Tools/Call" } },
    expected: mismatch("Mcp-Method does not match the body"),
  },
  {
    id: "B06",
    title: "white space around a value does not count",
    era: "modern",
    input: { ...echo, headers: { "mcp-name": "  echo  " } },
    expected: served,
  },
  {
    id: "B07",
    title: "a version sent twice is -32020 on 400",
    era: "modern",
    input: { ...echo, headers: { "mcp-protocol-version": ["2025-11-25", "2026-07-28"] } },
    expected: mismatch("MCP-Protocol-Version does not match the body"),
  },
  {
    id: "B07",
    title: "a method sent twice is -32020 on 400",
    era: "modern",
    input: { ...echo, headers: { "mcp-method": ["tools/call", "tools/list"] } },
    expected: mismatch("Mcp-Method does not match the body"),
  },
  {
    id: "B07",
    title: "a name sent twice is -32020 on 400",
    era: "modern",
    input: { ...echo, headers: { "mcp-name": ["echo", "echo"] } },
    expected: mismatch("Mcp-Name does not match the body"),
  },
  ...['{"n":9007199254740992}', '{"n":1e400}', '{"n":7}'].map((args): WireCase => ({
    id: "B09",
    title: `${args} without its header is -32020 on 400`,
    era: "modern",
    input: hdrText(args),
    expected: mismatch("mcp-param-n is missing"),
  })),
  {
    id: "B10",
    title: "integers are compared as numbers",
    era: "modern",
    input: hdr({ a: { b: 42 } }, { "mcp-param-a-b": "42.0" }),
    expected: {
      status: 200,
      message: { id: 1, result: { structuredContent: { a: { b: 42 } } } },
      ran: ["hdr"],
    },
  },
  {
    id: "B10",
    title: "another number is -32020 on 400",
    era: "modern",
    input: hdr({ n: 42 }, { "mcp-param-n": "43" }),
    expected: mismatch("mcp-param-n does not match the body"),
  },
  {
    id: "B10",
    title: "null has no header, and is an argument error",
    era: "modern",
    input: hdr({ a: { b: null } }, {}),
    expected: { status: 200, message: { id: 1, result: { isError: true } } },
  },
  {
    id: "B10",
    title: "an absent argument has no header",
    era: "modern",
    input: hdr({}, {}),
    expected: { status: 200, message: { id: 1, result: {} }, ran: ["hdr"] },
  },
  {
    id: "B10",
    title: "a header without its argument is -32020 on 400",
    era: "modern",
    input: hdr({}, { "mcp-param-v": "x" }),
    expected: mismatch("mcp-param-v is sent without a value in the body"),
  },
  {
    id: "B10",
    title: "a value of the wrong type is an argument error, no mismatch",
    era: "modern",
    input: hdr({ n: "abc" }, { "mcp-param-n": "abc" }),
    expected: {
      status: 200,
      message: { id: 1, result: { isError: true } },
      check: ({ message }) =>
        assertEquals(
          message?.result.content[0].text,
          '{"error":{"type":"validation_error","message":"Invalid arguments",' +
            '"detail":{"n":["Expected an integer."]}}}',
        ),
    },
  },
  {
    id: "B10",
    title: "text travels in base64 where a header cannot carry it",
    era: "modern",
    input: hdr({ v: "\u00fc" }, { "mcp-param-v": "=?base64?w7w=?=" }),
    expected: { status: 200, message: { id: 1, result: {} }, ran: ["hdr"] },
  },
  {
    id: "B10",
    title: "broken base64 in a mirrored argument is -32020 on 400",
    era: "modern",
    input: hdr({ v: "\u00fc" }, { "mcp-param-v": "=?base64?w7w?=" }),
    expected: mismatch("mcp-param-v is not validly encoded"),
  },
  ...["1999-01-01", "2099-01-01", "not-a-date", "2025-11-25"].map((version): WireCase => ({
    id: "B12",
    title: `version ${version} is -32022 on 400, with what is supported`,
    era: "modern",
    input: {
      method: "server/discover",
      meta: { [VERSION]: version },
      headers: { "mcp-protocol-version": version },
    },
    expected: {
      status: 400,
      message: {
        id: 1,
        error: { code: -32022, data: { supported: ["2026-07-28"], requested: version } },
      },
    },
  })),
  {
    id: "B13",
    title: "a header and a body of different versions are -32020 on 400",
    era: "modern",
    input: { meta: { [VERSION]: "2025-11-25" } },
    expected: mismatch("MCP-Protocol-Version does not match the body"),
  },
  {
    id: "B13", // H-12
    title: "the envelope is judged before the headers: -32602 on 400",
    era: "modern",
    input: { meta: { [CAPABILITIES]: undefined }, headers: { "mcp-method": "other" } },
    expected: { status: 400, message: { id: 1, error: { code: -32602 } } },
  },
  {
    id: "B13", // H-2
    title: "a modern header without an envelope is -32602 on 400",
    era: "modern",
    input: { message: { params: {} } },
    expected: { status: 400, message: { id: 1, error: { code: -32602 } } },
  },
  ...["ping", "logging/setLevel", "resources/subscribe", "initialize", "nope/nope", "__proto__"]
    .map((method): WireCase => ({
      id: "B18",
      title: `${method} is -32601 on 404`,
      era: "modern",
      input: { method },
      expected: { status: 404, message: { id: 1, error: { code: -32601 } } },
    })),
  {
    id: "B19",
    title: "tools/list says how long it may be kept, by whom, and who answers",
    era: "modern",
    input: {},
    expected: {
      status: 200,
      message: {
        id: 1,
        result: {
          resultType: "complete",
          ttlMs: 60000,
          cacheScope: "public",
          _meta: { "io.modelcontextprotocol/serverInfo": { name: "fixture", version: "1.0.0" } },
        },
      },
      check: ({ message }) => {
        assertEquals(message?.result.tools.map((tool: { name: string }) => tool.name), [
          "echo",
          "slow",
        ]);
        assert(typeof message?.result.nextCursor === "string");
      },
    },
  },
  {
    id: "B19",
    title: "the next page says the same",
    era: "modern",
    input: { params: { cursor: "dG9vbHM6Mg" } },
    expected: {
      status: 200,
      message: { id: 1, result: { resultType: "complete", ttlMs: 60000, cacheScope: "public" } },
      check: ({ message }) => assertEquals(message?.result.tools[0].name, "fail"),
    },
  },
  {
    id: "B19",
    title: "server/discover says how long it may be kept, and by whom", // H-51
    era: "modern",
    input: { method: "server/discover" },
    expected: {
      status: 200,
      message: {
        id: 1,
        result: {
          resultType: "complete",
          supportedVersions: ["2026-07-28", "2025-11-25", "2025-06-18"],
          capabilities: { tools: {} },
          ttlMs: 60000,
          cacheScope: "public",
        },
      },
    },
  },
];

testSheet(cases);
