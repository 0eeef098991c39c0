import type { ToolAnnotations } from "../../../protocol/descriptors.ts";
import type { DispatcherEffect } from "./dispatcher_options.ts";

/**
 * The hints of a dispatcher: what holds of every call that may come of it, which is the worst of its
 * tools (B14). A hint that a tool leaves open counts as the protocol says.
 *
 * @param hints Those of its tools.
 * @param effect What a tool behind it may do at most.
 */
export function uniteHints(
  hints: readonly ToolAnnotations[],
  effect: DispatcherEffect,
): ToolAnnotations {
  const isClosed = hints.length > 0 && hints.every((one) => one.openWorldHint === false);
  const world = isClosed ? { openWorldHint: false } : {};
  if (effect === "read") return { readOnlyHint: true, ...world };
  const writes = hints.filter((one) => one.readOnlyHint !== true);
  return {
    readOnlyHint: false,
    destructiveHint: writes.length === 0 || writes.some((one) => one.destructiveHint !== false),
    ...(writes.length > 0 && writes.every((one) => one.idempotentHint === true)
      ? { idempotentHint: true }
      : {}),
    ...world,
  };
}
