import {
  context,
  type Counter,
  type Histogram,
  type MeterProvider,
  metrics,
  SpanKind,
  trace,
  type TracerProvider,
} from "@opentelemetry/api";
import type { Around } from "../methods/around.ts";
import { ConfigurationError } from "../ports/configuration_error.ts";
import { findStray } from "../ports/find_stray.ts";
import { describeCall } from "./describe_call.ts";
import { describeFault, describeOutcome, type Ending } from "./describe_ending.ts";
import { endSpan } from "./end_span.ts";
import { findParent, type Trust } from "./find_parent.ts";

/** Options of {@linkcode otel}. */
export interface OtelOptions {
  /** Makes the spans, as a `TracerProvider` does. Default: the provider that the process registers, if it does. */
  readonly tracerProvider?: { readonly getTracer: (name: string) => unknown };
  /** Makes the metrics, as a `MeterProvider` does. Default: the provider that the process registers, if it does. */
  readonly meterProvider?: { readonly getMeter: (name: string) => unknown };
  /**
   * Whose `traceparent` a span continues: whoever sends one decides what is sampled, and into which
   * trace it goes. Default `"authenticated"`; `"everyone"` suits a server that only a gateway reaches.
   */
  readonly trustTraceparent?: Trust;
  /**
   * Whether the exception of a service that refuses is recorded on the span. Default `false`: it is no
   * fault, and its words are the domain's. A `ServiceValidationError` never is; a fault always.
   */
  readonly recordServiceExceptions?: boolean;
}

const DEFAULTS: Required<Omit<OtelOptions, "tracerProvider" | "meterProvider">> = {
  trustTraceparent: "authenticated",
  recordServiceExceptions: false,
};
const TRUSTED: readonly unknown[] = ["authenticated", "everyone", "nobody"];

/** Upper bounds in seconds, from the conventions. */
const BUCKETS: number[] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/**
 * Makes what surrounds every method with a span of kind server, and counts its duration in the
 * histogram `mcp.server.operation.duration`. What a tool does is inside of the span, where the process
 * has a context manager. Requests that are turned away before any method runs have no span; the counter
 * `limen.server.refused_requests` counts them.
 *
 * @throws {ConfigurationError} when an option is unknown or wrong, naming it.
 *
 * @example
 * ```ts
 * import { McpServer } from "@limen/mcp";
 * import { otel } from "@limen/mcp/otel";
 *
 * const server = new McpServer({
 *   name: "hello",
 *   version: "1.0.0",
 *   around: [otel({ recordServiceExceptions: true })],
 * });
 * ```
 */
export function otel(options: OtelOptions = {}): Around {
  checkOptions(options);
  const { trustTraceparent, recordServiceExceptions } = { ...DEFAULTS, ...options };
  const tracer = ((options.tracerProvider ?? trace) as TracerProvider).getTracer("@limen/mcp");
  // Made late: a provider that is registered after the server still counts.
  const provider = (): MeterProvider => (options.meterProvider ?? metrics) as MeterProvider;
  let histogram: Histogram | undefined;
  let counter: Counter | undefined;
  const around: Around = async (call, next, target) => {
    histogram ??= createHistogram(provider());
    const { name, labels, details } = describeCall(call, target);
    const { parent, links } = findParent(call, trustTraceparent);
    const attributes = { ...labels, ...details };
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes, links }, parent);
    const inside = trace.setSpan(parent, span);
    const start = performance.now();
    let ending: Ending = {};
    try {
      const outcome = await context.with(inside, next, undefined, call);
      ending = describeOutcome(outcome, recordServiceExceptions);
      return outcome;
    } catch (cause) {
      ending = describeFault(cause, call);
      throw cause;
    } finally {
      const seconds = (performance.now() - start) / 1000;
      histogram.record(seconds, { ...labels, ...ending.labels }, inside);
      endSpan(span, ending);
    }
  };
  const refused: Around["refused"] = ({ reason, status }) => {
    counter ??= createCounter(provider());
    counter.add(1, { "limen.refusal.reason": reason, "http.response.status_code": status });
  };
  return Object.assign(around, { refused });
}

function createCounter(provider: MeterProvider): Counter {
  return provider.getMeter("@limen/mcp").createCounter("limen.server.refused_requests", {
    unit: "{request}",
    description: "Requests that were turned away before any method ran.",
  });
}

function createHistogram(provider: MeterProvider): Histogram {
  return provider.getMeter("@limen/mcp").createHistogram("mcp.server.operation.duration", {
    unit: "s",
    description: "How long a request took, from its method's start until its result.",
    advice: { explicitBucketBoundaries: BUCKETS },
  });
}

function checkOptions(options: OtelOptions): void {
  const known = [...Object.keys(DEFAULTS), "tracerProvider", "meterProvider"];
  const stray = findStray(options, known, "an option");
  if (stray !== undefined) throw new ConfigurationError(`Cannot create otel(): option ${stray}`);
  const { trustTraceparent, recordServiceExceptions } = { ...DEFAULTS, ...options };
  if (!TRUSTED.includes(trustTraceparent)) {
    throw invalid("trustTraceparent", `must be one of ${TRUSTED.join(", ")}`);
  }
  if (typeof recordServiceExceptions !== "boolean") {
    throw invalid("recordServiceExceptions", "must be a boolean");
  }
}

function invalid(key: string, problem: string): ConfigurationError {
  return new ConfigurationError(`Cannot create otel(): option ${key} ${problem}`);
}
