/** What a listing shows to whom, and for how long (L-3…L-5, L-10…L-13, K-75). */
import { assertEquals } from "@std/assert";
import {
  authenticated,
  McpServer,
  poolSeeds,
  type Principal,
  selectorSpec,
  specsFor,
  unrestricted,
} from "@limen/mcp";
import { mcpRequest } from "../../_support/mcp_request.ts";
import { readAnswer } from "../../_support/read_answer.ts";
import { callTool } from "../../_support/serve_spec.ts";
import { assertSound } from "../../_support/wire_sheet.ts";

const ada = { user: { id: "ada", authenticated: true }, token: { scopes: ["a"] } };

/** A server whose books may be closed, and what it asked. */
function books(options: object = {}, isOpen: () => unknown = () => false) {
  const asked: string[] = [];
  const seeds = poolSeeds({
    isOpen: ({ user }: { readonly user: Principal }) => {
      asked.push(`seed for ${user.id}`);
      return isOpen();
    },
  });
  const { serviceSpec } = specsFor({ seeds, permissions: [unrestricted] });
  const closing = (note: string) =>
    serviceSpec({
      instance: selectorSpec({ kind: "retrieve", select: () => ({ id: 1 }) }),
      affordances: [
        {
          code: "books_closed",
          reason: "The books are closed.",
          when: ({ isOpen }) => {
            asked.push(note);
            return isOpen as boolean;
          },
        },
        {
          code: "row",
          reason: "Never.",
          whenRow: () => {
            asked.push("row");
            return false;
          },
        },
      ],
      run: () => 1,
    });
  const auth = {
    authenticate: (request: Request) =>
      request.headers.has("x-caller") ? ada : { user: { authenticated: false } },
  };
  const server = new McpServer({ name: "s", version: "1", seeds, auth, ...options });
  const binding = { description: "T." };
  server.registerTool(serviceSpec({ run: () => 1 }), { ...binding, name: "always" });
  server.registerTool(closing("t"), { ...binding, name: "t" });
  server.registerTool(closing("kept"), { ...binding, name: "kept", alwaysListed: true });
  server.registerTool(
    selectorSpec({ kind: "list", permissions: [authenticated], select: () => [] }),
    { ...binding, name: "guarded", paginate: true },
  );
  server.registerTool(serviceSpec({ run: () => 1 }), { ...binding, name: "scoped", scopes: "b" });
  return { server, asked };
}

/** The names that a caller is shown, and the caching hints. */
async function list(server: McpServer, isAda = false) {
  const headers = isAda ? { "x-caller": "1" } : {};
  const answer = await readAnswer(await server.fetch(mcpRequest("modern", { headers })));
  assertSound(answer, "tools/list");
  const { tools = [], cacheScope, ttlMs } = answer.message?.result ?? {};
  const names = tools.map(({ name }: { name: string }) => name);
  return { status: answer.status, names, cacheScope, ttlMs };
}

Deno.test("a listing leaves out what no condition allows, and says it is private (L-5, L-10, L-12)", async () => {
  const { server, asked } = books();
  assertEquals(await list(server), {
    status: 200,
    names: ["always", "kept", "guarded", "scoped"],
    cacheScope: "private",
    ttlMs: 60000,
  });
  assertEquals(asked, ["seed for undefined", "t"]); // no row, and nothing of what is always listed
});

Deno.test("a listing asks anew each time, for whoever asks (L-10, L-13)", async () => {
  let isOpen = false;
  const { server, asked } = books({}, () => isOpen);
  assertEquals((await list(server)).names.includes("t"), false);
  isOpen = true;
  assertEquals((await list(server, true)).names.includes("t"), true);
  assertEquals(asked, ["seed for undefined", "t", "seed for ada", "t"]);
});

Deno.test("tools/call never looks at the listing (L-11, K-77)", async () => {
  const { server } = books();
  for (const name of ["t", "kept"]) {
    const { refusal } = await callTool(server, {}, { input: { params: { name } } });
    assertEquals(refusal, {
      type: "service_error",
      message: "The books are closed.",
      code: "books_closed",
    });
  }
  const hidden = books({ filterListings: true });
  const input = { params: { name: "guarded" } };
  const { error } = await callTool(hidden.server, {}, { input });
  assertEquals(error, { code: -32006, message: "Insufficient permission" });
});

Deno.test("a condition or a seed that raises fails the listing, masked (L-10, K-39)", async () => {
  const { server } = books({ log: () => {} }, () => {
    throw new Error("secret-text");
  });
  assertEquals((await list(server)).status, 500);
});

Deno.test("filterListings leaves out what scopes and checks deny, without arguments (L-4, L-5)", async () => {
  const { server } = books({ filterListings: true });
  assertEquals((await list(server)).names, ["always", "kept"]);
  assertEquals((await list(server, true)).names, ["always", "kept", "guarded"]);
});

Deno.test("a listing that asks nothing is public, and is told for how long it may be kept (L-3, L-5)", async () => {
  const server = new McpServer({ name: "s", version: "1", catalogTtlMs: 5 });
  const spec = selectorSpec({ kind: "retrieve", permissions: [authenticated], select: () => 1 });
  server.registerTool(spec, { name: "t", description: "T." });
  const { cacheScope, ttlMs, names } = await list(server);
  assertEquals([cacheScope, ttlMs, names], ["public", 5, ["t"]]);
});

Deno.test("unavailableTools() says why a tool is left out, and nothing of what is hidden (N-4, K-75)", async () => {
  const { server, asked } = books();
  const unavailable = await server.unavailableTools({ user: ada.user });
  assertEquals([...unavailable].map(([name, { code, reason }]) => [name, code, reason]), [
    ["t", "books_closed", "The books are closed."],
  ]);
  assertEquals(asked, ["seed for ada", "t"]);
  const plain = new McpServer({ name: "s", version: "1" });
  assertEquals((await plain.unavailableTools()).size, 0);
});

Deno.test("listTools() lists as the wire does, and on request what no condition allows (N-1)", async () => {
  const { server, asked } = books({ pageSize: 2 });
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await server.listTools(cursor === undefined ? {} : { cursor });
    if (!("tools" in page)) throw new Error(page.message);
    names.push(...page.tools.map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  assertEquals(names, ["always", "kept", "guarded", "scoped"]);
  asked.length = 0;
  const all = await server.listTools({ includeUnavailable: true });
  assertEquals("tools" in all && all.tools.map(({ name }) => name), ["always", "t"]);
  assertEquals("cacheScope" in all && all.cacheScope, "public"); // as if nothing had a condition
  assertEquals(asked, []);
  const bad = await server.listTools({ cursor: "bogus" });
  assertEquals("code" in bad && bad.code, -32602);
});
