/**
 * What can be done with customers and invoices: each operation says what it takes, who may run it and
 * what it gives. The rules of the domain stand here; the SQL is in `database.ts`.
 *
 * @module
 */
import {
  authenticated,
  param,
  selectorSpec,
  ServiceConflict,
  ServiceNotFound,
  serviceSpec,
  ServiceValidationError,
  unrestricted,
} from "@limen/mcp";
import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import type { InvoiceDatabase } from "./database.ts";
import { daysFrom } from "./days_from.ts";
import { Customer, Invoice, InvoiceChange, InvoiceFilter, NewInvoice } from "./model.ts";

/** Options of {@linkcode createSpecs}. */
export interface SpecsOptions {
  /** How long the export pretends to work on each batch, in milliseconds. Default 200. */
  readonly exportBatchMs?: number;
}
import { printInvoice } from "./print_invoice.ts";
import { toEuros } from "./to_euros.ts";

const EXPORT_BATCH = 25;
const limit = z.int().min(1).max(100).default(20).describe("How many rows at most.");
const reads = { id: param.integer({ required: true, help: "The id of the invoice." }) };

/** Declares the operations over one database. */
export function createSpecs(database: InvoiceDatabase, options: SpecsOptions = {}) {
  const { exportBatchMs = 200 } = options;

  const listCustomers = selectorSpec({
    kind: "list",
    input: z.object({
      nameContains: z.string().default("").describe("A part of the name, in any case."),
      limit,
    }),
    output: Customer,
    permissions: [unrestricted],
    select: ({ args }) => database.listCustomers(args.nameContains, args),
  });

  const listInvoices = selectorSpec({
    kind: "list",
    input: InvoiceFilter.extend({
      afterId: z.int().default(0).describe("For the next rows: the last id that you have."),
      limit,
    }),
    output: Invoice,
    permissions: [unrestricted],
    select: ({ args }) => database.listInvoices(args, args),
  });

  const retrieveInvoice = selectorSpec({
    kind: "retrieve",
    reads,
    output: Invoice,
    permissions: [unrestricted],
    select: ({ args }) => database.findInvoice(args.id), // none is told as not found
  });

  const createInvoice = serviceSpec({
    input: NewInvoice,
    output: Invoice,
    permissions: [authenticated],
    run: ({ args }) => issue(database, args),
  });

  const createInvoices = serviceSpec({
    input: z.object({ invoices: z.array(NewInvoice).min(1).max(1000) }),
    output: z.object({ ids: z.array(z.int()), totalCents: z.int() }),
    permissions: [authenticated],
    run: ({ args }) => {
      const issued = database.transaction(() =>
        args.invoices.map((invoice, index) => issue(database, invoice, `invoices.${index}`))
      );
      return {
        ids: issued.map(({ id }) => id),
        totalCents: issued.reduce((sum, { amountCents }) => sum + amountCents, 0),
      };
    },
  });

  const updateInvoice = serviceSpec({
    reads,
    input: InvoiceChange,
    output: Invoice,
    permissions: [authenticated],
    idempotent: true,
    run: ({ args: { id, ...change } }) => {
      const invoice = findUnpaid(database, id);
      checkDueDate(invoice.issuedOn, change.dueOn);
      return database.updateInvoice({ ...invoice, ...change });
    },
  });

  const deleteInvoice = serviceSpec({
    reads,
    output: z.object({ deleted: z.literal(true) }),
    permissions: [authenticated],
    run: ({ args }) => {
      const { id } = findUnpaid(database, args.id);
      database.deleteInvoice(id);
      return { deleted: true } as const;
    },
  });

  const exportInvoices = selectorSpec({
    kind: "retrieve",
    input: InvoiceFilter,
    permissions: [unrestricted],
    select: async ({ args, progress, signal }) => {
      const total = database.countInvoices(args);
      const lines = ["id,customerId,status,amountCents,issuedOn,dueOn"];
      for (let afterId = 0, done = 0; done < total;) {
        const batch = database.listInvoices(args, { limit: EXPORT_BATCH, afterId });
        if (batch.length === 0) break; // somebody deleted the rest meanwhile
        lines.push(...batch.map(toCsv));
        afterId = batch.at(-1)!.id;
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
    reads,
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
    exportInvoices,
    summarize,
    printed,
  };
}

/** Issues an invoice today; `place` is where the caller sent it, for the refusal. */
function issue(database: InvoiceDatabase, invoice: NewInvoice, place?: string): Invoice {
  const { customerId, amountCents, note } = invoice;
  const suffix = place === undefined ? "" : ` (at ${place})`;
  if (database.findCustomer(customerId) === undefined) {
    throw new ServiceNotFound(`There is no customer ${customerId}${suffix}.`);
  }
  const today = new Date();
  const issuedOn = daysFrom(today, 0);
  const dueOn = invoice.dueOn ?? daysFrom(today, 30);
  checkDueDate(issuedOn, dueOn, suffix);
  return database.insertInvoice({ customerId, status: "open", amountCents, issuedOn, dueOn, note });
}

function findUnpaid(database: InvoiceDatabase, id: number): Invoice {
  const invoice = database.findInvoice(id);
  if (invoice === undefined) throw new ServiceNotFound(`There is no invoice ${id}.`);
  if (invoice.status === "paid") {
    throw new ServiceConflict(`Invoice ${id} is paid: it can no longer be changed or deleted.`);
  }
  return invoice;
}

function checkDueDate(issuedOn: string, dueOn: string | undefined, suffix = ""): void {
  if (dueOn === undefined || dueOn >= issuedOn) return;
  const message = `An invoice of ${issuedOn} cannot be due on ${dueOn}${suffix}.`;
  throw new ServiceValidationError(message, { dueOn: [message] });
}

function toCsv({ id, customerId, status, amountCents, issuedOn, dueOn }: Invoice): string {
  return [id, customerId, status, amountCents, issuedOn, dueOn].join(",");
}
