/** When an operation is possible: preconditions, affordances and their projection (K-71…K-78). */
import { assertEquals, assertThrows } from "@std/assert";
import {
  type Affordance,
  ConfigurationError,
  param,
  poolSeeds,
  selectorSpec,
  ServiceError,
  serviceSpec,
  specsFor,
  unrestricted,
} from "@limen/mcp";
import { z } from "zod";
import { callTool, serveSpec } from "../_support/serve_spec.ts";

const open = { permissions: [unrestricted] };

interface Invoice {
  readonly id: number;
  readonly status: string;
}
const rows: readonly Invoice[] = [{ id: 1, status: "open" }, { id: 2, status: "paid" }];
const output = z.object({ id: z.number(), status: z.string() });
const find = selectorSpec({
  kind: "retrieve",
  output,
  reads: { id: param.integer({ required: true }) },
  select: ({ args }): Invoice | undefined => rows.find(({ id }) => id === args.id),
});

/** A service that pays invoices while the books are open. */
function paying(isOpen: unknown, ran: unknown[] = []) {
  return serviceSpec({
    ...open,
    instance: find,
    affordances: [
      {
        code: "books_closed",
        reason: "The books are closed.",
        when: () => isOpen as boolean,
      },
      {
        code: "paid",
        reason: "It is paid already.",
        whenRow: ({ status }) => status === "open",
      },
    ],
    run: ({ instance }) => {
      ran.push(instance.id);
      return instance;
    },
  });
}

for (const era of ["modern", "legacy"] as const) {
  Deno.test(`a condition that does not hold refuses with its code, in the ${era} era (K-72, K-76, K-77)`, async () => {
    const ran: unknown[] = [];
    const { status, refusal } = await serveSpec(paying(false, ran)).call({ id: 1 }, { era });
    assertEquals([status, refusal], [200, {
      type: "service_error",
      message: "The books are closed.",
      code: "books_closed",
    }]);
    assertEquals(ran, []);
  });
}

Deno.test("a condition of a row is asked of the row that was found (K-74)", async () => {
  const ran: unknown[] = [];
  const tool = serveSpec(paying(true, ran));
  assertEquals((await tool.call({ id: 1 })).value, rows[0]);
  assertEquals((await tool.call({ id: 2 })).refusal, {
    type: "service_error",
    message: "It is paid already.",
    code: "paid",
  });
  assertEquals((await tool.call({ id: 3 })).refusal?.type, "not_found");
  assertEquals(ran, [1]);
});

for (const answer of [0, "", null, undefined, Promise.resolve(false)]) {
  Deno.test(`a condition that answers ${answer} does not hold (K-73)`, async () => {
    assertEquals((await serveSpec(paying(answer)).call({ id: 1 })).refusal?.code, "books_closed");
  });
}

Deno.test("a condition that raises fails the call (K-73)", async () => {
  const when = (): boolean => {
    throw new Error("secret-text");
  };
  const spec = serviceSpec({
    ...open,
    affordances: [{ code: "a", reason: "A.", when }],
    run: () => 1,
  });
  const { status, body } = await serveSpec(spec).call();
  assertEquals([status, body.includes("secret")], [500, false]);
});

Deno.test("conditions are asked in order, and the first that fails ends it (K-75)", async () => {
  const asked: string[] = [];
  const condition = (code: string, holds: boolean): Affordance => ({
    code,
    reason: code,
    when: () => {
      asked.push(code);
      return holds;
    },
  });
  const affordances = [condition("a", true), condition("b", false), condition("c", false)];
  const { refusal } = await serveSpec(serviceSpec({ ...open, affordances, run: () => 1 })).call();
  assertEquals([asked, refusal?.code], [["a", "b"], "b"]);
});

Deno.test("a caller that may not see a row is not told its state (K-76)", async () => {
  const check = { hasPermission: () => true, hasObjectPermission: () => false };
  const spec = serviceSpec({
    permissions: [check],
    instance: find,
    affordances: [{ code: "paid", reason: "Paid.", whenRow: () => false }],
    run: () => 1,
  });
  assertEquals((await serveSpec(spec).call({ id: 2 })).error?.code, -32006);
});

Deno.test("a refusal of the domain without a condition has no code (K-77)", async () => {
  const run = () => Promise.reject(new ServiceError("No."));
  const { refusal } = await serveSpec(serviceSpec({ ...open, run })).call();
  assertEquals(refusal, { type: "service_error", message: "No." });
});

Deno.test("preconditions see the whole pool; what they answer is ignored, what they throw ends it (K-71)", async () => {
  const seen: unknown[] = [];
  const spec = serviceSpec({
    ...open,
    many: true,
    input: z.object({ n: z.number() }),
    preconditions: [
      ({ args, user }) => void seen.push(args, user.authenticated),
      () => false as never,
      ({ args }) => {
        if (args.length > 1) throw new ServiceError("One at a time.");
      },
    ],
    run: () => [],
  });
  const tool = serveSpec(spec);
  assertEquals((await tool.call({ items: [{ n: 1 }] })).value, []);
  assertEquals(seen, [[{ n: 1 }], false]);
  assertEquals(
    (await tool.call({ items: [{ n: 1 }, { n: 2 }] })).refusal?.message,
    "One at a time.",
  );
});

Deno.test("preconditions of a selector are asked before it reads (K-8, K-62)", async () => {
  let read = 0;
  const spec = selectorSpec({
    ...open,
    kind: "list",
    preconditions: [() => {
      throw new ServiceError("Not now.");
    }],
    select: () => (read++, []),
  });
  assertEquals((await serveSpec(spec).call()).refusal?.message, "Not now.");
  assertEquals(read, 0);
});

// K-3, K-6, K-72, K-74: what a declaration cannot be, told when it is built.
const when = () => true;
const REFUSED: readonly (readonly [title: string, affordances: unknown, message: string])[] = [
  ["no list", { code: "a" }, "affordances must be a list"],
  ["no code", [{ reason: "A.", when }], "affordances must each have a code and a reason"],
  [
    "a blank code",
    [{ code: " ", reason: "A.", when }],
    "affordances must each have a code and a reason",
  ],
  ["no reason", [{ code: "a", when }], "affordances must each have a code and a reason"],
  [
    "a code twice",
    [{ code: "a", reason: "A.", when }, { code: "a", reason: "B.", when }],
    'affordances has the code "a" twice',
  ],
  [
    "nothing to ask",
    [{ code: "a", reason: "A." }],
    'affordances asks nothing under "a": give when or whenRow',
  ],
  [
    "a row that nothing finds",
    [{ code: "a", reason: "A.", whenRow: when }],
    "affordances asks about a row with whenRow, and instance finds none",
  ],
];

for (const [title, affordances, message] of REFUSED) {
  Deno.test(`serviceSpec() refuses affordances with ${title} (K-72, K-74)`, () => {
    const error = assertThrows(
      () => serviceSpec({ ...open, affordances: affordances as never, run: () => 1 }),
      ConfigurationError,
    );
    assertEquals(error.message, `Cannot build a service spec: ${message}`);
  });
}

Deno.test("serviceSpec() refuses a condition of a row beside collection (K-74)", () => {
  const collection = selectorSpec({ kind: "list", select: () => rows });
  const affordances = [{ code: "a", reason: "A.", whenRow: () => true }];
  assertThrows(
    () => serviceSpec({ ...open, collection, affordances, run: () => 1 }),
    ConfigurationError,
  );
});

for (const paginate of [false, true]) {
  Deno.test(`every row says which operations are possible, ${paginate ? "paged" : "unpaged"} (K-78)`, async () => {
    const asked: string[] = [];
    const seeds = poolSeeds({ isOpen: () => true });
    const seeded = specsFor({ seeds, permissions: [unrestricted] });
    const pay = seeded.serviceSpec({
      instance: seeded.selectorSpec({ kind: "retrieve", output, select: () => rows[0] }),
      affordances: [
        {
          code: "closed",
          reason: "Closed.",
          when: ({ isOpen }) => {
            asked.push("when");
            return isOpen;
          },
        },
        { code: "paid", reason: "Paid already.", whenRow: ({ status }) => status === "open" },
      ],
      run: () => 1,
    });
    const archive = seeded.serviceSpec({
      affordances: [{ code: "never", reason: "Never.", when: () => false }],
      run: () => 1,
    });
    const list = seeded.selectorSpec({
      kind: "list",
      output,
      affordances: { pay, archive },
      select: () => rows,
    });
    const tool = serveSpec(list, { server: { seeds }, binding: { paginate } });
    const { value } = await tool.call() as { value: { items?: unknown } };
    const never = { available: false, code: "never", reason: "Never." };
    assertEquals(paginate ? value.items : value, [
      { ...rows[0], affordances: { pay: { available: true }, archive: never } },
      {
        ...rows[1],
        affordances: {
          pay: { available: false, code: "paid", reason: "Paid already." },
          archive: never,
        },
      },
    ]);
    assertEquals(asked, ["when"]); // once per call, however many rows
    const { outputSchema } = await tool.entry();
    const row = (paginate ? outputSchema.properties.items : outputSchema).items;
    assertEquals(row.required, ["id", "status", "affordances"]);
    assertEquals(row.properties.affordances, {
      type: "object",
      properties: {
        pay: {
          type: "object",
          properties: {
            available: { type: "boolean" },
            code: { type: "string", enum: ["closed", "paid"] },
            reason: { type: "string" },
          },
          required: ["available"],
        },
        archive: {
          type: "object",
          properties: {
            available: { type: "boolean" },
            code: { type: "string", enum: ["never"] },
            reason: { type: "string" },
          },
          required: ["available"],
        },
      },
      required: ["pay", "archive"],
    });
  });
}

Deno.test("a projection refuses nothing (K-62, K-78)", async () => {
  const affordances = { pay: paying(false) };
  const spec = selectorSpec({
    ...open,
    kind: "retrieve",
    output,
    affordances,
    select: () => rows[0],
  });
  const { value } = await callTool(serveSpec(spec).server);
  assertEquals(value, {
    ...rows[0],
    affordances: {
      pay: { available: false, code: "books_closed", reason: "The books are closed." },
    },
  });
});

Deno.test("registerTool() refuses a projection on what is no object, or has the key (K-78)", () => {
  const affordances = { pay: paying(true) };
  for (const bad of [z.string(), z.object({ affordances: z.string() })]) {
    const spec = selectorSpec({
      ...open,
      kind: "list",
      output: bad as z.ZodType,
      affordances,
      select: () => [],
    });
    const error = assertThrows(() => serveSpec(spec), ConfigurationError);
    assertEquals(
      error.message,
      'Cannot register tool "t": affordances need an output of objects without that field',
    );
  }
});

Deno.test("a projection without an output is refused (K-78)", () => {
  const spec = () =>
    serveSpec(selectorSpec({
      ...open,
      kind: "list",
      affordances: { pay: paying(true) },
      select: () => rows,
    }));
  assertThrows(spec, ConfigurationError);
});

Deno.test("selectorSpec() refuses a projection of what is no service (K-78)", () => {
  for (const bad of [find, {}, null]) {
    const error = assertThrows(
      () =>
        selectorSpec({
          ...open,
          kind: "list",
          affordances: { pay: bad as never },
          select: () => rows,
        }),
      ConfigurationError,
    );
    assertEquals(
      error.message,
      'Cannot build a list spec: affordances must name services: "pay" is none',
    );
  }
});
