import type { ParameterFormat } from "./parameter.ts";

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)?$/i;
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Checks a text against a format.
 *
 * @param format Which format.
 * @param text What the caller sent.
 * @returns The message for the caller, or `undefined` when the text is fine. A date/time may leave
 * out its seconds and its offset.
 *
 * @example
 * ```ts
 * import { formatProblem } from "./format_problem.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(formatProblem("date", "2026-02-28"), undefined);
 * assertEquals(formatProblem("date", "2026-02-29"), "Enter a valid date.");
 * ```
 */
export function formatProblem(format: ParameterFormat, text: string): string | undefined {
  switch (format) {
    case "date":
      return isDate(text) ? undefined : "Enter a valid date.";
    case "date-time":
      return isDate(text.slice(0, 10)) && /^[t ]$/i.test(text.charAt(10)) &&
          TIME.test(text.slice(11))
        ? undefined
        : "Enter a valid date/time.";
    case "decimal":
      return DECIMAL.test(text) ? undefined : "Enter a number.";
  }
}

function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return false;
  const days = [31, isLeap(Number(year)) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return Number(day) >= 1 && Number(day) <= (days[Number(month) - 1] ?? 0);
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
