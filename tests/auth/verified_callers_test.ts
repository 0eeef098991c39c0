import { assertEquals } from "@std/assert";
import { VerifiedCallers } from "../../src/auth/verified_callers.ts";

const caller = { user: { id: "ada", authenticated: true } };
const late = Number.MAX_SAFE_INTEGER;

Deno.test("VerifiedCallers keeps a thousand callers at most, the latest", () => {
  const callers = new VerifiedCallers();
  for (let i = 0; i <= 1000; i++) {
    callers.set(`t${i}`, caller, { keys: 1, nowMs: 0, expiresAtMs: late });
  }
  assertEquals(callers.get("t0", 1, 1), undefined);
  assertEquals(callers.get("t1", 1, 1), caller);
  assertEquals(callers.get("t1000", 1, 1), caller);
  assertEquals(callers.size, 1000);
});

Deno.test("VerifiedCallers forgets what is over with the next request of anyone", () => {
  const callers = new VerifiedCallers();
  callers.set("short", caller, { keys: 1, nowMs: 0, expiresAtMs: 5000 });
  callers.set("long", caller, { keys: 1, nowMs: 0, expiresAtMs: late });
  assertEquals(callers.get("short", 1, 4999), caller);
  assertEquals(callers.get("short", 1, 5000), undefined);
  assertEquals(callers.size, 1);
  assertEquals(callers.get("long", 1, 59_999), caller);
  callers.get("anyone", 1, 60_000);
  assertEquals(callers.size, 0);
});

Deno.test("VerifiedCallers forgets everything with the keys", () => {
  const callers = new VerifiedCallers();
  callers.set("a", caller, { keys: 1, nowMs: 0, expiresAtMs: late });
  callers.set("b", caller, { keys: 2, nowMs: 0, expiresAtMs: late });
  assertEquals([callers.get("a", 2, 1), callers.get("b", 2, 1)], [undefined, caller]);
  assertEquals([callers.get("b", 3, 1), callers.size], [undefined, 0]);
});
