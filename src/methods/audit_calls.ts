import type { Call } from "../features/call.ts";
import type { Outcome } from "../features/outcome.ts";
import { callHook } from "../ports/call_hook.ts";
import type { Audit, AuditRecord } from "../ports/audit_record.ts";
import { ErrorCode } from "../protocol/error_code.ts";
import type { Around } from "./around.ts";

const AUDITED: ReadonlySet<string> = new Set(["prompts/get", "resources/read", "tools/call"]);

/** Tells an auditor of every call of a tool, a resource or a prompt (O-6): labels, no values. */
export function auditCalls(audit: Audit): Around {
  return async (call, next, target) => {
    if (!AUDITED.has(call.method)) return await next(call);
    let outcome: Outcome | undefined;
    try {
      return outcome = await next(call);
    } finally {
      const { user } = call.caller;
      const record: AuditRecord = {
        method: call.method,
        name: target ?? nameOf(call),
        ...(user.authenticated && user.id !== undefined ? { principal: user.id } : {}),
        ...(call.session === undefined ? {} : { session: call.session }),
        ...decide(outcome, target),
      };
      callHook(() => audit(record), (cause) => {
        const message = "The option audit failed to take a record";
        call.log({ level: "error", event: "audit.fault", message, cause });
      });
    }
  };
}

/** The URI of a resource holds what the caller filled in. */
function nameOf({ params: { name } }: Call): string {
  return typeof name === "string" ? name.slice(0, 128).replace(/[^\x20-\x7E]/g, "?") : "(unknown)";
}

function decide(
  outcome: Outcome | undefined,
  target: string | undefined,
): Pick<AuditRecord, "decision" | "reason"> {
  if (outcome === undefined) return { decision: "allow", reason: "fault" };
  if (outcome.type === "input_required") return { decision: "allow", reason: "input_required" };
  if (outcome.type !== "error") {
    const { failure, isError = false } = outcome.result;
    const reason = failure?.type ?? (isError ? "tool_error" : "served");
    return { decision: "allow", reason };
  }
  const { error: { code }, challenge } = outcome;
  if (code === ErrorCode.insufficientPermission) {
    return { decision: "deny", reason: challenge?.scopes === undefined ? "permission" : "scope" };
  }
  if (code === ErrorCode.rateLimited) return { decision: "deny", reason: "limit" };
  return target === undefined
    ? { decision: "deny", reason: "absent" }
    : { decision: "allow", reason: String(code) };
}
