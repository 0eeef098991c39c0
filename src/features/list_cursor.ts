/**
 * Where a page of a list begins, as an opaque text that names its list, so that a cursor of another
 * list is not taken for one of this (L-1).
 *
 * @param list The list's name.
 * @param offset How many entries come before the page.
 * @returns Base64url without padding.
 */
export function encodeCursor(list: string, offset: number): string {
  return btoa(`${list}:${offset}`).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Reads a cursor that this server issued for the list.
 *
 * @returns The offset, or `undefined` for anything else.
 */
export function decodeCursor(list: string, cursor: unknown): number | undefined {
  if (typeof cursor !== "string") return undefined;
  const [, digits] = /^[a-z]+:([1-9][0-9]{0,8})$/.exec(decode(cursor)) ?? [];
  if (digits === undefined) return undefined;
  return encodeCursor(list, Number(digits)) === cursor ? Number(digits) : undefined;
}

function decode(cursor: string): string {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(cursor)) return "";
  try {
    return atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}
