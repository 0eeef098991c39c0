import { assertEquals } from "@std/assert";
import { askPermissions } from "../../src/kernel/ask_permissions.ts";
import {
  authenticated,
  type PermissionCheck,
  type PermissionPool,
  unrestricted,
} from "../../src/kernel/permission_check.ts";

const pool: PermissionPool = { user: { authenticated: false }, token: undefined, args: {} };

/** Asks, and tells what was logged. */
async function ask(checks: readonly unknown[], asked: PermissionPool = pool, isGranted = false) {
  const events: string[] = [];
  const log = ({ event }: { readonly event: string }): void => void events.push(event);
  const denial = await askPermissions(checks as readonly PermissionCheck[], asked, log, isGranted);
  return { denial: denial?.message, events };
}

/** A check that answers whatever the function does. */
function check(hasPermission: () => unknown): object {
  return { message: "No.", hasPermission };
}

// K-50, K-51, K-57: only `true`, or a promise of it, admits.
const ADMITTING: readonly (readonly [title: string, run: () => unknown])[] = [
  ["true", () => true],
  ["a promise of true", () => Promise.resolve(true)],
  ["a thenable of true", () => ({ then: (resolve: (value: unknown) => void) => resolve(true) })],
];
for (const [title, run] of ADMITTING) {
  Deno.test(`askPermissions() admits for ${title} (K-51)`, async () => {
    assertEquals(await ask([check(run)]), { denial: undefined, events: [] });
    assertEquals(await ask([unrestricted, check(run), unrestricted]), {
      denial: undefined,
      events: [],
    });
  });
}

const REFUSING: readonly (readonly [title: string, run: () => unknown, events?: string[]])[] = [
  ["false", () => false],
  ["undefined", () => undefined],
  ["null", () => null],
  ["one", () => 1],
  ["a text", () => "true"],
  ["an object", () => ({})],
  ["a boxed true", () => new Boolean(true)],
  ["a function", () => () => true],
  ["a promise of false", () => Promise.resolve(false)],
  ["a promise of one", () => Promise.resolve(1)],
  ["a promise of an object", () => Promise.resolve({})],
  ["what it throws", () => thrower(), ["permission.fault"]],
  ["what it throws later", async () => await Promise.reject(null), ["permission.fault"]],
  ["a thenable that throws", () => ({ then: thrower }), ["permission.fault"]],
  ["a thenable whose then cannot be read", () => ({
    get then(): never {
      return thrower();
    },
  }), ["permission.fault"]],
];
for (const [title, run, events = []] of REFUSING) {
  Deno.test(`askPermissions() refuses for ${title} (K-51)`, async () => {
    assertEquals(await ask([check(run)]), { denial: "No.", events });
    const later = check(() => Promise.resolve(true));
    assertEquals(await ask([later, check(run)]), { denial: "No.", events });
    assertEquals(await ask([check(run), later]), { denial: "No.", events });
  });
}

Deno.test("askPermissions() refuses where nobody stated a check (K-57)", async () => {
  assertEquals((await ask([])).denial, "No permission check is declared");
  assertEquals((await ask([], pool, true)).denial, undefined);
});

Deno.test("askPermissions() asks in order, each once, and stops at a refusal (K-50)", async () => {
  const asked: string[] = [];
  const note = (name: string, answer: unknown): object =>
    check(() => {
      asked.push(name);
      return answer;
    });
  await ask([
    note("a", true),
    note("b", Promise.resolve(true)),
    note("c", true),
    note("d", false),
    note("e", true),
  ]);
  assertEquals(asked, ["a", "b", "c", "d"]);
});

Deno.test("askPermissions() refuses a deactivated account before it asks (K-56)", async () => {
  const asked = { ...pool, user: { id: "ada", authenticated: true, active: false } };
  let count = 0;
  const { denial } = await ask([check(() => ++count > 0)], asked);
  assertEquals([denial, count], ["The account is deactivated", 0]);
  assertEquals((await ask([], asked, true)).denial, "The account is deactivated");
});

Deno.test("askPermissions() shows a check the checked arguments (K-52)", async () => {
  const seen: unknown[] = [];
  const one = { hasPermission: (shown: unknown) => seen.push(shown) > 0 };
  await ask([one], { ...pool, args: { id: 7 } });
  assertEquals(seen, [{ ...pool, args: { id: 7 } }]);
});

Deno.test("authenticated admits whom a credential named", async () => {
  const ada = { ...pool, user: { id: "ada", authenticated: true } };
  assertEquals((await ask([authenticated], ada)).denial, undefined);
  assertEquals((await ask([authenticated])).denial, "Sign in first");
  assertEquals((await ask([{ hasPermission: () => false }])).denial, "Insufficient permission");
});

function thrower(): never {
  throw new Error("broken");
}
