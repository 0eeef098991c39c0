import type { NoSeeds, SeedValues } from "../../kernel/pool.ts";
import { noSeeds, type PoolSeeds } from "../../kernel/pool_seeds.ts";
import type { Spec } from "../../kernel/spec.ts";
import type {
  Arguments,
  NoTarget,
  RunPool,
  Runs,
  ServiceOptions,
  SpecOptions,
} from "../../kernel/spec_options.ts";
import { specsFor } from "../../kernel/specs_for.ts";
import type { StandardSchema } from "../../schema/standard_schema.ts";
import type { Parameters } from "../../schema/parameter.ts";
import { ConfigurationError } from "../../ports/configuration_error.ts";
import { findStray } from "../../ports/find_stray.ts";
import type { Principal } from "../../ports/principal.ts";
import { TOOL_OPTION_NAMES } from "./check_tool_options.ts";
import type { AnyToolOptions, ServiceToolOptions, ToolOptions } from "./tool_options.ts";

/** What a tool does to the world: it reads, computes or acts, or writes rows. */
export type Effect = "read" | "act" | "create" | "update" | "delete";

/** A spec and its binding in one: the options of `server.tool()`. */
export interface SimpleToolOptions<
  User extends Principal,
  Seeds extends SeedValues,
  Reads extends Parameters,
  Shapes extends Parameters,
  In extends StandardSchema,
  Out extends StandardSchema,
  Given extends SeedValues,
  Shown = never,
  Sought = unknown,
  Gave = never,
> extends
  SpecOptions<User, Seeds, Reads, Shapes, In, Out, Given, Shown, Sought, Gave>,
  Pick<
    ServiceOptions<User, Seeds, Reads, Shapes, In, Out, false, never, never, Given>,
    "allowNone" | "atomic" | "idempotent" | "leanKeys" | "text"
  >,
  Pick<ServiceToolOptions, "continuation" | "invalidates" | "lean" | "verifyKey">,
  Omit<ToolOptions, "name"> {
  /** What the tool does; picks the kind of spec and the hints. */
  readonly effect: Effect;
}

/** What runs the tool, of the options that `server.tool()` takes. Hover: a function. */
export type RunsTool<
  User extends Principal,
  Seeds extends SeedValues,
  Reads extends Parameters,
  In extends StandardSchema,
  Out extends StandardSchema,
  Given extends SeedValues,
  Asked,
  Answer,
> = Runs<
  RunPool<User, Seeds, Arguments<Reads, In>, NoTarget, NoTarget, Given>,
  Out,
  false,
  Asked,
  Answer
>;

const EFFECTS: readonly Effect[] = ["read", "act", "create", "update", "delete"];
const SPEC_FIELDS = [
  "allowNone",
  "atomic",
  "audience",
  "idempotent",
  "input",
  "inputData",
  "leanKeys",
  "metadata",
  "output",
  "permissions",
  "present",
  "provide",
  "reads",
  "shapes",
  "text",
] as const;

/**
 * Splits the options of `server.tool()` into a spec and a binding.
 *
 * @throws {ConfigurationError} when an option is wrong, naming the tool and the property.
 */
export function simpleTool(
  name: string,
  options: object,
  run: (pool: never) => unknown,
  seeds: PoolSeeds = noSeeds,
): { readonly spec: Spec; readonly binding: AnyToolOptions } {
  const problem = typeof options !== "object" || options === null
    ? "the second argument must be an object of options"
    : typeof run !== "function"
    ? "the third argument must be a function"
    : undefined;
  if (problem !== undefined) {
    throw new ConfigurationError(`Cannot register tool ${JSON.stringify(name)}: ${problem}`);
  }
  const { effect, ...rest } = options as { readonly effect: Effect } & Record<string, unknown>;
  if (!EFFECTS.includes(effect)) {
    throw new ConfigurationError(
      `Cannot register tool ${JSON.stringify(name)}: effect must be one of ${EFFECTS.join(", ")}`,
    );
  }
  const stray = findStray(rest, [...SPEC_FIELDS, ...TOOL_OPTION_NAMES], "an option of a tool");
  if (stray !== undefined) {
    throw new ConfigurationError(`Cannot register tool ${JSON.stringify(name)}: ${stray}`);
  }
  const fields: Record<string, unknown> = {};
  const binding: Record<string, unknown> = { ...rest, name };
  for (const field of SPEC_FIELDS) {
    if (rest[field] !== undefined) fields[field] = rest[field];
    delete binding[field];
  }
  const { serviceSpec, selectorSpec } = specsFor<Principal, NoSeeds>(
    seeds as PoolSeeds<Principal, NoSeeds>,
  );
  const spec = naming(
    name,
    (): unknown =>
      effect === "read"
        ? selectorSpec({ ...fields, kind: "retrieve", select: run } as never)
        : serviceSpec({ ...fields, run, ...(effect === "act" ? {} : { action: effect }) } as never),
  );
  return { spec: spec as Spec, binding: binding as unknown as AnyToolOptions };
}

/** Lets an error about a spec name the tool, since its author wrote no spec. */
function naming<T>(name: string, build: () => T): T {
  try {
    return build();
  } catch (cause) {
    if (!(cause instanceof ConfigurationError)) throw cause;
    const problem = cause.message.replace(/^Cannot build an? \w+ spec: /, "");
    throw new ConfigurationError(`Cannot register tool ${JSON.stringify(name)}: ${problem}`, {
      cause,
    });
  }
}
