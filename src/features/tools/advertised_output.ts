import type { Operation } from "../../kernel/operation.ts";
import { describeLeanAnswers } from "../../present/lean_output.ts";
import { PROBE_PROPERTIES } from "../../present/probe.ts";
import { widenOutputSchema } from "../../present/widen_output_schema.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Negotiation } from "./negotiation.ts";

/** The schema to which every answer of a tool conforms: its value, and what stands in its place. */
export function advertisedOutput(
  { outputSchema }: Operation,
  negotiation: Negotiation | undefined,
): JsonObject | undefined {
  if (outputSchema === undefined || negotiation === undefined) return outputSchema;
  const { write, isHeavy, probeAboveBytes, redeems, slot } = negotiation;
  const probed = isHeavy || probeAboveBytes !== null ? PROBE_PROPERTIES : {};
  const lean = write === undefined
    ? { properties: {}, always: [] }
    : describeLeanAnswers(outputSchema, { ...write, hasSlot: slot !== undefined });
  return widenOutputSchema(outputSchema, {
    properties: { ...lean.properties, ...probed },
    always: probed === PROBE_PROPERTIES ? [] : lean.always,
    isPartial: redeems !== undefined,
  });
}

/**
 * Whether values are wrapped for legacy callers, whose revision allows objects only; `undefined` where
 * each value tells.
 */
export function wrapsForLegacy(schema: JsonObject | undefined): boolean | undefined {
  if (schema === undefined) return undefined;
  const { type } = schema;
  return Array.isArray(type) && type.includes("object") ? undefined : type !== "object";
}
