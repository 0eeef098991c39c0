import * as v from "@valibot/valibot";
import type { BulkRow } from "./bulk_rows.ts";

/** What a `bulk-schema` tool takes. */
export const bulkInput: v.GenericSchema<{ readonly limit: number }> = v.object({
  limit: v.pipe(v.number(), v.integer(), v.maxValue(100)),
});

const line = v.object({
  sku: v.string(),
  text: v.string(),
  quantity: v.pipe(v.number(), v.integer()),
  price: v.number(),
});

const row = v.object({
  id: v.pipe(v.number(), v.integer()),
  number: v.string(),
  customer: v.string(),
  status: v.picklist(["open", "paid"]),
  paid: v.boolean(),
  total: v.number(),
  issued: v.string(),
  note: v.string(),
  lines: v.array(line),
});

/** What a `bulk-schema` tool returns. */
export const bulkOutput: v.GenericSchema<{ readonly rows: readonly BulkRow[] }> = v.object({
  rows: v.array(row),
});
