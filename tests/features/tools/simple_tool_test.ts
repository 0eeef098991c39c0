import { assertEquals, assertThrows } from "@std/assert";
import { ConfigurationError, McpServer, param, unrestricted } from "@limen/mcp";
import * as z from "zod";

const OPEN = { description: "x", effect: "read", permissions: [unrestricted] };

// What types refuse, and plain JavaScript does not.
const WRONG: readonly (readonly [title: string, args: readonly unknown[], problem: string])[] = [
  [
    "options and function swapped",
    [() => 1, OPEN],
    "the second argument must be an object of options",
  ],
  ["no function", [OPEN], "the third argument must be a function"],
  ["no effect", [{ ...OPEN, effect: undefined }, () => 1], "effect must be one of "],
  [
    "a schema in reads",
    [{ ...OPEN, reads: { a: z.string() } }, () => 1],
    "reads must hold parameters",
  ],
  ["no schema as input", [{ ...OPEN, input: {} }, () => 1], "input must be a Standard Schema"],
  ["no permission", [{ ...OPEN, permissions: [] }, () => 1], "permissions must list at least one"],
];

for (const [title, args, problem] of WRONG) {
  Deno.test(`McpServer.tool() names the tool and the place: ${title}`, () => {
    const server = new McpServer({ name: "s", version: "1" });
    const error = assertThrows(
      () =>
        server.tool(
          "t",
          ...(args as Parameters<typeof server.tool> extends [unknown, ...infer R] ? R : never),
        ),
      ConfigurationError,
    );
    const start = `Cannot register tool "t": ${problem}`;
    assertEquals(error.message.slice(0, start.length), start);
  });
}

Deno.test("McpServer.tool() takes parameters of every kind in reads", () => {
  const server = new McpServer({ name: "s", version: "1" });
  const reads = { a: param.string(), b: param.integer(), c: param.boolean() };
  server.tool("t", { ...OPEN, effect: "read", reads }, () => 1);
});
