/** One row of the payload: an invoice of about 720 bytes. */
export interface BulkRow {
  /** Key. */
  readonly id: number;
  /** Number on the paper. */
  readonly number: string;
  /** Name of the customer. */
  readonly customer: string;
  /** State of the invoice. */
  readonly status: string;
  /** Whether it was paid. */
  readonly paid: boolean;
  /** Sum of the lines. */
  readonly total: number;
  /** Day of issue. */
  readonly issued: string;
  /** Free text. */
  readonly note: string;
  /** What was sold. */
  readonly lines: readonly BulkLine[];
}

/** One line of an invoice. */
export interface BulkLine {
  /** Article. */
  readonly sku: string;
  /** Its name. */
  readonly text: string;
  /** How many. */
  readonly quantity: number;
  /** Price of one. */
  readonly price: number;
}

const note =
  'Delivered to the back entrance; the driver asked for "unit 4". Payment within thirty ' +
  "days without deduction.\nQuestions about this invoice go to the accounts desk, which answers on " +
  "working days between nine and five and needs the number above to find the order.";

const rows: readonly BulkRow[] = Array.from({ length: 60 }, (_, index) => ({
  id: index + 1,
  number: `2026-${String(index + 1).padStart(5, "0")}`,
  customer: `Northwind Traders, branch ${index % 7}`,
  status: index % 3 === 0 ? "open" : "paid",
  paid: index % 3 !== 0,
  total: 119.9 + index * 7.5,
  issued: `2026-06-${String(1 + (index % 28)).padStart(2, "0")}`,
  note,
  lines: Array.from({ length: 3 }, (_, line) => ({
    sku: `SKU-${index * 3 + line}`,
    text: `Roasted coffee beans, bag of ${line + 1} kg`,
    quantity: line + 1,
    price: 12.25 + line,
  })),
}));

/**
 * What the `bulk` tools answer: 60 rows of about 720 bytes, in an object because the 2025 revisions
 * allow no bare array. Parsed from JSON, as a driver would hand it over: objects that were put
 * together from parts serialise at half the speed.
 */
export const bulkPayload: { readonly rows: readonly BulkRow[] } = JSON.parse(
  JSON.stringify({ rows }),
);
