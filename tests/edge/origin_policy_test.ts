import { assertEquals, assertThrows } from "@std/assert";
import { createOriginPolicy } from "../../src/edge/origin_policy.ts";
import { ConfigurationError } from "../../src/ports/configuration_error.ts";

const policy = createOriginPolicy({
  publicUrl: "https://mcp.example:8443/mcp",
  allowedOrigins: ["https://app.example", "http://localhost:3000/"],
  hasAuth: false,
});

const ORIGINS: readonly (readonly [origin: string, host: string, allowed: boolean])[] = [
  ["https://app.example", "evil.example", true],
  ["https://mcp.example:8443", "evil.example", true],
  ["http://localhost:3000", "mcp.example", true],
  ["https://mcp.example", "mcp.example", false],
  ["http://app.example", "localhost", false],
  ["https://app.example.evil.example", "localhost", false],
  ["https://evil.example/https://app.example", "localhost", false],
  ["http://localhost:5173", "localhost:8000", true],
  ["https://127.0.0.1", "127.0.0.1:8000", true],
  ["http://127.9.9.9", "[::1]:8000", true],
  ["http://[::1]:5173", "[::1]", true],
  ["http://localhost:5173", "mcp.example", false],
  ["http://localhost:5173", "localhost.evil.example", false],
  ["http://evil.example", "evil.example", false], // a rebound name
  ["http://localhost.evil.example", "localhost", false],
  ["http://127.0.0.1.evil.example", "localhost", false],
  ["http://evil-localhost", "localhost", false],
  ["ftp://localhost", "localhost", false],
  ["file://", "localhost", false],
  ["null", "localhost", false],
  ["", "localhost", false],
  ["*", "localhost", false],
];

for (const [origin, host, allowed] of ORIGINS) {
  Deno.test(`createOriginPolicy() ${allowed ? "serves" : "refuses"} a page of "${origin}" at ${host} (B1)`, () => {
    assertEquals(policy.allowsOrigin(origin, () => host), allowed);
  });
}

Deno.test("createOriginPolicy() serves every page but null where all are allowed", () => {
  const open = createOriginPolicy({ allowedOrigins: ["*"], hasAuth: true });
  assertEquals(open.allowsOrigin("https://any.example", () => "a"), true);
  assertEquals(open.allowsOrigin("null", () => "a"), false);
});

Deno.test("createOriginPolicy() restricts hosts only where it is told to", () => {
  assertEquals([policy.restrictsHosts, policy.allowsHost("any.example")], [false, true]);
  const strict = createOriginPolicy({
    allowedOrigins: [],
    allowedHosts: ["MCP.example", "localhost:8000"],
    hasAuth: false,
  });
  const hosts = ["mcp.example", "mcp.EXAMPLE:1", "localhost:8000", "localhost", "mcp.example.evil"];
  assertEquals(hosts.map(strict.allowsHost), [true, true, true, false, false]);
});

Deno.test("createOriginPolicy() refuses what could never match, or would match all", () => {
  for (
    const origin of ["app.example", "https://app.example/x", "https://app.example?x", "null", ""]
  ) {
    const error = assertThrows(
      () => createOriginPolicy({ allowedOrigins: [origin], hasAuth: true }),
      ConfigurationError,
    );
    assertEquals(error.message.includes(JSON.stringify(origin)), true);
  }
  assertThrows(
    () => createOriginPolicy({ allowedOrigins: ["*"], hasAuth: false }),
    ConfigurationError,
    "set allowedHosts or auth",
  );
});
