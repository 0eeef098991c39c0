/** A value that writes itself as JSON is looked at as it is written; any other is what it is. */
export function asWritten(value: unknown): unknown {
  return typeof value === "object" && value !== null && "toJSON" in value &&
      typeof value.toJSON === "function"
    ? value.toJSON("")
    : value;
}
