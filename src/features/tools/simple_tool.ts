import { selectorSpec, serviceSpec, type Spec, type SpecOptions } from "../../kernel/spec.ts";
import type { OutputOf, Schema } from "../../schema/standard_schema.ts";
import type { Parameters } from "../../schema/parameter.ts";
import { ConfigurationError } from "../../ports/configuration_error.ts";
import type { Principal } from "../../ports/principal.ts";
import type { ToolOptions } from "./tool_binding.ts";

/** What a tool does to the world: it reads, computes or acts, or writes rows. */
export type Effect = "read" | "act" | "create" | "update" | "delete";

/** A spec and its binding in one: the options of `server.tool()`. */
export interface SimpleToolOptions<
  User extends Principal,
  Reads extends Parameters,
  In extends Schema,
  Out extends Schema,
> extends SpecOptions<User, Reads, In, Out>, Omit<ToolOptions, "name"> {
  /** What the tool does; picks the kind of spec and the hints. */
  readonly effect: Effect;
  /** The author's words for the result, in place of its JSON text. Default: the JSON text. */
  readonly text?: (value: OutputOf<Out>) => string;
}

const SPEC_FIELDS = ["idempotent", "input", "output", "permissions", "reads", "text"] as const;

/** Hints beside those that follow from the spec: only a delete or an update destroys something. */
const HINTS: Readonly<Record<Effect, ToolOptions["annotations"]>> = {
  read: {},
  act: {},
  create: { destructiveHint: false },
  update: {},
  delete: {},
};

/**
 * Splits the options of `server.tool()` into a spec and a binding.
 *
 * @throws {ConfigurationError} when an option is wrong, naming the tool and the property.
 */
export function simpleTool(
  name: string,
  options: object,
  run: (pool: never) => unknown,
): { readonly spec: Spec; readonly binding: ToolOptions } {
  const { effect, ...rest } = options as { readonly effect: Effect } & Record<string, unknown>;
  if (typeof effect !== "string" || !Object.hasOwn(HINTS, effect)) {
    throw new ConfigurationError(
      `Cannot register tool ${JSON.stringify(name)}: effect must be one of ${
        Object.keys(HINTS).join(", ")
      }`,
    );
  }
  const fields: Record<string, unknown> = {};
  const binding: Record<string, unknown> = { ...rest, name };
  for (const field of SPEC_FIELDS) {
    if (rest[field] !== undefined) fields[field] = rest[field];
    delete binding[field];
  }
  binding.annotations = { ...HINTS[effect], ...rest.annotations as object };
  const spec = effect === "read"
    ? selectorSpec({ ...fields, kind: "retrieve", select: run } as never)
    : serviceSpec({ ...fields, run } as never);
  return { spec: spec as Spec, binding: binding as unknown as ToolOptions };
}
