/** Consent that only a user can give, to one effect and once (B7). */
import { assert, assertEquals } from "@std/assert";
import { memoryStore } from "@limen/mcp/stores/memory";
import { param, type Pool, question, serviceSpec, unrestricted } from "@limen/mcp";
import { accept, serveAsking, signedIn } from "../../_support/serve_asking.ts";
import { watchRejections } from "../../_support/wire_sheet.ts";

const permissions = [unrestricted];
const YES = { confirm: accept() };

/** A tool that deletes what the database holds at the moment, once the user agrees. */
function deleting(options: object = {}, rows: number[] = [1, 2, 3]) {
  const deleted: number[][] = [];
  const spec = serviceSpec({
    reads: { confirmed: param.boolean(), confirm: param.boolean() },
    permissions,
    run: async ({ confirm }) => {
      await confirm(`Delete ${rows.length} rows?`, { delete: rows });
      deleted.push([...rows]);
      return { deleted: rows.length };
    },
  });
  return { ...serveAsking(spec, options), deleted, rows };
}

Deno.test("confirm() asks a form without fields, and goes on once the user agrees", async () => {
  const { round, deleted } = deleting();
  const first = await round();
  assertEquals(first.asked, {
    confirm: {
      method: "elicitation/create",
      params: {
        mode: "form",
        message: "Delete 3 rows?",
        requestedSchema: { type: "object", properties: {} },
      },
    },
  });
  assertEquals(deleted, []);
  const { value } = await round({}, { answers: YES, state: first.state });
  assertEquals([value, deleted], [{ deleted: 3 }, [[1, 2, 3]]]);
});

const BY_ITSELF: readonly (readonly [title: string, args: object, answers: unknown])[] = [
  ["confirmed: true", { confirmed: true, confirm: true }, undefined],
  ["an answer without a state", {}, YES],
  ["an answer to arguments that nobody asked for", {}, {
    additionalInput: accept({ confirmed: true, confirm: true }),
  }],
];

for (const [title, args, answers] of BY_ITSELF) {
  Deno.test(`a model that sends ${title} by itself never gets past confirm() (security B7)`, async () => {
    const { round, deleted } = deleting();
    const { asked } = await round(args, { answers });
    assertEquals(Object.keys(asked!), ["confirm"]);
    assertEquals(deleted, []);
  });
}

Deno.test("the consent to one question is none to another: ask() gets nobody past confirm()", async () => {
  const { round } = serveAsking(serviceSpec({
    permissions,
    run: async ({ ask, confirm }) => {
      ask({ ok: question.form("Delete 3 rows?", {}) }, { state: 1 });
      await confirm("Delete 3 rows?", 3);
      return "deleted";
    },
  }));
  const { state } = await round();
  const answers = { ok: accept(), ...YES };
  assertEquals(Object.keys((await round({}, { answers, state })).asked!), ["confirm"]);
});

for (const [action, type] of [["decline", "input_declined"], ["cancel", "input_cancelled"]]) {
  Deno.test(`confirm() ends the call as ${type} where the user answers "${action}"`, async () => {
    const { round, deleted } = deleting();
    const { state } = await round();
    const { refusal } = await round({}, { answers: { confirm: { action } }, state });
    assertEquals([refusal?.type, refusal?.action, deleted], [type, action, []]);
  });
}

Deno.test("confirm() asks again where the effect has become another", async () => {
  const { round, deleted, rows } = deleting();
  const first = await round();
  rows.push(4);
  const second = await round({}, { answers: YES, state: first.state });
  assertEquals(second.asked?.confirm.params.message, "Delete 4 rows?");
  rows[3] = 5; // as many, and others
  const third = await round({}, { answers: YES, state: second.state });
  assertEquals(third.asked?.confirm.params.message, "Delete 4 rows?");
  assertEquals(deleted, []);
  await round({}, { answers: YES, state: third.state });
  assertEquals(deleted, [[1, 2, 3, 5]]);
});

Deno.test("confirm() takes an effect whose keys come in another order for the same", async () => {
  let effect: object = { a: 1, b: [{ c: 2, d: 3 }] };
  const { round } = serveAsking(serviceSpec({
    permissions,
    run: async ({ confirm }) => {
      await confirm("Do it?", effect);
      return "done";
    },
  }));
  const { state } = await round();
  effect = { b: [{ d: 3, c: 2 }], a: 1 };
  assertEquals((await round({}, { answers: YES, state })).result?.content[0].text, "done");
});

for (const effect of [new Map([[1, 2]]), new Set([1]), () => 1, NaN, { a: Symbol() }]) {
  Deno.test(`confirm() refuses an effect that JSON would flatten: ${String(effect)}`, async () => {
    const { round } = serveAsking(serviceSpec({
      permissions,
      run: async ({ confirm }) => await confirm("Do it?", effect),
    }));
    assertEquals((await round()).error?.code, -32603);
  });
}

Deno.test("a consent works once, also where the run fails after it (B8)", async () => {
  let fails = true;
  const { round } = serveAsking(serviceSpec({
    permissions,
    run: async ({ confirm }) => {
      await confirm("Pay?", { cents: 100 });
      if (fails) throw new Error("The bank is closed");
      return "paid";
    },
  }));
  const { state } = await round();
  const failed = await round({}, { answers: YES, state });
  assertEquals(failed.error?.message, "Internal error");
  fails = false;
  const again = await round({}, { answers: YES, state });
  assertEquals(again.error?.code, -32602);
  assertEquals(again.error?.message, "Invalid params: requestState is not valid for this request");
});

Deno.test("of a hundred requests with one consent, one has its effect", async () => {
  const { round, deleted } = deleting();
  const { state } = await round();
  const told = await Promise.all(
    Array.from({ length: 100 }, () => round({}, { answers: YES, state })),
  );
  assertEquals(deleted.length, 1);
  assertEquals(told.filter(({ value }) => value !== undefined).length, 1);
});

Deno.test("a consent works once across processes that share a store", async () => {
  const stores = memoryStore();
  const one = deleting({ server: { stores } });
  const other = deleting({ server: { stores } });
  const { state } = await one.round();
  assertEquals((await other.round({}, { answers: YES, state })).value, { deleted: 3 });
  assertEquals((await one.round({}, { answers: YES, state })).error?.code, -32602);
  assertEquals([one.deleted.length, other.deleted.length], [0, 1]);
});

Deno.test("a consent outlasts further questions, and still works once", async () => {
  const paid: string[] = [];
  const { round } = serveAsking(serviceSpec({
    permissions,
    run: async ({ ask, confirm }) => {
      await confirm("Pay 1 euro?", { cents: 100 });
      const { to } = ask({ to: question.form("To whom?", { name: param.string() }) });
      if (to.action === "accept") paid.push(String(to.content.name));
      return paid.length;
    },
  }));
  const one = await round();
  const two = await round({}, { answers: YES, state: one.state });
  assertEquals(Object.keys(two.asked!), ["to"]);
  const answers = { to: accept({ name: "Ada" }) };
  assertEquals((await round({}, { answers, state: two.state })).value, 1);
  assertEquals((await round({}, { answers, state: two.state })).error?.code, -32602);
  assertEquals((await round({}, { answers: YES, state: one.state })).error?.code, -32602);
  assertEquals(paid, ["Ada"]);
});

Deno.test("two effects are two consents, one after the other", async () => {
  const done: number[] = [];
  const { round } = serveAsking(serviceSpec({
    permissions,
    run: async ({ confirm }) => {
      await confirm("First?", 1);
      await confirm("Second?", 2);
      done.push(1, 2);
      return done;
    },
  }));
  const one = await round();
  const two = await round({}, { answers: YES, state: one.state });
  assertEquals(two.asked?.confirm.params.message, "Second?");
  assertEquals((await round({}, { answers: YES, state: two.state })).value, [1, 2]);
});

Deno.test("the same effect twice is two consents", async () => {
  const { round } = serveAsking(serviceSpec({
    permissions,
    run: async ({ confirm }) => {
      await confirm("Pay?", 1);
      await confirm("Pay?", 1);
      return "paid twice";
    },
  }));
  const one = await round();
  const two = await round({}, { answers: YES, state: one.state });
  assertEquals(two.asked?.confirm.params.message, "Pay?");
});

const UNABLE: readonly (readonly [title: string, round: object, code: number | undefined])[] = [
  ["a client that declares nothing", { client: {} }, -32021],
  ["a client that opens URLs only", { client: { elicitation: { url: {} } } }, -32021],
  ["a legacy client", { era: "legacy" }, undefined],
];

for (const [title, unable, code] of UNABLE) {
  Deno.test(`confirm() refuses ${title}, whatever it sends`, async () => {
    const { round, deleted } = deleting();
    const { state } = await round();
    const { error, refusal } = await round({ confirmed: true }, { ...unable });
    assertEquals(error?.code, code);
    if (code === undefined) {
      assertEquals(refusal?.type, "input_required");
      assertEquals("requestedInput" in refusal!, false); // nothing that a model could send
    }
    assert(state !== undefined);
    assertEquals(deleted, []);
  });
}

Deno.test("a consent is the caller's own (B8)", async () => {
  const { round, deleted } = deleting();
  const { state } = await round({}, { as: signedIn("ada") });
  const { error } = await round({}, { answers: YES, state, as: signedIn("bo") });
  assertEquals([error?.code, deleted], [-32602, []]);
});

Deno.test("confirm() that is not waited for lets nothing through that is not agreed to (B7)", async () => {
  const done: number[] = [];
  let effect = 1;
  const careless = ({ confirm }: Pool): object => {
    confirm("Do it?", effect);
    done.push(effect);
    return { done: effect };
  };
  await watchRejections(async () => {
    const { round } = serveAsking(serviceSpec({ permissions, run: careless }));
    const { state } = await round();
    effect = 2;
    const changed = await round({}, { answers: YES, state });
    assertEquals(Object.keys(changed.asked!), ["confirm"]);
    for (const action of ["decline", "cancel"]) {
      const { state } = await round();
      const { refusal } = await round({}, { answers: { confirm: { action } }, state });
      assertEquals(refusal?.action, action);
    }
    assertEquals(done, []);
    const agreed = { answers: YES, state: changed.state };
    assertEquals((await round({}, agreed)).value, { done: 2 });
    assertEquals([(await round({}, agreed)).error?.code, done], [-32602, [2]]);
  });
});

Deno.test("confirm() that is caught ends the call all the same", async () => {
  let effect = 1;
  const { round } = serveAsking(serviceSpec({
    permissions,
    run: async ({ confirm }) => {
      try {
        await confirm("Do it?", effect);
      } catch {
        return "Did it anyway.";
      }
      return "Did it.";
    },
  }));
  const first = await round();
  assertEquals(Object.keys(first.asked!), ["confirm"]);
  const no = await round({}, { answers: { confirm: { action: "decline" } }, state: first.state });
  assertEquals(no.refusal?.type, "input_declined");
  effect = 2;
  const other = await round({}, { answers: YES, state: first.state });
  assertEquals(Object.keys(other.asked!), ["confirm"]);
  assertEquals((await round({}, { client: {} })).error?.code, -32021);
});
