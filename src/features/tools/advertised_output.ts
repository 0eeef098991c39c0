import type { Operation } from "../../kernel/operation.ts";
import { ConfigurationError } from "../../ports/configuration_error.ts";
import type { LeanWrite } from "../../present/lean_envelope.ts";
import { describeLeanAnswers } from "../../present/lean_output.ts";
import { PROBE_PROPERTIES } from "../../present/probe.ts";
import { widenOutputSchema } from "../../present/widen_output_schema.ts";
import { isJsonObject, type JsonObject } from "../../protocol/json.ts";
import type { Negotiation } from "./negotiation.ts";

/**
 * The schema to which every answer of a tool conforms: its value, and what stands in its place.
 *
 * @throws {ConfigurationError} when `leanKeys` names what no row has.
 */
export function advertisedOutput(
  operation: Operation,
  negotiation: Negotiation | undefined,
): JsonObject | undefined {
  const { outputSchema } = operation;
  if (outputSchema === undefined || negotiation === undefined) return outputSchema;
  const { write, isHeavy, probeAboveBytes, redeems, slot } = negotiation;
  if (write !== undefined) checkLeanKeys(write, operation);
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

function checkLeanKeys({ leanKeys }: LeanWrite, { outputSchema, spec, where }: Operation): void {
  const { properties, additionalProperties } = outputSchema ?? {};
  if (leanKeys === "assigned" || !isJsonObject(properties) || additionalProperties !== false) {
    return;
  }
  const stray = leanKeys.find((key) =>
    !Object.hasOwn(properties, key) && spec.audience?.[key] === undefined
  );
  if (stray === undefined) return;
  throw new ConfigurationError(
    `Cannot register ${where}: leanKeys names "${stray}", which output does not declare`,
  );
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
