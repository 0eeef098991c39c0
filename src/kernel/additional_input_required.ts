import type { Parameters } from "../schema/parameter.ts";
import { ServiceError } from "./service_error.ts";

/**
 * A service needs more from its caller before it can run: one form, whose answer arrives as ordinary
 * arguments when the service runs again from the top. It completes input and is no consent, which a
 * model could give by itself: that is `confirm` in the pool.
 *
 * Clients that cannot be asked get a failure that names the fields, so that a model can send them.
 *
 * @example
 * ```ts
 * import { AdditionalInputRequired, param, serviceSpec, unrestricted } from "@limen/mcp/kernel";
 *
 * serviceSpec({
 *   reads: { to: param.string({ required: true }), date: param.string({ format: "date" }) },
 *   permissions: [unrestricted],
 *   run: ({ args }) => {
 *     if (args.date !== undefined) return `To ${args.to} on ${args.date}.`;
 *     throw new AdditionalInputRequired("When do you want to travel?", {
 *       date: param.string({ format: "date", required: true, help: "The day of departure." }),
 *     });
 *   },
 * });
 * ```
 */
export class AdditionalInputRequired extends ServiceError {
  /** Always `"AdditionalInputRequired"`. */
  override readonly name: string = "AdditionalInputRequired";
  /** What is asked for: arguments of the operation. */
  readonly fields: Parameters;

  /**
   * Asks for arguments.
   *
   * @param message Why they are needed, for the user.
   * @param fields The arguments: texts, numbers, booleans, choices, and lists of choices. Without any
   * the caller is only told the message.
   */
  constructor(message: string, fields: Parameters = {}) {
    super(message);
    this.fields = fields;
  }
}
