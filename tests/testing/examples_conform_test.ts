/**
 * Every tool of every example that serves MCP, in both eras: what it answers is what it advertises. An example or a
 * tool without a row here fails.
 *
 * @module
 */
import { existsSync, readdirSync } from "node:fs";
import { assert, assertEquals } from "@std/assert";
import { assertToolResultConforms, createTestClient, type TestServer } from "@limen/mcp/testing";
import { createServer as createConformance } from "../../examples/conformance/server.ts";
import elicitation from "../../examples/elicitation/server.ts";
import hello from "../../examples/hello/server.ts";
import { InvoiceDatabase } from "../../examples/invoices/database.ts";
import { seed } from "../../examples/invoices/seed.ts";
import { createServer as createInvoices } from "../../examples/invoices/server.ts";

/** A tool's name with its arguments; a tool may be called more than once. */
type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];

interface Example {
  /** Makes a fresh server. */
  readonly create: () => TestServer;
  /** In order; one or more for each tool that advertises an outputSchema. */
  readonly calls: readonly Call[];
}

const EXAMPLES: Readonly<Record<string, Example>> = {
  conformance: { create: () => createConformance(), calls: [] },
  elicitation: { create: () => elicitation, calls: [] },
  hello: { create: () => hello, calls: [] },
  invoices: {
    create: () => {
      const database = new InvoiceDatabase(":memory:");
      seed(database, new Date("2026-01-01T00:00:00Z"));
      return createInvoices(database);
    },
    calls: [
      ["customers_list", {}],
      ["customers_list", { nameContains: "no such name" }],
      ["invoices_list", { limit: 100 }],
      ["invoices_list", { status: "open", customerId: 1 }],
      ["invoices_retrieve", { id: 7 }],
      ["invoices_create", { customerId: 1, amountCents: 1250, note: "Training" }],
      ["invoices_create_many", {
        invoices: [{ customerId: 1, amountCents: 1 }, { customerId: 2, amountCents: 2 }],
      }],
      ["invoices_create", { customerId: 1, amountCents: 1250, verify: true }],
      ["invoices_create_many", { invoices: [{ customerId: 1, amountCents: 1 }], verify: true }],
      ["invoices_update", { id: 301, status: "paid" }],
      ["invoices_delete", { id: 302 }],
    ],
  },
};

/** Called by their own `check.ts` alone, since they need a service; their tools advertise no output. */
const WITH_A_SERVICE: readonly string[] = ["tasks_bullmq"];

Deno.test("every example has a row, by which its tools are called", () => {
  const folder = new URL("../../examples/", import.meta.url);
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("_"))
    .map(({ name }) => name)
    .filter((name) => existsSync(new URL(`${name}/server.ts`, folder)))
    .filter((name) => !WITH_A_SERVICE.includes(name));
  assertEquals(Object.keys(EXAMPLES).sort(), names.sort());
});

for (const [name, { create, calls }] of Object.entries(EXAMPLES)) {
  for (const era of ["modern", "legacy"] as const) {
    Deno.test(`every tool of the example ${name} conforms to its outputSchema (${era})`, async () => {
      await using client = createTestClient(create(), { era });
      const tools = await client.listTools();
      assert(tools.length > 0);
      for (const [tool, args] of calls) {
        const listed = tools.find(({ name }) => name === tool);
        assert(listed !== undefined, `There is no tool ${tool}`);
        assertToolResultConforms(listed, await client.callTool(tool, args));
      }
      const called = new Set(calls.map(([tool]) => tool));
      const left = tools.filter(({ name, outputSchema }) => outputSchema && !called.has(name));
      assertEquals(left.map(({ name }) => name), [], "Tools that advertise and are not called");
    });
  }
}
