/** O-6: one record of every call, with labels and no values. */
import { assertEquals } from "@std/assert";
import {
  type AuditRecord,
  fixedWindow,
  McpServer,
  param,
  selectorSpec,
  type ServerOptions,
  ServiceError,
  staticTokens,
  unrestricted,
} from "@limen/mcp";
import { askServer } from "../_support/ask_server.ts";
import { legacyRequest, openSession } from "../_support/legacy_session.ts";

const TOKEN = "the-token-of-ada-1234";
const open = { description: "Tests.", effect: "read", permissions: [unrestricted] } as const;
const nobody = { hasPermission: () => false, message: "Needs a clerk" };

function createServer(options: Partial<ServerOptions> = {}) {
  const records: AuditRecord[] = [];
  const server = new McpServer({
    name: "s",
    version: "1",
    log: () => {},
    audit: (record) => void records.push(record),
    auth: staticTokens([{
      token: TOKEN,
      user: { id: "ada", authenticated: true },
      scopes: ["read"],
    }], { allowAnonymous: true }),
    ...options,
  });
  server.tool("echo", { ...open, reads: { text: param.string() } }, ({ args }) => args.text ?? "");
  server.tool("closed", { ...open, permissions: [nobody] }, () => "never");
  server.tool("scoped", { ...open, scopes: "write" }, () => "never");
  server.tool(
    "once",
    { ...open, rateLimits: fixedWindow({ maxCalls: 1, perSeconds: 60 }) },
    () => "",
  );
  server.tool("refuses", open, () => {
    throw new ServiceError("PLANTED is closed.");
  });
  server.tool("breaks", open, () => {
    throw new Error("PLANTED");
  });
  server.registerResource(
    selectorSpec({
      kind: "retrieve",
      reads: { id: param.string() },
      permissions: [unrestricted],
      select: ({ args }) => args.id === "1" ? { ok: true } : undefined,
    }),
    { uri: "notes://{id}", name: "note" },
  );
  server.registerPrompt("greet", { permissions: [unrestricted] }, () => "Hello");
  return { server, records };
}

const ROWS: readonly (readonly [method: string, params: object, name: string, ending: string])[] = [
  ["tools/call", { name: "echo", arguments: { text: "PLANTED" } }, "echo", "allow served"],
  [
    "tools/call",
    { name: "echo", arguments: { other: "PLANTED" } },
    "echo",
    "allow validation_error",
  ],
  ["tools/call", { name: "refuses" }, "refuses", "allow service_error"],
  ["tools/call", { name: "breaks" }, "breaks", "allow fault"],
  ["tools/call", { name: "closed" }, "closed", "deny permission"],
  ["tools/call", { name: "scoped" }, "scoped", "deny scope"],
  ["tools/call", { name: "once" }, "once", "allow served"],
  ["tools/call", { name: "once" }, "once", "deny limit"],
  ["tools/call", { name: "no\u0000\u00e9" }, "no??", "deny absent"],
  ["resources/read", { uri: "notes://1" }, "notes://{id}", "allow served"],
  ["resources/read", { uri: "notes://PLANTED" }, "notes://{id}", "allow -32602"],
  ["resources/read", { uri: "other://PLANTED" }, "(unknown)", "deny absent"],
  ["prompts/get", { name: "greet" }, "greet", "allow served"],
  ["prompts/get", { name: "x".repeat(500) }, "x".repeat(128), "deny absent"],
];

Deno.test("audit receives one record of every call, allowed or denied, and no value (O-6)", async () => {
  const { server, records } = createServer();
  for (const [method, params] of ROWS) {
    await askServer(server, method, { ...params }, { token: TOKEN });
  }
  await askServer(server, "tools/list");
  assertEquals(
    records,
    ROWS.map(([method, , name, ending]): AuditRecord => {
      const [decision, reason] = ending.split(" ") as ["allow" | "deny", string];
      return { method, name, principal: "ada", decision, reason };
    }),
  );
});

Deno.test("audit knows the session by its beginning, and no principal of an anonymous caller", async () => {
  const { server, records } = createServer({ sessions: "stored" });
  const id = await openSession(server);
  const message = { id: 1, method: "tools/call", params: { name: "echo" } };
  await (await server.fetch(legacyRequest(id, { message }))).body?.cancel();
  await server.invokeTool("echo");
  const record = {
    method: "tools/call",
    name: "echo",
    decision: "allow",
    reason: "served",
  } as const;
  assertEquals(records, [{ ...record, session: `${id.slice(0, 8)}…` }, record]);
});

Deno.test("audit that throws fails no call, and the log hears of it", async () => {
  const events: string[] = [];
  const { server } = createServer({
    audit: () => {
      throw new Error("The disk is full");
    },
    log: ({ event, cause }) => void events.push(`${event} ${cause}`),
  });
  const { message } = await askServer(server, "tools/call", { name: "echo" });
  assertEquals(message.error, undefined);
  assertEquals(events, ["audit.fault Error: The disk is full"]);
});
