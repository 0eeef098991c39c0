/** Section C of the wire cases: negotiation, methods, CORS and origins. */
import { assert, assertEquals } from "@std/assert";
import type { McpInput } from "../_support/mcp_request.ts";
import { asLegacy, testSheet, type WireCase } from "../_support/wire_sheet.ts";

const list: WireCase["expected"] = {
  status: 200,
  headers: { "content-type": "application/json", vary: "Origin" },
  message: { id: 1, result: {} },
};
const echo: McpInput = { method: "tools/call", params: { name: "echo", arguments: { text: "a" } } };
const echoed: WireCase["expected"] = {
  status: 200,
  message: { id: 1, result: { content: [{ type: "text", text: "a" }] } },
  ran: ["echo"],
};
const foreign: WireCase["expected"] = {
  status: 403,
  headers: { "access-control-allow-origin": null, vary: "Origin" },
  message: { error: { code: -32600 } },
};

function refused(status: number): WireCase["expected"] {
  return { status, message: { error: { code: -32600 } } };
}

const cases: readonly WireCase[] = [
  ...[
    "*/*",
    "application/*, text/*",
    "application/json;q=0.9, text/event-stream;q=0.8",
    "text/event-stream, application/json",
    "Application/JSON, TEXT/Event-Stream",
    "application/json",
    null,
  ].map((accept): WireCase => ({
    id: "B32",
    title: `Accept: ${accept} is served`,
    era: "modern",
    input: { headers: { accept } },
    expected: list,
  })),
  ...["text/html", "text/event-stream", "application/json;q=0, text/event-stream", "x"].map(
    (accept): WireCase => ({
      id: "B32",
      title: `Accept: ${accept} is 406`,
      era: "modern",
      input: { headers: { accept } },
      expected: refused(406),
    }),
  ),
  ...["application/json; charset=utf-8", "Application/JSON", " application/json ;x=y"].map(
    (type): WireCase => ({
      id: "B34",
      title: `Content-Type: ${type} is served`,
      era: "modern",
      input: { headers: { "content-type": type } },
      expected: list,
    }),
  ),
  ...[
    "text/plain",
    "text/plain; x=application/json",
    "application/jsonp",
    "application/json, text/plain",
    "application/json-rpc",
    "",
    null,
  ].map((type): WireCase => ({
    id: "B34",
    title: `Content-Type: ${type} is 415, and nothing runs`,
    era: "modern",
    input: { ...echo, headers: { "content-type": type } },
    expected: refused(415),
  })),
  {
    id: "B34",
    title: "a compressed body is 415",
    era: "modern",
    input: { headers: { "content-encoding": "gzip" } },
    expected: refused(415),
  },
  {
    id: "B34",
    title: "Content-Encoding: identity is served",
    era: "modern",
    input: { headers: { "content-encoding": "identity" } },
    expected: list,
  },
  ...["GET", "DELETE", "PUT", "PATCH"].map((verb): WireCase => ({
    id: "B35",
    title: `${verb} is 405 and says what is allowed`,
    era: "modern",
    input: { verb, headers: { accept: "text/event-stream" } },
    expected: { ...refused(405), headers: { allow: "POST, OPTIONS" } },
  })),
  {
    id: "B35",
    title: "GET with Last-Event-ID is 405",
    era: "modern",
    input: { verb: "GET", headers: { accept: "text/event-stream", "last-event-id": "x" } },
    expected: { ...refused(405), headers: { allow: "POST, OPTIONS" } },
  },
  ...["/", "/mcp", "/mcp/", "/mcp?x=y"].map((path): WireCase => ({
    id: "B37",
    title: `a POST to ${path} is served, never redirected`,
    era: "modern",
    input: { url: `http://localhost${path}` },
    expected: list,
  })),
  {
    id: "B37",
    title: "/.well-known/ is not the endpoint",
    era: "modern",
    input: { ...echo, url: "http://localhost/.well-known/oauth-protected-resource" },
    expected: refused(404),
  },
  {
    id: "B38",
    title: "a preflight is answered, with every header that a client sends",
    era: "modern",
    input: {
      verb: "OPTIONS",
      headers: {
        origin: "https://app.example",
        "access-control-request-method": "POST",
        "access-control-request-headers":
          "authorization,content-type,mcp-protocol-version,mcp-method,mcp-name,mcp-param-region," +
          "mcp-session-id,last-event-id,traceparent,x-evil",
      },
    },
    expected: {
      status: 204,
      message: null,
      headers: {
        "access-control-allow-origin": "https://app.example",
        "access-control-allow-methods": "POST",
        "access-control-allow-credentials": null,
      },
      check: ({ headers }) => {
        const allowed = headers.get("access-control-allow-headers")!.split(", ");
        for (
          const name of [
            "authorization",
            "content-type",
            "mcp-protocol-version",
            "mcp-method",
            "mcp-name",
            "mcp-param-region",
            "mcp-session-id",
            "last-event-id",
            "traceparent",
          ]
        ) assert(allowed.includes(name), name);
        assert(!allowed.includes("x-evil"));
        assertEquals(headers.get("vary"), "Origin, Access-Control-Request-Headers");
      },
    },
  },
  ...[
    "https://evil.example",
    "null",
    "http://localhost.evil.example",
    "http://127.0.0.1.evil.example",
    "https://app.example.evil.example",
    "https://app.example:8443",
    "http://app.example",
    "https://APP.example/x",
    "file://",
    "",
  ].map((origin): WireCase => ({
    id: "B40",
    title: `Origin: ${origin} is 403, and nothing runs`,
    era: "modern",
    input: { ...echo, headers: { origin } },
    expected: foreign,
  })),
  {
    id: "B40",
    title: "a preflight from a foreign page is 403",
    era: "modern",
    input: { verb: "OPTIONS", headers: { origin: "https://evil.example" } },
    expected: foreign,
  },
  {
    id: "B40",
    title: "a request that is from no page is served",
    era: "modern",
    input: echo,
    expected: { ...echoed, headers: { "access-control-allow-origin": null, vary: "Origin" } },
  },
  ...["https://app.example", "https://mcp.example", "http://localhost:5173", "http://[::1]:80"].map(
    (origin): WireCase => ({
      id: "B40",
      title: `Origin: ${origin} is served on this machine`,
      era: "modern",
      input: { ...echo, headers: { origin } },
      expected: {
        ...echoed,
        headers: {
          "access-control-allow-origin": origin,
          "access-control-allow-credentials": null,
          "access-control-expose-headers":
            "Mcp-Session-Id, WWW-Authenticate, Retry-After, MCP-Protocol-Version",
          vary: "Origin",
        },
      },
    }),
  ),
  {
    id: "B40",
    title: "a page on this machine is 403 where the host is another",
    era: "modern",
    input: {
      ...echo,
      headers: { origin: "http://localhost:5173", host: "mcp.example" },
    },
    expected: foreign,
  },
  {
    id: "B40",
    title: "a name that was rebound to this machine is 403",
    era: "modern",
    input: {
      ...echo,
      headers: { origin: "http://evil.example:8080", host: "evil.example:8080" },
    },
    expected: foreign,
  },
];

testSheet([...cases, ...asLegacy(cases)], {
  publicUrl: "https://mcp.example/mcp",
  allowedOrigins: ["https://app.example"],
});

const hostCases: readonly WireCase[] = [
  {
    id: "B40",
    title: "a foreign host is 403 where hosts are restricted",
    era: "modern",
    input: { ...echo, headers: { host: "evil.example:8080" } },
    expected: refused(403),
  },
  ...["localhost", "LOCALHOST:8000", "mcp.example:443"].map((host): WireCase => ({
    id: "B40",
    title: `host ${host} is served where it is allowed`,
    era: "modern",
    input: { ...echo, headers: { host } },
    expected: echoed,
  })),
  {
    id: "B40",
    title: "another port of a host that is allowed with its port is 403",
    era: "modern",
    input: { ...echo, headers: { host: "mcp.example:8443" } },
    expected: refused(403),
  },
];

testSheet([...hostCases, ...asLegacy(hostCases)], {
  allowedHosts: ["localhost", "mcp.example:443"],
});

const strictCases: readonly WireCase[] = [
  ...["application/json", "text/event-stream", null].map((accept): WireCase => ({
    id: "B32",
    title: `Accept: ${accept} is 406 where both are asked for`,
    era: "modern",
    input: { headers: { accept } },
    expected: refused(406),
  })),
  {
    id: "B32",
    title: "both media types are served where both are asked for",
    era: "modern",
    input: {},
    expected: list,
  },
];

testSheet([...strictCases, ...asLegacy(strictCases)], { strictAccept: true });
