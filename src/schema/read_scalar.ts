import { formatProblem } from "./format_problem.ts";
import type { Parameter } from "./parameter.ts";

/** What is wrong with a value, in the words the caller is shown. */
export class Complaint {
  /** The words. */
  readonly message: string;

  /**
   * Keeps the words.
   *
   * @param message The words.
   */
  constructor(message: string) {
    this.message = message;
  }
}

/**
 * Compiles the reader of a string, integer, number or boolean: it checks a JSON value, and reads a
 * text as the declared type.
 *
 * @param parameter The declaration. `nullable` is its user's business.
 * @returns A function that answers the value to hand on or a `Complaint`, and never throws.
 *
 * @example
 * ```ts
 * import { param } from "./param.ts";
 * import { compileScalar } from "./read_scalar.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(compileScalar(param.integer())("8.0"), 8);
 * assertEquals(compileScalar(param.boolean())("TRUE"), true);
 * ```
 */
export function compileScalar(parameter: Parameter): (value: unknown) => unknown {
  const read = compileType(parameter);
  if (parameter.choices === undefined) return read;
  const choices = new Set<unknown>(parameter.choices);
  const refusal = new Complaint(
    `Select a valid choice: ${parameter.choices.map((one) => JSON.stringify(one)).join(", ")}.`,
  );
  return (value) => {
    const reading = read(value);
    return reading instanceof Complaint || choices.has(reading) ? reading : refusal;
  };
}

function compileType({ type, format }: Parameter): (value: unknown) => unknown {
  switch (type) {
    case "integer":
      return readInteger;
    case "number":
      return readNumber;
    case "boolean":
      return readBoolean;
    default:
      if (format === undefined) return readString;
      return (value) => {
        const text = format === "decimal" && typeof value === "number" ? String(value) : value;
        if (typeof text !== "string") return new Complaint(EXPECTED[format]);
        const problem = formatProblem(format, text);
        return problem === undefined ? text : new Complaint(problem);
      };
  }
}

const EXPECTED = {
  date: "Expected a date as a string.",
  "date-time": "Expected a date/time as a string.",
  decimal: "Expected a decimal number.",
} as const;

function readString(value: unknown): unknown {
  return typeof value === "string" ? value : new Complaint("Expected a string.");
}

function readInteger(value: unknown): unknown {
  let number = value;
  if (typeof value === "string") {
    if (!/^\s*[+-]?\d+(\.0*)?\s*$/.test(value)) return new Complaint("Enter a whole number.");
    number = Number(value);
  }
  if (!Number.isInteger(number)) return new Complaint("Expected an integer.");
  // Beyond the safe range an id would silently become another one.
  if (!Number.isSafeInteger(number)) return new Complaint("Enter an integer of at most 53 bits.");
  return (number as number) + 0; // -0 becomes 0
}

function readNumber(value: unknown): unknown {
  if (typeof value === "string") {
    // Number() also reads "" and "0x10", which are no decimal numbers.
    if (!/^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)) return notANumber();
    const number = Number(value);
    return Number.isFinite(number) ? number : notANumber();
  }
  if (typeof value !== "number") return new Complaint("Expected a number.");
  return Number.isFinite(value) ? value : notANumber();
}

function notANumber(): Complaint {
  return new Complaint("Enter a number.");
}

function readBoolean(value: unknown): unknown {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string") return new Complaint("Expected a boolean.");
  switch (value.length > 5 ? "" : value.toLowerCase()) {
    case "true":
    case "1":
      return true;
    case "false":
    case "0":
      return false;
    default:
      return new Complaint("Enter true, false, 1 or 0.");
  }
}
