import { isJsonObject } from "./json.ts";

/**
 * Checks icons: each has a `src` with the scheme `https:` or `data:`, so that no client is made to load
 * anything else (M-11).
 *
 * @returns What is wrong, or `undefined`.
 */
export function checkIcons(icons: unknown): string | undefined {
  if (!Array.isArray(icons)) return "must be a list";
  for (const icon of icons) {
    const src = isJsonObject(icon) ? icon.src : undefined;
    if (typeof src !== "string") return "must each have a src";
    if (!/^(https|data):/i.test(src)) {
      return `must have a src with https: or data:, not ${JSON.stringify(src.slice(0, 64))}`;
    }
  }
  return undefined;
}
