import type { DispatchResult } from "./create_dispatcher.ts";
import {
  ServiceConflict,
  type ServiceError,
  ServiceNotFound,
  ServiceValidationError,
} from "./service_error.ts";

/** The statuses of the ladder. */
export type HttpStatus = 200 | 204 | 400 | 403 | 404 | 409 | 422;

/**
 * The HTTP status of a result, for a transport that is plain HTTP (K-66).
 *
 * | status | when                                                                          |
 * | ------ | ----------------------------------------------------------------------------- |
 * | 200    | there is a value; 204 where there is nothing to present                       |
 * | 400    | the arguments do not fit, or a `ServiceValidationError`                       |
 * | 403    | the caller may not                                                            |
 * | 404    | no such row, or a `ServiceNotFound`                                           |
 * | 409    | a `ServiceConflict`; an `ActionUnavailable` has a `code` to show              |
 * | 422    | any other `ServiceError`                                                      |
 *
 * @example
 * ```ts
 * import { httpStatus, ServiceConflict } from "@limen/mcp/kernel";
 * import { assertEquals } from "@std/assert";
 *
 * const error = new ServiceConflict("The books are closed.");
 * assertEquals(httpStatus({ type: "refused", error }), 409);
 * ```
 */
export function httpStatus(result: DispatchResult): HttpStatus {
  switch (result.type) {
    case "value":
      return result.isNothing ? 204 : 200;
    case "invalid":
      return 400;
    case "denied":
      return 403;
    case "not_found":
      return 404;
    case "refused":
      return statusOf(result.error);
  }
}

function statusOf(error: ServiceError): HttpStatus {
  if (error instanceof ServiceValidationError) return 400;
  if (error instanceof ServiceNotFound) return 404;
  return error instanceof ServiceConflict ? 409 : 422;
}
