import { type McpServer, param, ServiceNotFound, unrestricted } from "@limen/mcp";
import { completeIds } from "./complete_ids.ts";
import type { InvoiceDatabase } from "./database.ts";
import type { Staff } from "./staff.ts";

const TONES = ["friendly", "firm"] as const;

/** Serves prompts for people to pick. */
export function addPrompts(
  server: McpServer<Staff, { readonly today: Date }>,
  database: InvoiceDatabase,
): void {
  server.registerPrompt("payment_reminder", {
    title: "Payment reminder",
    description: "Drafts a reminder for an invoice.",
    reads: {
      invoiceId: param.integer({ required: true, help: "The id of the invoice." }),
      tone: param.string({ choices: TONES, default: "friendly", help: "How to put it." }),
    },
    complete: {
      invoiceId: completeIds(database),
      tone: ({ value }) => TONES.filter((tone) => tone.startsWith(value)),
    },
    permissions: [unrestricted],
  }, ({ args }) => {
    const invoice = database.findInvoice(args.invoiceId);
    if (invoice === undefined) throw new ServiceNotFound(`There is no invoice ${args.invoiceId}.`);
    return [
      {
        role: "user",
        content: {
          type: "resource",
          resource: {
            uri: `invoices://${invoice.id}`,
            mimeType: "application/json",
            text: JSON.stringify(invoice),
          },
        },
      },
      `Write a ${args.tone} reminder to the customer of this invoice, of at most 80 words.`,
    ];
  });

  server.registerPrompt(
    "customer_review",
    {
      title: "Customer review",
      description: "Looks at how a customer pays.",
      reads: { customer: param.string({ required: true, help: "The customer's name." }) },
      complete: {
        customer: ({ value }) =>
          database.listCustomers(value, { limit: 101 }).map(({ name }) => name),
      },
      permissions: [unrestricted],
    },
    ({ args }) =>
      `Find the customer ${args.customer} and list their invoices. How much is open, how late do ` +
      "they pay, and what would you do about it?",
  );
}
