/**
 * Declare operations once, and serve them over the Model Context Protocol to clients of every era.
 *
 * @example
 * ```ts
 * import { McpServer, unrestricted } from "@limen/mcp";
 *
 * const server = new McpServer({ name: "hello", version: "1.0.0" });
 * server.tool("ping", {
 *   description: "Answers.",
 *   effect: "read",
 *   permissions: [unrestricted],
 * }, () => "pong");
 *
 * export default server; // `deno serve`, Bun and Workers call `server.fetch`
 * ```
 *
 * @module
 */
export * from "./src/auth/mod.ts";
export type { Completer, Completers, CompletionPool } from "./src/features/completer.ts";
export type { AskingOptions } from "./src/features/elicitation/asking_options.ts";
export type { InputRequiredOutcome } from "./src/features/elicitation/ask_back.ts";
export type { Pending, Received } from "./src/features/elicitation/pending.ts";
export type { PromptOptions, RendersPrompt } from "./src/features/prompts/prompt_binding.ts";
export type { PromptAnswer, PromptPart } from "./src/features/prompts/prompt_messages.ts";
export type { Registration } from "./src/features/registry.ts";
export type { Encoding } from "./src/features/resources/encode_contents.ts";
export {
  type FileResources,
  fileResources,
  type FileResourcesOptions,
  type ResourceHost,
} from "./src/features/resources/file_resources.ts";
export type { FileSource, ListedFile, OpenFile } from "./src/features/resources/file_source.ts";
export type { ResourceOptions } from "./src/features/resources/resource_options.ts";
export {
  type Binary,
  ResourceContents,
  resourceContents,
  type ResourceContentsOptions,
} from "./src/features/resources/resource_contents.ts";
export type { Effect, RunsTool, SimpleToolOptions } from "./src/features/tools/simple_tool.ts";
export type { Descriptor } from "./src/features/check_descriptor.ts";
export type { Call } from "./src/features/call.ts";
export type { Feed } from "./src/features/feed.ts";
export type { ListKind } from "./src/features/list_kind.ts";
export type { Listener, Topic } from "./src/features/topics.ts";
export type { AgentConventions } from "./src/features/conventions.ts";
export type {
  CalledTool,
  InProcessCaller,
  ListedTools,
  ListOptions,
} from "./src/features/in_process.ts";
export type { ErrorOutcome, Outcome } from "./src/features/outcome.ts";
export type {
  DispatcherEffect,
  ToolDispatcherOptions,
} from "./src/features/tools/dispatchers/dispatcher_options.ts";
export type {
  CatalogueReport,
  CatalogueSize,
  ReportedTool,
} from "./src/features/tools/report_catalogue.ts";
export type { ExplainedStep } from "./src/features/tools/explain_call.ts";
export type {
  AnyToolOptions,
  ListToolOptions,
  ServerArguments,
  ServiceToolOptions,
  ToolOptions,
  ToolOptionsOf,
} from "./src/features/tools/tool_options.ts";
export {
  inProcessExecutor,
  type InProcessExecutorOptions,
} from "./src/features/tasks/in_process_executor.ts";
export type { TaskExecutor } from "./src/features/tasks/task_executor.ts";
export type { RestoreCaller, TaskOptions } from "./src/features/tasks/task_options.ts";
export type { GateOptions } from "./src/features/read_gate.ts";
export { fixedWindow, type FixedWindowOptions } from "./src/gate/fixed_window.ts";
export type { Charge, KeyPool, LimiterOptions, RateLimiter } from "./src/gate/rate_limiter.ts";
export type { RateLimiters } from "./src/gate/read_limiters.ts";
export type { CallerLimitOptions, LimitOptions } from "./src/gate/server_limits.ts";
export { slidingWindow, type SlidingWindowOptions } from "./src/gate/sliding_window.ts";
export { tokenBucket, type TokenBucketOptions } from "./src/gate/token_bucket.ts";
export * from "./src/kernel/mod.ts";
export type { ReplayOptions } from "./src/era/legacy/replay_buffer.ts";
export type { Around, RefusedRequest } from "./src/methods/around.ts";
export type { Secret, SecretSource } from "./src/ports/key_ring.ts";
export type { Clock } from "./src/ports/clock.ts";
export type { Audit, AuditRecord } from "./src/ports/audit_record.ts";
export type { Log, LogEvent, LogLevel } from "./src/ports/log_event.ts";
export type { LogEventName, LogEvents } from "./src/ports/log_events.ts";
export type { Logger } from "./src/ports/logger.ts";
export type { CacheHint, Failure, ResultText } from "./src/present/result_text.ts";
export type { Bytes } from "./src/present/base64.ts";
export type { ContinuationOptions } from "./src/present/continuation_options.ts";
export type { ContentKind } from "./src/present/present_result.ts";
export { ToolResult, toolResult, type ToolResultOptions } from "./src/present/tool_result.ts";
export * from "./src/protocol/mod.ts";
export { McpServer } from "./src/server.ts";
export type { ServerOptions } from "./src/settings/server_options.ts";
export type {
  CompareAndSetOptions,
  IncrementOptions,
  KeyValueStore,
  SetOptions,
} from "./src/stores/key_value_store.ts";
export { lateStore } from "./src/stores/late_store.ts";
