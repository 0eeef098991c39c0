import type { Wire } from "./era.ts";

/** The body of a finished answer as text. */
export function textOf(body: Wire["body"]): string {
  return typeof body === "string" ? body : new TextDecoder().decode(body);
}
