/** Reading on by a token, through the front door (HV-10…HV-29, X-9, Q-31). */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  type Caller,
  ConfigurationError,
  fixedWindow,
  jsonSchema,
  McpServer,
  param,
  selectorSpec,
  serviceSpec,
  unrestricted,
} from "@limen/mcp";
import { assertToolResultConforms, createTestClient } from "@limen/mcp/testing";
import { memoryStore } from "@limen/mcp/stores/memory";
import * as z from "zod";
import {
  ada,
  createDevice,
  createDevices,
  Device,
  eve,
  serveWithSlot,
  type Slot,
} from "../../_support/lean_fixture.ts";
import { type CallOptions, callTool, type Served, type Told } from "../../_support/serve_spec.ts";

const ERAS = ["modern", "legacy"] as const;
const OWN_OR_SHARED = ["own", "shared"] as const;
const open = { permissions: [unrestricted] };
const REFUSAL = {
  type: "continuation_invalid",
  message: "The continuation token is not valid, or no longer: read what you need anew, " +
    "and never repeat a write for its answer",
};

function devices(count: number): object {
  return { items: Array.from({ length: count }, (_, i) => ({ name: `n${i}` })) };
}

function tokenOf({ value }: Told): string {
  const { continuation_token: token } = value as { readonly continuation_token?: string };
  assert(token !== undefined, JSON.stringify(value));
  return token;
}

/** Sends a token where it belongs. */
function read(
  { server }: Pick<Served, "server">,
  slot: Slot,
  args: object,
  options: CallOptions = { as: ada },
): Promise<Told> {
  const params = { name: slot === "own" ? "t" : "read_on", arguments: args };
  return callTool(server, args, { ...options, input: { method: "tools/call", params } });
}

for (const slot of OWN_OR_SHARED) {
  for (const era of ERAS) {
    Deno.test(`${era}: a token reads what verify would have answered, page by page or in full, and runs nothing (${slot}) (HV-20, HV-21, HV-22)`, async () => {
      let runs = 0;
      const spec = serviceSpec({
        action: "create",
        many: true,
        input: z.object({ name: z.string() }),
        output: Device,
        ...open,
        run: ({ args, afterCommit }) => {
          afterCommit(() => void runs++);
          return args.map(({ name }, i) => ({ id: `d${i}`, name, note: "-" }));
        },
      });
      const served = serveWithSlot(spec, slot);
      const token = tokenOf(await served.call(devices(25), { era, as: ada }));
      const ask = async (args: object) =>
        (await read(served, slot, { continuation_token: token, ...args }, { era, as: ada })).value;
      const rows = Array.from(
        { length: 25 },
        (_, i) => ({ id: `d${i}`, name: `n${i}`, note: "-" }),
      );
      const inEra = (value: unknown) => era === "legacy" ? { result: value } : value;
      const page = { page: 1, page_size: 20, total: 25, has_more: true };
      assertEquals(await ask({}), { items: rows.slice(0, 20), ...page });
      assertEquals(await ask({ page: "2" }), {
        items: rows.slice(20),
        ...page,
        page: 2,
        has_more: false,
      });
      assertEquals(await ask({ page: 0, page_size: 500 }), { items: rows.slice(0, 20), ...page });
      assertEquals(await ask({ page_size: 0 }), { items: rows.slice(0, 1), ...page, page_size: 1 });
      assertEquals(await ask({ mode: "full" }), inEra(rows));
      assertEquals(await ask({ mode: "summary" }), inEra(rows.slice(0, 5)));
      assertEquals(
        await ask({ mode: "filtered", filter_keys: ["id"] }),
        inEra(rows.map(({ id }) => ({ id }))),
      );
      assertEquals(runs, 1);
    });
  }

  Deno.test(`a token may be used until it expires, by a caller whose session is another (${slot}) (HV-24, HV-26)`, async () => {
    const served = serveWithSlot(createDevices, slot);
    const token = tokenOf(await served.call(devices(1), { as: ada }));
    for (const era of ERAS) {
      for (let i = 0; i < 3; i++) {
        const { refusal } = await read(served, slot, { continuation_token: token }, {
          era,
          as: ada,
        });
        assertEquals(refusal, undefined);
      }
    }
  });

  Deno.test(`what is wrong beside a token is told by field, whatever the token (${slot}) (HV-13, HV-21, HV-28)`, async () => {
    const served = serveWithSlot(createDevices, slot);
    const token = tokenOf(await served.call(devices(1), { as: ada }));
    for (const continuation_token of [token, "garbage"]) {
      const args = { continuation_token, mode: "all", page: "two", page_size: [], filter_keys: 1 };
      const { refusal } = await read(served, slot, args);
      assertEquals(refusal?.type, "validation_error");
      assertEquals(Object.keys(refusal!.detail).sort(), [
        "filter_keys",
        "mode",
        "page",
        "page_size",
      ]);
      assertMatch(refusal!.detail.mode[0], /"summary", "paginated", "filtered", "full"/);
    }
    for (const continuation_token of [7, null, ["a"]]) {
      const { refusal } = await read(served, slot, { continuation_token });
      assertEquals(Object.keys(refusal!.detail), ["continuation_token"]);
    }
  });
}

/** What is done to a token before it is sent, and by whom. */
interface Spoiled {
  readonly title: string;
  readonly args?: (token: string) => object;
  readonly as?: Caller;
  readonly spoil?: (world: World) => unknown;
}

interface World extends Served {
  readonly clock: { time: number };
  readonly rights: { scopes: string[]; isAdmitted: boolean; sees: boolean };
  readonly forget: () => Promise<void>;
  readonly remove: () => void;
}

const SPOILED: readonly Spoiled[] = [
  { title: "another principal's", as: { ...eve, token: { scopes: ["write"] } } },
  { title: "nobody's", as: { user: { authenticated: false }, token: { scopes: ["write"] } } },
  { title: "expired", spoil: ({ clock }) => clock.time += 300_000 },
  { title: "evicted", spoil: ({ forget }) => forget() },
  { title: "garbage", args: () => ({ continuation_token: "garbage" }) },
  { title: "empty", args: () => ({ continuation_token: "" }) },
  { title: "of a prototype", args: () => ({ continuation_token: "__proto__" }) },
  { title: "long", args: () => ({ continuation_token: "x".repeat(100_000) }) },
  { title: "of another spelling", args: (token) => ({ continuation_token: `${token}=` }) },
  { title: "after a scope was taken", as: { ...ada, token: { scopes: [] } } },
  { title: "after a permission was revoked", spoil: ({ rights }) => rights.isAdmitted = false },
  { title: "after the row was denied", spoil: ({ rights }) => rights.sees = false },
  {
    title: "after the account was closed",
    as: {
      user: { id: "ada", authenticated: true, active: false },
      token: { scopes: ["write"] },
    },
  },
  { title: "after the tool was removed", spoil: ({ remove }) => remove() },
];

/** A write that is guarded in every way there is. */
function guarded(slot: Slot): World {
  const clock = { time: 0, now: () => clock.time };
  const store = memoryStore({ clock });
  const keys: string[] = [];
  const stores = {
    ...store,
    set: (key: string, value: string, options?: object) => {
      keys.push(key);
      return store.set(key, value, options);
    },
  };
  const rights = { scopes: ["write"], isAdmitted: true, sees: true };
  const find = selectorSpec({
    kind: "retrieve",
    reads: { id: param.string({ required: true }) },
    ...open,
    select: ({ args }) => ({ id: args.id }),
  });
  const spec = serviceSpec({
    action: "update",
    instance: find,
    output: Device,
    permissions: [{
      hasPermission: ({ args }) => rights.isAdmitted && args.id === "d0",
      hasObjectPermission: ({ instance }) =>
        rights.sees && (instance as { readonly id: string }).id === "d0",
    }],
    run: () => ({ id: "d0", name: "swordfish", note: "-" }),
  });
  const server = { stores, clock };
  const served = serveWithSlot(createDevices, slot, {
    server,
    binding: { name: "other" } as object,
  });
  const registration = served.server.registerTool(spec, {
    name: "t",
    description: "Tests.",
    scopes: "write",
    continuation: slot === "own",
  });
  const forget = async () => {
    for (const key of keys) await store.delete(key);
  };
  return { ...served, clock, rights, forget, remove: () => registration.remove() };
}

for (const slot of OWN_OR_SHARED) {
  for (const era of ERAS) {
    Deno.test(`${era}: every token that is not served is refused in the same bytes (${slot}) (HV-27, HV-28, HV-29, Q-25)`, async () => {
      const bodies = new Set<string>();
      for (const { title, args, as, spoil } of SPOILED) {
        if (slot === "own" && title === "after the tool was removed") continue; // there is no slot
        const world = guarded(slot);
        const caller = { ...ada, token: { scopes: ["write"] } };
        const token = tokenOf(await world.call({ id: "d0" }, { era, as: caller }));
        const sound = await read(world, slot, { continuation_token: token }, { era, as: caller });
        assertEquals((sound.value as { readonly name: string }).name, "swordfish", title);
        await spoil?.(world);
        const sent = args?.(token) ?? { continuation_token: token };
        const { body, status, refusal } = await read(world, slot, sent, { era, as: as ?? caller });
        assertEquals([status, refusal], [200, REFUSAL], title);
        assert(!body.includes("swordfish"));
        bodies.add(body);
      }
      assertEquals(bodies.size, 1);
    });
  }
}

Deno.test("a token of another tool is refused, unless the shared tool takes it (HV-26, Q-24)", async () => {
  const served = serveWithSlot(createDevices, "own", {
    server: { continuationTool: "read_on" },
  });
  served.server.registerTool(createDevices, {
    name: "other",
    description: "Tests.",
    continuation: true,
  });
  const token = tokenOf(await served.call(devices(1), { as: ada }));
  const params = { name: "other", arguments: { continuation_token: token } };
  const other = await callTool(served.server, {}, { as: ada, input: { params } });
  assertEquals(other.refusal, REFUSAL);
  for (const slot of OWN_OR_SHARED) {
    const { refusal } = await read(served, slot, { continuation_token: token });
    assertEquals(refusal, undefined);
  }
});

Deno.test("a row that is gone, or whose look-up fails, is not read on (HV-27)", async () => {
  const ways = [
    { allowNone: false, find: () => undefined },
    { allowNone: true, find: () => null },
    { allowNone: false, find: () => Promise.reject(new Error("Gone")) },
  ];
  for (const { allowNone, find } of ways) {
    let isThere = true;
    const target = selectorSpec({
      kind: "retrieve",
      allowNone,
      ...open,
      select: () => isThere ? { id: 1 } : find(),
    });
    const spec = serviceSpec({
      action: "update",
      instance: target,
      permissions: [{ hasPermission: () => true, hasObjectPermission: () => true }],
      run: () => ({ id: 1 }),
    });
    const served = serveWithSlot(spec, "shared");
    const token = tokenOf(await served.call({}, { as: ada }));
    assertEquals((await read(served, "shared", { continuation_token: token })).value, { id: 1 });
    isThere = false;
    assertEquals((await read(served, "shared", { continuation_token: token })).refusal, REFUSAL);
  }
});

Deno.test("the log alone knows why a token was refused, and never the token (HV-28, B17)", async () => {
  const served = serveWithSlot(createDevices, "shared", { server: { logLevel: "info" } });
  const token = tokenOf(await served.call(devices(1), { as: ada }));
  await read(served, "shared", { continuation_token: token }, { as: eve });
  const refused = served.events.filter(({ event }) => event === "continuation.refused");
  assertEquals(refused.map(({ level, fields }) => [level, fields]), [
    ["info", { tool: "read_on", because: "Nothing is kept" }],
  ]);
  assert(!JSON.stringify(served.events).includes(token));
});

Deno.test("reading on is charged like a call of the tool that gave the token (X-9, Q-31)", async () => {
  for (const slot of OWN_OR_SHARED) {
    const rateLimits = fixedWindow({ maxCalls: 3, perSeconds: 1000 });
    const served = serveWithSlot(createDevices, slot, { binding: { rateLimits } });
    const token = tokenOf(await served.call(devices(1), { as: ada }));
    for (let i = 0; i < 2; i++) {
      assertEquals((await read(served, slot, { continuation_token: token })).refusal, undefined);
    }
    const over = await read(served, slot, { continuation_token: token });
    assertEquals(over.error?.code, -32005);
  }
  // What is no token of the caller's is charged as well where it names the tool.
  const rateLimits = fixedWindow({ maxCalls: 1, perSeconds: 1000 });
  const served = serveWithSlot(createDevices, "own", { binding: { rateLimits } });
  assertEquals((await read(served, "own", { continuation_token: "x" })).refusal, REFUSAL);
  assertEquals((await read(served, "own", { continuation_token: "x" })).error?.code, -32005);
});

Deno.test("a tool that takes tokens says so in its schema, which stays closed (HV-10, HV-11, W-11, W-12, X-8)", async () => {
  const { entry } = serveWithSlot(createDevices, "own");
  const { inputSchema } = await entry();
  assertEquals(Object.keys(inputSchema.properties), [
    "items",
    "verify",
    "continuation_token",
    "mode",
    "page",
    "page_size",
    "filter_keys",
  ]);
  assertEquals(inputSchema.additionalProperties, false);
  assertEquals(inputSchema.required, undefined); // a token alone is a legal call
  assertMatch(inputSchema.properties.continuation_token.description, /Without one, send items\.$/);
  assertEquals(inputSchema.properties.mode.enum, ["summary", "paginated", "filtered", "full"]);
  for (const slot of ["shared", "none"] as const) { // HV-12
    const plain = (await serveWithSlot(createDevices, slot).entry()).inputSchema;
    assertEquals(Object.keys(plain.properties), ["items", "verify"]);
    assertEquals(plain.required, ["items"]);
  }
  // What the author requires is still required to run.
  const { refusal } = await serveWithSlot(createDevices, "own").call({ mode: "full" });
  assertEquals(refusal?.detail, { items: ["This field is required."] });
});

Deno.test("a raw schema that is listed verbatim takes tokens as well (HV-10, K-44)", async () => {
  const spec = serviceSpec({
    action: "create",
    input: jsonSchema<{ a: number }>({
      type: "object",
      properties: { a: { type: "integer" } },
      required: ["a"],
      additionalProperties: false,
    }),
    ...open,
    run: ({ args }) => ({ id: args.a, keys: Object.keys(args) }),
  });
  const served = serveWithSlot(spec, "own");
  const token = tokenOf(await served.call({ a: 1, verify: false }, { as: ada }));
  const { value } = await read(served, "own", { continuation_token: token, mode: "full" });
  assertEquals(value, { id: 1, keys: ["a"] });
});

Deno.test("only a tool that says so takes a token, and mode and page are its own without one (HV-13, HV-20)", async () => {
  const { call } = serveWithSlot(createDevices, "none");
  const { refusal } = await call({ ...devices(1), continuation_token: "x" });
  assertEquals(refusal?.detail, { continuation_token: ["Unknown argument."] });
  const list = selectorSpec({
    kind: "list",
    reads: { mode: param.string() },
    ...open,
    select: ({ args }) => [args.mode],
  });
  const plain = serveWithSlot(list, "shared", { binding: { paginate: true } as object });
  assertEquals((await plain.call({ mode: "m", page: 1 })).value, {
    items: ["m"],
    page: 1,
    totalPages: 1,
    hasNext: false,
  });
});

Deno.test("a row that was written is read whole, whatever list it holds (HV-23)", async () => {
  const row = { id: 1, tags: ["a", "b"] };
  const spec = serviceSpec({ action: "create", ...open, run: () => row });
  const served = serveWithSlot(spec, "own");
  const token = tokenOf(await served.call({}, { as: ada }));
  assertEquals((await read(served, "own", { continuation_token: token })).value, row);
});

Deno.test("what a tool that takes tokens answers is what it advertises, in every mode (X-1)", async () => {
  const nested = z.object({
    id: z.int(),
    page: z.string(),
    total: z.iso.date(),
    parts: z.array(z.object({ n: z.int() })),
  });
  const row = { id: 1, page: "p", total: "2026-01-01", parts: [{ n: 1 }] };
  const outputs = [[nested, row], [z.array(nested), [row, row]], [z.string(), "text"], [
    z.union([nested, z.null()]),
    null,
  ]] as const;
  for (const [output, value] of outputs) {
    for (const era of ERAS) {
      const spec = serviceSpec({ action: "create", output, ...open, run: () => value as never });
      const served = serveWithSlot(spec, "own");
      const tool = await served.entry(era) as never;
      const first = await served.call({}, { era, as: ada });
      assertToolResultConforms(tool, first.result!);
      const continuation_token = tokenOf(first);
      for (const mode of ["summary", "paginated", "filtered", "full"]) {
        const args = { continuation_token, mode, filter_keys: ["page"] };
        const { result } = await read(served, "own", args, { era, as: ada });
        assertToolResultConforms(tool, result!);
      }
    }
  }
});

Deno.test("anonymous callers get no token, unless the server lets them (B10, HV-26)", async () => {
  for (const slot of OWN_OR_SHARED) {
    const off = serveWithSlot(createDevices, slot);
    assertEquals((await off.call(devices(1))).value, {
      accepted: 1,
      status_code: 201,
      data_size: 36,
      ids: ["d0"],
    });
    const on = serveWithSlot(createDevices, slot, {
      server: { continuations: { anonymous: true } },
    });
    const token = tokenOf(await on.call(devices(1)));
    assertEquals((await read(on, slot, { continuation_token: token }, {})).refusal, undefined);
  }
});

Deno.test("a store that fails costs the token, and a write is confirmed all the same (W-13, Q-36)", async () => {
  const stores = { ...memoryStore(), set: () => Promise.reject(new Error("Socket closed")) };
  for (const slot of OWN_OR_SHARED) {
    const served = serveWithSlot(createDevices, slot, { server: { stores } });
    const { value } = await served.call(devices(2), { as: ada });
    assertEquals((value as { readonly ids: unknown }).ids, ["d0", "d1"]);
    assertEquals(served.events.map(({ event }) => event), ["continuation.store"]);
  }
});

Deno.test("a fresh page needs a key that the store has: another server's token is garbage (W-13)", async () => {
  const [one, two] = [serveWithSlot(createDevices, "own"), serveWithSlot(createDevices, "own")];
  const token = tokenOf(await one.call(devices(1), { as: ada }));
  assertEquals((await read(two, "own", { continuation_token: token })).refusal, REFUSAL);
});

Deno.test("the shared tool is listed like any other, with a token required (Q-24, HV-12)", async () => {
  const { server } = serveWithSlot(createDevices, "shared");
  const tools = await createTestClient(server).listTools();
  const tool = tools.find(({ name }) => name === "read_on");
  assertEquals(tool?.inputSchema.required, ["continuation_token"]);
  assertEquals(tool?.annotations, { readOnlyHint: true });
  assert(JSON.stringify(tool).length < 1000);
  const missing = await server.invokeTool("read_on", {}, { user: ada.user });
  assertMatch(JSON.stringify(missing), /validation_error.*continuation_token/);
  assertThrows(
    () => server.registerTool(createDevices, { name: "read_on" }),
    ConfigurationError,
    'Cannot register tool "read_on": the name is taken',
  );
  assertThrows(
    () => new McpServer({ name: "s", version: "1", continuationTool: "" }),
    ConfigurationError,
    "name must have 1 to 128 characters",
  );
});

Deno.test("A write behind a dispatcher answers with a token, which the dispatcher takes (W-14)", async () => {
  const server = new McpServer({ name: "s", version: "1.0.0", log: () => {} });
  server.registerDispatcher({ name: "all", description: "Everything.", effect: "write" });
  const binding = { description: "T.", dispatcher: "all", continuation: true };
  server.registerTool(createDevices, { ...binding, name: "create_devices" });
  server.registerTool(createDevice, { ...binding, name: "create_device" });
  const call = async (tool: string, params: Readonly<Record<string, unknown>>) => {
    const answer = await server.invokeTool("all", { tool, params }, ada);
    assert("content" in answer);
    return JSON.parse((answer.content[0] as { readonly text: string }).text);
  };
  const { accepted, continuation_token } = await call("create_devices", {
    items: [{ name: "a" }, { name: "b" }],
  });
  assertEquals(accepted, 2);
  const read = await call("create_devices", { continuation_token, mode: "full" });
  assertEquals(read, [{ id: "d0", name: "a", note: "-" }, {
    id: "d1",
    name: "b",
    note: "-",
  }]);
  const { error } = await call("create_device", { continuation_token });
  assertEquals(error, REFUSAL);
});
