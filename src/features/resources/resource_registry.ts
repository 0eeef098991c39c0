import { type Registration, Registry } from "../registry.ts";
import type { ResourceBinding } from "./resource_binding.ts";
import type { UriMatch } from "./uri_template.ts";

/** A URI that names something: what it is, and the values of its variables. */
export interface Resolved {
  readonly binding: ResourceBinding;
  readonly match: UriMatch;
}

/** The resources of one server: those with a URI, and templates in the order of registration. */
export class ResourceRegistry {
  /** By their URI. */
  readonly concrete: Registry<ResourceBinding> = new Registry("resource", "URI");
  /** By their template, as it is written. */
  readonly templates: Registry<ResourceBinding> = new Registry("resource", "URI");

  /** How many there are of both. */
  get size(): number {
    return this.concrete.size + this.templates.size;
  }

  /**
   * Adds a resource.
   *
   * @throws {ConfigurationError} when its URI is taken.
   */
  add(binding: ResourceBinding): Registration {
    const { text, variables } = binding.template;
    return (variables.length === 0 ? this.concrete : this.templates).add(text, binding);
  }

  /** Finds what a URI names: a concrete one goes before templates, of which the first counts. */
  resolve(uri: string): Resolved | undefined {
    const concrete = this.concrete.get(uri);
    if (concrete !== undefined) return { binding: concrete, match: { values: {} } };
    for (const binding of this.templates.values()) {
      const match = binding.template.match(uri);
      if (match !== undefined) return { binding, match };
    }
    return undefined;
  }
}
