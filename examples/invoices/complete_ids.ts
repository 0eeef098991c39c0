import type { Completer } from "@limen/mcp";
import type { InvoiceDatabase } from "./database.ts";

/** Suggests ids of invoices that begin as typed; reads no more rows than are asked for. */
export function completeIds(database: InvoiceDatabase): Completer {
  return function* ({ value }) {
    for (let offset = 0;; offset += 100) {
      const rows = database.listInvoices({}, { limit: 100, offset });
      if (rows.length === 0) return;
      for (const { id } of rows) if (String(id).startsWith(value)) yield id;
    }
  };
}
