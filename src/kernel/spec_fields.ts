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
  readonly leanKeys: readonly string[] | "assigned";
}

const FIELDS = Symbol("fields");

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

/** The fields of a spec; `undefined` for any other value. */
export function readFields(spec: unknown): SpecFields | undefined {
  return typeof spec === "object" && spec !== null
    ? (spec as { readonly [FIELDS]?: SpecFields })[FIELDS]
    : undefined;
}

/** Puts the fields on a spec, where only the kernel finds them, and freezes both. */
export function attachFields(spec: Spec, fields: SpecFields): Spec {
  Object.defineProperty(spec, FIELDS, { value: Object.freeze(fields) });
  return Object.freeze(spec);
}
