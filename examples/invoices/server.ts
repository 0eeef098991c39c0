import { inProcessExecutor, McpServer } from "@limen/mcp";
import { memoryBroker } from "@limen/mcp/stores/memory";
import { createAccess } from "./access.ts";
import type { InvoiceDatabase } from "./database.ts";
import { addPrompts } from "./prompts.ts";
import { addResources } from "./resources.ts";
import { owner } from "./staff.ts";
import { createSpecs, seeds, type SpecsOptions } from "./specs.ts";

/** Options of {@linkcode createServer}. */
export interface InvoiceServerOptions extends SpecsOptions {
  /** The token that writes ask for. Default: none, and every caller may write. */
  readonly token?: string | undefined;
}

/** Serves customers and invoices: as tools, as resources, and as prompts. */
export function createServer(database: InvoiceDatabase, options: InvoiceServerOptions = {}) {
  const specs = createSpecs(database, options);
  const server = new McpServer({
    name: "invoices",
    version: "1.0.0",
    title: "Invoices",
    description: "Customers and their invoices.",
    instructions:
      "Amounts are cents of a euro and dates are YYYY-MM-DD. Find a customer's id with " +
      "customers_list before you bill. To bill many at once, call invoices_create_many once. " +
      "A paid invoice is final.",
    auth: createAccess(options.token),
    executor: inProcessExecutor(),
    restoreCaller: (id) => id === owner.id ? { user: owner } : undefined,
    broker: memoryBroker(), // one process; with several, redisBroker()
    seeds,
    continuationTool: "continuations_read", // reads what a short answer leaves out
    requestState: { singleProcess: true }, // several processes share a secret instead
  });
  const changed = ["invoices://{id}", "invoices://{id}/pdf", "invoices://summary"];

  server.registerTool(specs.listCustomers, {
    name: "customers_list",
    description: "Finds customers by a part of their name, and lists them with their ids.",
    paginate: true,
  });
  server.registerTool(specs.listInvoices, {
    name: "invoices_list",
    description: "Lists invoices by id, of one customer or in one state if you say so.",
    paginate: true,
  });
  server.registerTool(specs.retrieveInvoice, {
    name: "invoices_retrieve",
    description: "Shows one invoice, and whether it can be changed or deleted.",
  });
  server.registerTool(specs.createInvoice, {
    name: "invoices_create",
    description: "Bills a customer: issues one invoice today, and confirms it.",
    invalidates: ["invoices://summary"],
  });
  server.registerTool(specs.createInvoices, {
    name: "invoices_create_many",
    description: "Issues up to 1000 invoices today: all of them, or none if one is refused. " +
      "Confirms how many, with a token to read them by, in the order sent.",
    invalidates: ["invoices://summary"],
  });
  server.registerTool(specs.updateInvoice, {
    name: "invoices_update",
    description: "Changes an open invoice, or marks it as paid. Send only what is to change.",
    invalidates: changed,
  });
  server.registerTool(specs.deleteInvoice, {
    name: "invoices_delete",
    description: "Deletes an open invoice for good. A paid one cannot be deleted.",
    invalidates: changed,
  });
  server.registerTool(specs.deleteOpenInvoices, {
    name: "invoices_delete_open",
    description: "Deletes all open invoices of a customer for good, once the user has agreed.",
  });
  server.registerTool(specs.exportInvoices, {
    name: "invoices_export",
    description: "Exports invoices as CSV. Takes a few seconds and reports its progress; " +
      "to look at a few invoices, use invoices_list.",
    taskPolicy: "optional", // the owner may do something else in the meantime
  });
  addResources(server, specs, database);
  addPrompts(server, database);
  return server;
}
