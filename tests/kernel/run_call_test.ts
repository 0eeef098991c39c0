/** The order of a call: arguments, permissions, input, run, output (K-54, K-60, K-61). */
import { assert, assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import {
  jsonSchema,
  param,
  selectorSpec,
  ServiceError,
  ServiceNotFound,
  serviceSpec,
  ServiceValidationError,
  unrestricted,
} from "@limen/mcp";
import { z } from "zod";
import type { CallContext } from "../../src/kernel/call_context.ts";
import { compileOperation } from "../../src/kernel/compile_operation.ts";
import { askCaller, explainProblems, prepareCall } from "../../src/kernel/prepare_call.ts";
import type { Prepared } from "../../src/kernel/operation.ts";
import { runCall } from "../../src/kernel/run_call.ts";
import type { ProblemTree } from "../../src/schema/problems.ts";
import type { Schema } from "../../src/schema/standard_schema.ts";

const context: CallContext = {
  caller: { user: { id: "ada", authenticated: true }, token: { scopes: ["a"] } },
  request: undefined,
  host: {},
  signal: new AbortController().signal,
  progress: () => {},
  log: () => {},
};

/** Prepares a call of a spec. */
function prepare(
  spec: unknown,
  args: Readonly<Record<string, unknown>>,
  unknownArguments: "reject" | "ignore" = "reject",
) {
  const options = { where: "tool", unknownArguments, includeValidationValue: false };
  return prepareCall(compileOperation(spec, options), context, args);
}

/** Runs an admitted call. */
async function run(spec: unknown, args: Readonly<Record<string, unknown>> = {}) {
  return await runCall(prepare(spec, args));
}

/** What an admitted caller is told of wrong arguments. */
async function explain(prepared: Prepared): Promise<ProblemTree> {
  const result = await explainProblems(prepared);
  assert(result.type === "invalid");
  return result.problems.toTree();
}

/** The same schema, which answers with promises. */
function asynchronous<S extends z.ZodType>(schema: S): Schema<z.input<S>, z.output<S>> {
  const standard = schema["~standard"] as Schema<z.input<S>, z.output<S>>["~standard"];
  const validate = async (value: unknown) => await standard.validate(value);
  return { "~standard": { ...standard, validate } };
}

const open = { permissions: [unrestricted] };

Deno.test("prepareCall() and runCall() check, ask and run in one order (K-60)", async () => {
  const order: string[] = [];
  const spec = serviceSpec({
    reads: { id: param.integer({ required: true }) },
    input: z.object({ name: z.string().refine(() => order.push("input") > 0) }),
    output: z.object({ ok: z.boolean().refine(() => order.push("output") > 0) }),
    permissions: [{
      hasPermission: ({ args }) => order.push(`permissions ${JSON.stringify(args)}`) > 0,
    }],
    run: ({ args }) => {
      order.push(`run ${JSON.stringify(args)}`);
      return { ok: true };
    },
  });
  const prepared = prepare(spec, { id: "7", name: "a" });
  assertEquals(order, []);
  assertEquals(await askCaller(prepared), undefined);
  assertEquals(await runCall(prepared), {
    type: "value",
    value: { ok: true },
    args: { id: 7, name: "a" },
  });
  assertEquals(order, ['permissions {"id":7}', "input", 'run {"id":7,"name":"a"}', "output"]);
});

Deno.test("prepareCall() shows a check no arguments where they failed (K-54)", async () => {
  const seen: unknown[] = [];
  const spec = serviceSpec({
    reads: { id: param.integer({ required: true }), name: param.string() },
    permissions: [{ hasPermission: ({ args }) => seen.push(args) > 0 }],
    run: () => 1,
  });
  const prepared = prepare(spec, { id: "x", name: "a" });
  await askCaller(prepared);
  assertEquals(seen, [{}]);
  assertEquals(
    JSON.stringify(await explain(prepared)),
    '{"id":["Enter a whole number."]}',
  );
});

Deno.test("explainProblems() tells of reads, input and unknown arguments at once", async () => {
  const sync = z.object({ name: z.string(), age: z.number() });
  for (const input of [sync, asynchronous(sync)]) {
    const spec = serviceSpec({
      ...open,
      reads: { id: param.integer({ required: true }) },
      input,
      run: () => 1,
    });
    const tree = await explain(prepare(spec, { age: "old", note: 1 }));
    assertEquals(Object.keys(tree).sort(), ["age", "id", "name", "note"]);
    assertEquals(tree.name, ["This field is required."]);
    assertEquals(tree.note, ["Unknown argument."]);
  }
});

Deno.test("prepareCall() drops unknown arguments under IGNORE, and refuses __proto__ always (B15)", async () => {
  const seen: unknown[] = [];
  const spec = serviceSpec({
    ...open,
    reads: { id: param.integer() },
    input: z.object({ name: z.string() }),
    run: ({ args }) => void seen.push(JSON.stringify(args)),
  });
  const ignoring = prepare(spec, { id: 1, name: "a", note: 2 }, "ignore");
  assertEquals(ignoring.problems, undefined);
  await runCall(ignoring);
  assertEquals(seen, ['{"id":1,"name":"a"}']);
  const polluted = JSON.parse('{"name":"a","__proto__":{"admin":true}}');
  for (const policy of ["reject", "ignore"] as const) {
    const { problems } = prepare(spec, polluted, policy);
    assertEquals(JSON.stringify(problems?.toTree()), '{"__proto__":["Unknown argument."]}');
  }
});

Deno.test("runCall() hands over one pool, with nothing of the caller spread in (Q-1)", async () => {
  const seen: unknown[] = [];
  const spec = serviceSpec({
    ...open,
    reads: { user: param.string(), signal: param.string() },
    run: (pool) => {
      const { args, user, token, request, host, progress, signal } = pool;
      seen.push(args, user, token, request, host, signal === context.signal);
      progress(1); // G-1: nobody listens
    },
  });
  await run(spec, { user: "mallory", signal: "x" });
  assertEquals(seen, [
    { user: "mallory", signal: "x" },
    { id: "ada", authenticated: true },
    { scopes: ["a"] },
    undefined,
    {},
    true,
  ]);
});

const list = { ...open, kind: "list" } as const;
const one = { ...open, kind: "retrieve" } as const;

Deno.test("runCall() gathers the rows of lists, iterables and async iterables (WEB-3)", async () => {
  const rows = [
    () => [1, 2],
    () => new Set([1, 2]),
    function* () {
      yield* [1, 2];
    },
    async function* () {
      yield* [1, 2];
    },
    () => Promise.resolve([1, 2]),
  ];
  for (const select of rows) {
    assertEquals(await run(selectorSpec({ ...list, select })), {
      type: "value",
      value: [1, 2],
      args: {},
    });
  }
});

Deno.test("runCall() faults where a list selector answers no list", async () => {
  for (const value of [5, null, undefined, {}, "ab"]) {
    const spec = selectorSpec({ ...list, select: () => value as never });
    await assertRejects(() => run(spec), TypeError, "select must answer a list");
  }
});

Deno.test("runCall() answers not_found where a retrieve selector finds nothing", async () => {
  for (const value of [null, undefined, Promise.resolve(null)]) {
    assertEquals(await run(selectorSpec({ ...one, select: () => value })), { type: "not_found" });
  }
});

Deno.test("runCall() projects every row through output, async schemas as well", async () => {
  const row = z.object({ id: z.number() });
  for (const output of [row, asynchronous(row)]) {
    const rows = [{ id: 1, secret: "x" }, { id: 2, secret: "y" }];
    const listed = await run(selectorSpec({ ...list, output, select: () => rows }));
    assertEquals(listed, { type: "value", value: [{ id: 1 }, { id: 2 }], args: {} });
    const found = await run(selectorSpec({ ...one, output, select: () => rows[0] }));
    assertEquals(found, { type: "value", value: { id: 1 }, args: {} });
  }
});

Deno.test("runCall() judges a Date as the text that it will be (B71)", async () => {
  const output = jsonSchema<{ at: unknown }>({
    type: "object",
    properties: { at: { type: "string" } },
    required: ["at"],
  });
  const zod = z.object({ at: z.iso.datetime() });
  for (const schema of [output, zod]) {
    const spec = selectorSpec({
      ...one,
      output: schema,
      select: () => ({ at: new Date(0) as never }),
    });
    const result = await run(spec);
    assertEquals(
      JSON.stringify(result),
      '{"type":"value","value":{"at":"1970-01-01T00:00:00.000Z"},"args":{}}',
    );
  }
});

Deno.test("runCall() faults where a value does not match output, and names the place (B71)", async () => {
  const output = z.object({ v: z.string() });
  for (const value of [{ v: 1 }, { v: undefined }, {}, "text"]) {
    const spec = serviceSpec({ ...open, output, run: () => value as never });
    await assertRejects(() => run(spec), Error, "output refuses $");
  }
});

Deno.test("runCall() answers what a domain refuses, and lets a fault through (K-65)", async () => {
  const errors = [
    new ServiceError("a"),
    new ServiceNotFound("b"),
    new ServiceValidationError("c"),
  ];
  for (const error of errors) {
    const sync = serviceSpec({
      ...open,
      run: () => {
        throw error;
      },
    });
    const later = serviceSpec({ ...open, run: () => Promise.reject(error) });
    assertEquals(await run(sync), { type: "refused", error });
    assertEquals(await run(later), { type: "refused", error });
  }
  await assertRejects(() => run(serviceSpec({ ...open, run: () => Promise.reject(7) })));
});

Deno.test("runCall() answers the problems of an input schema, of async ones as well", async () => {
  const sync = z.object({ name: z.string().min(2, "Too short.") });
  for (const input of [sync, asynchronous(sync)]) {
    const spec = serviceSpec({ ...open, input, run: () => 1 });
    const refused = await run(spec, { name: "a" });
    assertEquals(refused.type, "invalid");
    if (refused.type === "invalid") {
      assertEquals(JSON.stringify(refused.problems.toTree()), '{"name":["Too short."]}');
    }
    assertEquals(await run(spec, { name: "ab" }), {
      type: "value",
      value: 1,
      args: { name: "ab" },
    });
  }
});

Deno.test("ServiceValidationError keeps messages by field, or about the whole (T-43)", () => {
  assertEquals(new ServiceValidationError("a").detail, { non_field_errors: ["a"] });
  assertEquals(new ServiceValidationError("a", "b").detail, { non_field_errors: ["b"] });
  assertEquals(new ServiceValidationError("a", ["b", "c"]).detail, {
    non_field_errors: ["b", "c"],
  });
  assertEquals(new ServiceValidationError("a", { id: ["b"] }).detail, { id: ["b"] });
  assertInstanceOf(new ServiceValidationError("a"), ServiceError);
  assertEquals(new ServiceValidationError("a").name, "ServiceValidationError");
});
