/** Whatever a write answers, its short answer is true of it and leads to it (W-10…W-30, W-50). */
import { assert, assertEquals } from "@std/assert";
import { type CalledTool, type McpServer, serviceSpec, unrestricted } from "@limen/mcp";
import fc from "fast-check";
import { ada, readOn, serveWithSlot, type Slot, SLOTS } from "../../_support/lean_fixture.ts";

type Action = "create" | "update" | "delete";

let answer: unknown;

/** A server for each action and slot; its tool answers what a case says. */
const servers = new Map<string, McpServer>();
for (const action of ["create", "update", "delete"] as const) {
  for (const slot of SLOTS) {
    const spec = serviceSpec({
      action,
      permissions: [unrestricted],
      allowNone: true,
      leanKeys: "assigned",
      run: () => answer,
    });
    servers.set(`${action} ${slot}`, serveWithSlot(spec, slot).server);
  }
}

const scalar = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
  fc.bigInt({ min: -9n, max: 9n }),
  fc.date({ noInvalidDate: true }),
);
const field = fc.oneof({ weight: 4, arbitrary: scalar }, fc.jsonValue({ maxDepth: 2 }));
const plain = fc.record(
  { id: field, pk: field, url: field, name: field, display: field, note: field, status: field },
  { requiredKeys: [] },
);
const identified = fc.record({ id: fc.oneof(fc.uuid(), fc.integer()), name: fc.string() });
const written = identified.map((row) => ({ toJSON: () => row }));
const row = fc.oneof(plain, identified, written, fc.dictionary(fc.string(), field));
const result = fc.oneof(
  row,
  fc.array(row, { maxLength: 5 }),
  fc.array(identified, { maxLength: 5 }),
  field,
  fc.constant({ deleted: true }),
);

async function call(
  server: McpServer,
  args: Readonly<Record<string, unknown>>,
  isKnown: boolean,
): Promise<CalledTool> {
  const answered = await server.invokeTool("t", args, isKnown ? { user: ada.user } : {});
  assert("content" in answered, JSON.stringify(answered));
  return answered;
}

/** What a caller reads: the structure, or the text of a plain text. */
function valueOf({ structuredContent, content: [block] }: CalledTool): unknown {
  return structuredContent === undefined
    ? (block as { readonly text: string }).text
    : structuredContent;
}

Deno.test("a short answer agrees with the full one, and leads to it (W-10, W-12, W-20, W-21, W-28)", async () => {
  const actions = fc.constantFrom<Action>("create", "update", "delete");
  await fc.assert(
    fc.asyncProperty(
      result,
      actions,
      fc.constantFrom<Slot>(...SLOTS),
      fc.boolean(),
      async (value, action, slot, isKnown) => {
        answer = value;
        const server = servers.get(`${action} ${slot}`)!;
        const whole = await call(server, { verify: true }, isKnown);
        const short = await call(server, {}, isKnown);
        const [full, lean] = [valueOf(whole), valueOf(short)];
        if (JSON.stringify(full) === JSON.stringify(lean)) return; // nothing is left out
        const told = lean as Readonly<Record<string, unknown>>;
        if (told.deleted === true) return assertEquals(told.status_code, 204);

        const rows = Array.isArray(full) ? full : undefined;
        assertEquals(told.accepted, rows?.length);
        assertEquals(told.status_code, action === "create" ? 201 : 200);
        assertEquals(told.data_size, new TextEncoder().encode(toText(whole)).length);
        if (rows === undefined) assertAgrees(told, full);
        assertEquals("ids" in told, rows !== undefined && !("continuation_token" in told));

        const token = told.continuation_token;
        if (token === undefined) return assertReached(told, full);
        assert(isKnown && slot !== "none");
        await assertSlot(server);
        const args = { continuation_token: token, mode: "full" };
        assertEquals(valueOf(await readOn(server, slot, args) as CalledTool), full);
      },
    ),
    { numRuns: 400 },
  );
});

/** The JSON text that the size is of: that of the structure, or of a plain text in quotes. */
function toText({ structuredContent, content: [block] }: CalledTool): string {
  const { text } = block as { readonly text: string };
  return structuredContent === undefined ? JSON.stringify(text) : text;
}

function assertAgrees(told: Readonly<Record<string, unknown>>, full: unknown): void {
  const row = typeof full === "object" && full !== null ? full as Record<string, unknown> : {};
  assertEquals(told.id, "id" in row ? row.id : row.pk);
  assertEquals(told.url, row.url);
  assertEquals(told.name, row.name);
}

/** Without a token every row has an identifier, which the full answer has as well. */
function assertReached(told: Readonly<Record<string, unknown>>, full: unknown): void {
  const rows = (Array.isArray(full) ? full : [full]) as readonly Record<string, unknown>[];
  const ids = Array.isArray(full) ? told.ids as readonly unknown[] : [told.id];
  assertEquals(ids, rows.map((row) => "id" in row ? row.id : row.pk));
  for (const id of ids) assert(typeof id === "number" || (typeof id === "string" && id !== ""));
}

/** Some tool that is listed has a place for a token (W-12). */
async function assertSlot(server: McpServer): Promise<void> {
  const listed = await server.listTools({ user: ada.user });
  assert("tools" in listed);
  assert(JSON.stringify(listed.tools).includes('"continuation_token":{"type":"string"'));
}

const OBJECT_BYTES = 720;

/** 60 devices of a network, as large as those that the requirement was measured with (W-50). */
function devices(count: number): readonly object[] {
  return Array.from({ length: count }, (_, i) => {
    const device = { id: crypto.randomUUID(), name: `edge-${i}`, comments: "" };
    const missing = OBJECT_BYTES - JSON.stringify(device).length;
    return { ...device, comments: "x".repeat(missing) };
  });
}

Deno.test("with a token the size of a bulk answer is constant, without one it is under a fifth (W-50, HV-41)", async () => {
  const shapes = new Set<number>();
  for (const count of [1, 60, 1000]) {
    answer = devices(count);
    const read = async (slot: Slot, args: Record<string, unknown> = {}) =>
      JSON.stringify((await call(servers.get(`create ${slot}`)!, args, true)).structuredContent);
    const echo = await read("none", { verify: true });
    const [withToken, withIds] = [await read("shared"), await read("none")];
    assert(withToken.length < 120, withToken);
    if (count > 1) assert(withIds.length < echo.length / 5, `${withIds.length}`);
    const digits = String(count).length + String(echo.length).length; // of the two counts
    shapes.add(withToken.length - digits);
  }
  assertEquals(shapes.size, 1);
});
