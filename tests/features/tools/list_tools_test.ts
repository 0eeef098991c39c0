/** Pages of tools/list, and cursors (B78, L-1). */
import { assert, assertEquals } from "@std/assert";
import { McpServer, unrestricted } from "@limen/mcp";
import { decodeCursor, encodeCursor } from "../../../src/features/list_cursor.ts";
import { mcpRequest } from "../../_support/mcp_request.ts";
import { readAnswer } from "../../_support/read_answer.ts";
import { assertSound } from "../../_support/wire_sheet.ts";

function createServer(count: number): McpServer {
  const server = new McpServer({ name: "s", version: "1", pageSize: 2, catalogTtlMs: 0 });
  for (let i = 0; i < count; i++) add(server, `t${i}`);
  return server;
}

function add(server: McpServer, name: string): void {
  server.tool(name, { description: "T.", effect: "act", permissions: [unrestricted] }, () => 1);
}

/** One page: its names and the cursor of the next, or the error's code. */
async function page(server: McpServer, cursor?: unknown) {
  const params = cursor === undefined ? {} : { cursor };
  const answer = await readAnswer(await server.fetch(mcpRequest("modern", { params })));
  assertSound(answer, "tools/list");
  assertEquals(answer.status, 200);
  if (answer.message?.error !== undefined) return answer.message.error.code;
  const { tools, nextCursor, ttlMs } = answer.message!.result;
  assertEquals(ttlMs, 0);
  return { names: tools.map((tool: { name: string }) => tool.name), nextCursor };
}

Deno.test("tools/list lists every tool once, in the order of registration", async () => {
  const server = createServer(5);
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const one = await page(server, cursor);
    names.push(...one.names);
    cursor = one.nextCursor;
  } while (cursor !== undefined);
  assertEquals(names, ["t0", "t1", "t2", "t3", "t4"]);
});

Deno.test("tools/list names no next page after a last page that is full", async () => {
  const server = createServer(4);
  const first = await page(server);
  assertEquals(await page(server, first.nextCursor), {
    names: ["t2", "t3"],
    nextCursor: undefined,
  });
});

Deno.test("tools/list shows a tool that was added since (registry version)", async () => {
  const server = createServer(1);
  assertEquals((await page(server)).names, ["t0"]);
  add(server, "t1");
  assertEquals((await page(server)).names, ["t0", "t1"]);
});

const FOREIGN: readonly unknown[] = [
  "bogus",
  "",
  "e30=",
  "e30",
  5,
  null,
  {},
  encodeCursor("prompts", 2), // another list's
  encodeCursor("tools", -2),
  encodeCursor("tools", 0),
  encodeCursor("tools", 1), // no page begins there
  encodeCursor("tools", 6), // past the end
  encodeCursor("tools", 1e21),
  `${encodeCursor("tools", 2)}=`,
  ` ${encodeCursor("tools", 2)}`,
  btoa("tools:02"),
  "x".repeat(100_000),
];

for (const cursor of FOREIGN) {
  const shown = JSON.stringify(cursor).slice(0, 40);
  Deno.test(`tools/list refuses the cursor ${shown} with -32602 on 200 (B78)`, async () => {
    assertEquals(await page(createServer(5), cursor), -32602);
  });
}

Deno.test("decodeCursor() reads what encodeCursor() wrote, for its own list", () => {
  for (const offset of [1, 7, 100, 999_999_999]) {
    const cursor = encodeCursor("tools", offset);
    assert(/^[A-Za-z0-9_-]+$/.test(cursor));
    assertEquals(decodeCursor("tools", cursor), offset);
    assertEquals(decodeCursor("resources", cursor), undefined);
  }
});
