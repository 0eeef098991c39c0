/** Values that are the server's: the pool, seeds, providers, server arguments (K-29…K-43, K-14). */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  ConfigurationError,
  McpServer,
  param,
  poolSeeds,
  type SeedPool,
  specsFor,
  unrestricted,
} from "@limen/mcp";
import { z } from "zod";
import { callTool, serveSpec } from "../_support/serve_spec.ts";

const UNKNOWN = ["Unknown argument."];
const ada = { user: { id: "ada", authenticated: true, tenant: "a" } };
const { serviceSpec, selectorSpec, provider } = specsFor({ permissions: [unrestricted] });

Deno.test("every callable gets one pool, and nothing of the caller beside args (K-29, Q-1)", async () => {
  const seen: Record<string, readonly string[]> = {};
  const note = (stage: string, pool: object): void => {
    const names = new Set<string>();
    for (const key in pool) names.add(key);
    seen[stage] = [...names].sort();
  };
  const spec = serviceSpec({
    reads: { user: param.string(), host: param.string() },
    shapes: { fields: param.string() },
    inputData: (pool) => (note("inputData", pool), {}),
    provide: provider({ clock: "always" }, (pool) => (note("provide", pool), { clock: 1 })),
    affordances: [{ code: "a", reason: "A.", when: (pool) => (note("when", pool), true) }],
    preconditions: [(pool) => note("precondition", pool)],
    run: (pool) => {
      note("run", pool);
      return pool.args;
    },
    reread: (pool) => (note("reread", pool), pool.result),
    present: (row, pool) => (note("present", pool), row),
  });
  const { value } = await serveSpec(spec).call({ user: "mallory", host: "x", fields: "y" });
  assertEquals(value, { user: "mallory", host: "x" });
  const small = ["host", "request", "token", "user"];
  const run = [...small, "args", "clock", "progress"].sort(); // signal, afterCommit: getters
  assertEquals(seen, {
    provide: small,
    inputData: small,
    precondition: run,
    when: small, // K-73: neither arguments nor rows
    run,
    reread: [...small, "result"].sort(),
    present: [...small, "shapes"].sort(), // K-80
  });
});

Deno.test("a provider's values are entries of the pool, and win over the caller's (K-30)", async () => {
  const spec = serviceSpec({
    reads: { locale: param.string({ required: true }), tenant: param.string() },
    provide: provider(
      { tenant: "always", locale: "maybe" },
      ({ user }) => ({ tenant: user.id, ...user.authenticated ? { locale: "fy" } : {} }),
    ),
    run: ({ args, tenant, locale }) => ({ args, tenant, locale }),
  });
  const tool = serveSpec(spec);
  const { inputSchema } = await tool.entry();
  assertEquals(Object.keys(inputSchema.properties), ["locale"]); // K-32
  assertEquals("required" in inputSchema, false); // K-33, K-46
  assertEquals((await tool.call({ locale: "en" }, { as: ada })).value, {
    args: { locale: "fy", tenant: "ada" },
    tenant: "ada",
    locale: "fy",
  });
  assertEquals((await tool.call({ locale: "en" })).value, { args: { locale: "en" } });
  const { refusal } = await tool.call({ tenant: "b" });
  assertEquals(refusal?.detail, { tenant: UNKNOWN }); // K-32
});

Deno.test("beside a provider that does not say its keys nothing is required (K-33)", async () => {
  const spec = serviceSpec({
    reads: { a: param.integer({ required: true }), b: param.string() },
    provide: () => ({ a: 5 }),
    run: ({ args }) => args,
  });
  const tool = serveSpec(spec);
  const { inputSchema } = await tool.entry();
  assertEquals([Object.keys(inputSchema.properties), inputSchema.required], [
    ["a", "b"],
    undefined,
  ]);
  assertEquals((await tool.call({})).value, { a: 5 });
});

Deno.test("inputData merges over what the caller sent, before input checks it (K-31, Q-5)", async () => {
  const spec = serviceSpec({
    input: z.object({ name: z.string(), tenant: z.string().min(3, "Too short.") }),
    inputData: provider({ tenant: "always" }, () => ({ tenant: "fy" })),
    run: ({ args }) => args,
  });
  const tool = serveSpec(spec);
  assertEquals(Object.keys((await tool.entry()).inputSchema.properties), ["name"]);
  assertEquals((await tool.call({ name: "a", tenant: "long" })).refusal?.detail, {
    tenant: UNKNOWN,
  });
  assertEquals((await tool.call({ name: "a" })).refusal?.detail, { tenant: ["Too short."] });
  const many = serviceSpec({
    many: true,
    input: z.object({ n: z.number(), by: z.string() }),
    inputData: () => ({ by: "server" }),
    run: ({ args }) => args,
  });
  const { value } = await serveSpec(many).call({ items: [{ n: 1, by: "me" }, { n: 2 }] });
  assertEquals(value, [{ n: 1, by: "server" }, { n: 2, by: "server" }]);
});

Deno.test("a callable finds the transport's request and the resolved caller (K-34)", async () => {
  const spec = selectorSpec({
    kind: "retrieve",
    select: ({ request, user, token }) => [
      request?.method,
      request?.header("x-trace"),
      request?.header("authorization"),
      user.id,
      token?.scopes,
    ],
  });
  const headers = { "x-trace": "1", authorization: "Bearer x" };
  const as = { ...ada, token: { scopes: ["a"] } };
  const { value } = await serveSpec(spec).call({}, { as, input: { headers } });
  assertEquals(value, ["POST", "1", null, "ada", ["a"]]);
});

type Staff = typeof ada.user;

Deno.test("a seed is resolved per call for its caller, and never sees arguments (K-35, K-36, K-38)", async () => {
  const pools: unknown[] = [];
  const base = poolSeeds({
    later: () => Promise.resolve(1),
    tenant: (pool: SeedPool<Staff>) => (pools.push(Object.keys(pool).sort()), pool.user.tenant),
  });
  const seeds = base.extend({ sooner: () => 2 });
  assert(Object.isFrozen(seeds) && !("sooner" in base.resolvers));
  const seeded = specsFor({ seeds, permissions: [unrestricted] });
  const spec = seeded.selectorSpec({
    kind: "retrieve",
    reads: { id: param.integer() },
    select: ({ args, later, tenant, sooner }) => ({ args, later, tenant, sooner }),
  });
  const tool = serveSpec(spec, { server: { seeds } });
  for (const tenant of ["a", "b"]) {
    const as = { user: { ...ada.user, tenant } };
    assertEquals((await tool.call({ id: 1 }, { as })).value, {
      args: { id: 1 },
      later: 1,
      tenant,
      sooner: 2,
    });
  }
  assertEquals(pools, Array(2).fill(["host", "request", "token", "user"]));
});

Deno.test("a seed's name is never the caller's (K-37)", async () => {
  const seeds = poolSeeds({ tenant: () => "a" });
  const spec = specsFor({ seeds, permissions: [unrestricted] }).serviceSpec({
    run: ({ args, tenant }) => ({ args, tenant }),
  });
  const closed = serveSpec(spec, { server: { seeds } });
  assertEquals("properties" in (await closed.entry()).inputSchema, false);
  assertEquals((await closed.call({ tenant: "b" })).refusal?.detail, { tenant: UNKNOWN });
  const binding = { unknownArguments: "ignore" };
  const dropping = serveSpec(spec, { server: { seeds }, binding });
  assertEquals((await dropping.call({ tenant: "b" })).value, { args: {}, tenant: "a" });
});

Deno.test("a seed that raises fails the call, masked (K-39)", async () => {
  const seeds = poolSeeds({
    tenant: () => {
      throw new Error("secret-text");
    },
  });
  const spec = specsFor({ seeds, permissions: [unrestricted] }).serviceSpec({ run: () => 1 });
  const { status, body } = await serveSpec(spec, { server: { seeds } }).call();
  assertEquals([status, body.includes("secret")], [500, false]);
});

Deno.test("a tool of one step receives the seeds of its server (K-38)", async () => {
  const seeds = poolSeeds({ tenant: () => "a" });
  const server = new McpServer({ name: "s", version: "1", seeds });
  server.tool(
    "t",
    { description: "T.", effect: "read", permissions: [unrestricted] },
    ({ tenant }) => ({ tenant }),
  );
  assertEquals((await callTool(server)).value, { tenant: "a" });
});

for (
  const name of [
    "afterCommit",
    "args",
    "ask",
    "collection",
    "host",
    "instance",
    "progress",
    "request",
    "result",
    "shapes",
    "signal",
    "token",
    "user",
    "__proto__",
  ]
) {
  Deno.test(`poolSeeds() refuses the reserved name ${name} (K-14, K-35)`, () => {
    const resolvers = Object.fromEntries([[name, () => 1]]);
    for (const declare of [() => poolSeeds(resolvers), () => poolSeeds({}).extend(resolvers)]) {
      const error = assertThrows(declare, ConfigurationError);
      assertEquals(error.message, `Cannot declare seed "${name}": the name is reserved`);
    }
  });
}

Deno.test("poolSeeds() refuses a name twice, and what is no function (K-35)", () => {
  const seeds = poolSeeds({ a: () => 1 });
  assertMatch(
    assertThrows(() => seeds.extend({ a: () => 2 }), ConfigurationError).message,
    /taken/,
  );
  assertMatch(
    assertThrows(() => poolSeeds({ a: 1 as never }), ConfigurationError).message,
    /expected a function/,
  );
});

const seeds = poolSeeds({ tenant: () => "a" });
const seeded = specsFor({ seeds, permissions: [unrestricted] });
const run = () => 1;

// K-14, K-15, K-37, K-40, K-44: what a declaration cannot be, told at registration.
const REFUSED: readonly (readonly [title: string, spec: () => unknown, message: string])[] = [
  [
    "a read named like a seed",
    () => seeded.serviceSpec({ reads: { tenant: param.string() }, run }),
    'argument "tenant" has the name of a seed',
  ],
  [
    "a shape named like a seed",
    () => seeded.serviceSpec({ shapes: { tenant: param.string() }, run }),
    'argument "tenant" has the name of a seed',
  ],
  [
    "an input field named like a seed",
    () => seeded.serviceSpec({ input: z.object({ tenant: z.string() }), run }),
    'argument "tenant" has the name of a seed',
  ],
  [
    "a read of the look-up named like a seed",
    () =>
      seeded.serviceSpec({
        instance: seeded.selectorSpec({
          kind: "retrieve",
          reads: { tenant: param.string() },
          select: run,
        }),
        run,
      }),
    'argument "tenant" has the name of a seed',
  ],
  [
    "a provided value named like a seed",
    () =>
      seeded.serviceSpec({
        provide: seeded.provider({ tenant: "always" }, () => ({ tenant: 1 })),
        run,
      }),
    'provide fills "tenant", a seed',
  ],
  [
    "a provided value under a reserved name",
    () =>
      seeded.serviceSpec({
        provide: seeded.provider({ user: "always" }, () => ({ user: 1 })),
        run,
      }),
    'provide fills "user", a reserved name',
  ],
  [
    "a name that reads and input declare",
    () =>
      seeded.serviceSpec({ reads: { a: param.string() }, input: z.object({ a: z.string() }), run }),
    '"a"',
  ],
  [
    "a name that the look-up and the spec declare",
    () =>
      seeded.serviceSpec({
        reads: { a: param.string() },
        instance: seeded.selectorSpec({
          kind: "retrieve",
          reads: { a: param.string() },
          select: run,
        }),
        run,
      }),
    'argument "a" is declared twice',
  ],
  [
    "a name that reads and shapes declare",
    () => seeded.serviceSpec({ reads: { a: param.string() }, shapes: { a: param.string() }, run }),
    '"a"',
  ],
];

for (const [title, spec, message] of REFUSED) {
  Deno.test(`registerTool() refuses ${title} (K-14, K-37, K-40, K-44)`, () => {
    const declared = spec();
    const error = assertThrows(
      () => serveSpec(declared, { server: { seeds } }),
      ConfigurationError,
    );
    assert(error.message.includes('tool "t"') && error.message.includes(message), error.message);
  });
}

Deno.test("registerTool() refuses a spec whose seeds the server does not have (K-40)", () => {
  const spec = seeded.serviceSpec({ run: ({ tenant }) => tenant });
  const error = assertThrows(() => serveSpec(spec), ConfigurationError);
  assertEquals(
    error.message,
    'Cannot register tool "t": seed "tenant" is not among the server\'s seeds',
  );
});

const taking: unknown = serviceSpec({
  reads: {
    id: param.integer({ required: true }),
    status: param.string({ choices: ["open", "paid"] }),
    size: param.integer({ default: 10 }),
  },
  shapes: { fields: param.string() },
  input: z.object({ note: z.string().optional(), by: z.string().default("nobody") }),
  run: ({ args }) => args,
});

Deno.test("server arguments leave the schema, and are dropped where a caller sends them (K-41, K-42)", async () => {
  const binding = { serverArguments: { values: { id: 7 }, withheld: ["size", "note"] } };
  const tool = serveSpec(taking, { binding });
  const { inputSchema } = await tool.entry();
  assertEquals(Object.keys(inputSchema.properties), ["status", "fields", "by"]);
  assertEquals("required" in inputSchema, false);
  assertEquals((await tool.call({})).value, { id: 7, size: 10, by: "nobody" });
  assertEquals(tool.events, []);
  const sent = { id: 666, size: 666, note: "secret-text", status: "open" };
  assertEquals((await tool.call(sent)).value, {
    id: 7,
    status: "open",
    size: 10,
    by: "nobody",
  });
  assertEquals(tool.events.map(({ level, event, fields }) => [level, event, fields]), [
    ["warning", "server_argument.dropped", { tool: "t", arguments: ["id", "size", "note"] }],
  ]);
  assertEquals(JSON.stringify(tool.events).includes("66"), false);
  await tool.call({ id: 7 }); // the very value is no complaint
  assertEquals(tool.events.length, 1);
});

Deno.test("a check sees the server's arguments, not the caller's (K-42)", async () => {
  const shown: unknown[] = [];
  const spec = serviceSpec({
    reads: { id: param.integer({ required: true }) },
    permissions: [{ hasPermission: ({ args }) => shown.push(args) > 0 }],
    run,
  });
  const binding = { serverArguments: { values: { id: 7 } } };
  await serveSpec(spec, { binding }).call({ id: 8 });
  assertEquals(shown, [{ id: 7 }]);
});

// K-43
const BOUND: readonly (readonly [serverArguments: object, message: string])[] = [
  [{ values: { nope: 1 } }, 'names "nope", which the spec does not declare'],
  [{ withheld: ["nope"] }, 'names "nope", which the spec does not declare'],
  [{ values: { id: "x" } }, 'fills "id" with a value that the spec refuses'],
  [{ values: { status: "closed" } }, 'fills "status" with a value that the spec refuses'],
  [{ withheld: ["id"] }, 'withholds "id", which the spec requires'],
  [{ values: { size: 1 }, withheld: ["size"] }, 'fills and withholds "size"'],
  [{ values: { by: 5 } }, 'fills "by" with a value that the spec refuses'],
  [{ values: { tenant: "b" } }, 'names "tenant", which the spec does not declare'],
];

Deno.test("registerTool() refuses to withhold what input requires (K-43)", () => {
  const spec = serviceSpec({ input: z.object({ name: z.string() }), run });
  const binding = { serverArguments: { withheld: ["name"] } };
  const error = assertThrows(() => serveSpec(spec, { binding }), ConfigurationError);
  assertMatch(error.message, /serverArguments withholds "name", which the spec requires$/);
});

for (const [serverArguments, message] of BOUND) {
  Deno.test(`registerTool() refuses serverArguments ${JSON.stringify(serverArguments)} (K-43)`, () => {
    const error = assertThrows(
      () => serveSpec(taking, { binding: { serverArguments }, server: { seeds } }),
      ConfigurationError,
    );
    assertEquals(error.message, `Cannot register tool "t": serverArguments ${message}`);
  });
}
