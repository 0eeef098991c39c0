import type { InvoiceDatabase } from "./database.ts";
import { daysFrom } from "./days_from.ts";

const FIRST = ["Alder", "Birch", "Cedar", "Damson", "Elder", "Fir", "Gorse", "Hazel"];
const SECOND = ["Bakery", "Cycles", "Dairy", "Press", "Textiles"];
const WORK = ["Consulting", "Repairs", "Supplies", "Training"];

/** Fills an empty database: 40 customers, and 300 invoices of the past 300 days. */
export function seed(database: InvoiceDatabase, today: Date = new Date()): void {
  database.transaction(() => {
    const customers = FIRST.flatMap((first) => SECOND.map((second) => `${first} ${second}`));
    for (const name of customers) {
      const email = `billing@${name.toLowerCase().replace(" ", "-")}.example`;
      database.insertCustomer({ name, email });
    }
    for (let index = 0; index < 300; index++) {
      const daysAgo = 300 - index;
      database.insertInvoice({
        customerId: 1 + (index * 7) % customers.length,
        status: daysAgo > 45 || index % 3 === 0 ? "paid" : "open",
        amountCents: 1_000 + (index * 7_919) % 250_000,
        issuedOn: daysFrom(today, -daysAgo),
        dueOn: daysFrom(today, 30 - daysAgo),
        note: WORK[index % WORK.length]!,
      });
    }
  });
}
