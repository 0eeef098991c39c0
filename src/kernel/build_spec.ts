import { ConfigurationError } from "../ports/configuration_error.ts";
import type { Parameters } from "../schema/parameter.ts";
import type { PermissionCheck } from "./permission_check.ts";
import type { PoolSeeds } from "./pool_seeds.ts";
import type { Spec } from "./spec.ts";
import { FieldCheck } from "./field_check.ts";
import { attachFields, type Callable, type SpecFields } from "./spec_fields.ts";

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
  "leanKeys",
  "many",
  "manyArgument",
  "maxItems",
  "prepare",
  "reread",
  "run",
];
const OF_SELECTORS: readonly string[] = ["affordances", "extend", "filters", "kind", "select"];

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
  check.name("manyArgument");
  check.integer("maxItems", 1);
  check.oneOf("action", ["create", "update", "delete"]);
  check.leanKeys();
  if (given.instance !== undefined && given.collection !== undefined) {
    throw check.invalid("collection", "cannot stand beside instance");
  }
  const target = check.target("instance", "retrieve") ?? check.target("collection", "list");
  if (given.many === true) check.takesOnlyItems(target);
  const conditions = check.conditions();
  if (given.instance === undefined && conditions.some(({ whenRow }) => whenRow !== undefined)) {
    throw check.invalid("affordances", "asks about a row with whenRow, and instance finds none");
  }
  return attachFields({ ...given, kind: "service" }, {
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
    leanKeys: (given.leanKeys ?? []) as SpecFields["leanKeys"],
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
  return attachFields({ ...given, kind }, {
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
    leanKeys: [],
  });
}
