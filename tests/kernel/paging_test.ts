/** Pages of lists, and having nothing to present (K-90…K-97, T-20…T-22). */
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  ConfigurationError,
  pageable,
  param,
  selectorSpec,
  serviceSpec,
  unrestricted,
} from "@limen/mcp";
import fc from "fast-check";
import { z } from "zod";
import { takePage } from "../../src/kernel/pageable.ts";
import { assertToolResultConforms } from "../../src/testing/mod.ts";
import { serveSpec } from "../_support/serve_spec.ts";

const open = { permissions: [unrestricted] };
const list = { ...open, kind: "list" } as const;

/** A paged tool over so many numbers. */
function paged(count: number, binding: object = {}, server: object = {}) {
  const select = () => Array.from({ length: count }, (_, i) => i + 1);
  return serveSpec(selectorSpec({ ...list, select }), {
    binding: { paginate: true, ...binding },
    server,
  });
}

// K-90, K-91, K-92, Q-7
const PAGES: readonly (readonly [
  sent: object,
  first: number | undefined,
  count: number,
  page: number,
  totalPages: number,
  hasNext: boolean,
])[] = [
  [{}, 1, 100, 1, 3, true],
  [{ page: 3 }, 201, 50, 3, 3, false],
  [{ page: 2, limit: 10 }, 11, 10, 2, 25, true],
  [{ page: "2", limit: "10" }, 11, 10, 2, 25, true], // K-20
  [{ page: 99 }, 201, 50, 3, 3, false], // past the end: the last one, which says so
  [{ page: 0 }, 1, 100, 1, 3, true],
  [{ page: -5, limit: 50 }, 1, 50, 1, 5, true],
  [{ limit: 0 }, 1, 1, 1, 250, true],
  [{ limit: 1000 }, 1, 100, 1, 3, true],
  [{ page: 250, limit: 1 }, 250, 1, 250, 250, false],
];

for (const [sent, first, count, page, totalPages, hasNext] of PAGES) {
  Deno.test(`a paged tool serves ${JSON.stringify(sent)} as page ${page} of ${totalPages} (K-90, K-91, K-92)`, async () => {
    const { value } = await paged(250).call(sent) as { value: { items: number[] } };
    const { items, ...envelope } = value;
    assertEquals([items[0], items.length, envelope], [first, count, { page, totalPages, hasNext }]);
  });
}

Deno.test("a paged tool of nothing has one empty page (K-91)", async () => {
  const { value } = await paged(0).call({ page: 7 });
  assertEquals(value, { items: [], page: 1, totalPages: 1, hasNext: false });
});

for (const sent of [{ page: "x" }, { page: 1.5 }, { limit: true }, { limit: null }]) {
  Deno.test(`a paged tool refuses ${JSON.stringify(sent)} as an argument (K-93, Q-7)`, async () => {
    const { refusal } = await paged(5).call(sent);
    assertEquals([refusal?.type, Object.keys(refusal?.detail)], [
      "validation_error",
      Object.keys(sent),
    ]);
  });
}

const BOUNDS = [
  [{}, {}, 100, 100],
  [{ maxPageSize: 20 }, {}, 20, 20],
  [{}, { maxPageSize: 20 }, 20, 20],
  [{ maxPageSize: 150 }, { maxPageSize: 20 }, 150, 100],
  [{ maxPageSize: null }, { maxPageSize: 20 }, undefined, 100], // null lifts the bound
] as const;

for (const [binding, server, maximum, byDefault] of BOUNDS) {
  Deno.test(`maxPageSize ${JSON.stringify([binding, server])} advertises ${maximum} (T-20, K-90)`, async () => {
    const tool = paged(1000, binding, server);
    const { inputSchema } = await tool.entry();
    assertEquals(inputSchema.properties, {
      page: { type: "integer", minimum: 1, description: "1-based page number." },
      limit: {
        type: "integer",
        minimum: 1,
        ...maximum === undefined ? {} : { maximum },
        description:
          `Rows of a page, ${byDefault} by default; totalPages and hasNext tell what follows.`,
      },
    });
    assertEquals("required" in inputSchema, false);
    const items = async (sent: object) =>
      ((await tool.call(sent)).value as { items: unknown[] }).items.length;
    assertEquals([await items({}), await items({ limit: 900 })], [byDefault, maximum ?? 900]);
  });
}

Deno.test("a paged tool counts a lazy source first, and takes one slice (K-90, WEB-3)", async () => {
  const asked: unknown[] = [];
  const source = pageable({
    count: () => (asked.push("count"), 95),
    slice: (offset, limit) => (asked.push([offset, limit]), [offset]),
  });
  const spec = selectorSpec({ ...list, select: () => source });
  const tool = serveSpec(spec, { binding: { paginate: true } });
  const { value } = await tool.call({ page: 99, limit: 10 });
  assertEquals(value, { items: [90], page: 10, totalPages: 10, hasNext: false });
  assertEquals(asked, ["count", [90, 10]]);
  assertEquals((await serveSpec(spec).call()).value, [0]); // unpaged: all of it
  assertEquals(asked.slice(2), ["count", [0, 95]]);
});

Deno.test("filters and extend narrow rows before they are counted, on a lazy source too (K-8, K-10)", async () => {
  const all = [1, 2, 3, 4, 5, 6];
  const fields = {
    ...list,
    filters: { least: param.integer({ default: 1 }) },
    reads: { most: param.integer() },
  };
  const spec = selectorSpec({
    ...fields,
    select: ({ args }) => all.filter((n) => n <= (args.most ?? 6)),
    extend: (rows, { filters }) =>
      (rows as readonly number[]).filter((n) => n >= (filters.least as number)),
  });
  const tool = serveSpec(spec, { binding: { paginate: true } });
  const { value } = await tool.call({ least: 3, most: 5, limit: 2 });
  assertEquals(value, { items: [3, 4], page: 1, totalPages: 2, hasNext: true });
  assertEquals((await serveSpec(spec).call({ least: 3 })).value, [3, 4, 5, 6]);
});

Deno.test("page and limit are the transport's: no callable finds them (T-20)", async () => {
  const seen: unknown[] = [];
  const spec = selectorSpec({
    ...list,
    reads: { id: param.integer() },
    select: ({ args }) => (seen.push(args), []),
  });
  const tool = serveSpec(spec, { binding: { paginate: true } });
  await tool.call({ id: 1, page: 2, limit: 5 });
  assertEquals(seen, [{ id: 1 }]);
  const unpaged = await serveSpec(spec).call({ page: 2 });
  assertEquals(unpaged.refusal?.detail, { page: ["Unknown argument."] });
});

for (const name of ["page", "limit"]) {
  Deno.test(`registerTool() refuses a paged spec with an argument ${name} (K-15)`, () => {
    const spec = selectorSpec({ ...list, reads: { [name]: param.integer() }, select: () => [] });
    const error = assertThrows(
      () => serveSpec(spec, { binding: { paginate: true } }),
      ConfigurationError,
    );
    assertEquals(
      error.message,
      `Cannot register tool "t": paginate declares "${name}", and so does the spec`,
    );
  });
}

Deno.test("the presenter never sees the envelope, and the schema says both (K-92, T-21)", async () => {
  const seen: unknown[] = [];
  const spec = selectorSpec({
    ...list,
    output: z.object({ id: z.number() }),
    text: (rows) => (seen.push(rows), "words"),
    present: (row) => (seen.push(row), row),
    select: () => [{ id: 1 }, { id: 2 }],
  });
  const tool = serveSpec(spec, { binding: { paginate: true } });
  const { value, result } = await tool.call({ limit: 1 });
  assertEquals(value, { items: [{ id: 1 }], page: 1, totalPages: 2, hasNext: true });
  assertEquals(result?.content, [{ type: "text", text: "words" }]);
  assertEquals(seen, [{ id: 1 }, [{ id: 1 }]]);
  const entry = await tool.entry();
  assertEquals(entry.outputSchema, {
    type: "object",
    properties: {
      items: {
        type: "array",
        items: {
          type: "object",
          properties: { id: { type: "number" } },
          required: ["id"],
          additionalProperties: false,
        },
      },
      page: { type: "integer" },
      totalPages: { type: "integer" },
      hasNext: { type: "boolean" },
    },
    required: ["items", "page", "totalPages", "hasNext"],
  });
  assertToolResultConforms(entry as never, result as never);
});

Deno.test("an unpaged list is a bare array, wrapped for legacy callers only (T-21, T-22, M-15)", async () => {
  const spec = selectorSpec({ ...list, output: z.object({ id: z.number() }), select: () => [] });
  const tool = serveSpec(spec);
  assertEquals((await tool.call()).value, []);
  assertEquals((await tool.call({}, { era: "legacy" })).value, { result: [] });
  assertEquals((await tool.entry()).outputSchema.type, "array");
  assertEquals((await tool.entry("legacy")).outputSchema.required, ["result"]);
});

Deno.test("takePage() serves every row once, on the page it says (K-90, K-91)", async () => {
  await fc.assert(fc.asyncProperty(
    fc.nat(60),
    fc.integer({ min: -3, max: 80 }),
    fc.integer({ min: -3, max: 80 }),
    fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
    fc.boolean(),
    async (total, page, limit, maxPageSize, isLazy) => {
      const all = Array.from({ length: total }, (_, i) => i);
      const rows = isLazy
        ? pageable({ count: () => total, slice: (from, n) => all.slice(from, from + n) })
        : all;
      const size = Math.min(Math.max(limit, 1), maxPageSize ?? Infinity);
      const one = await takePage(rows, { page, limit, maxPageSize });
      assert(one.page >= 1 && one.page <= one.totalPages);
      assertEquals(one.page, Math.min(Math.max(page, 1), one.totalPages));
      assertEquals(one.hasNext, one.page < one.totalPages);
      assert(one.items.length <= size);
      const gathered: unknown[] = [];
      for (let n = 1; n <= one.totalPages; n++) {
        const next = await takePage(rows, { page: n, limit, maxPageSize });
        assertEquals(next.page, n);
        if (n === one.page) assertEquals(next, one);
        gathered.push(...next.items);
      }
      assertEquals(gathered, all);
    },
  ));
});

const output = z.object({ id: z.number() });
const RETRIEVE = { ...open, kind: "retrieve", output, select: () => null } as const;
const SERVICE = { ...open, output, run: () => null as never };

// K-95, K-96: the truth table, with what is served.
const NOTHING:
  readonly (readonly [title: string, spec: () => unknown, admits: boolean, value: unknown])[] = [
    ["a retrieve", () => selectorSpec(RETRIEVE), false, "not_found"],
    ["a retrieve that allows none", () => selectorSpec({ ...RETRIEVE, allowNone: true }), true, {}],
    ["a service that allows none", () => serviceSpec({ ...SERVICE, allowNone: true }), true, {}],
    [
      "a service with a re-read",
      () => serviceSpec({ ...SERVICE, run: () => ({ id: 1 }), reread: () => null }),
      true,
      {},
    ],
    ["a list", () => selectorSpec({ ...list, output, select: () => [] }), false, []],
    [
      "a many service",
      () =>
        serviceSpec({
          ...open,
          output,
          many: true,
          input: z.object({}),
          inputData: () => ({}),
          allowNone: true,
          run: () => [],
        }),
      false,
      [],
    ],
  ];

for (const [title, spec, admits, value] of NOTHING) {
  for (const era of ["modern", "legacy"] as const) {
    Deno.test(`${title} with nothing to present serves ${JSON.stringify(value)}, in the ${era} era (K-95, K-96, K-97)`, async () => {
      const tool = serveSpec(spec());
      const told = await tool.call(title === "a many service" ? { items: [] } : {}, { era });
      const { outputSchema } = await tool.entry();
      assertEquals("anyOf" in outputSchema, admits);
      assertEquals("required" in outputSchema, !admits && !Array.isArray(value));
      if (admits) {
        assertEquals(outputSchema.anyOf, [{ required: ["id"] }, { maxProperties: 0 }]);
        assertEquals([outputSchema.type, Object.keys(outputSchema.properties)], ["object", ["id"]]);
      }
      if (value === "not_found") {
        assertEquals(told.refusal?.type, "not_found");
        return;
      }
      const isWrapped = Array.isArray(value) && era === "legacy";
      assertEquals(told.value, isWrapped ? { result: value } : value);
      assertEquals(told.result?.content, [{ type: "text", text: JSON.stringify(value) }]);
    });
  }
}

Deno.test("a service that answers nothing where its schema promises a row is at fault (K-97)", async () => {
  // The requirement would still serve {}, but a result must conform to the schema that is advertised.
  for (const era of ["modern", "legacy"] as const) {
    const { status, error } = await serveSpec(serviceSpec(SERVICE)).call({}, { era });
    assertEquals([status, error?.code], [500, -32603]);
  }
});

Deno.test("a service without output that answers nothing serves {} (K-96)", async () => {
  for (const nothing of [undefined, null]) {
    const { value, result } = await serveSpec(serviceSpec({ ...open, run: () => nothing })).call();
    assertEquals([value, result?.content[0].text], [{}, "{}"]);
  }
});

Deno.test("what has nothing to present conforms to its schema where it says so (K-96)", async () => {
  const tool = serveSpec(serviceSpec({ ...SERVICE, allowNone: true }));
  assertToolResultConforms(await tool.entry() as never, (await tool.call()).result as never);
});

Deno.test("selectorSpec() refuses allowNone on a list (K-8, K-95)", () => {
  const error = assertThrows(
    () => selectorSpec({ ...list, allowNone: true, select: () => [] }),
    ConfigurationError,
  );
  assertEquals(
    error.message,
    "Cannot build a list spec: allowNone is for a retrieve: a list is empty, never absent",
  );
});
