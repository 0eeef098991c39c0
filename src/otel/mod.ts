/**
 * Spans and metrics of a server through the OpenTelemetry API, by the semantic conventions for MCP.
 *
 * {@linkcode otel} goes into the option `around`. It sees every method that exists, in both eras and
 * in process, and installs nothing: without an OpenTelemetry SDK in the process it does nothing, and a
 * server without it does not load the API at all. Spans and metrics hold names, sizes and codes; never
 * arguments, results, tokens, whole session ids or the variables of a URI.
 *
 * @example
 * ```ts
 * import { McpServer, unrestricted } from "@limen/mcp";
 * import { otel } from "@limen/mcp/otel";
 *
 * const server = new McpServer({ name: "hello", version: "1.0.0", around: [otel()] });
 * server.tool("ping", {
 *   description: "Answers.",
 *   effect: "read",
 *   permissions: [unrestricted],
 * }, () => "pong"); // its spans are called "tools/call ping"
 * ```
 *
 * @see {@link https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/}
 * @module
 */
export type { Call } from "../features/call.ts";
export type { Outcome } from "../features/outcome.ts";
export type { Around, RefusedRequest } from "../methods/around.ts";
export type { Awaitable } from "../ports/awaitable.ts";
export type { Trust } from "./find_parent.ts";
export { otel, type OtelOptions } from "./otel.ts";
