import type { Awaitable } from "../ports/awaitable.ts";
import type { ArgumentCheck } from "../schema/check_arguments.ts";
import type { JsonSchema } from "../schema/convert_schema.ts";
import type { Problems } from "../schema/problems.ts";
import type { Asked } from "./ask.ts";
import type { Audience } from "./audience.ts";
import type { SpecFields } from "./spec_fields.ts";
import type { CallContext } from "./call_context.ts";
import type { Later, Pool, SeedPool, SeedValues } from "./pool.ts";
import type { PoolSeeds } from "./pool_seeds.ts";
import type { ServiceError } from "./service_error.ts";

/** Arguments by name, as a caller sent them or as they were checked. */
export type ArgumentValues = Readonly<Record<string, unknown>>;

/** Complains about names nobody declared. */
export type UnknownCheck = (source: ArgumentValues, problems: Problems) => void;

/** Runs work inside one transaction: commits what resolves, rolls back what rejects. */
export type TransactionRunner = <T>(work: () => Promise<T>, pool: SeedPool) => Promise<T>;

/** How a `many` operation takes its list. */
export interface ManyCheck {
  readonly argument: string;
  readonly maxItems: number;
  /** Complains about names that an item does not declare. */
  readonly checkUnknown: UnknownCheck | undefined;
}

/** A spec made ready to serve: everything that can be worked out before the first call is. */
export interface Operation {
  /** For errors: `tool "a"`. */
  readonly where: string;
  /** The declaration. */
  readonly spec: SpecFields;
  /** The seeds of the server. */
  readonly seeds: PoolSeeds;
  /** What it takes, as JSON Schema with an object root. */
  readonly inputSchema: JsonSchema;
  /** What it gives, as JSON Schema; absent where no output is declared. */
  readonly outputSchema: JsonSchema | undefined;
  /** How rows are shown; absent where nothing is said of an audience. */
  readonly audience: Audience | undefined;
  /** Names that the caller must send for `input`. */
  readonly requiredInput: readonly string[];
  /** Whether checking `input` runs regular expressions, which see no long string (B13). */
  readonly inputHasPatterns: boolean;
  /** Checks and coerces everything that is declared by parameters, but for shapes and extras. */
  readonly checkReads: ArgumentCheck | undefined;
  /** Names of the parameters, which are not the `input` schema's. */
  readonly parameterNames: ReadonlySet<string>;
  /** Checks and coerces `shapes`. */
  readonly checkShapes: ArgumentCheck | undefined;
  /** Whether the list is served in pages. */
  readonly isPaged: boolean;
  /** Checks and coerces `page` and `limit`, and what the transport takes; absent for none of these. */
  readonly checkExtras: ArgumentCheck | undefined;
  /** The most rows of a page; absent is no bound. */
  readonly maxPageSize: number | undefined;
  /** How the list of a `many` operation is taken. */
  readonly many: ManyCheck | undefined;
  /** Complains about undeclared arguments; absent where they are dropped or a schema decides. */
  readonly checkUnknown: UnknownCheck | undefined;
  /** The declared names; absent where a schema decides. */
  readonly names: readonly string[] | undefined;
  /** Names that the transport fills or withholds. */
  readonly serverArguments: ReadonlySet<string>;
  /** Whether an operation without checks may run all the same (K-57). */
  readonly isGranted: boolean;
  /** Runs atomic services; absent where the server has no transactions. */
  readonly transaction: TransactionRunner | undefined;
  /** Turns a library's exception into a refusal of the domain. */
  readonly translateError: ((error: unknown) => ServiceError | undefined) | undefined;
  /** What happens after the gate, in order. */
  readonly stages: readonly Stage[];
  /** The stages up to `prepare`, before work is put off; empty where nothing is prepared. */
  readonly openingStages: readonly Stage[];
  /** The stages without `prepare`, of work that was put off. */
  readonly deferredStages: readonly Stage[];
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
  readonly reads: ArgumentValues;
  /** Checked `shapes`. */
  readonly shapes: ArgumentValues;
  /** Checked `page` and `limit`, and what the transport takes: seen by no callable and no check. */
  readonly extras: ArgumentValues;
  /** What the caller sent for `input`, not yet checked; of a `many` operation the list. */
  readonly input: ArgumentValues | readonly unknown[];
  /** What is wrong with the arguments; absent where nothing is. */
  readonly problems: Problems | undefined;
}

/** A call on its way through the stages. */
export interface Run {
  /** What was prepared. */
  readonly prepared: Prepared;
  /** What the `input` schema is asked about. */
  input: ArgumentValues | readonly unknown[];
  /** What the callable will receive as `args`. */
  args: unknown;
  /** What the server supplies to every callable. */
  seeds: SeedValues;
  /** What the spec's provider supplies. */
  given: SeedValues;
  /** The target row. */
  instance: unknown;
  /** The target set. */
  collection: unknown;
  /** The pool of the run, once the arguments are complete. */
  pool: Pool | undefined;
  /** What waits for the commit. */
  readonly later: Later;
  /** What the callable answered. */
  value: unknown;
}

/** One stage: does its work on the run, and ends the call by returning a result. */
export type Stage = (run: Run) => Awaitable<RunResult | undefined>;

/** How a call ended, where it did not fail. */
export type RunResult =
  | ValueResult
  | { readonly type: "not_found" }
  | { readonly type: "denied" }
  | { readonly type: "invalid"; readonly problems: Problems }
  | { readonly type: "refused"; readonly error: ServiceError }
  /** Nothing ran to its end: it runs again from the top with the answers. */
  | { readonly type: "input_required"; readonly asked: Asked }
  | {
    readonly type: "shape_refused";
    readonly error: ServiceError;
    /** The shapes that the caller sent. */
    readonly shapes: readonly string[];
  };

/** A value to serve. */
export interface ValueResult {
  /** Always `"value"`. */
  readonly type: "value";
  /** What is served: a row, a list, or a page of one. */
  readonly value: unknown;
  /** What it was run with: the arguments, checked and complete. */
  readonly args: unknown;
  /** What the author's words are about, where that is not the value: the rows of a page. */
  readonly subject?: unknown;
  /** Whether there is nothing to present. */
  readonly isNothing?: boolean;
  /** What was written, where the operation declares an action. */
  readonly written?: Written;
}

/** What a write was about. */
export interface Written {
  /** The checked arguments: of a `many` operation the list. */
  readonly args: unknown;
  /** The row that was looked up; absent where there was none. */
  readonly instance: unknown;
}
