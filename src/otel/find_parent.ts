import { type Context, context, type Link, propagation, trace } from "@opentelemetry/api";
import type { Call } from "../features/call.ts";
import { isJsonObject, ownValue } from "../protocol/json.ts";

/** Whose `traceparent` counts. */
export type Trust = "authenticated" | "everyone" | "nobody";

/** Where a span belongs. */
export interface Parent {
  /** Its context. */
  readonly parent: Context;
  /** The surrounding span, such as that of the HTTP request, where the context is the client's. */
  readonly links: Link[];
}

/** What is read of `_meta`: never `baggage`, which a client would have forwarded in our name (B22). */
const READ = ["traceparent", "tracestate"] as const;
const MAX_LENGTH = 512;

/** Finds the span that a call belongs to: the client's where that counts, else the surrounding one. */
export function findParent(call: Call, trust: Trust): Parent {
  const active = context.active();
  const isTrusted = trust === "everyone" ||
    (trust === "authenticated" && call.caller.user.authenticated);
  const { _meta: meta } = call.params;
  if (!isTrusted || !isJsonObject(meta)) return { parent: active, links: [] };
  const carrier: Record<string, string> = {};
  for (const key of READ) {
    const value = ownValue(meta, key);
    if (typeof value === "string" && value.length <= MAX_LENGTH) carrier[key] = value;
  }
  const parent = propagation.extract(active, carrier);
  const surrounding = trace.getSpanContext(active);
  const isRemote = trace.getSpanContext(parent) !== surrounding;
  const links = isRemote && surrounding !== undefined ? [{ context: surrounding }] : [];
  return { parent, links };
}
