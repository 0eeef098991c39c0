import { isJsonObject, type JsonObject } from "../../protocol/json.ts";

/** The capabilities that the server acts on, one bit each. Sessions hold the bits: append only. */
const BITS: readonly (readonly string[])[] = [
  ["sampling"],
  ["elicitation", "form"],
  ["elicitation", "url"],
  ["roots"],
];

/**
 * Packs what a client declared into bits, so that a session holds nothing a client wrote (B3). Before
 * 2025-11-25 `elicitation: {}` was the whole declaration, and it still means forms.
 */
export function packCapabilities({ sampling, elicitation, roots }: JsonObject): number {
  const asks = isJsonObject(elicitation);
  const form = asks && (isJsonObject(elicitation.form) || elicitation.url === undefined);
  const has = [
    isJsonObject(sampling),
    form,
    asks && isJsonObject(elicitation.url),
    isJsonObject(roots),
  ];
  return has.reduce((bits, one, i) => one ? bits | 1 << i : bits, 0);
}

/** Reads what {@linkcode packCapabilities} wrote. */
export function unpackCapabilities(bits: number): JsonObject {
  const capabilities: Record<string, Record<string, unknown>> = {};
  BITS.forEach(([name, mode], i) => {
    if ((bits & 1 << i) === 0) return;
    const capability = capabilities[name!] ??= {};
    if (mode !== undefined) capability[mode] = {};
  });
  return capabilities;
}
