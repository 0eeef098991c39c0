/** The short answer to a write, from its result (W-20…W-31). */
import { assertEquals } from "@std/assert";
import { extractEnvelope, type LeanResult } from "../../src/present/lean_envelope.ts";

/** The answer without a token; `undefined` where the caller needs the whole result. */
function confirm(value: unknown, options: Partial<LeanResult> = {}): unknown {
  const { open, closeWithIds } = extractEnvelope({
    action: "create",
    leanKeys: [],
    dataSize: 99,
    sent: {},
    findDeleted: () => undefined,
    value,
    ...options,
  });
  const close = closeWithIds();
  return close === undefined ? undefined : JSON.parse(open + close);
}

/** The answer as far as it goes before a token. */
function beginning(value: unknown, options: Partial<LeanResult> = {}): unknown {
  const { open } = extractEnvelope({
    action: "create",
    leanKeys: [],
    dataSize: 99,
    sent: {},
    findDeleted: () => undefined,
    value,
    ...options,
  });
  return JSON.parse(`${open}}`);
}

class Entity {
  readonly id = 1; // is not written

  toJSON(): object {
    return { pk: "p", name: "n" };
  }
}

const tail = { status_code: 201, data_size: 99 };
const hidden = Object.defineProperty({ name: "n" }, "id", { value: 1, enumerable: false });
const DATE = new Date(0);

// W-20, W-24, W-25, W-25b, W-29
const SINGLE: readonly (readonly [title: string, value: unknown, fields: object])[] = [
  ["id, url and name", { name: "n", id: 7, url: "u", more: 1 }, { id: 7, url: "u", name: "n" }],
  ["pk under id", { pk: "a-b", display: "d" }, { id: "a-b", display: "d" }],
  ["id before pk", { pk: 1, id: 2 }, { id: 2 }],
  ["id with null in it before pk", { pk: 1, id: null }, { id: null }],
  ["name before display", { id: 1, display: "d", name: "n" }, { id: 1, name: "n" }],
  ["nothing of what is nested", { device: { id: 1 } }, {}],
  ["nothing under other spellings", { ID: 1, _id: 2, uuid: 3, slug: "s" }, {}],
  ["nothing of a list inside", { results: [{ id: 1 }] }, {}],
  ["what an entity writes", new Entity(), { id: "p", name: "n" }],
  ["nothing that is not written", hidden, { name: "n" }],
  ["nothing inherited", Object.create({ id: 1 }), {}],
  ["nothing of a text", "text", {}],
  ["nothing of null", null, {}],
];

for (const [title, value, fields] of SINGLE) {
  Deno.test(`extractEnvelope() takes ${title} of one row (W-20, W-24, W-25, W-29)`, () => {
    assertEquals(beginning(value), { ...fields, ...tail });
  });
}

Deno.test("extractEnvelope() writes identifiers first and the author's fields last (W-23)", () => {
  const row = { role: "leaf", name: "n", url: "u", id: 1 };
  const { open } = extractEnvelope({
    action: "update",
    leanKeys: ["role"],
    dataSize: 5,
    sent: {},
    findDeleted: () => undefined,
    value: row,
  });
  assertEquals(open, '{"id":1,"url":"u","name":"n","role":"leaf","status_code":200,"data_size":5');
});

// W-10, W-25, Q-32, Q-33
const IDENTIFIERS: readonly (readonly [id: unknown, isOne: boolean])[] = [
  [0, true],
  [7n, true],
  ["0", true],
  ["", false],
  [null, false],
  [undefined, false],
  [true, false],
  [Number.NaN, false],
  [{ value: 1 }, false],
  [[1], false],
];

for (const [id, isOne] of IDENTIFIERS) {
  const shown = typeof id === "bigint" ? `${id}n` : JSON.stringify(id) ?? "undefined";
  Deno.test(`extractEnvelope() takes the id ${shown} for ${isOne ? "an" : "no"} identifier (W-10)`, () => {
    assertEquals(confirm({ id, url: "u" }) !== undefined, isOne);
    assertEquals(confirm([{ id: 1 }, { id }]) !== undefined, isOne); // W-15: all or nothing
  });
}

Deno.test("extractEnvelope() counts a list, with one identifier a row or none (W-15, W-21)", () => {
  const rows = [{ id: 2, name: "a" }, { pk: "x" }, { id: 2 }, new Entity()];
  assertEquals(confirm(rows), { accepted: 4, ...tail, ids: [2, "x", 2, "p"] });
  assertEquals(beginning(rows), { accepted: 4, ...tail });
  assertEquals(confirm([]), { accepted: 0, ...tail, ids: [] });
  assertEquals(confirm([1, 2]), undefined); // scalars name no row
  assertEquals(confirm([{ id: 1 }, { name: "a" }]), undefined);
});

Deno.test("extractEnvelope() takes the status from the operation, never from the row (W-27)", () => {
  const row = { id: 1, status: 500, status_code: "late", data_size: "huge", accepted: 3, ids: [4] };
  assertEquals(beginning(row, { leanKeys: "assigned" }), { id: 1, status: 500, ...tail });
  assertEquals(beginning(row, { action: "update" }), { id: 1, status_code: 200, data_size: 99 });
});

Deno.test("extractEnvelope() adds the author's fields where the row has them (W-24.4, W-26)", () => {
  const row = { id: 1, site: { slug: "s" }, role: null, at: DATE };
  assertEquals(beginning(row, { leanKeys: ["role", "site", "absent", "id", "at"] }), {
    id: 1,
    role: null,
    site: { slug: "s" },
    at: "1970-01-01T00:00:00.000Z",
    ...tail,
  });
});

Deno.test("extractEnvelope() adds what the server assigned: short, scalar and not sent (Q-21, W-26)", () => {
  const row = {
    id: 1,
    name: "sent",
    amount: 5,
    status: "open",
    due: DATE,
    big: 7n,
    paid: false,
    none: null,
    list: [1],
    long: "é".repeat(100),
    short: "é".repeat(99),
    trimmed: "a",
  };
  const sent = { name: "sent", amount: 5, trimmed: " a " };
  assertEquals(beginning(row, { leanKeys: "assigned", sent }), {
    id: 1,
    name: "sent",
    status: "open",
    due: "1970-01-01T00:00:00.000Z",
    big: 7,
    paid: false,
    short: "é".repeat(99),
    trimmed: "a",
    ...tail,
  });
});

Deno.test("extractEnvelope() tells a delete with its id, and neither size nor token (W-22, W-30)", () => {
  const gone = { deleted: true, status_code: 204 };
  const named = { findDeleted: () => 0 };
  assertEquals(confirm(undefined, { action: "delete" }), gone); // W-31: nothing is answered
  assertEquals(confirm({ id: 3, name: "n" }, { action: "delete", ...named }), { id: 0, ...gone });
  assertEquals(confirm({ deleted: true }, named), { id: 0, ...gone });
  assertEquals(confirm({ deleted: true, id: 3 }, named), { id: 3, ...tail });
  assertEquals(confirm({ deleted: "yes", id: 3 }), { id: 3, ...tail });
});
