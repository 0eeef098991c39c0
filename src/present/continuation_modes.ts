import { isJsonObject } from "../protocol/json.ts";
import { cutText } from "./cut_text.ts";
import { serialize } from "./serialize.ts";

/** How a kept result can be read. */
export const CONTINUATION_MODES = ["summary", "paginated", "filtered", "full"] as const;

/** How much of a kept result is asked for. */
export interface ContinuationView {
  /** One of {@linkcode CONTINUATION_MODES}. */
  readonly mode: (typeof CONTINUATION_MODES)[number];
  /** Which page, from 1. */
  readonly page: number;
  /** Rows of a page. */
  readonly pageSize: number;
  /** Fields that are kept; none keeps all. */
  readonly filterKeys: readonly string[];
}

/**
 * Reads a kept result in one of its modes (HV-22).
 *
 * @param value The whole result, as it was parsed from its text.
 * @param isRow Whether it is one row that was written, whose own list is not its pages (HV-23).
 * @param view How much is asked for.
 */
export function viewContinuation(value: unknown, isRow: boolean, view: ContinuationView): unknown {
  switch (view.mode) {
    case "full":
      return value;
    case "summary":
      return summarize(value);
    case "filtered":
      return view.filterKeys.length === 0 ? value : filter(value, new Set(view.filterKeys));
    case "paginated":
      return paginate(value, isRow, view);
  }
}

function summarize(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 5);
  if (!isJsonObject(value)) return { summary: cutText(toText(value), 500) };
  const fields = Object.entries(value).slice(0, 10)
    .map(([key, field]) => [key, cutText(toText(field), 100)]);
  return Object.fromEntries(fields);
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : serialize(value);
}

function filter(value: unknown, keys: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => isJsonObject(item) ? filter(item, keys) : item);
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => keys.has(key)));
}

function paginate(value: unknown, isRow: boolean, view: ContinuationView): unknown {
  if (Array.isArray(value)) return pageOf(value, view);
  if (!isJsonObject(value) || isRow) return value;
  const lists = Object.entries(value).filter(([, field]) => Array.isArray(field));
  const [only] = lists;
  if (only === undefined || lists.length > 1) return value;
  const [key, rows] = only;
  const envelope = Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  return { ...pageOf(rows as readonly unknown[], view), envelope, envelope_payload_key: key };
}

function pageOf(
  rows: readonly unknown[],
  { page, pageSize }: ContinuationView,
): Readonly<Record<string, unknown>> {
  const start = (page - 1) * pageSize;
  const items = rows.slice(start, start + pageSize);
  const total = rows.length;
  return { items, page, page_size: pageSize, total, has_more: start + items.length < total };
}
