import { ConfigurationError } from "../ports/configuration_error.ts";
import { serialize } from "../present/serialize.ts";
import type { Icon } from "../protocol/descriptors.ts";
import { isJsonObject, type JsonObject } from "../protocol/json.ts";
import { checkIcons } from "./check_icons.ts";

/** How an entry of a list presents itself. */
export interface Descriptor {
  /** Display title. Default: none. */
  readonly title?: string;
  /** What it is, for the model; a blank text is none. Default: none. */
  readonly description?: string;
  /** Pictures for it, by `https:` or `data:` URL. Default: none. */
  readonly icons?: readonly Icon[];
  /** `_meta` of the entry, verbatim. Default: none. */
  readonly meta?: JsonObject;
}

/**
 * Checks how an entry presents itself, so that no listing finds a mistake first.
 *
 * @param descriptor What an author gave, with types or without.
 * @param where Whose it is: `tool "a"`.
 * @throws {ConfigurationError} when a member is wrong, naming it.
 */
export function checkDescriptor(descriptor: Descriptor, where: string): void {
  const cannot = `Cannot register ${where}`;
  const { title, description }: { readonly [K in keyof Descriptor]?: unknown } = descriptor;
  if (title !== undefined && (typeof title !== "string" || title.trim() === "")) {
    throw new ConfigurationError(`${cannot}: title must be a text that is not blank`);
  }
  if (description !== undefined && typeof description !== "string") {
    throw new ConfigurationError(`${cannot}: description must be a text`);
  }
  checkIcons(descriptor.icons, cannot);
  const { meta } = descriptor;
  if (meta === undefined) return;
  if (!isJsonObject(meta)) throw new ConfigurationError(`${cannot}: meta must be an object`);
  try {
    serialize(meta);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigurationError(`${cannot}: meta: ${problem}`, { cause });
  }
}
