/** Thrown by `assertToolResultConforms()`: a result is not what its tool advertises. */
export class ConformanceError extends Error {
  /** Always `"ConformanceError"`. */
  override readonly name = "ConformanceError" as const;
  /** One line for each mismatch, sorted; empty where there was nothing to compare. */
  readonly mismatches: readonly string[];

  /**
   * Puts the mismatches below the message.
   *
   * @param message What does not conform.
   * @param mismatches One line for each mismatch.
   */
  constructor(message: string, mismatches: readonly string[] = []) {
    super([message, ...mismatches].join("\n"));
    this.mismatches = mismatches;
  }
}
