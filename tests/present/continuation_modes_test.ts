/** How a kept result is read (HV-22, HV-23). */
import { assertEquals } from "@std/assert";
import { type ContinuationView, viewContinuation } from "../../src/present/continuation_modes.ts";

const rows = Array.from({ length: 25 }, (_, id) => ({ id, name: `n${id}` }));
const wide = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`k${i}`, i]));

const CASES: readonly (readonly [
  title: string,
  value: unknown,
  view: Partial<ContinuationView>,
  seen: unknown,
  isRow?: boolean,
])[] = [
  ["full: everything", rows, { mode: "full" }, rows],
  ["summary: five rows of a list", rows, { mode: "summary" }, rows.slice(0, 5)],
  [
    "summary: ten fields of an object, as text",
    { ...wide, k0: "é".repeat(120), k1: { a: 1 }, k2: null },
    { mode: "summary" },
    {
      ...Object.fromEntries(Object.entries(wide).slice(0, 10).map(([key, n]) => [key, `${n}`])),
      k0: "é".repeat(100),
      k1: '{"a":1}',
      k2: "null",
    },
  ],
  ["summary: half a character is left out", { a: `${"b".repeat(99)}😀` }, { mode: "summary" }, {
    a: "b".repeat(99),
  }],
  ["summary: the start of a text", "x".repeat(501), { mode: "summary" }, {
    summary: "x".repeat(500),
  }],
  ["summary: a number", 7, { mode: "summary" }, { summary: "7" }],
  ["a page by default", rows, {}, {
    items: rows.slice(0, 20),
    page: 1,
    page_size: 20,
    total: 25,
    has_more: true,
  }],
  ["the last page", rows, { page: 2 }, {
    items: rows.slice(20),
    page: 2,
    page_size: 20,
    total: 25,
    has_more: false,
  }],
  ["a page past the end", rows, { page: 9 }, {
    items: [],
    page: 9,
    page_size: 20,
    total: 25,
    has_more: false,
  }],
  ["a page of an empty list", [], {}, {
    items: [],
    page: 1,
    page_size: 20,
    total: 0,
    has_more: false,
  }],
  ["a page of the one list of an object", { count: 25, rows }, { page: 2, pageSize: 24 }, {
    items: rows.slice(24),
    page: 2,
    page_size: 24,
    total: 25,
    has_more: false,
    envelope: { count: 25 },
    envelope_payload_key: "rows",
  }],
  ["all of an object with two lists", { a: [1], b: [2] }, {}, { a: [1], b: [2] }],
  ["all of an object without a list", { a: 1 }, {}, { a: 1 }],
  ["all of a text", "text", {}, "text"],
  ["all of a row that was written, with a list of its own (HV-23)", { tags: [1, 2] }, {}, {
    tags: [1, 2],
  }, true],
  ["filtered: fields of an object", { a: 1, b: 2 }, { mode: "filtered", filterKeys: ["b", "c"] }, {
    b: 2,
  }],
  [
    "filtered: fields of each row",
    [{ a: 1, b: 2 }, 3, { a: 4 }],
    { mode: "filtered", filterKeys: ["b"] },
    [{ b: 2 }, 3, {}],
  ],
  ["filtered by nothing: everything", rows, { mode: "filtered" }, rows],
  ["filtered: a scalar as it is", 7, { mode: "filtered", filterKeys: ["b"] }, 7],
];

for (const [title, value, view, seen, isRow = false] of CASES) {
  Deno.test(`viewContinuation() gives ${title} (HV-22)`, () => {
    const all = { mode: "paginated", page: 1, pageSize: 20, filterKeys: [], ...view } as const;
    assertEquals(viewContinuation(value, isRow, all), seen);
  });
}
