import { ConfigurationError } from "../ports/configuration_error.ts";
import type { Parameters } from "../schema/parameter.ts";
import type { Schema } from "../schema/standard_schema.ts";
import type { Affordance } from "./affordance.ts";
import type { AudienceFields } from "./audience.ts";
import type { PermissionCheck } from "./permission_check.ts";
import type { PoolSeeds } from "./pool_seeds.ts";
import type { Provided } from "./provider.ts";
import type { Spec, SpecKind } from "./spec.ts";

/** Any function of a pool. */
export type Callable = (pool: never, more?: never) => unknown;

/** A spec as the kernel runs it: every field, without the static types. */
export interface SpecFields {
  readonly kind: SpecKind;
  readonly seeds: PoolSeeds;
  readonly reads: Parameters;
  readonly shapes: Parameters;
  readonly filters: Parameters;
  readonly input: Schema | undefined;
  readonly output: Schema | undefined;
  readonly permissions: readonly PermissionCheck[];
  readonly provide: Provided | undefined;
  readonly inputData: Provided | undefined;
  readonly present: ((row: unknown, pool: object) => unknown) | undefined;
  readonly audience: AudienceFields | undefined;
  readonly text: ((value: unknown) => string) | undefined;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /** `run` or `select`. */
  readonly callable: Callable;
  readonly preconditions: readonly Callable[];
  readonly prepare: Callable | undefined;
  readonly extend: ((rows: unknown, pool: object) => unknown) | undefined;
  readonly reread: Callable | undefined;
  /** A service's own conditions. */
  readonly conditions: readonly Affordance[];
  /** A selector's projection of other operations' conditions. */
  readonly projects: Readonly<Record<string, SpecFields>> | undefined;
  /** The look-up of the target: one row (`retrieve`) or a set (`list`). */
  readonly target: SpecFields | undefined;
  readonly many: boolean;
  readonly manyArgument: string;
  readonly maxItems: number;
  readonly atomic: boolean;
  readonly idempotent: boolean | undefined;
  readonly allowNone: boolean;
  readonly action: "create" | "update" | "delete" | undefined;
}

const FIELDS = Symbol("fields");

const SHARED: readonly string[] = [
  "allowNone",
  "audience",
  "input",
  "inputData",
  "metadata",
  "output",
  "permissions",
  "preconditions",
  "present",
  "provide",
  "reads",
  "shapes",
  "text",
];
const OF_SERVICES: readonly string[] = [
  "action",
  "affordances",
  "atomic",
  "collection",
  "idempotent",
  "instance",
  "many",
  "manyArgument",
  "maxItems",
  "prepare",
  "reread",
  "run",
];
const OF_SELECTORS: readonly string[] = ["affordances", "extend", "filters", "kind", "select"];

/**
 * The fields of a spec.
 *
 * @throws {ConfigurationError} when the value was not made by `serviceSpec` or `selectorSpec`.
 */
export function specFields(spec: unknown, where: string): SpecFields {
  const fields = readFields(spec);
  if (fields !== undefined) return fields;
  throw new ConfigurationError(
    `Cannot register ${where}: expected a spec made by serviceSpec() or selectorSpec()`,
  );
}

function readFields(spec: unknown): SpecFields | undefined {
  return typeof spec === "object" && spec !== null
    ? (spec as { readonly [FIELDS]?: SpecFields })[FIELDS]
    : undefined;
}

type Options = Readonly<Record<string, unknown>>;

/** Builds a service spec, and checks its fields. */
export function buildService(
  options: object,
  seeds: PoolSeeds,
  guard: readonly PermissionCheck[] | undefined,
): Spec {
  const given: Options = { ...options };
  const check = new FieldCheck("service", given);
  check.known([...SHARED, ...OF_SERVICES]);
  check.callable("run", true);
  check.callable("prepare");
  check.callable("reread");
  for (const field of ["atomic", "idempotent", "many"]) check.boolean(field);
  if (given.manyArgument !== undefined && !isText(given.manyArgument)) {
    throw check.invalid("manyArgument", "must be a name");
  }
  check.integer("maxItems", 1);
  check.oneOf("action", ["create", "update", "delete"]);
  if (given.instance !== undefined && given.collection !== undefined) {
    throw check.invalid("collection", "cannot stand beside instance");
  }
  const target = check.target("instance", "retrieve") ?? check.target("collection", "list");
  if (given.many === true) check.takesOnlyItems(target);
  const conditions = check.conditions();
  if (given.instance === undefined && conditions.some(({ whenRow }) => whenRow !== undefined)) {
    throw check.invalid("affordances", "asks about a row with whenRow, and instance finds none");
  }
  return attach(given, {
    ...check.shared(seeds, guard),
    kind: "service",
    callable: given.run as Callable,
    filters: {},
    extend: undefined,
    projects: undefined,
    prepare: given.prepare as Callable | undefined,
    reread: given.reread as Callable | undefined,
    conditions,
    target,
    many: given.many === true,
    manyArgument: (given.manyArgument ?? "items") as string,
    maxItems: (given.maxItems ?? 1000) as number,
    atomic: given.atomic !== false,
    idempotent: given.idempotent as boolean | undefined,
    action: given.action as SpecFields["action"],
  });
}

/** Builds a selector spec, and checks its fields. */
export function buildSelector(
  options: object,
  seeds: PoolSeeds,
  guard: readonly PermissionCheck[] | undefined,
): Spec {
  const given: Options = { ...options };
  const kind = given.kind;
  if (kind !== "list" && kind !== "retrieve") {
    throw new ConfigurationError('Cannot build a selector spec: kind must be "list" or "retrieve"');
  }
  const check = new FieldCheck(kind, given);
  check.known([...SHARED, ...OF_SELECTORS]);
  check.callable("select", true);
  check.callable("extend");
  if (kind === "retrieve") {
    for (const name of ["filters", "extend"]) {
      if (given[name] !== undefined) throw check.invalid(name, "is for a list");
    }
  } else if (given.allowNone !== undefined) {
    throw check.invalid("allowNone", "is for a retrieve: a list is empty, never absent");
  }
  return attach(given, {
    ...check.shared(seeds, guard),
    kind,
    callable: given.select as Callable,
    filters: (given.filters ?? {}) as Parameters,
    extend: given.extend as SpecFields["extend"],
    projects: check.projects(),
    prepare: undefined,
    reread: undefined,
    conditions: [],
    target: undefined,
    many: false,
    manyArgument: "items",
    maxItems: 0,
    atomic: false,
    idempotent: undefined,
    action: undefined,
  });
}

function attach(given: Options, fields: SpecFields): Spec {
  const spec: Spec = { ...given, kind: fields.kind };
  Object.defineProperty(spec, FIELDS, { value: Object.freeze(fields) });
  return Object.freeze(spec);
}

function hasKeys(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** Checks the fields of one spec, and names the field in every error. */
class FieldCheck {
  readonly #kind: SpecKind;
  readonly #given: Options;

  constructor(kind: SpecKind, given: Options) {
    this.#kind = kind;
    this.#given = given;
  }

  invalid(field: string, problem: string): ConfigurationError {
    return new ConfigurationError(`Cannot build a ${this.#kind} spec: ${field} ${problem}`);
  }

  known(names: readonly string[]): void {
    const stray = Object.keys(this.#given).find((key) => !names.includes(key));
    if (stray !== undefined) throw this.invalid(stray, "is not a field of a spec");
  }

  callable(field: string, isNeeded = false): void {
    const value = this.#given[field];
    if (value === undefined && !isNeeded) return;
    if (typeof value !== "function") throw this.invalid(field, "must be a function");
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
    if (isRecord && Object.values(value).every((one) => typeof one?.type === "string")) return;
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
    for (const [name, spec] of Object.entries(value as Options)) {
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
