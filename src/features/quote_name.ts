/** A name as a caller wrote it, in quotes, and cut where it is long. */
export function quoteName(name: string): string {
  return JSON.stringify(name.length > 128 ? `${name.slice(0, 128)}…` : name);
}
