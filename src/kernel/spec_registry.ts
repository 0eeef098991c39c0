import { ConfigurationError } from "../ports/configuration_error.ts";
import type { Principal } from "../ports/principal.ts";
import { type SpecFields, specFields } from "./spec_fields.ts";
import type { NoSeeds } from "./pool.ts";
import type { Spec } from "./spec.ts";

/** A spec under a name. */
export interface RegisteredSpec<S extends Spec = Spec> {
  /** Its name. */
  readonly name: string;
  /** What it declares. */
  readonly spec: S;
  /** What it is found by, beside its name. */
  readonly tags: readonly string[];
}

/**
 * Named specs, to be registered together by `server.registerTools()`. An instance is all there is:
 * nothing is global.
 *
 * @example
 * ```ts
 * import { param, selectorSpec, SpecRegistry, unrestricted } from "@limen/mcp";
 * import { assertEquals } from "@std/assert";
 *
 * const specs = new SpecRegistry();
 * specs.register(
 *   "greet",
 *   selectorSpec({ kind: "retrieve", permissions: [unrestricted], select: () => "Hello" }),
 *   { tags: ["demo"] },
 * );
 * assertEquals(specs.byTag("demo").map(({ name }) => name), ["greet"]);
 * ```
 */
export class SpecRegistry<S extends Spec = Spec<Principal, NoSeeds>> {
  readonly #specs: Map<string, RegisteredSpec<S>> = new Map();

  /**
   * Adds a spec.
   *
   * @throws {ConfigurationError} when the name is taken, the value is no spec, or it has no permissions.
   */
  register(name: string, spec: S, options: { readonly tags?: readonly string[] } = {}): this {
    const where = `spec ${JSON.stringify(name)}`;
    if (this.#specs.has(name)) throw invalid(`Cannot register ${where}: the name is taken`);
    if (specFields(spec, where).permissions.length === 0) {
      throw invalid(`Cannot register ${where}: permissions is missing`);
    }
    this.#specs.set(
      name,
      Object.freeze({ name, spec, tags: Object.freeze([...options.tags ?? []]) }),
    );
    return this;
  }

  /** Finds a spec by its name. */
  get(name: string): S | undefined {
    return this.#specs.get(name)?.spec;
  }

  /** All, in the order of registration. */
  all(): readonly RegisteredSpec<S>[] {
    return [...this.#specs.values()];
  }

  /** Those that read. */
  queries(): readonly RegisteredSpec<S>[] {
    return this.#where(({ kind }) => kind !== "service");
  }

  /** Those that write. */
  mutations(): readonly RegisteredSpec<S>[] {
    return this.#where(({ kind }) => kind === "service");
  }

  /** Those that have any of the tags. */
  byTag(...tags: readonly string[]): readonly RegisteredSpec<S>[] {
    return this.all().filter((entry) => entry.tags.some((tag) => tags.includes(tag)));
  }

  /**
   * A registry of these names, in this order.
   *
   * @throws {ConfigurationError} when a name is not registered.
   */
  subset(names: readonly string[]): SpecRegistry<S> {
    const part = new SpecRegistry<S>();
    for (const name of names) {
      const entry = this.#specs.get(name);
      if (entry === undefined) throw invalid(`Cannot take spec ${JSON.stringify(name)}: unknown`);
      part.register(name, entry.spec, entry);
    }
    return part;
  }

  /**
   * A registry of both.
   *
   * @throws {ConfigurationError} when both have a name.
   */
  merge(other: SpecRegistry<S>): SpecRegistry<S> {
    const both = new SpecRegistry<S>();
    for (const entry of [...this.all(), ...other.all()]) {
      both.register(entry.name, entry.spec, entry);
    }
    return both;
  }

  #where(test: (fields: SpecFields) => boolean): readonly RegisteredSpec<S>[] {
    return this.all().filter(({ name, spec }) => test(specFields(spec, name)));
  }
}

function invalid(message: string): ConfigurationError {
  return new ConfigurationError(message);
}
