import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Call } from "../../src/features/call.ts";
import { complete, type Outcome } from "../../src/features/outcome.ts";
import { type MethodRow, runMethod } from "../../src/methods/run_method.ts";
import type { LogEvent } from "../../src/ports/log_event.ts";

/** Runs one method of a table of one, and tells what was logged. */
async function run(row: MethodRow, method = "a", params: object = {}) {
  const events: LogEvent[] = [];
  const log = (event: LogEvent): void => void events.push(event);
  const call = { method, params, log } as unknown as Call;
  const outcome = await runMethod(new Map([["a", row]]), call);
  return { outcome, events };
}

const done: Outcome = complete({ members: '"a":1' });
const notFound: Outcome = { type: "error", error: { code: -32601, message: "Method not found" } };

Deno.test("runMethod() answers what the method does, at once or later", async () => {
  assertEquals((await run({ run: () => done })).outcome, done);
  assertEquals((await run({ run: () => Promise.resolve(done) })).outcome, done);
});

Deno.test("runMethod() knows no method that is not in the table, or not served now", async () => {
  for (const method of ["b", "A", "toString", ""]) {
    assertEquals((await run({ run: () => done }, method)).outcome, notFound);
  }
  assertEquals((await run({ run: () => done, isServed: () => false })).outcome, notFound);
  assertEquals((await run({ run: () => done, isServed: () => true })).outcome, done);
});

Deno.test("runMethod() turns whatever is thrown into a fault with a reference (ERR-10)", async () => {
  const methods = [
    () => {
      throw new Error("secret");
    },
    () => Promise.reject(null),
  ];
  for (const method of methods) {
    const { outcome, events } = await run({ run: method }, "a", { name: "x".repeat(200) });
    assert(outcome.type === "error");
    assertEquals([outcome.status, outcome.error.code, outcome.error.message], [
      500,
      -32603,
      "Internal error",
    ]);
    const { reference } = outcome.error.data as { reference: string };
    assertMatch(reference, /^[0-9a-f-]{36}$/);
    assertEquals(events[0]!.fields, { reference, method: "a", name: "x".repeat(128) });
  }
});

Deno.test("runMethod() lets a row say what a fault becomes", async () => {
  const row = {
    run: () => Promise.reject(1),
    onFault: (reference: string) => complete({ members: reference }),
  };
  const { outcome, events } = await run(row);
  assert(outcome.type === "complete");
  assertEquals(outcome.result.members, events[0]!.fields?.reference);
});
