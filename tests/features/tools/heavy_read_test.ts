/** Large results are answered by how they begin, and read on (HV-1, HV-2, HV-5, HV-6, W-4). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { pageable, selectorSpec, serviceSpec, unrestricted } from "@limen/mcp";
import { assertToolResultConforms } from "@limen/mcp/testing";
import * as z from "zod";
import { ada, readOn, serveWithSlot, SLOTS } from "../../_support/lean_fixture.ts";
import { serveSpec } from "../../_support/serve_spec.ts";

const ERAS = ["modern", "legacy"] as const;
const open = { permissions: [unrestricted] };
const Row = z.object({ id: z.int(), text: z.string() });
const ROWS = Array.from({ length: 30 }, (_, id) => ({ id, text: "é".repeat(10) }));
const BYTES = new TextEncoder().encode(JSON.stringify(ROWS)).length;

const list = selectorSpec({ kind: "list", output: Row, ...open, select: () => ROWS });
const paged = selectorSpec({
  kind: "list",
  output: Row,
  ...open,
  select: () => pageable({ count: () => 30, slice: (start, n) => ROWS.slice(start, start + n) }),
});

interface Probe {
  readonly preview: string;
  readonly total_size: number;
  readonly continuation_token: string;
  readonly usage: string;
}

for (const era of ERAS) {
  Deno.test(`${era}: a heavy tool answers with a probe, and with its pages to a token (HV-1, HV-2, HV-22)`, async () => {
    const served = serveSpec(list, { binding: { heavy: true } });
    const tool = await served.entry(era) as never;
    const { value, result } = await served.call({}, { era, as: ada });
    assertToolResultConforms(tool, result!);
    const { preview, total_size, continuation_token, usage } = value as Probe;
    assert(preview.startsWith('[{"id":0,"text":"éé') && preview.length <= 200);
    assertEquals(total_size, BYTES);
    assertMatch(usage, /^Call t with continuation_token/);
    const page = await served.call({ continuation_token, page: 2 }, { era, as: ada });
    assertToolResultConforms(tool, page.result!);
    assertEquals((page.value as { readonly items: unknown }).items, ROWS.slice(20));
    const full = await served.call({ continuation_token, mode: "full" }, { era, as: ada });
    assertToolResultConforms(tool, full.result!);
    assertEquals(full.value, era === "legacy" ? { result: ROWS } : ROWS);
  });

  Deno.test(`${era}: a heavy paged list keeps its page and limit, which are a token's beside one (HV-13, T-20)`, async () => {
    const served = serveSpec(paged, { binding: { heavy: true, paginate: true } });
    const { inputSchema } = await served.entry(era);
    assertEquals(inputSchema.properties.page.description, "1-based page number.");
    const { value } = await served.call({ page: 2, limit: 25 }, { era, as: ada });
    const { continuation_token, preview } = value as Probe;
    assertMatch(preview, /"page":2,"totalPages":2,"hasNext":false/);
    const first = await served.call({ continuation_token, page: 1, page_size: 2 }, {
      era,
      as: ada,
    });
    assertEquals(first.value, {
      items: ROWS.slice(25, 27),
      page: 1,
      page_size: 2,
      total: 5,
      has_more: true,
      envelope: { page: 2, totalPages: 2, hasNext: false },
      envelope_payload_key: "items",
    });
  });

  Deno.test(`${era}: a read over probeAboveBytes is probed where the shared tool takes tokens, and else whole (HV-5, HV-6)`, async () => {
    for (const [bound, isProbed] of [[BYTES - 1, true], [BYTES, false], [null, false]] as const) {
      for (const slot of SLOTS.filter((slot) => slot !== "own")) {
        const served = serveWithSlot(list, slot, { server: { probeAboveBytes: bound } });
        const { result, value } = await served.call({}, { era, as: ada });
        assertToolResultConforms(await served.entry(era) as never, result!);
        if (!isProbed || slot === "none") {
          assertEquals(value, era === "legacy" ? { result: ROWS } : ROWS);
          continue;
        }
        const { continuation_token, usage } = value as Probe;
        assertMatch(usage, /^Call read_on with/);
        const read = await readOn(served.server, slot, { continuation_token, mode: "full" });
        assertEquals((read as { readonly structuredContent: unknown }).structuredContent, ROWS);
      }
    }
  });
}

Deno.test("a read is whole up to 25 000 bytes by default (HV-5)", async () => {
  for (const [length, isProbed] of [[24_998, false], [24_999, true]] as const) {
    const text = "x".repeat(length);
    const spec = selectorSpec({ kind: "retrieve", ...open, select: () => text });
    const { result } = await serveWithSlot(spec, "shared").call({}, { as: ada });
    assertEquals("structuredContent" in result!, isProbed);
    if (!isProbed) assertEquals(result!.content[0].text, text);
  }
});

Deno.test("a result that fits exactly after counting its bytes is whole (HV-5)", async () => {
  const value = { text: "é".repeat(100) }; // 211 bytes, 111 characters
  const spec = selectorSpec({ kind: "retrieve", ...open, select: () => value });
  for (const [bound, isProbed] of [[211, false], [210, true], [111, true], [110, true]] as const) {
    const served = serveWithSlot(spec, "shared", { server: { probeAboveBytes: bound } });
    const { value: answered } = await served.call({}, { as: ada });
    assertEquals("preview" in (answered as object), isProbed, `${bound}`);
  }
});

Deno.test("heavy: false keeps a read whole, and a write is never probed for its size (HV-5)", async () => {
  const off = serveWithSlot(list, "shared", {
    server: { probeAboveBytes: 10 },
    binding: { heavy: false } as object,
  });
  assertEquals((await off.call({}, { as: ada })).value, ROWS);
  assertEquals((await off.entry()).outputSchema.type, "array"); // and promises no more than that
  for (const binding of [{}, { lean: false }]) {
    const write = serviceSpec({
      action: "create",
      ...open,
      run: () => ({ id: 1, text: "x".repeat(99) }),
    });
    const served = serveWithSlot(write, "shared", { server: { probeAboveBytes: 10 }, binding });
    const { value } = await served.call({}, { as: ada });
    assert(!("preview" in (value as object)));
  }
  // A service that computes is a read in this.
  const computes = serviceSpec({ ...open, run: () => ROWS });
  for (const slot of ["own", "shared"] as const) {
    const served = serveWithSlot(computes, slot, { server: { probeAboveBytes: 10 } });
    assert("preview" in ((await served.call({}, { as: ada })).value as object));
  }
});

Deno.test("a result is whole where nobody could read it on: an anonymous caller, too much kept (HV-5, B10)", async () => {
  const heavy = serveSpec(list, { binding: { heavy: true } });
  assertEquals((await heavy.call()).value, ROWS);
  const full = serveSpec(list, {
    binding: { heavy: true },
    server: { continuations: { maxBytesPerCaller: 100 } },
  });
  assertEquals((await full.call({}, { as: ada })).value, ROWS);
});

Deno.test("the probe of a heavy write goes before its confirmation, and verify before both (W-4, W-42)", async () => {
  const spec = serviceSpec({ action: "create", output: Row, ...open, run: () => ROWS[3]! });
  const served = serveSpec(spec, { binding: { heavy: true } });
  const tool = await served.entry() as never;
  const probed = await served.call({}, { as: ada });
  assertToolResultConforms(tool, probed.result!);
  const { continuation_token } = probed.value as Probe;
  assertEquals((await served.call({ continuation_token }, { as: ada })).value, ROWS[3]);
  assertEquals((await served.call({ verify: true }, { as: ada })).value, ROWS[3]);
  // Where it cannot be kept, the write is confirmed.
  const confirmed = await served.call();
  assertEquals(confirmed.value, { id: 3, status_code: 201, data_size: 38 });
  assertToolResultConforms(tool, confirmed.result!);
});

Deno.test("a heavy delete is confirmed like any other, since nothing is left to be read (W-10)", async () => {
  const spec = serviceSpec({ action: "delete", ...open, run: () => ROWS[3]! });
  const { value } = await serveSpec(spec, { binding: { heavy: true } }).call({}, { as: ada });
  assertEquals(value, { deleted: true, status_code: 204 });
});

Deno.test("nothing is nothing, heavy or not", async () => {
  const spec = selectorSpec({ kind: "retrieve", allowNone: true, ...open, select: () => null });
  const { value } = await serveSpec(spec, { binding: { heavy: true } }).call({}, { as: ada });
  assertEquals(value, {});
});
