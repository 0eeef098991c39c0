import type { Awaitable } from "../ports/awaitable.ts";
import type { ArgumentCheck } from "../schema/check_arguments.ts";
import type { JsonSchema } from "../schema/convert_schema.ts";
import type { Problems } from "../schema/problems.ts";
import type { CallContext } from "./call_context.ts";
import type { ServiceError } from "./service_error.ts";
import type { SpecFields } from "./spec.ts";

/** A spec made ready to serve: everything that can be worked out before the first call is. */
export interface Operation {
  /** For errors: `tool "a"`. */
  readonly where: string;
  /** The declaration. */
  readonly spec: SpecFields;
  /** What it takes, as JSON Schema with an object root. */
  readonly inputSchema: JsonSchema;
  /** What it gives, as JSON Schema; absent where no output is declared. */
  readonly outputSchema: JsonSchema | undefined;
  /** Names that the caller must send for `input`. */
  readonly requiredInput: readonly string[];
  /** Whether checking `input` runs regular expressions, which see no long string (B13). */
  readonly inputHasPatterns: boolean;
  /** Checks and coerces `reads`. */
  readonly checkReads: ArgumentCheck | undefined;
  /** Complains about undeclared arguments; absent where they are dropped or a schema decides. */
  readonly checkUnknown:
    | ((source: Readonly<Record<string, unknown>>, problems: Problems) => void)
    | undefined;
  /** The declared names; absent where a schema decides. */
  readonly names: readonly string[] | undefined;
  /** What happens after the gate, in order. */
  readonly stages: readonly Stage[];
  /** Whether refusals may repeat what the caller sent. */
  readonly includeValidationValue: boolean;
}

/** A call whose arguments are checked as far as permissions need them. */
export interface Prepared {
  /** What is called. */
  readonly operation: Operation;
  /** Who calls, and with what. */
  readonly context: CallContext;
  /** Checked `reads`. */
  readonly reads: Readonly<Record<string, unknown>>;
  /** What the caller sent for `input`, not yet checked. */
  readonly input: Readonly<Record<string, unknown>>;
  /** What is wrong with the arguments; absent where nothing is. */
  readonly problems: Problems | undefined;
}

/** A call on its way through the stages. */
export interface Run {
  /** What was prepared. */
  readonly prepared: Prepared;
  /** What the callable will receive as `args`. */
  args: unknown;
  /** What the callable answered. */
  value: unknown;
}

/** One stage: does its work on the run, and ends the call by returning a result. */
export type Stage = (run: Run) => Awaitable<RunResult | undefined>;

/** How a call ended, where it did not fail. */
export type RunResult =
  | { readonly type: "value"; readonly value: unknown }
  | { readonly type: "not_found" }
  | { readonly type: "invalid"; readonly problems: Problems }
  | { readonly type: "refused"; readonly error: ServiceError };
