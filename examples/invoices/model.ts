/**
 * The words of the domain: what a customer and an invoice are, and what may be sent for one.
 *
 * Nothing here knows of MCP. The schemas check what comes in, describe it to the model, and give the
 * static types.
 *
 * @module
 */
import * as z from "zod";

const id = z.int().min(1);
const amountCents = z.int().min(1).max(100_000_000)
  .describe("The amount in cents of a euro: 1250 is 12.50 EUR.");
const note = z.string().max(500).describe("A remark for the customer.");
const status = z.enum(["open", "paid"]);

/** Whom we bill. */
export const Customer = z.object({ id, name: z.string(), email: z.email() });
export type Customer = z.infer<typeof Customer>;

/** What we bill. */
export const Invoice = z.object({
  id,
  customerId: id,
  status,
  amountCents,
  issuedOn: z.iso.date(),
  dueOn: z.iso.date(),
  note,
});
export type Invoice = z.infer<typeof Invoice>;

/** What is sent for a new invoice; the rest is ours to fill in. */
export const NewInvoice = z.object({
  customerId: id.describe("Whom to bill: an id from customers_list."),
  amountCents,
  dueOn: z.iso.date().exactOptional().describe("Payable until this day. Default: in 30 days."),
  note: note.default(""),
});
export type NewInvoice = z.infer<typeof NewInvoice>;

/** What is sent to change an invoice: only what is to change. */
export const InvoiceChange = z.object({
  amountCents: amountCents.exactOptional(),
  dueOn: z.iso.date().exactOptional().describe("Payable until this day."),
  note: note.exactOptional(),
  status: status.exactOptional().describe('Set to "paid" once the money is here; this is final.'),
});
export type InvoiceChange = z.infer<typeof InvoiceChange>;

/** Which invoices to read. */
export interface InvoiceFilter {
  /** Only the invoices of this customer. */
  readonly customerId?: number | undefined;
  /** Only the invoices in this state. */
  readonly status?: Invoice["status"] | undefined;
}
