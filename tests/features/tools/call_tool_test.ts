/** Calls of tools: how each end is told (T-30, T-40 to T-44). */
import { assert, assertEquals } from "@std/assert";
import {
  authenticated,
  McpServer,
  param,
  selectorSpec,
  type ServerOptions,
  ServiceConflict,
  ServiceError,
  ServiceNotFound,
  serviceSpec,
  ServiceValidationError,
  unrestricted,
} from "@limen/mcp";
import { z } from "zod";
import { type McpInput, mcpRequest } from "../../_support/mcp_request.ts";
import { type Answer, readAnswer } from "../../_support/read_answer.ts";
import { assertSound } from "../../_support/wire_sheet.ts";

type Event = Parameters<NonNullable<ServerOptions["log"]>>[0];
type AnySpec = Parameters<McpServer["registerTool"]>[0];

const open = { permissions: [unrestricted] };
const valid = { name: "t", description: "Tests." };

/** Serves one spec as `t`, and calls it. */
async function call(
  spec: AnySpec,
  args: Readonly<Record<string, unknown>> | null | undefined = undefined,
  more: {
    readonly binding?: object;
    readonly server?: Partial<ServerOptions>;
    readonly input?: McpInput;
  } = {},
): Promise<Answer & { readonly events: readonly Event[] }> {
  const events: Event[] = [];
  const log = (event: Event): void => void events.push(event);
  const server = new McpServer({ name: "s", version: "1", log, ...more.server });
  server.registerTool(spec, { ...valid, ...more.binding });
  const params = { name: "t", ...(args === undefined ? {} : { arguments: args }) };
  const input = { method: "tools/call", params, ...more.input };
  const answer = await readAnswer(await server.fetch(mcpRequest("modern", input)));
  assertSound(answer, "tools/call");
  return { ...answer, events };
}

/** The error that a result tells; a failure has nothing else (T-41). */
function errorOf({ message, status }: Answer) {
  assertEquals([status, message?.result.isError], [200, true]);
  assertEquals("structuredContent" in message!.result, false);
  assertEquals(message?.result.content.length, 1);
  const { error, ...rest } = JSON.parse(message?.result.content[0].text);
  assertEquals(rest, {});
  return error;
}

const taking = serviceSpec({
  ...open,
  reads: { pk: param.integer({ required: true }), age: param.integer() },
  input: z.object({ name: z.string() }),
  run: ({ args }) => args,
});

Deno.test("tools/call tells every missing argument in one sentence (T-42)", async () => {
  assertEquals(errorOf(await call(taking, {})), {
    type: "validation_error",
    message: "Missing required argument(s): `name`, `pk`.",
    detail: { pk: ["This field is required."], name: ["This field is required."] },
  });
});

Deno.test("tools/call tells of wrong arguments beside the missing ones (T-42)", async () => {
  assertEquals(errorOf(await call(taking, { pk: "x", note: 1 })), {
    type: "validation_error",
    message: "Missing required argument(s): `name`.",
    detail: {
      pk: ["Enter a whole number."],
      note: ["Unknown argument."],
      name: ["This field is required."],
    },
  });
});

Deno.test("tools/call refuses __proto__ at any depth, and pollutes nothing (B15)", async () => {
  for (
    const args of ['{"pk":1,"name":"a","__proto__":{"x":1}}', '{"pk":{"__proto__":1},"name":"a"}']
  ) {
    const error = errorOf(await call(taking, JSON.parse(args)));
    assertEquals(error.type, "validation_error");
  }
  assertEquals("x" in {}, false);
});

Deno.test("tools/call repeats refused arguments only where it is set to (T-44)", async () => {
  const args = { pk: "secret", name: "a" };
  const hidden = await call(taking, args);
  assert(!hidden.text.includes("secret"));
  const server = { includeValidationValue: true };
  assertEquals(errorOf(await call(taking, args, { server })).value, args);
  const refusing = serviceSpec({
    ...open,
    reads: { pk: param.string() },
    run: () => {
      throw new ServiceValidationError("No.");
    },
  });
  assertEquals("value" in errorOf(await call(refusing, { pk: "a" })), false);
  assertEquals(errorOf(await call(refusing, { pk: "a" }, { server })).value, { pk: "a" });
});

Deno.test("tools/call bounds what it tells of a flood of wrong arguments (B13)", async () => {
  const args = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`argument${i}`, i]));
  const answer = await call(taking, args);
  assert(answer.text.length < 40_000);
  const error = errorOf(answer);
  assertEquals(Object.keys(error.detail).length, 101);
});

const REFUSALS: readonly (readonly [error: ServiceError, told: object])[] = [
  [new ServiceError("The books are closed."), {
    type: "service_error",
    message: "The books are closed.",
  }],
  [new ServiceConflict("Paid already."), { type: "service_error", message: "Paid already." }],
  [new ServiceNotFound("No such customer."), {
    type: "service_error",
    message: "No such customer.",
  }],
  [new ServiceValidationError("Too much.", { amount: ["At most 5."] }), {
    type: "validation_error",
    message: "Too much.",
    detail: { amount: ["At most 5."] },
  }],
  [new ServiceValidationError("Too much."), {
    type: "validation_error",
    message: "Too much.",
    detail: { non_field_errors: ["Too much."] },
  }],
];

for (const [error, told] of REFUSALS) {
  Deno.test(`tools/call tells ${error.name} "${error.message}" as ${JSON.stringify(told)} (T-40, T-43)`, async () => {
    const spec = serviceSpec({
      ...open,
      run: () => {
        throw error;
      },
    });
    const answer = await call(spec);
    assertEquals(errorOf(answer), told);
    assertEquals(answer.events, []);
  });
}

Deno.test("tools/call tells that nothing was found (T-40)", async () => {
  const spec = selectorSpec({ ...open, kind: "retrieve", select: () => undefined });
  assertEquals(errorOf(await call(spec)), {
    type: "not_found",
    message: "t: no matching instance found",
  });
});

Deno.test("tools/call refuses a stranger before it speaks of arguments (K-61)", async () => {
  let ran = 0;
  const spec = serviceSpec({
    reads: { pk: param.integer({ required: true }) },
    permissions: [authenticated],
    run: () => ++ran,
  });
  for (const args of [{}, { pk: 1 }, { pk: "x", note: 1 }]) {
    const { status, message } = await call(spec, args);
    assertEquals([status, message?.error], [403, {
      code: -32006,
      message: "Insufficient permission",
    }]);
  }
  assertEquals(ran, 0);
});

Deno.test("tools/call takes absent, empty and null arguments for none (B62)", async () => {
  const spec = serviceSpec({ ...open, run: ({ args }) => args });
  for (const args of [undefined, {}, null]) {
    assertEquals((await call(spec, args)).message?.result.structuredContent, {});
  }
});

Deno.test("tools/call names an unknown tool in short (B60)", async () => {
  const spec = serviceSpec({ ...open, run: () => 1 });
  for (const [name, told] of [["nope", '"nope"'], ["x".repeat(500), `"${"x".repeat(128)}…"`]]) {
    const input = { params: { name } };
    const { status, message } = await call(spec, {}, { input });
    assertEquals([status, message?.error], [200, {
      code: -32602,
      message: `Unknown tool: ${told}`,
    }]);
  }
  for (const name of ["T", "t ", "__proto__", "constructor"]) {
    const { message } = await call(spec, {}, { input: { params: { name } } });
    assertEquals(message?.error.code, -32602);
  }
});

Deno.test("tools/call masks a fault, and logs it under the same reference (ERR-10, B63)", async () => {
  const spec = serviceSpec({
    ...open,
    run: () => {
      throw new Error("SELECT secret", { cause: new Error("/srv/secret.ts") });
    },
  });
  const { status, message, text, events } = await call(spec);
  assertEquals([status, message?.error.code], [500, -32603]);
  assert(!text.includes("secret") && !text.includes(" at "));
  assertEquals(events[0]!.fields, {
    reference: message?.error.data.reference,
    method: "tools/call",
    name: "t",
  });
});

Deno.test("tools/call refuses a result over its ceiling, and never cuts it (M-30)", async () => {
  const spec = serviceSpec({ ...open, run: () => ({ text: "x".repeat(1000) }) });
  const { events, ...answer } = await call(spec, {}, { binding: { maxResultBytes: 2000 } });
  const error = errorOf(answer);
  assertEquals(error.type, "result_too_large");
  assertEquals(
    error.message,
    "The result of t has 2063 bytes, over the ceiling of 2000: " +
      "ask for less, with a filter or a smaller limit",
  );
  assertEquals([events[0]!.level, events[0]!.event], ["warning", "result.too_large"]);
  const within = await call(spec, {}, { binding: { maxResultBytes: 2063 } });
  assertEquals(within.message?.result.structuredContent.text.length, 1000);
  const server = await call(spec, {}, { server: { maxResultBytes: 100 } });
  assertEquals(errorOf(server).type, "result_too_large");
});

Deno.test("tools/call warns of plain data in the shape of a result", async () => {
  const spec = serviceSpec({ ...open, run: () => ({ content: [{ type: "text", text: "a" }] }) });
  const { message, events } = await call(spec);
  assertEquals(message?.result.structuredContent, { content: [{ type: "text", text: "a" }] });
  assertEquals(events.map(({ level, event }) => [level, event]), [
    ["warning", "LooksLikeToolResult"],
  ]);
});

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const required = { elicitation: { url: {} }, roots: {} };
const DECLARED: readonly (readonly [declared: object, missing: object | undefined])[] = [
  [{}, required],
  [{ roots: {} }, { elicitation: { url: {} } }],
  [{ roots: {}, elicitation: {} }, { elicitation: { url: {} } }],
  [{ roots: {}, elicitation: { url: true } }, { elicitation: { url: {} } }],
  [{ roots: [], elicitation: { url: {} } }, { roots: {} }],
  [{ roots: {}, elicitation: { url: {}, form: {} }, sampling: {} }, undefined],
];

for (const [declared, missing] of DECLARED) {
  Deno.test(`tools/call asks a client with ${JSON.stringify(declared)} for what it lacks`, async () => {
    const spec = serviceSpec({ ...open, run: () => 1 });
    const input = { meta: { [CAPABILITIES]: declared } };
    const { status, message } = await call(spec, {}, {
      binding: { requiresClient: required },
      input,
    });
    if (missing === undefined) {
      assertEquals([status, message?.result.structuredContent], [200, 1]);
    } else {
      assertEquals([status, message?.error], [400, {
        code: -32021,
        message: "Missing required client capability",
        data: { requiredCapabilities: missing },
      }]);
    }
  });
}

Deno.test("tools/call asks nothing of a client whose caller the gate refuses (T-30)", async () => {
  const nobody = { hasPermission: () => false, message: "Needs a clerk" };
  const spec = serviceSpec({ ...open, permissions: [nobody], run: () => 1 });
  const { status, message } = await call(spec, {}, { binding: { requiresClient: required } });
  assertEquals([status, message?.error], [403, {
    code: -32006,
    message: "Insufficient permission",
  }]);
});

Deno.test("tools/call runs no pattern of the author on a long string (B13)", async () => {
  const input = z.object({ text: z.string().regex(/^(a+)+$/) });
  const spec = serviceSpec({ ...open, input, run: () => 1 });
  const error = errorOf(await call(spec, { text: "a".repeat(70_000) }));
  assertEquals(error.detail, { text: ["String is too long to check."] });
});

Deno.test("tools/call serves what output declares, and not a field more", async () => {
  const spec = serviceSpec({
    ...open,
    output: z.object({ id: z.number() }),
    text: ({ id }) => `Number ${id}`,
    run: () => ({ id: 7, secret: "x" }),
  });
  const { message } = await call(spec);
  assertEquals(message?.result.structuredContent, { id: 7 });
  assertEquals(message?.result.content, [{ type: "text", text: "Number 7" }]);
});

Deno.test("tools/call reads mirrored booleans and texts as they are written", async () => {
  const spec = serviceSpec({
    ...open,
    reads: { flag: param.boolean({ header: "Flag" }), n: param.integer({ header: "N" }) },
    run: ({ args }) => args,
  });
  const rows: readonly (readonly [args: object, headers: Record<string, string>, ok: boolean])[] = [
    [{ flag: true }, { "mcp-param-flag": "true" }, true],
    [{ flag: true }, { "mcp-param-flag": "True" }, false],
    [{ flag: true }, { "mcp-param-flag": "false" }, false],
    [{ n: -3 }, { "mcp-param-n": "-3" }, true],
    [{ n: 3 }, { "mcp-param-n": "0x3" }, false],
    [{ n: 3 }, { "mcp-param-n": "" }, false],
    [{ n: 300 }, { "mcp-param-n": "3e2" }, false],
  ];
  for (const [args, headers, ok] of rows) {
    const { message } = await call(spec, { ...args }, { input: { headers } });
    assertEquals(message?.error?.code, ok ? undefined : -32020, JSON.stringify([args, headers]));
  }
});
