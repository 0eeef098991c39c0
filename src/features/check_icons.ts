import { ConfigurationError } from "../ports/configuration_error.ts";
import { isJsonObject } from "../protocol/json.ts";

/**
 * Checks icons: their source is an `https:` or a `data:` URL, so that no client is made to fetch
 * from a plain or a local address (M-11).
 *
 * @param icons What an author gave; `undefined` passes.
 * @param cannot The first words of the error: `Cannot register tool "a"`.
 * @throws {ConfigurationError} when something else is among them.
 */
export function checkIcons(icons: unknown, cannot: string): void {
  if (icons === undefined) return;
  const list: readonly unknown[] = Array.isArray(icons) ? icons : [undefined];
  for (const icon of list) {
    if (!isJsonObject(icon) || typeof icon.src !== "string") {
      throw new ConfigurationError(`${cannot}: icons must be a list of objects with src`);
    }
    if (!/^(https:\/\/|data:)./i.test(icon.src)) {
      throw new ConfigurationError(`${cannot}: the src of an icon must be an https: or data: URL`);
    }
    const { theme, sizes } = icon;
    if (theme !== undefined && theme !== "light" && theme !== "dark") {
      throw new ConfigurationError(`${cannot}: the theme of an icon must be "light" or "dark"`);
    }
    if (sizes !== undefined && !Array.isArray(sizes)) {
      throw new ConfigurationError(`${cannot}: the sizes of an icon must be a list`);
    }
  }
}
