import { DatabaseSync } from "node:sqlite";
import type { Customer, Invoice, InvoiceFilter } from "./model.ts";

/** A part of a list, whose rows are in the order of their ids. */
export interface Slice {
  /** How many rows come before. Default 0. */
  readonly offset?: number;
  /** How many rows at most. Default: all. */
  readonly limit?: number;
}

/** The invoices in one state, added up. */
export interface InvoiceSum {
  readonly status: Invoice["status"];
  readonly count: number;
  readonly amountCents: number;
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS customer (
    id    INTEGER PRIMARY KEY,
    name  TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE IF NOT EXISTS invoice (
    id          INTEGER PRIMARY KEY,
    customerId  INTEGER NOT NULL REFERENCES customer (id),
    status      TEXT NOT NULL CHECK (status IN ('open', 'paid')),
    amountCents INTEGER NOT NULL CHECK (amountCents > 0),
    issuedOn    TEXT NOT NULL,
    dueOn       TEXT NOT NULL,
    note        TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS invoice_by_customer ON invoice (customerId);
`;

const NAME_MATCHES = "instr(lower(name), lower(:nameContains))";
const FILTER_MATCHES = "(:customerId IS NULL OR customerId = :customerId) " +
  "AND (:status IS NULL OR status = :status)";
const SLICE = "ORDER BY id LIMIT :limit OFFSET :offset";

/** Customers and invoices in a SQLite file. Knows SQL, and nothing of rules, users or MCP. */
export class InvoiceDatabase {
  readonly #sqlite: DatabaseSync;

  /** @param path The file, made where there is none; `":memory:"` keeps everything in memory. */
  constructor(path: string) {
    this.#sqlite = new DatabaseSync(path);
    this.#sqlite.exec(TABLES);
  }

  /** Runs all of the work, or none of it. */
  transaction<T>(work: () => T): T {
    this.#sqlite.exec("BEGIN");
    try {
      const result = work();
      this.#sqlite.exec("COMMIT");
      return result;
    } catch (error) {
      this.#sqlite.exec("ROLLBACK");
      throw error;
    }
  }

  findCustomer(id: number): Customer | undefined {
    return this.#get<Customer>("SELECT * FROM customer WHERE id = :id", { id });
  }

  countCustomers(nameContains: string): number {
    return this.#count(`customer WHERE ${NAME_MATCHES}`, { nameContains });
  }

  listCustomers(nameContains: string, slice: Slice = {}): readonly Customer[] {
    const query = `SELECT * FROM customer WHERE ${NAME_MATCHES} ${SLICE}`;
    return this.#all<Customer>(query, { nameContains, ...sliced(slice) });
  }

  insertCustomer({ name, email }: Omit<Customer, "id">): Customer {
    return this.#get<Customer>(
      "INSERT INTO customer (name, email) VALUES (:name, :email) RETURNING *",
      { name, email },
    )!;
  }

  findInvoice(id: number): Invoice | undefined {
    return this.#get<Invoice>("SELECT * FROM invoice WHERE id = :id", { id });
  }

  countInvoices(filter: InvoiceFilter): number {
    return this.#count(`invoice WHERE ${FILTER_MATCHES}`, matching(filter));
  }

  /** Counts and sums the invoices in each state. */
  sumInvoices(): readonly InvoiceSum[] {
    return this.#all<InvoiceSum>(
      "SELECT status, count(*) AS count, sum(amountCents) AS amountCents FROM invoice " +
        "GROUP BY status ORDER BY status",
      {},
    );
  }

  listInvoices(filter: InvoiceFilter, slice: Slice = {}): readonly Invoice[] {
    const query = `SELECT * FROM invoice WHERE ${FILTER_MATCHES} ${SLICE}`;
    return this.#all<Invoice>(query, { ...matching(filter), ...sliced(slice) });
  }

  insertInvoice(invoice: Omit<Invoice, "id">): Invoice {
    return this.#get<Invoice>(
      "INSERT INTO invoice (customerId, status, amountCents, issuedOn, dueOn, note) " +
        "VALUES (:customerId, :status, :amountCents, :issuedOn, :dueOn, :note) RETURNING *",
      { ...invoice },
    )!;
  }

  updateInvoice({ id, status, amountCents, dueOn, note }: Invoice): Invoice {
    return this.#get<Invoice>(
      "UPDATE invoice SET status = :status, amountCents = :amountCents, dueOn = :dueOn, " +
        "note = :note WHERE id = :id RETURNING *",
      { id, status, amountCents, dueOn, note },
    )!;
  }

  deleteInvoice(id: number): void {
    this.#sqlite.prepare("DELETE FROM invoice WHERE id = :id").run({ id });
  }

  close(): void {
    this.#sqlite.close();
  }

  #count(what: string, values: Values): number {
    return this.#get<{ total: number }>(`SELECT count(*) AS total FROM ${what}`, values)!.total;
  }

  #get<Row>(query: string, values: Values): Row | undefined {
    return this.#sqlite.prepare(query).get(values) as Row | undefined;
  }

  #all<Row>(query: string, values: Values): readonly Row[] {
    return this.#sqlite.prepare(query).all(values) as Row[];
  }
}

type Values = Record<string, string | number | null>;

function matching({ customerId, status }: InvoiceFilter): Values {
  return { customerId: customerId ?? null, status: status ?? null };
}

function sliced({ offset = 0, limit = -1 }: Slice): Values {
  return { offset, limit }; // to SQLite a negative limit is none
}
