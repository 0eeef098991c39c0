/**
 * Operations without a transport: specs that say what an operation takes, who may run it and how
 * its result is presented. Nothing here knows of MCP: `McpServer` serves specs over MCP, and
 * `createDispatcher` makes one ready for any other transport.
 *
 * @example
 * ```ts
 * import { param, selectorSpec, unrestricted } from "@limen/mcp/kernel";
 * import { assertEquals } from "@std/assert";
 *
 * const greet = selectorSpec({
 *   kind: "retrieve",
 *   reads: { name: param.string({ required: true }) },
 *   permissions: [unrestricted],
 *   select: ({ args }) => `Hello ${args.name}`,
 * });
 * assertEquals(greet.kind, "retrieve");
 * ```
 *
 * @module
 */
export type { Awaitable } from "../ports/awaitable.ts";
export { ConfigurationError } from "../ports/configuration_error.ts";
export type { HostContext } from "../ports/host_context.ts";
export type { Log, LogEvent } from "../ports/log_event.ts";
export type { Caller, Principal, Token } from "../ports/principal.ts";
export type { JsonSchema } from "../schema/json_schema_document.ts";
export { jsonSchema } from "../schema/json_schema.ts";
export * from "../schema/param.ts";
export type { ProblemTree } from "../schema/problems.ts";
export type {
  Describes,
  InputOf,
  JsonSchemaSide,
  NoJsonSchema,
  OutputOf,
  Schema,
  SchemaIssue,
  SchemaResult,
  StandardSchema,
} from "../schema/standard_schema.ts";
export { AdditionalInputRequired } from "./additional_input_required.ts";
export { ActionUnavailable, type Affordance } from "./affordance.ts";
export type {
  AnswerMismatch,
  AsLiteral,
  Expects,
  Fits,
  Fitting,
  Misfits,
  Mismatch,
  RowMismatch,
  RowOf,
} from "./answer_mismatch.ts";
export type {
  Agreed,
  Answers,
  AnswerTo,
  FilledForm,
  ListedRoots,
  NoAnswer,
  Root,
  Sampled,
} from "./answer.ts";
export type { Ask, AskOptions, Confirm, Given } from "./ask.ts";
export type { AudienceField, AudienceFields } from "./audience.ts";
export type { CallContext, CallRequest, Progress, ProgressOptions } from "./call_context.ts";
export {
  createDispatcher,
  type DispatchCall,
  type Dispatcher,
  type DispatcherOptions,
  type DispatchResult,
} from "./create_dispatcher.ts";
export { type HttpStatus, httpStatus } from "./http_status.ts";
export type { KeepLiterals, LiteralHint } from "./keep_literals.ts";
export { NotPermitted } from "./not_permitted.ts";
export type { TransactionRunner } from "./operation.ts";
export { type Pageable, pageable } from "./pageable.ts";
export {
  authenticated,
  type PermissionCheck,
  type PermissionPool,
  unrestricted,
} from "./permission_check.ts";
export type { NoSeeds, Pool, SeedPool, SeedValues } from "./pool.ts";
export type { PoolMismatch, Taker, Takes } from "./pool_mismatch.ts";
export {
  type PoolSeeds,
  poolSeeds,
  type SeedResolver,
  type SeedsOf,
  type UserOf,
} from "./pool_seeds.ts";
export type { Filling, Provided, Provider, Provides } from "./provider.ts";
export {
  type FormQuestion,
  type Question,
  question,
  type QuestionBuilders,
  type Questions,
  type RootsQuestion,
  type SampledMessage,
  type SamplingOptions,
  type SamplingQuestion,
  type UrlQuestion,
} from "./question.ts";
export {
  ServiceConflict,
  ServiceError,
  ServiceNotFound,
  ServiceValidationError,
} from "./service_error.ts";
export type { SelectorSpec, ServiceSpec, Spec, SpecKind } from "./spec.ts";
export { type RegisteredSpec, SpecRegistry } from "./spec_registry.ts";
export type {
  AnyOutput,
  Arguments,
  NoInput,
  NoParameters,
  NoTarget,
  PresentPool,
  Rows,
  RunPool,
  Runs,
  SelectorAnswer,
  SelectorOptions,
  ServiceAnswer,
  ServiceArguments,
  ServiceOptions,
  SpecOptions,
} from "./spec_options.ts";
export {
  provider,
  selectorSpec,
  serviceSpec,
  type SpecBuilders,
  type SpecDefaults,
  specsFor,
} from "./specs_for.ts";
