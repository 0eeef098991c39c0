/**
 * What can be done with customers and invoices: each operation says what it takes, who may run it and
 * what it gives. The rules of the domain stand here; the SQL is in `database.ts`.
 *
 * Nothing here knows how it is served: `server.ts` serves it over MCP, and `examples/rest/` as a plain
 * HTTP API.
 *
 * @module
 */
import {
  pageable,
  param,
  poolSeeds,
  type SeedPool,
  ServiceNotFound,
  ServiceValidationError,
  specsFor,
  unrestricted,
} from "@limen/mcp/kernel";
import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import type { InvoiceDatabase } from "./database.ts";
import { daysFrom } from "./days_from.ts";
import { Customer, Invoice, InvoiceChange, NewInvoice } from "./model.ts";
import { ownerOnly, type Staff } from "./staff.ts";

/** Options of {@linkcode createSpecs}. */
export interface SpecsOptions {
  /** How long the export pretends to work on each batch, in milliseconds. Default 200. */
  readonly exportBatchMs?: number;
}
import { printInvoice } from "./print_invoice.ts";
import { toEuros } from "./to_euros.ts";

/** What every operation is given beside its arguments. */
export const seeds = poolSeeds({ today: (_: SeedPool<Staff>) => new Date() });
const { selectorSpec, serviceSpec } = specsFor(seeds);

const EXPORT_BATCH = 25;
const invoiceId = { id: param.integer({ required: true, help: "The id of the invoice." }) };
const invoiceFilter = {
  customerId: param.integer({ help: "Only the invoices of this customer." }),
  status: param.string({ choices: ["open", "paid"], help: "Only the invoices in this state." }),
};
const unpaid = {
  code: "invoice_paid",
  reason: "A paid invoice can no longer be changed or deleted.",
  whenRow: ({ status }: Invoice) => status !== "paid",
};

/** Declares the operations over one database. */
export function createSpecs(database: InvoiceDatabase, options: SpecsOptions = {}) {
  const { exportBatchMs = 200 } = options;

  const listCustomers = selectorSpec({
    kind: "list",
    reads: {
      nameContains: param.string({ default: "", help: "A part of the name, in any case." }),
    },
    output: Customer,
    permissions: [unrestricted],
    select: ({ args: { nameContains } }) =>
      pageable({
        count: () => database.countCustomers(nameContains),
        slice: (offset, limit) => database.listCustomers(nameContains, { offset, limit }),
      }),
  });

  const listInvoices = selectorSpec({
    kind: "list",
    reads: invoiceFilter,
    output: Invoice,
    permissions: [unrestricted],
    select: ({ args }) =>
      pageable({
        count: () => database.countInvoices(args),
        slice: (offset, limit) => database.listInvoices(args, { offset, limit }),
      }),
  });

  /** What a write of one invoice looks up first. */
  const findInvoice = selectorSpec({
    kind: "retrieve",
    reads: invoiceId,
    output: Invoice,
    permissions: [unrestricted],
    select: ({ args }) => database.findInvoice(args.id), // none is told as not found
  });

  const createInvoice = serviceSpec({
    action: "create",
    input: NewInvoice,
    output: Invoice,
    leanKeys: "assigned", // the confirmation holds what the caller does not know yet
    permissions: [ownerOnly],
    run: ({ args, today }) => issue(database, args, today),
  });

  const createInvoices = serviceSpec({
    action: "create",
    input: NewInvoice,
    many: true,
    manyArgument: "invoices",
    output: Invoice,
    permissions: [ownerOnly],
    run: ({ args, today }) =>
      database.transaction(() =>
        args.map((invoice, index) => issue(database, invoice, today, `invoices.${index}`))
      ),
  });

  const updateInvoice = serviceSpec({
    action: "update",
    idempotent: true,
    instance: findInvoice,
    affordances: [unpaid],
    input: InvoiceChange,
    output: Invoice,
    permissions: [ownerOnly],
    run: ({ instance, args }) => {
      checkDueDate(instance.issuedOn, args.dueOn);
      return database.updateInvoice({ ...instance, ...args });
    },
  });

  const deleteInvoice = serviceSpec({
    action: "delete",
    instance: findInvoice,
    affordances: [unpaid],
    output: z.object({ deleted: z.literal(true) }),
    permissions: [ownerOnly],
    run: ({ instance }) => {
      database.deleteInvoice(instance.id);
      return { deleted: true } as const;
    },
  });

  const deleteOpenInvoices = serviceSpec({
    reads: { customerId: param.integer({ required: true, help: "The id of the customer." }) },
    permissions: [ownerOnly],
    run: async ({ args: { customerId }, confirm }) => {
      const customer = database.findCustomer(customerId);
      if (customer === undefined) throw new ServiceNotFound(`There is no customer ${customerId}.`);
      const doomed = database.listInvoices({ customerId, status: "open" });
      const sum = toEuros(doomed.reduce((cents, { amountCents }) => cents + amountCents, 0));
      const what = `${doomed.length} open invoices of ${customer.name}`;
      // Nothing that a model sends can stand in for the user; a new invoice is a new question.
      await confirm(`Delete ${what}, ${sum} in all?`, doomed);
      database.transaction(() => doomed.forEach(({ id }) => database.deleteInvoice(id)));
      return `Deleted ${what}.`;
    },
  });

  const retrieveInvoice = selectorSpec({
    kind: "retrieve",
    reads: invoiceId,
    output: Invoice,
    affordances: { update: updateInvoice, delete: deleteInvoice }, // told on the row
    permissions: [unrestricted],
    select: ({ args }) => database.findInvoice(args.id),
  });

  const exportInvoices = selectorSpec({
    kind: "retrieve",
    reads: invoiceFilter,
    permissions: [unrestricted],
    select: async ({ args, progress, signal }) => {
      const invoices = database.listInvoices(args);
      const total = invoices.length;
      const lines = ["id,customerId,status,amountCents,issuedOn,dueOn"];
      for (let done = 0; done < total;) {
        const batch = invoices.slice(done, done + EXPORT_BATCH);
        lines.push(...batch.map(toCsv));
        done += batch.length;
        progress(done, { total, message: `${done} of ${total} invoices` });
        await wait(exportBatchMs, undefined, { signal }); // ends at once when the caller leaves
      }
      return lines.join("\n");
    },
  });

  const summarize = selectorSpec({
    kind: "retrieve",
    permissions: [unrestricted],
    select: () => {
      const rows = database.sumInvoices().map(({ status, count, amountCents }) =>
        `| ${status} | ${count} | ${toEuros(amountCents)} |`
      );
      return ["| state | invoices | amount |", "| --- | ---: | ---: |", ...rows].join("\n");
    },
  });

  const printed = selectorSpec({
    kind: "retrieve",
    reads: invoiceId,
    permissions: [unrestricted],
    select: ({ args }) => {
      const invoice = database.findInvoice(args.id);
      return invoice && printInvoice(invoice, database.findCustomer(invoice.customerId)!);
    },
  });

  return {
    listCustomers,
    listInvoices,
    retrieveInvoice,
    createInvoice,
    createInvoices,
    updateInvoice,
    deleteInvoice,
    deleteOpenInvoices,
    exportInvoices,
    summarize,
    printed,
  };
}

/** Issues an invoice; `place` is where the caller sent it, for the refusal. */
function issue(
  database: InvoiceDatabase,
  invoice: NewInvoice,
  today: Date,
  place?: string,
): Invoice {
  const { customerId, amountCents, note } = invoice;
  const suffix = place === undefined ? "" : ` (at ${place})`;
  if (database.findCustomer(customerId) === undefined) {
    throw new ServiceNotFound(`There is no customer ${customerId}${suffix}.`);
  }
  const issuedOn = daysFrom(today, 0);
  const dueOn = invoice.dueOn ?? daysFrom(today, 30);
  checkDueDate(issuedOn, dueOn, suffix);
  return database.insertInvoice({ customerId, status: "open", amountCents, issuedOn, dueOn, note });
}

function checkDueDate(issuedOn: string, dueOn: string | undefined, suffix = ""): void {
  if (dueOn === undefined || dueOn >= issuedOn) return;
  const message = `An invoice of ${issuedOn} cannot be due on ${dueOn}${suffix}.`;
  throw new ServiceValidationError(message, { dueOn: [message] });
}

function toCsv({ id, customerId, status, amountCents, issuedOn, dueOn }: Invoice): string {
  return [id, customerId, status, amountCents, issuedOn, dueOn].join(",");
}
