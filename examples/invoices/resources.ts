import type { McpServer } from "@limen/mcp";
import { completeIds } from "./complete_ids.ts";
import type { InvoiceDatabase } from "./database.ts";
import type { createSpecs } from "./specs.ts";
import type { Staff } from "./staff.ts";

/** Serves invoices for people to attach: a summary, and each invoice as data and as a PDF. */
export function addResources(
  server: McpServer<Staff, { readonly today: Date }>,
  specs: ReturnType<typeof createSpecs>,
  database: InvoiceDatabase,
): void {
  const complete = { id: completeIds(database) };
  server.registerResource(specs.summarize, {
    uri: "invoices://summary",
    name: "summary",
    title: "All invoices, added up",
    description: "How many invoices there are in each state, and what they come to.",
    encoding: "text",
    mimeType: "text/markdown",
    annotations: { audience: ["user", "assistant"], priority: 0.8 },
  });
  server.registerResource(specs.retrieveInvoice, {
    uri: "invoices://{id}",
    name: "invoice",
    title: "One invoice",
    description: "An invoice as data.",
    complete,
  });
  server.registerResource(specs.printed, {
    uri: "invoices://{id}/pdf",
    name: "invoice_pdf",
    title: "One invoice, printed",
    description: "An invoice as a PDF for the customer.",
    encoding: "blob",
    mimeType: "application/pdf",
    complete,
  });
}
