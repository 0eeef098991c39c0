import { assertEquals, assertRejects } from "@std/assert";
import {
  ActionUnavailable,
  authenticated,
  createDispatcher,
  type DispatchResult,
  httpStatus,
  pageable,
  param,
  poolSeeds,
  type SeedPool,
  selectorSpec,
  ServiceConflict,
  ServiceError,
  ServiceNotFound,
  serviceSpec,
  ServiceValidationError,
  specsFor,
  unrestricted,
} from "../../src/kernel/mod.ts";

const anyone = { user: { authenticated: false } };
const ada = { user: { id: "ada", authenticated: true } };

// K-66
const refused = (error: ServiceError): DispatchResult => ({ type: "refused", error });
const LADDER: readonly (readonly [title: string, result: DispatchResult, status: number])[] = [
  ["a value", { type: "value", value: 1, isNothing: false }, 200],
  ["nothing", { type: "value", value: null, isNothing: true }, 204],
  ["wrong arguments", { type: "invalid", problems: {} }, 400],
  ["a caller who may not", { type: "denied" }, 403],
  ["no row", { type: "not_found" }, 404],
  ["ServiceValidationError", refused(new ServiceValidationError("no")), 400],
  ["ServiceNotFound", refused(new ServiceNotFound("no")), 404],
  ["ServiceConflict", refused(new ServiceConflict("no")), 409],
  ["ActionUnavailable", refused(new ActionUnavailable("no", "code")), 409],
  ["any other ServiceError", refused(new ServiceError("no")), 422],
];
for (const [title, result, status] of LADDER) {
  Deno.test(`httpStatus() of ${title} is ${status} (K-66)`, () => {
    assertEquals(httpStatus(result), status);
  });
}

Deno.test("createDispatcher() reads text as the declared type, and serves pages", async () => {
  const rows = [1, 2, 3, 4, 5];
  const list = selectorSpec({
    kind: "list",
    reads: { least: param.integer({ default: 0 }) },
    permissions: [unrestricted],
    select: ({ args }) => {
      const found = rows.filter((row) => row >= args.least);
      return pageable({
        count: () => found.length,
        slice: (offset, limit) => found.slice(offset, offset + limit),
      });
    },
  });
  const { dispatch } = createDispatcher(list, {
    where: 'route "GET /"',
    paginate: true,
    maxPageSize: 2,
  });
  assertEquals(await dispatch({ caller: anyone, args: { least: "2", page: "2", limit: "50" } }), {
    type: "value",
    value: { items: [4, 5], page: 2, totalPages: 2, hasNext: false },
    isNothing: false,
  });
});

Deno.test("createDispatcher() tells a stranger nothing about the arguments (K-54)", async () => {
  const spec = selectorSpec({
    kind: "retrieve",
    reads: { id: param.integer({ required: true }) },
    permissions: [authenticated],
    select: () => null,
  });
  const { dispatch } = createDispatcher(spec, { where: "here" });
  assertEquals(await dispatch({ caller: anyone, args: { stray: 1 } }), { type: "denied" });
  const result = await dispatch({ caller: ada, args: { stray: 1 } });
  assertEquals(JSON.parse(JSON.stringify(result)), {
    type: "invalid",
    problems: { id: ["This field is required."], stray: ["Unknown argument."] },
  });
  assertEquals(await dispatch({ caller: ada, args: { id: 1 } }), { type: "not_found" });
});

Deno.test("createDispatcher() brings the spec's seeds, a transaction and what waits for it", async () => {
  const steps: string[] = [];
  const seeds = poolSeeds({ name: ({ user }: SeedPool) => user.id ?? "nobody" });
  const spec = specsFor(seeds).serviceSpec({
    permissions: [unrestricted],
    run: ({ name, host, afterCommit }) => {
      afterCommit(() => void steps.push("after"));
      steps.push(`${name} of ${host.place}`);
      return null;
    },
    allowNone: true,
  });
  const { dispatch } = createDispatcher(spec, {
    where: "here",
    transaction: async (work) => {
      steps.push("begin");
      const value = await work();
      steps.push("commit");
      return value;
    },
  });
  const result = await dispatch({ caller: ada, args: {}, host: { place: "London" } });
  assertEquals(result, { type: "value", value: null, isNothing: true });
  assertEquals(steps, ["begin", "ada of London", "commit", "after"]);
});

Deno.test("createDispatcher() answers with what the domain refuses, and rejects with a fault", async () => {
  const spec = serviceSpec({
    reads: { fault: param.boolean({ default: false }) },
    permissions: [unrestricted],
    run: ({ args }) => {
      throw args.fault ? new TypeError("broken") : new RangeError("too much");
    },
  });
  const { dispatch } = createDispatcher(spec, {
    where: "here",
    translateError: (error) =>
      error instanceof RangeError ? new ServiceConflict(error.message) : undefined,
  });
  const result = await dispatch({ caller: anyone, args: {} });
  assertEquals(result.type === "refused" && result.error.message, "too much");
  await assertRejects(
    () => dispatch({ caller: anyone, args: { fault: true } }),
    TypeError,
    "broken",
  );
});

Deno.test("createDispatcher() hands a refused shape on as what the domain refused (T-45)", async () => {
  const spec = selectorSpec({
    kind: "retrieve",
    shapes: { fields: param.string() },
    permissions: [unrestricted],
    select: () => ({ id: 1 }),
    present: () => {
      throw new ServiceValidationError("There is no such field.");
    },
  });
  const { dispatch } = createDispatcher(spec, { where: "here" });
  const result = await dispatch({ caller: anyone, args: { fields: "x" } });
  assertEquals([result.type, httpStatus(result)], ["refused", 400]);
});

Deno.test("createDispatcher() hands the caller's signal and progress on", async () => {
  const left = new AbortController();
  left.abort();
  const seen: unknown[] = [];
  const spec = selectorSpec({
    kind: "retrieve",
    permissions: [unrestricted],
    select: ({ signal, progress }) => {
      progress(1);
      return signal.aborted;
    },
  });
  const { dispatch } = createDispatcher(spec, { where: "here" });
  const alone = await dispatch({ caller: anyone, args: {} });
  const watched = await dispatch({
    caller: anyone,
    args: {},
    signal: left.signal,
    progress: (value) => void seen.push(value),
  });
  assertEquals([alone, watched].map((result) => result.type === "value" && result.value), [
    false,
    true,
  ]);
  assertEquals(seen, [1]);
});
