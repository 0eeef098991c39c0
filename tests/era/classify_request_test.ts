/** The ladder of a message: envelope ▸ headers ▸ revision (H-2, H-3, H-12). */
import { assert, assertEquals } from "@std/assert";
import { classifyRequest } from "../../src/era/classify_request.ts";
import type { Era } from "../../src/era/era.ts";
import { isRefusal, type RefusalReason } from "../../src/protocol/refusal.ts";

const modern = { methods: new Map() } as unknown as Era;
const legacy = { methods: new Map() } as unknown as Era;
const eras = { modern, legacy };
const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

interface Row {
  readonly title: string;
  readonly input: {
    readonly method?: string;
    readonly id?: number | null;
    readonly params?: Readonly<Record<string, unknown>>;
    readonly meta?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly expected: readonly [reason: RefusalReason, code: number] | "modern" | "legacy";
}

const meta = { [VERSION]: "2026-07-28", [CAPABILITIES]: {} };
const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };

const sheet: readonly Row[] = [
  { title: "a sound request", input: { meta, headers }, expected: "modern" },
  {
    title: "capabilities that are missing, before wrong headers",
    input: { meta: { [VERSION]: "2026-07-28" }, headers: {} },
    expected: ["envelope", -32602],
  },
  {
    title: "capabilities that are a list",
    input: { meta: { ...meta, [CAPABILITIES]: [] }, headers },
    expected: ["envelope", -32602],
  },
  {
    title: "capabilities that are inherited",
    input: { meta: Object.assign(Object.create({ [CAPABILITIES]: {} }), { [VERSION]: "x" }) },
    expected: ["envelope", -32602],
  },
  {
    title: "a version header that is missing, before an unknown version",
    input: { meta: { ...meta, [VERSION]: "1999-01-01" }, headers: { "mcp-method": "tools/list" } },
    expected: ["header-mismatch", -32020],
  },
  {
    title: "a method header that is missing",
    input: { meta, headers: { "mcp-protocol-version": "2026-07-28" } },
    expected: ["header-mismatch", -32020],
  },
  {
    title: "a version that nobody speaks",
    input: {
      meta: { ...meta, [VERSION]: "1999-01-01" },
      headers: { ...headers, "mcp-protocol-version": "1999-01-01" },
    },
    expected: ["unsupported-version", -32022],
  },
  {
    title: "a modern header without an envelope",
    input: { headers },
    expected: ["envelope", -32602],
  },
  {
    title: "a modern header with an empty version",
    input: { meta: { ...meta, [VERSION]: "" }, headers },
    expected: ["envelope", -32602],
  },
  {
    title: "a modern header with a version that is a number",
    input: { meta: { ...meta, [VERSION]: 20260728 }, headers },
    expected: ["envelope", -32602],
  },
  { title: "neither header nor envelope", input: {}, expected: "legacy" }, // H-2
  {
    title: "a legacy header without an envelope",
    input: { headers: { "mcp-protocol-version": "2025-11-25" } },
    expected: "legacy",
  },
  {
    title: "a legacy header of a revision that nobody speaks",
    input: { headers: { "mcp-protocol-version": "2024-11-05" } },
    expected: ["unsupported-version", -32600],
  },
  {
    title: "an initialize whose header nobody speaks, which is not looked at",
    input: { method: "initialize", headers: { "mcp-protocol-version": "2024-11-05" } },
    expected: "legacy",
  },
  {
    title: "a notification with a modern header and no envelope",
    input: { id: null, method: "notifications/cancelled", headers },
    expected: "modern",
  },
  {
    title: "a notification whose headers do not match",
    input: { id: null, method: "notifications/cancelled", meta, headers },
    expected: "modern",
  },
  ...([
    ["tools/call", "name"],
    ["prompts/get", "name"],
    ["resources/read", "uri"],
    ["tasks/get", "taskId"],
    ["tasks/cancel", "taskId"],
    ["tasks/update", "taskId"],
  ] as const).flatMap(([method, field]): readonly Row[] => {
    const named = { ...headers, "mcp-method": method };
    return [
      {
        title: `${method} with its ${field} in Mcp-Name`,
        input: {
          method,
          params: { [field]: "x://a" },
          meta,
          headers: { ...named, "mcp-name": "x://a" },
        },
        expected: "modern",
      },
      {
        title: `${method} without Mcp-Name`,
        input: { method, params: { [field]: "x://a" }, meta, headers: named },
        expected: ["header-mismatch", -32020],
      },
      {
        title: `${method} without ${field}, which the method tells`,
        input: { method, meta, headers: named },
        expected: "modern",
      },
    ];
  }),
  {
    title: "a name that itself looks encoded",
    input: {
      method: "tools/call",
      params: { name: "=?base64?YQ==?=" },
      meta,
      headers: {
        ...headers,
        "mcp-method": "tools/call",
        "mcp-name": "=?base64?PT9iYXNlNjQ/WVE9PT89?=",
      },
    },
    expected: "modern",
  },
  {
    title: "a name that looks encoded and is sent as it is",
    input: {
      method: "tools/call",
      params: { name: "=?base64?YQ==?=" },
      meta,
      headers: { ...headers, "mcp-method": "tools/call", "mcp-name": "=?base64?YQ==?=" },
    },
    expected: ["header-mismatch", -32020],
  },
];

for (const { title, input, expected } of sheet) {
  Deno.test(`classifyRequest() judges ${title}: ${expected}`, () => {
    const { method = "tools/list", id = 7, params = {}, headers: sent = {} } = input;
    const message = {
      method,
      params: input.meta === undefined ? params : { ...params, _meta: input.meta },
      ...(id === null ? {} : { id }),
    };
    const headers = new Headers(sent);
    const version = headers.get("mcp-protocol-version");
    const route = classifyRequest({ message, version, headers }, eras);
    if (expected === "modern") {
      assert(!isRefusal(route), JSON.stringify(route));
      assertEquals([route.era === modern, route.revision], [true, "2026-07-28"]);
      return;
    }
    if (expected === "legacy") {
      assert(!isRefusal(route), JSON.stringify(route));
      assertEquals(route.era === legacy, true);
      return;
    }
    assert(isRefusal(route));
    assertEquals([route.refused, route.error.code, route.status, route.id], [...expected, 400, 7]);
  });
}

Deno.test("classifyRequest() has a row for every rung", () => {
  const rungs = new Set(
    sheet.flatMap(({ expected }) => typeof expected === "string" ? [] : [expected[0]]),
  );
  assertEquals([...rungs].sort(), ["envelope", "header-mismatch", "unsupported-version"]);
});

Deno.test("classifyRequest() answers a refused notification without an id", () => {
  const message = { method: "notifications/cancelled", params: {} };
  const version = "2024-11-05";
  const headers = new Headers({ "mcp-protocol-version": version });
  const route = classifyRequest({ message, version, headers }, eras);
  assert(isRefusal(route) && !("id" in route));
});
