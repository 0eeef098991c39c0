/** What a dispatcher tells of the tools behind it, and to whom (B14, HV-50). */
import { assertEquals } from "@std/assert";
import {
  authenticated,
  type McpServer,
  param,
  selectorSpec,
  serviceSpec,
  unrestricted,
} from "@limen/mcp";
import { z } from "zod";
import { askAs, serverOfCallers } from "../../../_support/ask_as.ts";
import type { Message } from "../../../_support/read_answer.ts";

const ERAS = ["modern", "legacy"] as const;
const ada = { user: { id: "ada", authenticated: true }, token: { scopes: ["a"] } };

const listed = selectorSpec({
  kind: "list",
  reads: { status: param.string({ choices: ["open", "paid"] }) },
  output: z.object({ id: z.int() }),
  permissions: [unrestricted],
  select: () => [{ id: 1 }],
});

/** Five tools behind `all`, of which a stranger may see three. */
function createServer(options: object = {}): McpServer {
  const server = serverOfCallers({ filterListings: true, pageSize: 2, ...options });
  server.registerDispatcher({ name: "all", description: "Everything.", effect: "read" });
  const behind = { dispatcher: "all", effect: "read" } as const;
  const open = { ...behind, permissions: [unrestricted] };
  server.registerTool(listed, {
    name: "list",
    title: "List",
    description: "Lists invoices.\nWith many more words.",
    dispatcher: "all",
    meta: { "example/k": 1 },
  });
  const guarded = { ...behind, permissions: [authenticated], description: "For staff: invoices." };
  server.tool("staff", guarded, () => "1");
  server.tool("long", { ...open, description: "y".repeat(300) }, () => "1");
  server.tool("bare", open, () => "1");
  server.tool("scoped", { ...open, scopes: "z" }, () => "1");
  server.tool(
    "flat",
    { description: "F.", effect: "read", permissions: [unrestricted] },
    () => "1",
  );
  return server;
}

type Options = Parameters<typeof askAs>[3];

async function help(server: McpServer, params?: Message, options: Options = {}): Promise<Message> {
  const sent = { name: "all", arguments: { tool: "help", ...(params && { params }) } };
  const { result } = (await askAs(server, "tools/call", sent, options)).message;
  return result.structuredContent ?? JSON.parse(result.content[0].text).error;
}

const LIST = { name: "list", description: "Lists invoices." };
const LONG = { name: "long", description: `${"y".repeat(200)}…` };

for (const era of ERAS) {
  Deno.test(`help lists page by page what the caller may see: ${era}`, async () => {
    const server = createServer();
    assertEquals(await help(server, undefined, { era }), {
      items: [LIST, LONG],
      page: 1,
      totalPages: 2,
      hasNext: true,
    });
    const last = { items: [{ name: "bare" }], page: 2, totalPages: 2, hasNext: false };
    assertEquals(await help(server, { page: 2 }, { era }), last);
    assertEquals(await help(server, { page: 9 }, { era }), last);
    const names = async (page: number) =>
      (await help(server, { page }, { era, as: ada })).items.map(({ name }: Message) => name);
    assertEquals([await names(1), await names(2)], [["list", "staff"], ["long", "bare"]]);
  });

  Deno.test(`help about one tool is its entry of tools/list: ${era}`, async () => {
    const server = createServer();
    const told = await help(server, { tool: "list" }, { era });
    const flat = serverOfCallers();
    const binding = { name: "list", title: "List", meta: { "example/k": 1 } };
    const description = "Lists invoices.\nWith many more words.";
    flat.registerTool(listed, { ...binding, description });
    const { result } = (await askAs(flat, "tools/list", {}, { era })).message;
    assertEquals(told, result.tools[0]);
    assertEquals(told.outputSchema.type, era === "modern" ? "array" : "object");
  });
}

Deno.test("help searches names and descriptions, and finds nothing for strangers (B14)", async () => {
  const server = createServer();
  const found = async (search: string, as?: typeof ada) =>
    (await help(server, { search }, as && { as })).items.map(({ name }: Message) => name);
  assertEquals(await found("INVOICES"), ["list"]);
  assertEquals(await found("invoices", ada), ["list", "staff"]);
  assertEquals(await found("bar"), ["bare"]);
  assertEquals(await help(server, { search: "nothing" }), {
    items: [],
    page: 1,
    totalPages: 1,
    hasNext: false,
  });
});

Deno.test("help shows every tool where listings are not filtered", async () => {
  const server = createServer({ filterListings: false, pageSize: 10 });
  const { items } = await help(server);
  assertEquals(items.map(({ name }: Message) => name), ["list", "staff", "long", "bare", "scoped"]);
  const { name } = await help(server, { tool: "scoped" });
  assertEquals(name, "scoped");
});

Deno.test("help leaves out what no condition allows at the moment (L-10)", async () => {
  let isOpen = false;
  const server = serverOfCallers();
  server.registerDispatcher({ name: "all", description: "Everything.", effect: "write" });
  const spec = serviceSpec({
    permissions: [unrestricted],
    affordances: [{ code: "closed", reason: "Closed.", when: () => isOpen }],
    run: () => 1,
  });
  server.registerTool(spec, { name: "close", description: "Closes.", dispatcher: "all" });
  server.registerTool(spec, {
    name: "kept",
    description: "Kept.",
    dispatcher: "all",
    alwaysListed: true,
  });
  const names = async () => (await help(server)).items.map(({ name }: Message) => name);
  assertEquals(await names(), ["kept"]);
  const { message } = await help(server, { tool: "close" });
  assertEquals(message, 'Unknown tool: "close"; tool "help" lists those there are');
  isOpen = true;
  assertEquals(await names(), ["close", "kept"]);
});

Deno.test("help knows the tools of its own dispatcher alone", async () => {
  const server = createServer();
  server.registerDispatcher({ name: "other", description: "Others.", effect: "write" });
  for (const tool of ["flat", "other", "all", "help", "staff"]) {
    const { message } = await help(server, { tool });
    assertEquals(message, `Unknown tool: "${tool}"; tool "help" lists those there are`);
  }
  const sent = { name: "other", arguments: { tool: "list" } };
  const { result } = (await askAs(server, "tools/call", sent)).message;
  assertEquals(result.isError, true);
});

Deno.test("help refuses what it does not take, every problem at once", async () => {
  assertEquals(await help(createServer(), { page: "x", tool: 1, cursor: "y" }), {
    type: "validation_error",
    message: "Invalid arguments",
    detail: {
      cursor: ["Unknown argument."],
      tool: ["Expected a string."],
      page: ["Enter a whole number."],
    },
  });
});

Deno.test("help is text alone where structured content is left out", async () => {
  const server = createServer({ includeStructuredContent: false, includeOutputSchema: false });
  const sent = { name: "all", arguments: { tool: "help", params: { search: "bare" } } };
  const { result } = (await askAs(server, "tools/call", sent)).message;
  assertEquals(result.structuredContent, undefined);
  assertEquals(JSON.parse(result.content[0].text).items, [{ name: "bare" }]);
});

Deno.test("help has the ceiling of the server", async () => {
  const { type, message } = await help(createServer({ maxResultBytes: 200 }));
  assertEquals(type, "result_too_large");
  assertEquals(message.startsWith("The result of all has "), true);
});
