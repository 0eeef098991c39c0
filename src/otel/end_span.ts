import { type Span, SpanStatusCode } from "@opentelemetry/api";
import type { Ending } from "./describe_ending.ts";

/**
 * Ends a span. Its status has no description: messages of errors repeat what callers wrote, and
 * refusals are the domain's words.
 */
export function endSpan(span: Span, { labels, exception }: Ending): void {
  if (labels !== undefined) {
    span.setAttributes(labels);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  if (exception !== undefined) span.recordException(exception);
  span.end();
}
