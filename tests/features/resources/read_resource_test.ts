/** resources/read in both eras (R-5…R-9, M-30, B77). */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  jsonSchema,
  McpServer,
  param,
  resourceContents,
  type ResourceOptions,
  selectorSpec,
  type ServerOptions,
  ServiceError,
  ServiceNotFound,
  ServiceValidationError,
  staticTokens,
  unrestricted,
} from "@limen/mcp";
import { type AskedEra, askServer } from "../../_support/ask_server.ts";

const permissions = [unrestricted];
const ERAS: readonly AskedEra[] = ["modern", "legacy"];

/** A server with one resource that answers a value. */
function serverOf(
  value: unknown,
  options: Partial<ResourceOptions> = {},
  settings: Partial<ServerOptions> = {},
): McpServer {
  const server = new McpServer({ name: "s", version: "1", log: () => {}, ...settings });
  const select = typeof value === "function" ? value as () => unknown : () => value;
  const spec = selectorSpec({ kind: "retrieve", permissions, select });
  server.registerResource(spec, { uri: "x://a", name: "a", ...options });
  return server;
}

async function read(server: McpServer, uri: unknown = "x://a", era: AskedEra = "modern") {
  const { message, status } = await askServer(server, "resources/read", { uri }, { era });
  return message.error === undefined ? message.result : { ...message.error, status };
}

Deno.test("resources/read answers JSON text, hints and identity to a modern client", async () => {
  const server = serverOf({ n: 1, text: "ü\u2028" }, { cacheTtlMs: 5000, meta: { "a.b/c": 1 } });
  assertEquals(await read(server), {
    contents: [{
      uri: "x://a",
      mimeType: "application/json",
      text: '{"n":1,"text":"ü\\u2028"}',
      _meta: { "a.b/c": 1 },
    }],
    ttlMs: 5000,
    cacheScope: "private",
    resultType: "complete",
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "s", version: "1" } },
  });
});

Deno.test("resources/read answers nothing but contents to a legacy client", async () => {
  assertEquals(await read(serverOf([1, 2]), "x://a", "legacy"), {
    contents: [{ uri: "x://a", mimeType: "application/json", text: "[1,2]" }],
  });
});

Deno.test("resources/read is stale at once, unless the server or the resource says more", async () => {
  assertEquals((await read(serverOf(1))).ttlMs, 0);
  assertEquals((await read(serverOf(1, {}, { resourceTtlMs: 7 }))).ttlMs, 7);
  assertEquals((await read(serverOf(1, { cacheTtlMs: 0 }, { resourceTtlMs: 7 }))).ttlMs, 0);
});

Deno.test("resources/read serves a text verbatim", async () => {
  const text = '# "Hi"\n\u2028\ud83d\ude00';
  const [contents] = (await read(serverOf(text, { encoding: "text" }))).contents;
  assertEquals(contents, { uri: "x://a", mimeType: "text/plain", text });
});

Deno.test("resources/read serves a row in the words of its spec", async () => {
  const server = new McpServer({ name: "s", version: "1" });
  const spec = selectorSpec({
    kind: "retrieve",
    output: jsonSchema<{ n: number }>({
      type: "object",
      properties: { n: { type: "integer" } },
      required: ["n"],
    }),
    text: ({ n }) => `# Number ${n}`,
    permissions,
    select: () => ({ n: 7 }),
  });
  server.registerResource(spec, { uri: "x://a", name: "a" });
  server.registerResource(spec, { uri: "x://b", name: "b", encoding: "text" });
  assertEquals((await read(server, "x://a")).contents[0].text, '{"n":7}');
  assertEquals((await read(server, "x://b")).contents[0].text, "# Number 7");
});

const bytes = new Uint8Array([0, 251, 255, 62, 63]);
const BINARIES: Readonly<Record<string, () => unknown>> = {
  "a Uint8Array": () => bytes,
  "an ArrayBuffer": () => bytes.slice().buffer,
  "a window of a buffer": () => new DataView(new Uint8Array([9, ...bytes, 9]).buffer, 1, 5),
  "a Blob": () => new Blob([bytes]),
  "a stream": () => new Blob([bytes]).stream(),
  "a promise of bytes": () => Promise.resolve(bytes),
};

for (const [title, make] of Object.entries(BINARIES)) {
  Deno.test(`resources/read serves ${title} as base64`, async () => {
    const server = serverOf(make, { encoding: "blob", mimeType: "application/pdf" });
    assertEquals((await read(server)).contents, [
      { uri: "x://a", mimeType: "application/pdf", blob: "APv/Pj8=" },
    ]);
  });
}

Deno.test("resources/read lets contents say themselves what they are", async () => {
  const picture = resourceContents({ bytes, mimeType: "image/png", meta: { w: 1 } });
  assertEquals((await read(serverOf(picture))).contents, [
    { uri: "x://a", mimeType: "image/png", blob: "APv/Pj8=", _meta: { w: 1 } },
  ]);
  const words = resourceContents({ text: "hi" });
  assertEquals((await read(serverOf(words, { mimeType: "text/html", meta: { b: 2 } }))).contents, [
    { uri: "x://a", mimeType: "text/html", text: "hi", _meta: { b: 2 } },
  ]);
});

const MISFITS: readonly (readonly [encoding: "text" | "blob", value: unknown, message: string])[] =
  [
    ["text", 5, "expected a string, got number"],
    ["text", bytes, "expected a string, got bytes"],
    ["text", [], "expected a string, got a list"],
    ["blob", "aGk=", "expected bytes, got string"],
    ["blob", {}, "expected bytes, got object"],
  ];

for (const [encoding, value, message] of MISFITS) {
  Deno.test(`resources/read of ${encoding} refuses: ${message}`, async () => {
    const error = await read(serverOf(value, { encoding }));
    assertEquals([error.code, error.status], [-32603, 200]);
    assertStringIncludes(error.message, `Resource "a" declares encoding "${encoding}": ${message}`);
  });
}

for (const [era, code] of [["modern", -32602], ["legacy", -32002]] as const) {
  for (const missing of ["an unknown URI", "null", "undefined", "ServiceNotFound"]) {
    Deno.test(`resources/read tells a ${era} client of ${missing} with ${code} (B77)`, async () => {
      const server = serverOf(() => {
        if (missing === "ServiceNotFound") throw new ServiceNotFound("It is gone.");
        return missing === "null" ? null : undefined;
      });
      const uri = missing === "an unknown URI" ? "x://none" : "x://a";
      assertEquals(await read(server, uri, era), {
        code,
        message: "Resource not found",
        data: { uri },
        status: 200,
      });
    });
  }
}

for (const era of ERAS) {
  for (const uri of ["not a uri", "x", "1x://a", "x://a\n", null, 5, {}]) {
    Deno.test(`resources/read refuses the URI ${JSON.stringify(uri)} of a ${era} client with -32602`, async () => {
      const error = await read(serverOf(1), uri, era);
      assertEquals([error.code, error.status], [-32602, 200]);
    });
  }
}

Deno.test("resources/read without a URI is -32602 in both eras", async () => {
  for (const era of ERAS) {
    const { status, message } = await askServer(serverOf(1), "resources/read", {}, { era });
    assertEquals([status, message.error.code], [200, -32602]);
  }
});

/** A server with templates of every kind, that answers what it was given. */
function templates(): McpServer {
  const server = new McpServer({ name: "s", version: "1", log: () => {} });
  const add = (uri: string, reads: Record<string, ReturnType<typeof param.string>>) =>
    server.registerResource(
      selectorSpec({ kind: "retrieve", reads, permissions, select: ({ args }) => ({ uri, args }) }),
      { uri, name: uri },
    );
  add("item://x/{id}", { id: param.string({ required: true }) });
  add("item://x/fixed", {});
  add("item://x/{other}/{id}", { id: param.string(), other: param.string() });
  add("n://{id}", { id: param.integer({ required: true }) as never });
  add("w://a.b/{c}", { c: param.string() });
  add("p://l{?page,limit,tags}", {
    page: param.integer({ default: 1 }) as never,
    limit: param.integer() as never,
    tags: param.array(param.string()) as never,
  });
  return server;
}

const GIVEN: readonly (readonly [uri: string, args: unknown])[] = [
  ["item://x/a%20b", { id: "a b" }],
  ["item://x/%C3%BC", { id: "ü" }],
  ["item://x/100%25", { id: "100%" }],
  ["item://x/fixed", {}],
  ["n://7", { id: 7 }],
  ["p://l", { page: 1 }],
  ["p://l?limit=5&page=2&more=1&tags=a", { limit: 5, page: 2, tags: ["a"] }],
];

for (const [uri, args] of GIVEN) {
  Deno.test(`resources/read of ${uri} hands on ${JSON.stringify(args)} (R-5, B74)`, async () => {
    const [contents] = (await read(templates(), uri)).contents;
    assertEquals(contents.uri, uri);
    assertEquals(JSON.parse(contents.text).args, args);
  });
}

for (const era of ERAS) {
  for (
    const uri of ["item://x/%ZZ", "item://x/..%2Fa", "item://x/%2e%2e", "n://x", "p://l?page=a"]
  ) {
    Deno.test(`resources/read of ${uri} by a ${era} client is -32602 with the place (B74, B75)`, async () => {
      const error = await read(templates(), uri, era);
      assertEquals([error.code, error.message, error.status], [-32602, "Invalid arguments", 200]);
      assertEquals(Object.keys(error.data.detail).length, 1);
    });
  }
}

for (const uri of ["secret://%ZZ", "secret://..%2Fa", "secret://1"]) {
  Deno.test(`resources/read of ${uri} tells whom the gate refuses nothing of the URI (R-6)`, async () => {
    const server = new McpServer({ name: "s", version: "1" });
    const nobody = { hasPermission: () => false, message: "Needs a clerk" };
    const spec = selectorSpec({
      kind: "retrieve",
      reads: { id: param.string() },
      permissions: [nobody],
      select: () => ({}),
    });
    server.registerResource(spec, { uri: "secret://{id}", name: "secret" });
    const error = await read(server, uri);
    assertEquals([error.code, error.message, error.status], [
      -32006,
      "Insufficient permission",
      403,
    ]);
  });
}

Deno.test("resources/read takes a dot of a template for a dot (B75)", async () => {
  assertEquals((await read(templates(), "w://aXb/p")).data, { uri: "w://aXb/p" });
});

Deno.test("resources/read tells what a service refuses, and repeats values only if set", async () => {
  const refuse = (error: Error) => () => {
    throw error;
  };
  const invalid = new ServiceValidationError("No such month.", { month: ["Unknown."] });
  assertEquals(await read(serverOf(refuse(invalid))), {
    code: -32602,
    message: "No such month.",
    data: { detail: { month: ["Unknown."] } },
    status: 200,
  });
  const closed = await read(serverOf(refuse(new ServiceError("The books are closed."))));
  assertEquals([closed.code, closed.message, closed.status], [
    -32603,
    "The books are closed.",
    200,
  ]);
  const fault = await read(serverOf(refuse(new Error("secret"))));
  assertEquals([fault.code, fault.message, fault.status], [-32603, "Internal error", 500]);
});

Deno.test("resources/read asks scopes and permissions before it says anything", async () => {
  const users = { id: "ada", authenticated: true } as const;
  const server = new McpServer({
    name: "s",
    version: "1",
    auth: staticTokens([
      { token: "a-token-that-is-long-1", user: users, scopes: ["read"] },
      { token: "a-token-that-is-long-2", user: users, scopes: [] },
    ]),
  });
  let asked = 0;
  const spec = selectorSpec({
    kind: "retrieve",
    reads: { id: param.integer({ required: true }) },
    permissions: [{
      hasPermission: ({ args }) => {
        asked++;
        return args.id !== 13;
      },
    }],
    select: ({ args }) => args.id,
  });
  server.registerResource(spec, { uri: "n://{id}", name: "n", scopes: "read" });
  const get = async (uri: string, token: string) => {
    const answer = await askServer(server, "resources/read", { uri }, { token });
    return [answer.status, answer.message.error?.code, answer.message.error?.data];
  };
  assertEquals(await get("n://x", "a-token-that-is-long-2"), [403, -32006, {
    requiredScopes: ["read"],
  }]);
  assertEquals(asked, 0);
  assertEquals(await get("n://13", "a-token-that-is-long-1"), [403, -32006, undefined]);
  assertEquals(await get("n://7", "a-token-that-is-long-1"), [200, undefined, undefined]);
  assertEquals(asked, 2);
});

const big = new Uint8Array(3000);
const LARGE: Readonly<Record<string, readonly [unknown, Partial<ResourceOptions>]>> = {
  "JSON": ["x".repeat(4000), {}],
  "text": ["ü".repeat(2100), { encoding: "text" }],
  "bytes": [big, { encoding: "blob" }],
  "a stream": [() => new Blob([big, big]).stream(), { encoding: "blob" }],
};

for (const [title, [value, options]] of Object.entries(LARGE)) {
  Deno.test(`resources/read of ${title} over the ceiling is -32603 (M-30)`, async () => {
    const events: string[] = [];
    const log: ServerOptions["log"] = ({ event }) => void events.push(event);
    const error = await read(serverOf(value, options, { maxResultBytes: 4000, log }));
    assertEquals([error.code, error.status], [-32603, 200]);
    assertEquals(error.message, 'Resource "a" is over the ceiling of 4000 bytes');
    assertEquals(events, ["result.too_large"]);
    const raised = serverOf(value, { ...options, maxResultBytes: 10_000 }, { maxResultBytes: 10 });
    assertEquals((await read(raised)).contents.length, 1);
  });
}

Deno.test("resources/read cancels a stream that is over the ceiling", async () => {
  let pulled = 0;
  let isCancelled = false;
  const endless = new ReadableStream({
    pull: (controller) => {
      pulled++;
      controller.enqueue(new Uint8Array(1000));
    },
    cancel: () => void (isCancelled = true),
  });
  const server = serverOf(endless, { encoding: "blob" }, { maxResultBytes: 4000 });
  assertEquals((await read(server)).code, -32603);
  assert(isCancelled && pulled < 10, `Pulled ${pulled}`);
});

Deno.test("resources/read gives 5 MiB back byte for byte", async () => {
  const sent = new Uint8Array(5 << 20);
  for (let i = 0; i < sent.length; i++) sent[i] = (i * 31 + (i >> 8)) & 255;
  const server = serverOf(sent, { encoding: "blob", maxResultBytes: 8 << 20 });
  const [{ blob }] = (await read(server)).contents;
  const got = Uint8Array.from(atob(blob), (one) => one.charCodeAt(0));
  assertEquals(got.length, sent.length);
  assert(got.every((byte, index) => byte === sent[index]), "A byte differs");
});

Deno.test("resources/read serves JSON null for a spec that allows none (R-10)", async () => {
  const server = new McpServer({ name: "s", version: "1" });
  const spec = selectorSpec({
    kind: "retrieve",
    allowNone: true,
    permissions,
    select: () => undefined,
  });
  server.registerResource(spec, { uri: "x://a", name: "a" });
  assertEquals((await read(server)).contents[0].text, "null");
});

Deno.test("resources/read hands on shapes, and keys their refusal (R-8)", async () => {
  const server = new McpServer({ name: "s", version: "1", log: () => {} });
  const spec = selectorSpec({
    kind: "retrieve",
    reads: { id: param.integer({ required: true }) },
    shapes: { fields: param.string() },
    permissions,
    select: ({ args }) => ({ id: args.id }),
    present: (row, { shapes }) => {
      if (shapes.fields === "bad") throw new ServiceValidationError("No such field.");
      return { ...row as object, fields: shapes.fields };
    },
  });
  server.registerResource(spec, { uri: "x://{id}{?fields}", name: "x" });
  const [contents] = (await read(server, "x://7?fields=a")).contents;
  assertEquals(JSON.parse(contents.text), { id: 7, fields: "a" });
  const error = await read(server, "x://7?fields=bad");
  assertEquals([error.code, error.data], [-32602, { detail: { fields: ["No such field."] } }]);
});

Deno.test("resources/read turns a library's exception into a refusal, where the server says so", async () => {
  const server = serverOf(
    () => {
      throw new RangeError("library");
    },
    {},
    {
      translateError: (error) =>
        error instanceof RangeError ? new ServiceNotFound("Gone.") : undefined,
    },
  );
  assertEquals((await read(server)).message, "Resource not found");
});
