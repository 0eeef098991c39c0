/** The one order of a call, proved by a spec that notes every stage (K-60…K-65, Q-3, Q-4). */
import { assertEquals } from "@std/assert";
import {
  ActionUnavailable,
  McpServer,
  param,
  poolSeeds,
  ServiceConflict,
  ServiceError,
  ServiceNotFound,
  ServiceValidationError,
  specsFor,
} from "@limen/mcp";
import { z } from "zod";
import { callTool, serveSpec } from "../_support/serve_spec.ts";

const ORDER = [
  "permission",
  "seed",
  "provide",
  "target",
  "objectPermission",
  "inputData",
  "input",
  "precondition",
  "affordance when",
  "affordance whenRow",
  "prepare",
  "begin",
  "run",
  "commit",
  "afterCommit",
  "reread",
  "present",
  "output",
];

/** A tool whose every stage notes its name, and fails where it is told to. */
function noting(failing?: { readonly stage: string; readonly error: unknown }) {
  const noted: string[] = [];
  const note = <T>(stage: string, value: T): T => {
    noted.push(stage);
    if (stage === failing?.stage) throw failing.error;
    return value;
  };
  const seeds = poolSeeds({ tenant: () => note("seed", "a") });
  const { selectorSpec, serviceSpec, provider } = specsFor(seeds);
  const target = selectorSpec({
    kind: "retrieve",
    reads: { id: param.integer({ required: true }) },
    select: ({ args, tenant }) => note("target", { id: args.id, tenant }),
  });
  const spec = serviceSpec({
    reads: { flag: param.boolean() },
    input: z.object({
      name: z.string().refine((name) => note("input", name !== "")),
      by: z.string(),
    }),
    output: z.object({ id: z.number().refine(() => note("output", true)) }),
    permissions: [{
      hasPermission: () => note("permission", true),
      hasObjectPermission: () => note("objectPermission", true),
    }],
    instance: target,
    provide: provider({ clock: "always" }, ({ tenant }) => note("provide", { clock: tenant })),
    inputData: provider({ by: "always" }, () => note("inputData", { by: "server" })),
    preconditions: [() => note("precondition", undefined)],
    affordances: [{
      code: "closed",
      reason: "Closed.",
      when: () => note("affordance when", true),
      whenRow: () => note("affordance whenRow", true),
    }],
    prepare: () => note("prepare", undefined),
    run: ({ args, instance, tenant, clock, afterCommit }) => {
      afterCommit(() => note("afterCommit", undefined));
      assertEquals(
        [args, instance, tenant, clock],
        [{ id: 7, flag: true, name: "n", by: "server" }, { id: 7, tenant: "a" }, "a", "a"],
      );
      return note("run", { id: 7 });
    },
    reread: ({ result }) => note("reread", result),
    present: (row) => note("present", row),
  });
  const events: unknown[] = [];
  const server = new McpServer({
    name: "s",
    version: "1",
    seeds,
    log: ({ event }) => void events.push(event),
    transaction: async (work) => {
      note("begin", undefined);
      try {
        const value = await work();
        noted.push("commit");
        return value;
      } catch (error) {
        noted.push("rollback");
        throw error;
      }
    },
  });
  server.registerTool(spec, { name: "t", description: "Tests." });
  return { noted, events, server };
}

const sent = { id: "7", flag: "true", name: "n" };

Deno.test("a call runs through its stages in one order (K-60, K-62, K-64, Q-3, Q-4)", async () => {
  const { noted, server } = noting();
  assertEquals((await callTool(server, sent)).value, { id: 7 });
  assertEquals(noted, ORDER);
});

const UNTIL_COMMIT = ORDER.indexOf("commit");
for (const [at, stage] of ORDER.entries()) {
  if (["permission", "objectPermission", "begin", "commit"].includes(stage)) continue;
  const isAfter = at > UNTIL_COMMIT;
  Deno.test(`a fault in ${stage} ends the call there, masked (K-60, K-65, T-40)`, async () => {
    const { noted, server, events } = noting({ stage, error: new Error("secret-text") });
    const { status, error, value, body } = await callTool(server, sent);
    assertEquals(body.includes("secret-text"), false);
    if (stage === "afterCommit") { // K-64: what waited for the commit fails nothing
      assertEquals([value, noted, events], [{ id: 7 }, ORDER, ["after_commit.fault"]]);
      return;
    }
    assertEquals([status, error?.code], [500, -32603]);
    const expected = ORDER.slice(0, at + 1);
    // A schema may look a second time at what it failed over.
    assertEquals([...new Set(noted)], stage === "run" ? [...expected, "rollback"] : expected);
    assertEquals(events.at(-1), "call.fault");
    assertEquals(noted.includes("afterCommit"), isAfter); // K-64: what is committed is announced
  });
}

const REFUSALS = [
  [new ServiceError("No."), { type: "service_error", message: "No." }],
  [new ServiceConflict("No."), { type: "service_error", message: "No." }],
  [new ServiceNotFound("No."), { type: "service_error", message: "No." }],
  [new ActionUnavailable("No.", "closed"), {
    type: "service_error",
    message: "No.",
    code: "closed",
  }],
  [new ServiceValidationError("No.", { name: ["Bad."] }), {
    type: "validation_error",
    message: "No.",
    detail: { name: ["Bad."] },
  }],
] as const;

for (
  const stage of ["provide", "target", "inputData", "precondition", "prepare", "run", "reread"]
) {
  for (const [error, told] of REFUSALS) {
    Deno.test(`a ${error.name} from ${stage} is told in its own words (K-65, K-71, K-77)`, async () => {
      const { noted, server } = noting({ stage, error });
      assertEquals((await callTool(server, sent)).refusal, told);
      const expected = ORDER.slice(0, ORDER.indexOf(stage) + 1);
      assertEquals(noted, stage === "run" ? [...expected, "rollback"] : expected);
    });
  }
}

Deno.test("arguments that fail end the call after the permissions (K-54, K-60)", async () => {
  const { noted, server } = noting();
  const { refusal } = await callTool(server, { ...sent, id: "x" });
  assertEquals(refusal?.type, "validation_error");
  assertEquals(noted.filter((stage) => stage !== "input"), ["permission"]);
});

Deno.test("an input that its schema refuses ends the call before preconditions (Q-3, Q-4)", async () => {
  const { noted, server } = noting();
  const { refusal } = await callTool(server, { ...sent, name: "" });
  assertEquals(refusal?.detail, { name: ["Invalid input"] });
  assertEquals(noted, ORDER.slice(0, ORDER.indexOf("input") + 1));
});

Deno.test("what waits for the commit is dropped where the transaction rolls back (K-64)", async () => {
  const { noted, server } = noting({ stage: "run", error: new ServiceError("No.") });
  await callTool(server, sent);
  assertEquals(noted.slice(-2), ["run", "rollback"]);
});

const { serviceSpec, selectorSpec } = specsFor({
  permissions: [{ hasPermission: () => true }],
});

Deno.test("a service that is not atomic runs outside of the transaction, and so does a read (K-6, K-60)", async () => {
  const begun: string[] = [];
  const transaction = <T>(work: () => Promise<T>): Promise<T> => {
    begun.push("begin");
    return work();
  };
  const server = { transaction };
  await serveSpec(serviceSpec({ atomic: false, run: () => 1 }), { server }).call();
  await serveSpec(selectorSpec({ kind: "retrieve", select: () => 1 }), { server }).call();
  assertEquals(begun, []);
  await serveSpec(serviceSpec({ run: () => 1 }), { server }).call();
  assertEquals(begun, ["begin"]);
});

Deno.test("a re-read that finds nothing serves nothing, not not_found (K-63, K-95)", async () => {
  const output = z.object({ id: z.number() });
  const spec = serviceSpec({ output, run: () => ({ id: 1 }), reread: () => null });
  const { result } = await serveSpec(spec).call();
  assertEquals([result?.structuredContent, result?.content], [{}, [{ type: "text", text: "{}" }]]);
});

Deno.test("a retrieve that answers a query serves its first row, or not_found (K-9)", async () => {
  const { pageable } = await import("@limen/mcp");
  for (const [rows, value] of [[[{ id: 1 }, { id: 2 }], { id: 1 }], [[], undefined]] as const) {
    const select = () =>
      pageable<object>({
        count: () => rows.length,
        slice: (from, n) => rows.slice(from, from + n),
      });
    const spec = selectorSpec({ kind: "retrieve", select: select as never });
    const told = await serveSpec(spec).call();
    assertEquals(told.value, value);
    if (value === undefined) assertEquals(told.refusal?.type, "not_found");
  }
});

Deno.test("not found that a list selector raises is no empty list (K-9)", async () => {
  const spec = selectorSpec({
    kind: "list",
    select: () => {
      throw new ServiceNotFound("No such customer.");
    },
  });
  const { refusal } = await serveSpec(spec).call();
  assertEquals(refusal, { type: "service_error", message: "No such customer." });
});

Deno.test("translateError turns a library's exception into a refusal of the domain, once (T-40)", async () => {
  const server = {
    translateError: (error: unknown) =>
      error instanceof RangeError ? new ServiceConflict("Taken.") : undefined,
  };
  const throwing = (error: Error) =>
    serveSpec(serviceSpec({ run: () => Promise.reject(error) }), { server });
  assertEquals((await throwing(new RangeError("x")).call()).refusal, {
    type: "service_error",
    message: "Taken.",
  });
  assertEquals((await throwing(new Error("x")).call()).status, 500);
});
