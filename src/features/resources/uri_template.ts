import { ConfigurationError } from "../../ports/configuration_error.ts";

/** A URI with variables, as in `invoices://{id}`, ready to be matched. */
export interface UriTemplate {
  /** As it was written. */
  readonly text: string;
  /** The names of its variables, in order. */
  readonly variables: readonly string[];
  /** Holds a whole URI against the template, in time that grows with its length alone. */
  match(uri: string): UriMatch | undefined;
}

/** A URI that fits: its variables, percent-decoded exactly once, or what is wrong with one of them. */
export type UriMatch =
  | { readonly values: Readonly<Record<string, string>> }
  | { readonly malformed: string };

const SLASH = 0x2f;

type Piece = string | Variable;

interface Variable {
  readonly name: string;
  /** Whether it may hold `/`. */
  readonly isPath: boolean;
}

/**
 * Reads a URI template: `{var}` is one or more characters other than `/`, `{+var}` may hold `/` as
 * well, `{?a,b}` at the end is a query in any order whose parts may be absent. Where several ways to
 * match exist, each variable takes as little as it can, the first one first.
 *
 * A value that could climb out of a folder is malformed (B20): `.` and `..`, a backslash or NUL
 * after decoding, and in `{var}` a slash.
 *
 * @param text The template.
 * @param where Whose it is, for errors: `resource "a"`.
 * @throws {ConfigurationError} for anything else between braces, and for what no match could tell.
 * @see {@link https://www.rfc-editor.org/rfc/rfc6570}
 *
 * @example
 * ```ts
 * import { parseUriTemplate } from "./uri_template.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const template = parseUriTemplate("notes://{user}/{+path}{?page}", "resource");
 * assertEquals(template.match("notes://ada/a/b%20c?page=2"), {
 *   values: { user: "ada", path: "a/b c", page: "2" },
 * });
 * assertEquals(template.match("notes://ada"), undefined);
 * ```
 */
export function parseUriTemplate(text: string, where: string): UriTemplate {
  const fail = (problem: string): never => {
    throw new ConfigurationError(`Cannot register ${where}: uri ${problem}`);
  };
  const { pieces, query } = readPieces(text, fail);
  const [prefix, ...rest] = pieces as readonly [string, ...Piece[]];
  const variables = rest.filter((piece) => typeof piece === "object");
  const names = [...variables.map(({ name }) => name), ...query];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) fail(`names the variable ${JSON.stringify(twice)} twice`);
  if (names.includes("__proto__")) fail('names the variable "__proto__", which is no name');

  function match(uri: string): UriMatch | undefined {
    const cut = query.length === 0 ? -1 : uri.indexOf("?");
    const path = cut < 0 ? uri : uri.slice(0, cut);
    if (!path.startsWith(prefix)) return undefined;
    const raw = alignPieces(rest, path.slice(prefix.length));
    if (raw === undefined) return undefined;
    const values: Record<string, string> = {};
    for (const [index, variable] of variables.entries()) {
      const value = decode(raw[index]!);
      if (value === undefined || !isSafe(value, variable.isPath)) {
        return { malformed: variable.name };
      }
      values[variable.name] = value;
    }
    const malformed = cut < 0 ? undefined : readQuery(uri.slice(cut + 1), query, values);
    return malformed === undefined ? { values } : { malformed };
  }
  return Object.freeze({ text, variables: Object.freeze(names), match });
}

/** Cuts a template into literals and variables; the first piece is always a literal. */
function readPieces(
  text: string,
  fail: (problem: string) => never,
): { readonly pieces: readonly Piece[]; readonly query: readonly string[] } {
  const pieces: Piece[] = [];
  let query: readonly string[] = [];
  for (const part of text.split(/(\{[^{}]*\})/)) {
    if (part === "") continue;
    if (query.length > 0) fail("must end with its {?…}");
    if (!part.startsWith("{")) {
      if (/[{}]/.test(part)) fail("has a brace without its pair");
      pieces.push(part);
      continue;
    }
    const [, operator, list = ""] = /^\{([+?]?)(\w+(?:,\w+)*)\}$/.exec(part) ?? [];
    const names = list.split(",");
    if (operator === undefined || (operator !== "?" && names.length > 1)) {
      fail(`has ${part}: only {var}, {+var} and {?a,b} are served`);
    } else if (operator === "?") {
      if (pieces.some((piece) => typeof piece === "string" && piece.includes("?"))) {
        fail(`has a "?" before ${part}`);
      }
      query = names;
    } else {
      if (typeof pieces.at(-1) === "object") fail(`has ${part} right after another variable`);
      pieces.push({ name: names[0]!, isPath: operator === "+" });
    }
  }
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(text)) fail("must begin with a scheme, such as notes:");
  // deno-lint-ignore no-control-regex -- this is what no URI holds
  if (/[\s\x00-\x1f\x7f]/.test(text)) fail("holds a space or a control character");
  return { pieces, query };
}

/**
 * Tells what each variable takes of a text, so that the pieces take all of it. First works out from
 * the end where each piece could begin, then walks forward: no way is tried twice.
 */
function alignPieces(pieces: readonly Piece[], text: string): readonly string[] | undefined {
  const end = text.length;
  const last = new Uint8Array(end + 1);
  last[end] = 1;
  const fits: Uint8Array[] = [last]; // of the pieces from the last to the first
  for (const piece of pieces.toReversed()) {
    const next = fits.at(-1)!;
    const row = typeof piece === "string"
      ? fitLiteral(piece, text, next)
      : fitVariable(piece, text, next);
    fits.push(row);
  }
  if (fits.at(-1)![0] !== 1) return undefined;
  const taken: string[] = [];
  let start = 0;
  for (const [index, piece] of pieces.entries()) {
    let stop = start + 1;
    if (typeof piece === "string") stop = start + piece.length;
    else {
      const next = fits[pieces.length - index - 1]!;
      while (next[stop] !== 1) stop++;
      taken.push(text.slice(start, stop));
    }
    start = stop;
  }
  return taken;
}

function fitLiteral(literal: string, text: string, next: Uint8Array): Uint8Array {
  const row = new Uint8Array(text.length + 1);
  for (let i = text.indexOf(literal); i >= 0; i = text.indexOf(literal, i + 1)) {
    row[i] = next[i + literal.length]!;
  }
  return row;
}

function fitVariable({ isPath }: Variable, text: string, next: Uint8Array): Uint8Array {
  const row = new Uint8Array(text.length + 1);
  let fits = 0; // whether the variable may end somewhere after this place
  for (let i = text.length - 1; i >= 0; i--) {
    fits = isPath || text.charCodeAt(i) !== SLASH ? fits | next[i + 1]! : 0;
    row[i] = fits;
  }
  return row;
}

/** What no URI has (RFC 3986, section 2.1); `%E9` is an escape, though one that no UTF-8 begins with. */
const BROKEN_ESCAPE = /%(?![0-9A-Fa-f]{2})/;

/**
 * Adds the declared parts of a query; of several of one name, the first counts. Answers with the name
 * of a part that is malformed: a declared one, or any with a broken escape.
 */
function readQuery(
  text: string,
  names: readonly string[],
  values: Record<string, string>,
): string | undefined {
  for (const part of text.split("&")) {
    const [rawName = "", ...rest] = part.split("=");
    const name = decode(rawName);
    if (BROKEN_ESCAPE.test(part)) return name ?? rawName;
    if (name === undefined || !names.includes(name) || Object.hasOwn(values, name)) continue;
    const value = decode(rest.join("="));
    if (value === undefined || value.includes("\0")) return name;
    values[name] = value;
  }
  return undefined;
}

function decode(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}

function isSafe(value: string, isPath: boolean): boolean {
  if (value.includes("\\") || value.includes("\0")) return false;
  const segments = value.split("/");
  if (segments.length > 1 && !isPath) return false;
  return !segments.some((segment) => segment === "." || segment === "..");
}
