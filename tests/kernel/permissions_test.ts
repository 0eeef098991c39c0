/** Who may run an operation, as a caller meets it (K-50…K-59). */
import { assertEquals, assertThrows } from "@std/assert";
import {
  authenticated,
  ConfigurationError,
  param,
  type PermissionCheck,
  type PermissionPool,
  selectorSpec,
  serviceSpec,
  specsFor,
  unrestricted,
} from "@limen/mcp";
import { z } from "zod";
import { serveSpec } from "../_support/serve_spec.ts";

const ada = { user: { id: "ada", authenticated: true } };
const DENIED = { code: -32006, message: "Insufficient permission" };

/** A check that notes what it was shown. */
function noting(answer: (pool: PermissionPool) => unknown = () => true) {
  const shown: unknown[] = [];
  const check = {
    hasPermission: (pool: PermissionPool) => {
      shown.push(pool.args);
      return answer(pool);
    },
  } as PermissionCheck;
  return { check, shown };
}

for (const era of ["modern", "legacy"] as const) {
  Deno.test(`a caller whom a check refuses gets -32006 on HTTP 403, in the ${era} era (K-50, K-61, T-40)`, async () => {
    const spec = serviceSpec({ permissions: [authenticated], run: () => 1 });
    const denied = await serveSpec(spec).call({}, { era });
    assertEquals([denied.status, denied.error], [403, DENIED]);
    const admitted = await serveSpec(spec).call({}, { era, as: ada });
    assertEquals([admitted.status, admitted.value], [200, era === "modern" ? 1 : { result: 1 }]);
  });
}

Deno.test("a check is asked once, of the checked reads (K-52, K-53, K-20)", async () => {
  const { check, shown } = noting();
  const reads = { id: param.integer({ required: true }), flag: param.boolean() };
  const spec = serviceSpec({ permissions: [check], reads, run: () => 1 });
  await serveSpec(spec).call({ id: "8", flag: "true" });
  assertEquals(shown, [{ id: 8, flag: true }]);
});

Deno.test("a check is asked once where a call streams progress, too (K-53)", async () => {
  const { check, shown } = noting();
  const spec = serviceSpec({
    permissions: [check],
    run: async ({ progress }) => {
      progress(1);
      await undefined;
      return 1;
    },
  });
  const { value } = await serveSpec(spec).call({}, { input: { meta: { progressToken: 1 } } });
  assertEquals([value, shown], [1, [{}]]);
});

Deno.test("a check of a call whose arguments fail is asked as a listing asks it (K-54)", async () => {
  const reads = { id: param.integer({ required: true }) };
  for (const isAdmitted of [true, false]) {
    const { check, shown } = noting(() => isAdmitted);
    const spec = serviceSpec({ permissions: [check], reads, run: () => 1 });
    const { error, refusal } = await serveSpec(spec).call({ id: "x" });
    assertEquals(shown, [{}]);
    assertEquals(error, isAdmitted ? undefined : DENIED);
    assertEquals(refusal?.detail, isAdmitted ? { id: ["Enter a whole number."] } : undefined);
  }
});

Deno.test("a many tool asks its checks before it speaks of items (K-55)", async () => {
  for (const isAdmitted of [true, false]) {
    const { check, shown } = noting(() => isAdmitted);
    const input = z.object({ n: z.number("No number.") });
    const spec = serviceSpec({ permissions: [check], many: true, input, run: () => [] });
    const { error, refusal } = await serveSpec(spec).call({ items: [{ n: "x" }] });
    assertEquals(shown, [{}]);
    assertEquals(error, isAdmitted ? undefined : DENIED);
    assertEquals(refusal?.detail, isAdmitted ? { items: { 0: { n: ["No number."] } } } : undefined);
  }
});

Deno.test("a deactivated account is refused before everything else, grant or not (K-56)", async () => {
  const inactive = { user: { ...ada.user, active: false } };
  const { check, shown } = noting();
  const guarded = serviceSpec({ permissions: [check], run: () => 1 });
  assertEquals((await serveSpec(guarded).call({}, { as: inactive })).error, DENIED);
  assertEquals(shown, []);
  const server = { requireToolPermissions: false };
  const unguarded = serveSpec(serviceSpec({ run: () => 1 }), { server });
  assertEquals((await unguarded.call({}, { as: inactive })).error, DENIED);
  assertEquals((await unguarded.call({}, { as: ada })).value, 1);
});

Deno.test("a spec without checks is refused at registration, scopes or not (K-57, T-12)", () => {
  for (const binding of [{}, { scopes: "a" }]) {
    const error = assertThrows(
      () => serveSpec(serviceSpec({ run: () => 1 }), { binding }),
      ConfigurationError,
    );
    assertEquals(
      error.message,
      'Cannot register tool "t": permissions is missing; [unrestricted] opens it to everyone',
    );
  }
});

Deno.test("a server that allows unguarded tools warns once of each, and runs them (K-57, K-58)", async () => {
  const server = { requireToolPermissions: false };
  const tool = serveSpec(serviceSpec({ run: () => 1 }), { server });
  assertEquals(tool.events.map(({ event }) => event), ["UnguardedTool"]);
  assertEquals((await tool.call()).value, 1);
  assertEquals(tool.events.length, 1);
  const guarded = serveSpec(serviceSpec({ permissions: [authenticated], run: () => 1 }), {
    server,
  });
  assertEquals([guarded.events, (await guarded.call()).error], [[], DENIED]); // never granted
});

Deno.test("specsFor() states a guard once, for specs that declare none (K-57)", async () => {
  const guarded = specsFor({ permissions: [authenticated] });
  const closed = serveSpec(guarded.serviceSpec({ run: () => 1 }));
  assertEquals((await closed.call()).error, DENIED);
  assertEquals((await closed.call({}, { as: ada })).value, 1);
  const open = guarded.selectorSpec({
    kind: "retrieve",
    permissions: [unrestricted],
    select: () => 1,
  });
  assertEquals((await serveSpec(open).call()).value, 1);
});

/** A row with an owner, found by its number. */
const rows = [{ id: 1, owner: "ada" }, { id: 2, owner: "bob" }];
const invoice = selectorSpec({
  kind: "retrieve",
  reads: { id: param.integer({ required: true }) },
  permissions: [{ hasPermission: () => false }], // K-7: a nested spec's checks are not asked
  select: ({ args }) => rows.find(({ id }) => id === args.id),
});

Deno.test("a check looks at the row that was found, and at nothing where none was (K-59, K-7)", async () => {
  const asked: unknown[] = [];
  const isOwner: PermissionCheck = {
    hasPermission: ({ user }) => user.authenticated,
    hasObjectPermission: ({ user, instance, args }) => {
      asked.push([instance, args]);
      return (instance as { owner: string }).owner === user.id;
    },
  };
  const ran: unknown[] = [];
  const spec = serviceSpec({
    permissions: [isOwner, unrestricted],
    instance: invoice,
    run: ({ instance }) => {
      ran.push(instance);
      return instance;
    },
  });
  const tool = serveSpec(spec);
  assertEquals((await tool.call({ id: 1 }, { as: ada })).value, rows[0]);
  const foreign = await tool.call({ id: 2 }, { as: ada });
  assertEquals([foreign.status, foreign.error], [403, DENIED]);
  const missing = await tool.call({ id: 3 }, { as: ada });
  assertEquals(missing.refusal, { type: "not_found", message: "t: no matching instance found" });
  assertEquals(asked, [[rows[0], { id: 1 }], [rows[1], { id: 2 }]]);
  assertEquals(ran, [rows[0]]);
});

Deno.test("a check of a row fails closed (K-51, K-59)", async () => {
  const answers: readonly (() => unknown)[] = [
    () => 1,
    () => Promise.resolve(false),
    () => Promise.resolve({}),
    () => {
      throw new Error("secret-text");
    },
  ];
  for (const hasObjectPermission of answers) {
    const check = { hasPermission: () => true, hasObjectPermission } as PermissionCheck;
    const spec = serviceSpec({ permissions: [check], instance: invoice, run: () => 1 });
    const { error, body } = await serveSpec(spec).call({ id: 1 });
    assertEquals([error, body.includes("secret")], [DENIED, false]);
  }
});

Deno.test("a check is not asked about the rows of a set (K-59)", async () => {
  const hasObjectPermission = () => false;
  const spec = serviceSpec({
    permissions: [{ hasPermission: () => true, hasObjectPermission }],
    collection: selectorSpec({ kind: "list", select: () => rows }),
    run: ({ collection }) => collection,
  });
  assertEquals((await serveSpec(spec).call()).value, rows);
});
