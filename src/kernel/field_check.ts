import { ConfigurationError } from "../ports/configuration_error.ts";
import { findStray } from "../ports/find_stray.ts";
import type { Affordance } from "./affordance.ts";
import type { PermissionCheck } from "./permission_check.ts";
import type { PoolSeeds } from "./pool_seeds.ts";
import type { SpecKind } from "./spec.ts";
import { type Callable, readFields, type SpecFields } from "./spec_fields.ts";

/** Checks the fields of one spec, and names the field in every error. */
export class FieldCheck {
  readonly #kind: SpecKind;
  readonly #given: Readonly<Record<string, unknown>>;

  constructor(kind: SpecKind, given: Readonly<Record<string, unknown>>) {
    this.#kind = kind;
    this.#given = given;
  }

  invalid(field: string, problem: string): ConfigurationError {
    return new ConfigurationError(`Cannot build a ${this.#kind} spec: ${field} ${problem}`);
  }

  known(names: readonly string[]): void {
    const stray = findStray(this.#given, names, "a field of a spec");
    if (stray !== undefined) {
      throw new ConfigurationError(`Cannot build a ${this.#kind} spec: ${stray}`);
    }
  }

  callable(field: string, isNeeded = false): void {
    const value = this.#given[field];
    if (value === undefined && !isNeeded) return;
    if (typeof value !== "function") throw this.invalid(field, "must be a function");
  }

  name(field: string): void {
    const value = this.#given[field];
    if (value !== undefined && !isText(value)) throw this.invalid(field, "must be a name");
  }

  boolean(field: string): void {
    const value = this.#given[field];
    if (value === undefined || typeof value === "boolean") return;
    throw this.invalid(field, "must be true or false");
  }

  parameters(field: string): void {
    const value = this.#given[field];
    if (value === undefined) return;
    const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
    if (isRecord && Object.values(value).every(isParameter)) return;
    throw this.invalid(field, "must hold parameters by name, made by param");
  }

  /** The one argument of a `many` spec is its list (K-24). */
  takesOnlyItems(target: SpecFields | undefined): void {
    if (this.#given.input === undefined) {
      throw this.invalid("input", "is missing: a many spec says what one item is");
    }
    for (const field of ["reads", "shapes"]) {
      if (!hasKeys(this.#given[field])) continue;
      throw this.invalid(field, "cannot stand in a many spec: its one argument is the list");
    }
    if (target === undefined || !hasKeys(target.reads)) return;
    const field = target.kind === "list" ? "collection" : "instance";
    throw this.invalid(field, "takes reads, and the one argument of a many spec is the list");
  }

  integer(field: string, least: number): void {
    const value = this.#given[field];
    if (value === undefined || (Number.isSafeInteger(value) && value as number >= least)) return;
    throw this.invalid(field, `must be an integer of at least ${least}`);
  }

  oneOf(field: string, values: readonly string[]): void {
    const value = this.#given[field];
    if (value === undefined || values.includes(value as string)) return;
    throw this.invalid(field, `must be one of ${values.join(", ")}`);
  }

  /** What a lean answer adds is the row's, and one row's (W-21). */
  leanKeys(): void {
    const { leanKeys: value, action, many } = this.#given;
    if (value === undefined) return;
    if (action === undefined) {
      throw this.invalid("leanKeys", "needs an action: nothing else is lean");
    }
    if (many === true) {
      throw this.invalid("leanKeys", "cannot stand in a many spec: rows are counted");
    }
    if (value === "assigned") return;
    if (!Array.isArray(value) || !value.every(isText)) {
      throw this.invalid("leanKeys", 'must list fields, or be "assigned"');
    }
  }

  target(field: string, kind: SpecKind): SpecFields | undefined {
    const value = this.#given[field];
    if (value === undefined) return undefined;
    const fields = readFields(value);
    if (fields?.kind !== kind) throw this.invalid(field, `must be a ${kind} spec`);
    // Permissions and paging are the outer spec's; conditions of a look-up would be asked by nobody.
    if (fields.preconditions.length > 0) {
      throw this.invalid(field, "declares preconditions, which belong to the outer spec");
    }
    return fields;
  }

  conditions(): readonly Affordance[] {
    const value = this.#given.affordances ?? [];
    if (!Array.isArray(value)) throw this.invalid("affordances", "must be a list");
    const codes = new Set<string>();
    for (const { code, reason, when, whenRow } of value as readonly Affordance[]) {
      if (!isText(code) || !isText(reason)) {
        throw this.invalid("affordances", "must each have a code and a reason");
      }
      if (codes.has(code)) throw this.invalid("affordances", `has the code "${code}" twice`);
      codes.add(code);
      if (when === undefined && whenRow === undefined) {
        throw this.invalid("affordances", `asks nothing under "${code}": give when or whenRow`);
      }
    }
    return Object.freeze([...value]);
  }

  projects(): SpecFields["projects"] {
    const value = this.#given.affordances;
    if (value === undefined) return undefined;
    const projected: Record<string, SpecFields> = {};
    for (const [name, spec] of Object.entries(value as object)) {
      const fields = readFields(spec);
      if (fields?.kind !== "service") {
        throw this.invalid("affordances", `must name services: "${name}" is none`);
      }
      projected[name] = fields;
    }
    return Object.freeze(projected);
  }

  shared(
    seeds: PoolSeeds,
    guard: readonly PermissionCheck[] | undefined,
  ): Pick<
    SpecFields,
    | "allowNone"
    | "audience"
    | "input"
    | "inputData"
    | "metadata"
    | "output"
    | "permissions"
    | "preconditions"
    | "present"
    | "provide"
    | "reads"
    | "seeds"
    | "shapes"
    | "text"
  > {
    this.callable("text");
    this.callable("present");
    this.boolean("allowNone");
    for (const field of ["reads", "shapes", "filters"]) this.parameters(field);
    for (const side of ["input", "output"]) {
      const schema = this.#given[side];
      if (schema !== undefined && !isSchema(schema)) {
        throw this.invalid(side, "must be a Standard Schema, or jsonSchema({ … })");
      }
    }
    for (const name of ["provide", "inputData"]) {
      const value = this.#given[name];
      if (value !== undefined && typeof value !== "function" && !isProvider(value)) {
        throw this.invalid(name, "must be a provider() or a function");
      }
    }
    if (this.#given.audience !== undefined && this.#given.output === undefined) {
      throw this.invalid("audience", "needs an output, whose fields it names");
    }
    const given = this.#given as unknown as SpecFields;
    return {
      seeds,
      reads: given.reads ?? {},
      shapes: given.shapes ?? {},
      input: given.input,
      output: given.output,
      permissions: this.#permissions(guard),
      provide: given.provide,
      inputData: given.inputData,
      present: given.present,
      audience: given.audience,
      text: given.text,
      metadata: given.metadata,
      preconditions: this.#preconditions(),
      allowNone: given.allowNone === true,
    };
  }

  #permissions(guard: readonly PermissionCheck[] | undefined): readonly PermissionCheck[] {
    const checks = this.#given.permissions ?? guard ?? [];
    const isStated = this.#given.permissions !== undefined;
    if (!Array.isArray(checks) || (isStated && checks.length === 0)) {
      throw this.invalid("permissions", "must list at least one check; [unrestricted] opens it");
    }
    if (checks.some((check) => typeof check?.hasPermission !== "function")) {
      throw this.invalid("permissions", "must hold objects with a hasPermission function");
    }
    return Object.freeze([...checks]);
  }

  #preconditions(): readonly Callable[] {
    const value = this.#given.preconditions ?? [];
    if (!Array.isArray(value) || value.some((one) => typeof one !== "function")) {
      throw this.invalid("preconditions", "must be a list of functions");
    }
    return Object.freeze([...value]);
  }
}

function hasKeys(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** A schema of Zod has a `type` as well. */
function isParameter(value: unknown): boolean {
  return typeof (value as { readonly type?: unknown } | null)?.type === "string" &&
    !isSchema(value);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function isProvider(value: unknown): boolean {
  return typeof value === "object" && value !== null && "keys" in value && "resolve" in value;
}

function isSchema(value: unknown): boolean {
  return (typeof value === "object" || typeof value === "function") && value !== null &&
    "~standard" in value;
}
