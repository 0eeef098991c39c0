import {
  ActionUnavailable,
  type DispatchResult,
  httpStatus,
  type ServiceError,
  ServiceValidationError,
} from "@limen/mcp/kernel";

/** Why there is no answer. */
export interface Refusal {
  /** Stable word for programs. */
  readonly type: string;
  /** One sentence for people. */
  readonly message: string;
  /** Messages by argument. */
  readonly detail?: object;
  /** Stable code of what is not possible now. */
  readonly code?: string;
}

/** Writes a result: its value as JSON, or as plain text where it is a text. */
export function answer(result: DispatchResult): Response {
  const status = httpStatus(result);
  if (result.type !== "value") return refuse(status, describe(result));
  if (result.isNothing) return new Response(null, { status });
  return typeof result.value === "string"
    ? new Response(result.value, { status })
    : Response.json(result.value, { status });
}

/** Writes a refusal. */
export function refuse(status: number, error: Refusal): Response {
  return Response.json({ error }, { status });
}

function describe(result: Exclude<DispatchResult, { readonly type: "value" }>): Refusal {
  switch (result.type) {
    case "invalid":
      return { type: "invalid", message: "Invalid arguments", detail: result.problems };
    case "denied":
      return { type: "denied", message: "Insufficient permission" };
    case "not_found":
      return { type: "not_found", message: "There is no such row" };
    case "refused":
      return describeRefusal(result.error);
  }
}

/** The domain's own words. */
function describeRefusal(error: ServiceError): Refusal {
  const { name: type, message } = error;
  if (error instanceof ServiceValidationError) return { type, message, detail: error.detail };
  return error instanceof ActionUnavailable
    ? { type, message, code: error.code }
    : { type, message };
}
