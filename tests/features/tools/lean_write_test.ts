/** Writes are answered by what their caller needs, through the front door (W-1…W-45, X-2…X-15). */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  ConfigurationError,
  jsonSchema,
  McpServer,
  param,
  selectorSpec,
  ServiceError,
  serviceSpec,
  toolResult,
  unrestricted,
} from "@limen/mcp";
import { assertToolResultConforms, createTestClient } from "@limen/mcp/testing";
import * as z from "zod";
import {
  ada,
  createDevice,
  createDevices,
  Device,
  serveWithSlot,
  SLOTS,
} from "../../_support/lean_fixture.ts";
import { serveSpec } from "../../_support/serve_spec.ts";

const ERAS = ["modern", "legacy"] as const;
const open = { permissions: [unrestricted] };
const TWO = { items: [{ name: "a" }, { name: "b" }] };
const ROWS = [{ id: "d0", name: "a", note: "-" }, { id: "d1", name: "b", note: "-" }];
const TOKEN = /^[A-Za-z0-9_-]{22}$/;

for (const era of ERAS) {
  Deno.test(`${era}: a bulk write confirms with a token, or with all ids, or in full (W-10, W-11, W-12, W-21)`, async () => {
    const counted = { accepted: 2, status_code: 201, data_size: 69 };
    for (const slot of SLOTS) {
      const { call } = serveWithSlot(createDevices, slot);
      const { value, result } = await call(TWO, { era, as: ada });
      if (slot === "none") {
        assertEquals(value, { ...counted, ids: ["d0", "d1"] });
      } else {
        const { continuation_token, ...rest } = value as Record<string, unknown>;
        assertEquals(rest, counted);
        assertMatch(String(continuation_token), TOKEN); // HV-24
      }
      // the text says the same, and the rows are nowhere beside it.
      assertEquals(JSON.parse(result!.content[0].text), value);
      assert(!JSON.stringify(result).includes("note"));
    }
  });

  Deno.test(`${era}: a single write confirms with its identity (W-10, W-20)`, async () => {
    const spec = serviceSpec({
      action: "create",
      input: z.object({ name: z.string() }),
      output: Device.extend({ url: z.string() }),
      ...open,
      run: ({ args }) => ({ id: "d0", name: args.name, note: "-", url: "https://x.example/d0" }),
    });
    const { call } = serveWithSlot(spec, "none");
    assertEquals((await call({ name: "a" }, { era })).value, {
      id: "d0",
      url: "https://x.example/d0",
      name: "a",
      status_code: 201,
      data_size: 62,
    });
  });
}

Deno.test("a write without an identifier is answered in full, or with a token (W-10.3, W-25b, W-29)", async () => {
  for (
    const value of [{ name: "a" }, { id: null }, { items: [{ id: 1 }] }, [1], [{ id: 1 }, {}], 7]
  ) {
    const spec = serviceSpec({ action: "create", ...open, run: () => value });
    assertEquals((await serveWithSlot(spec, "none").call({}, { as: ada })).value, value);
    const { continuation_token, ...rest } =
      (await serveWithSlot(spec, "shared").call({}, { as: ada })).value as Record<string, unknown>;
    assertMatch(String(continuation_token), TOKEN);
    assertEquals(rest.data_size, JSON.stringify(value).length);
  }
});

Deno.test("an empty bulk write confirms that nothing was accepted (W-15)", async () => {
  const empty = { items: [] };
  const counted = { accepted: 0, status_code: 201, data_size: 2 };
  assertEquals((await serveWithSlot(createDevices, "none").call(empty)).value, {
    ...counted,
    ids: [],
  });
  const { value } = await serveWithSlot(createDevices, "own").call(empty, { as: ada });
  assertEquals({ ...value as object, continuation_token: "" }, {
    ...counted,
    continuation_token: "",
  });
});

Deno.test("only a declared write is lean: no computation, no read, no failure (W-1, W-2, W-3, Q-20)", async () => {
  const row = { id: "d0", name: "a" };
  const computes = serviceSpec({ ...open, run: () => row });
  const reads = selectorSpec({ kind: "retrieve", ...open, select: () => row });
  for (const spec of [computes, reads]) {
    assertEquals((await serveWithSlot(spec, "shared").call({}, { as: ada })).value, row);
  }
  const refuses = serviceSpec({
    action: "create",
    ...open,
    run: (): object => {
      throw new ServiceError("No room");
    },
  });
  assertEquals((await serveWithSlot(refuses, "shared").call({}, { as: ada })).refusal, {
    type: "service_error",
    message: "No room",
  });
});

Deno.test("lean answers are switched off for a server or a tool, and then nothing is injected (Q-20)", async () => {
  const full = { id: "d0", name: "a", note: "-" };
  const off = [{ server: { leanWrites: false } }, { binding: { lean: false } }];
  for (const options of off) {
    const served = serveWithSlot(createDevice, "shared", options);
    assertEquals((await served.call({ name: "a" }, { as: ada })).value, full);
    assertEquals((await served.call({ name: "a", verify: true }, { as: ada })).value, full);
  }
  const on = { server: { leanWrites: false }, binding: { lean: true } };
  const { value } = await serveWithSlot(createDevice, "none", on).call({ name: "a" });
  assertEquals(Object.keys(value as object), ["id", "name", "status_code", "data_size"]);
});

Deno.test("a delete confirms with the id of what is gone, and keeps nothing (W-10.0, W-22, W-30, W-31)", async () => {
  const findDevice = selectorSpec({
    kind: "retrieve",
    reads: { serial: param.string({ required: true }) },
    ...open,
    select: ({ args }) => ({ id: 0, serial: args.serial }),
  });
  const gone = { deleted: true, status_code: 204 };
  const found = serviceSpec({
    action: "delete",
    instance: findDevice,
    allowNone: true,
    ...open,
    run: () => undefined,
  });
  assertEquals((await serveWithSlot(found, "shared").call({ serial: "s" }, { as: ada })).value, {
    id: 0, // is an id
    ...gone,
  });
  const named = serviceSpec({
    action: "delete",
    reads: { id: param.integer({ required: true }), pk: param.string() },
    ...open,
    run: () => ({ deleted: true, note: "-" }),
  });
  const { call } = serveWithSlot(named, "own");
  assertEquals((await call({ id: "7" }, { as: ada })).value, { id: 7, ...gone });
  assertEquals((await call({ id: 7, pk: "p" }, { as: ada })).value, { id: "p", ...gone });
  const verified = await call({ id: 7, verify: true }, { as: ada }); // W-32
  assertEquals(verified.value, { deleted: true, note: "-" });
  const many = serviceSpec({
    action: "delete",
    many: true,
    input: z.object({ id: z.int() }),
    ...open,
    run: () => [],
  });
  assertEquals((await serveSpec(many).call({ items: [{ id: 1 }] })).value, gone);
});

Deno.test("the id of a row is not told where it is hidden from agents (W-26, W-30, X-11)", async () => {
  const output = z.object({ id: z.int(), name: z.string() });
  const audience = { id: { as: "hidden" } } as const;
  const create = serviceSpec({
    action: "create",
    output,
    audience,
    leanKeys: ["id", "name"],
    ...open,
    run: () => ({ id: 1, name: "a" }),
  });
  const { call } = serveWithSlot(create, "none");
  assertEquals((await call()).value, { name: "a" }); // nothing else reaches it
  const target = selectorSpec({
    kind: "retrieve",
    output,
    audience,
    ...open,
    select: () => ({ id: 1, name: "a" }),
  });
  const remove = serviceSpec({ action: "delete", instance: target, ...open, run: () => ({}) });
  const gone = { deleted: true, status_code: 204 };
  assertEquals((await serveWithSlot(remove, "none").call()).value, gone);
});

Deno.test("nothing to present stays an empty object, unless a delete was declared (X-14, K-96)", async () => {
  for (const slot of SLOTS) {
    const spec = serviceSpec({
      action: "update",
      output: Device,
      allowNone: true,
      ...open,
      run: () => undefined as never,
    });
    const served = serveWithSlot(spec, slot);
    const { result, value } = await served.call({}, { as: ada });
    assertEquals(value, {});
    assertToolResultConforms(await served.entry() as never, result!);
  }
});

Deno.test("verify answers in full, keeps nothing, and is seen by no code of the author (W-40, W-41, W-42)", async () => {
  const seen: unknown[] = [];
  const spec = serviceSpec({
    action: "create",
    reads: { site: param.string() },
    input: z.looseObject({ name: z.string() }),
    output: Device,
    permissions: [{
      hasPermission: ({ args }) => {
        seen.push(args);
        return true;
      },
    }],
    preconditions: [({ args }) => void seen.push({ ...args })],
    run: ({ args }) => {
      seen.push({ ...args });
      return { id: "d0", name: args.name, note: "-" };
    },
  });
  for (const unknownArguments of ["reject", "ignore"] as const) {
    const served = serveWithSlot(spec, "own", { binding: { unknownArguments } });
    const { inputSchema } = await served.entry();
    assertEquals(inputSchema.properties.verify, {
      type: "boolean",
      description: "Answer with the full result, which is costly, instead of a short confirmation.",
      default: false,
    });
    const full = { id: "d0", name: "a", note: "-" };
    assertEquals((await served.call({ name: "a", verify: true }, { as: ada })).value, full);
    assertEquals((await served.call({ name: "a", verify: "true" }, { as: ada })).value, full);
    const { value } = await served.call({ name: "a", verify: false }, { as: ada });
    assertEquals((value as { readonly id: string }).id, "d0");
    assert(!JSON.stringify(seen).includes("verify"));
  }
});

Deno.test("verify is a boolean like any other argument, refused with all other problems (W-44)", async () => {
  const { call } = serveWithSlot(createDevice, "none");
  const { refusal } = await call({ verify: "perhaps" });
  assertEquals(Object.keys(refusal!.detail).sort(), ["name", "verify"]);
});

Deno.test("verify on a read is dropped, unless the read declares it (W-43, Q-23)", async () => {
  const reads = { a: param.string() };
  const plain = selectorSpec({ kind: "retrieve", reads, ...open, select: ({ args }) => args });
  assertEquals((await serveSpec(plain).call({ a: "x", verify: true })).value, { a: "x" });
  assertEquals(Object.keys((await serveSpec(plain).entry()).inputSchema.properties), ["a"]);
  const strict = selectorSpec({
    kind: "retrieve",
    input: z.strictObject({ a: z.string() }),
    ...open,
    select: ({ args }) => args,
  });
  assertEquals((await serveSpec(strict).call({ a: "x", verify: 1 })).value, { a: "x" });
  const raw = selectorSpec({
    kind: "retrieve",
    input: jsonSchema<object>({ type: "object", properties: {}, additionalProperties: false }),
    ...open,
    select: ({ args }) => args,
  });
  assertEquals((await serveSpec(raw).call({ verify: true })).value, {});
  const declares = selectorSpec({
    kind: "retrieve",
    reads: { verify: param.string() },
    ...open,
    select: ({ args }) => args,
  });
  assertEquals((await serveSpec(declares).call({ verify: "x" })).value, { verify: "x" });
  const computes = serviceSpec({ reads, ...open, run: ({ args }) => args });
  assertEquals(
    (await serveSpec(computes).call({ verify: true })).refusal?.type,
    "validation_error",
  );
});

Deno.test("an argument of the server's name is refused, and verifyKey renames verify (W-45, Q-23)", async () => {
  const spec = serviceSpec({
    action: "create",
    reads: { verify: param.string() },
    ...open,
    run: ({ args }) => ({ id: args.verify }),
  });
  const error = assertThrows(() => serveSpec(spec), ConfigurationError);
  assertEquals(
    error.message,
    'Cannot register tool "t": "verify" is an argument of the server, and the spec declares it too',
  );
  const { call } = serveSpec(spec, { binding: { verifyKey: "full" } });
  assertEquals((await call({ verify: "x", full: true })).value, { id: "x" });
  const names = ["continuation_token", "mode", "page", "page_size", "filter_keys"];
  for (const name of names) {
    const reads = { [name]: param.string() };
    const taken = serviceSpec({ action: "create", reads, ...open, run: () => ({ id: 1 }) });
    assertThrows(() => serveWithSlot(taken, "own"), ConfigurationError);
    serveWithSlot(taken, "shared"); // the other tool has the names
  }
});

const WRONG: readonly (readonly [title: string, spec: () => unknown, binding: object, RegExp])[] = [
  ["lean for what declares no action", () => serviceSpec({ ...open, run: () => 1 }), {
    lean: true,
  }, /lean is for a service that declares an action/],
  ["verifyKey for what declares no action", () => serviceSpec({ ...open, run: () => 1 }), {
    verifyKey: "full",
  }, /verifyKey is for a service that declares an action/],
  ["verifyKey with a name of the server's", () => createDevice, { verifyKey: "mode" }, /verifyKey/],
  ["an empty verifyKey", () => createDevice, { verifyKey: "" }, /verifyKey/],
  [
    "continuation for a read",
    () => selectorSpec({ kind: "retrieve", ...open, select: () => 1 }),
    { continuation: true },
    /continuation is for a service, not for a retrieve: use heavy/,
  ],
  [
    "a heavy picture",
    () => selectorSpec({ kind: "retrieve", ...open, select: () => "" }),
    { heavy: true, contentKind: "image", contentMimeType: "image/png" },
    /heavy cannot be true for contentKind "image"/,
  ],
  [
    "leanKeys that output does not declare",
    () =>
      serviceSpec({
        ...open,
        output: Device,
        action: "create",
        leanKeys: ["x"],
        run: () => ({}) as never,
      }),
    {},
    /leanKeys names "x", which output does not declare/,
  ],
  [
    "leanKeys with a name of the answer's own",
    () => serviceSpec({ ...open, action: "create", leanKeys: ["ids"], run: () => 1 }),
    {},
    /leanKeys names "ids", which the answer has of its own/,
  ],
  [
    "leanKeys without an action",
    () => serviceSpec({ ...open, leanKeys: ["a"], run: () => 1 }),
    {},
    /leanKeys needs an action/,
  ],
  [
    "leanKeys of many",
    () =>
      serviceSpec({
        ...open,
        action: "create",
        many: true,
        input: Device,
        leanKeys: "assigned",
        run: () => [],
      }),
    {},
    /leanKeys cannot stand in a many spec/,
  ],
  [
    "leanKeys that are no list",
    () => serviceSpec({ ...open, action: "create", leanKeys: "all" as never, run: () => 1 }),
    {},
    /leanKeys must list fields, or be "assigned"/,
  ],
];

for (const [title, spec, binding, message] of WRONG) {
  Deno.test(`a declaration is refused: ${title} (W-26, W-45, X-13)`, () => {
    assertMatch(
      assertThrows(() => serveSpec(spec(), { binding }), ConfigurationError).message,
      message,
    );
  });
}

Deno.test("only values of content kind json are lean (X-13, W-3)", async () => {
  const row = { id: "d0", uri: "x://a", name: "A" };
  const links = serviceSpec({ action: "create", ...open, run: () => row });
  const { value } = await serveSpec(links, { binding: { contentKind: "links" } }).call();
  assertEquals(value, row);
  const result = toolResult({ content: [], structuredContent: { id: "d0", note: "by hand" } });
  const byHand = serviceSpec({ action: "create", ...open, run: () => result });
  assertEquals((await serveSpec(byHand).call()).value, { id: "d0", note: "by hand" });
});

Deno.test("the author's words are about the full result alone (X-2)", async () => {
  const spec = serviceSpec({
    action: "create",
    output: Device,
    text: ({ name }) => `Made ${name}`,
    ...open,
    run: () => ({ id: "d0", name: "a", note: "-" }),
  });
  const { call } = serveWithSlot(spec, "none");
  const lean = await call();
  assertEquals(JSON.parse(lean.result!.content[0].text), lean.value);
  const full = await call({ verify: true });
  assertEquals(full.result!.content[0].text, "Made a");
  // Without an identifier the whole result is answered, in the author's words as well.
  const none = serviceSpec({
    action: "create",
    text: () => "Done",
    ...open,
    run: () => ({ a: 1 }),
  });
  assertEquals((await serveSpec(none).call()).result!.content[0].text, "Done");
});

Deno.test("the ceiling is held against what is sent (X-5)", async () => {
  const spec = serviceSpec({
    action: "create",
    ...open,
    run: () => ({ id: 1, note: "x".repeat(5000) }),
  });
  const served = serveWithSlot(spec, "shared", { server: { maxResultBytes: 1000 } });
  const { value } = await served.call({}, { as: ada });
  const { continuation_token, data_size } = value as Record<string, unknown>;
  assertEquals(data_size, 5018);
  const read = await served.server.invokeTool("read_on", { continuation_token, mode: "full" }, {
    user: ada.user,
  });
  assertMatch(JSON.stringify(read), /result_too_large/);
});

Deno.test("what a many service and a re-read answer is bulk (X-10)", async () => {
  const spec = serviceSpec({
    action: "update",
    input: z.object({}),
    output: z.array(Device),
    ...open,
    run: () => ROWS,
    reread: () => ROWS,
  });
  const { call } = serveWithSlot(spec, "none");
  const { value } = await call();
  assertEquals(value, { accepted: 2, status_code: 200, data_size: 69, ids: ["d0", "d1"] });
});

Deno.test("in process a call is lean as on the wire, and the spec's core is not (X-12, Q-28)", async () => {
  const { server } = serveWithSlot(createDevices, "shared");
  const invoked = await server.invokeTool("t", TWO, { user: ada.user });
  assertMatch(JSON.stringify(invoked), /continuation_token/);
  for (const verify of [{}, { verify: true }, { verify: false }]) {
    const core = await server.callTool("t", { ...TWO, ...verify }, { user: ada.user });
    assertEquals(core.structuredContent, ROWS);
  }
});

Deno.test("the last frame of a stream is the confirmation (X-15)", async () => {
  const server = new McpServer({ name: "s", version: "1" });
  server.tool("write", {
    description: "Writes.",
    effect: "create",
    permissions: [unrestricted],
  }, ({ progress }) => {
    progress(1, { total: 2 });
    return { id: 5, note: "-" };
  });
  for (const era of ERAS) {
    await using client = createTestClient(server, { era });
    const seen: number[] = [];
    const { structuredContent } = await client.callTool("write", {}, {
      onProgress: ({ progress }) => seen.push(progress),
    });
    assertEquals(seen, [1]);
    assertEquals(structuredContent, { id: 5, status_code: 201, data_size: 19 });
  }
});

Deno.test("lean answers say nothing of tokens that a model would count (HV-40, Q-26)", async () => {
  const { result } = await serveWithSlot(createDevices, "shared").call(TWO, { as: ada });
  assert(!JSON.stringify(result).includes("_usage"));
});

for (const era of ERAS) {
  Deno.test(`${era}: lean, verified and deleted results are what the tool advertises (X-1, X-8, M-15)`, async () => {
    const retrieve = selectorSpec({
      kind: "retrieve",
      reads: { id: param.string({ required: true }) },
      output: Device,
      ...open,
      select: ({ args }) => ({ id: args.id, name: "a", note: "-" }),
    });
    const withId = { id: "d0" };
    const specs: readonly (readonly [spec: unknown, args: object])[] = [
      [createDevice, { name: "a" }],
      [createDevices, TWO],
      [
        serviceSpec({
          action: "update",
          instance: retrieve,
          output: Device,
          leanKeys: ["note"],
          ...open,
          run: ({ instance }) => instance,
        }),
        withId,
      ],
      [
        serviceSpec({
          action: "delete",
          instance: retrieve,
          output: z.object({ deleted: z.boolean(), id: z.null() }),
          ...open,
          run: () => ({ deleted: true, id: null }),
        }),
        withId,
      ],
      [
        serviceSpec({
          action: "create",
          output: z.object({
            pk: z.int(),
            status_code: z.string(),
            deleted: z.literal(true).optional(),
          }),
          ...open,
          run: () => ({ pk: 1, status_code: "late" }),
        }),
        {},
      ],
      [
        serviceSpec({
          action: "create",
          output: z.object({ deleted: z.literal(true), id: z.int().optional() }),
          ...open,
          run: () => ({ deleted: true as const }),
        }),
        {},
      ],
      [
        serviceSpec({
          action: "create",
          output: z.union([
            z.object({ id: z.int() }),
            z.object({ pk: z.string(), kind: z.string() }),
          ]),
          ...open,
          run: () => ({ pk: "p", kind: "k" }),
        }),
        {},
      ],
      [
        serviceSpec({
          action: "create",
          output: z.object({ id: z.int().optional(), pk: z.string() }),
          ...open,
          run: () => ({ pk: "p" }),
        }),
        {},
      ],
      [serviceSpec({ action: "create", output: z.string(), ...open, run: () => "text" }), {}],
      [
        serviceSpec({
          action: "create",
          output: z.record(z.string(), z.int()),
          ...open,
          run: () => ({ id: 7, a: 1 }),
        }),
        {},
      ],
    ];
    for (const [spec, args] of specs) {
      for (const slot of SLOTS) {
        const { call, entry } = serveWithSlot(spec, slot);
        const tool = await entry(era);
        const root = tool.outputSchema;
        if (era === "legacy") assertEquals(root.type, "object");
        assertEquals(["anyOf", "oneOf", "allOf"].filter((key) => key in root), []);
        for (const verify of [false, true]) {
          const { result } = await call({ ...args, verify }, { era, as: ada });
          assertToolResultConforms(tool as never, result!);
        }
      }
    }
  });
}

Deno.test("what a write and its answers have in common is required (X-1)", async () => {
  const { entry } = serveWithSlot(createDevice, "none");
  const { outputSchema } = await entry();
  assertEquals(outputSchema, {
    type: "object",
    properties: {
      id: { type: "string" },
      name: { type: "string" },
      note: { type: "string" },
      status_code: { type: "integer", description: "The HTTP status this would have." },
      data_size: { type: "integer", description: "Bytes of the full result." },
    },
    required: ["id", "name"],
    additionalProperties: false,
  });
});
