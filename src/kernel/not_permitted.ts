/** The caller may not run the operation: thrown in process, where no transport tells it. */
export class NotPermitted extends Error {
  /** Always `"NotPermitted"`. */
  override readonly name = "NotPermitted" as const;
}
