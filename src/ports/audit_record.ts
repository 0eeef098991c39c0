/** What an auditor is told of one call: who wanted what, and whether it was let through. */
export interface AuditRecord {
  /** `tools/call`, `resources/read` or `prompts/get`. */
  readonly method: string;
  /**
   * The tool or prompt, or the URI of a resource as it was declared. Where nothing has that name: up to
   * 128 printable characters of what the caller wrote, and `(unknown)` for a resource.
   */
  readonly name: string;
  /** Id of the caller; absent for an anonymous one. */
  readonly principal?: string;
  /** The session by the first 8 characters of its id; absent where there is none. */
  readonly session?: string;
  /** Whether scopes, permissions and limits let the call through, and there was anything to call. */
  readonly decision: "allow" | "deny";
  /**
   * Why it was denied: `absent`, `scope`, `permission` or `limit`. How an allowed one ended: `served`,
   * `fault`, the type of the tool's refusal such as `service_error`, or the code of a JSON-RPC error.
   */
  readonly reason: string;
}

/** Receives a record of each call, when it has ended. */
export type Audit = (record: AuditRecord) => void;
