/** A service that needs more arguments, and how its caller is asked for them. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  AdditionalInputRequired,
  param,
  question,
  selectorSpec,
  serviceSpec,
  unrestricted,
} from "@limen/mcp";
import { slidingWindow } from "@limen/mcp";
import { accept, EVERYTHING, serveAsking, signedIn } from "../../_support/serve_asking.ts";

const permissions = [unrestricted];
const REFUSED = { action: "decline" } as const;

const reads = {
  to: param.string({ required: true }),
  day: param.string({ format: "date" }),
  seats: param.integer(),
};
const asked = { day: param.string({ format: "date", required: true, help: "When." }) };

/** Books a journey: asks for the day, then for the seats. */
function booking() {
  const ran: unknown[] = [];
  const spec = serviceSpec({
    reads,
    permissions,
    run: ({ args }) => {
      ran.push(args);
      if (args.day === undefined) throw new AdditionalInputRequired("When?", asked);
      if (args.seats === undefined) {
        throw new AdditionalInputRequired("How many seats?", {
          seats: param.integer({ required: true }),
          window: param.boolean({ default: true }),
        });
      }
      return args;
    },
  });
  return { spec, ran };
}

Deno.test("AdditionalInputRequired asks for one form, with the key that is fixed (E-1, E-4, E-5)", async () => {
  const { round } = serveAsking(booking().spec);
  const { status, result, state } = await round({ to: "Rome" });
  assertEquals(status, 200);
  assertEquals(result?.inputRequests, {
    additionalInput: {
      method: "elicitation/create",
      params: {
        mode: "form",
        message: "When?",
        requestedSchema: {
          type: "object",
          properties: { day: { type: "string", format: "date", description: "When." } },
          required: ["day"],
        },
      },
    },
  });
  assertEquals(typeof state, "string");
  assertEquals("content" in result!, false);
});

Deno.test("AdditionalInputRequired runs the service again from the top, with the answer (E-6, E-7)", async () => {
  const spec = serviceSpec({
    reads: { to: reads.to, day: reads.day },
    permissions,
    run: ({ args }) => {
      if (args.day === undefined) throw new AdditionalInputRequired("When?", asked);
      return args;
    },
  });
  const { round } = serveAsking(spec);
  const { state } = await round({ to: "Rome" });
  const answers = { additionalInput: accept({ day: "2027-01-01" }) };
  const { value } = await round({ to: "Rome" }, { answers, state });
  assertEquals(value, { to: "Rome", day: "2027-01-01" });
  const plain = await round({ to: "Rome" }, { answers }); // E-13: without a state it is plain input
  assertEquals(plain.value, { to: "Rome", day: "2027-01-01" });
});

Deno.test("AdditionalInputRequired: a field with a default is not required (E-4)", async () => {
  const { spec } = booking();
  const fields = serveAsking(serviceSpec({
    reads: { to: reads.to, window: param.boolean() },
    permissions,
    run: () => {
      throw new AdditionalInputRequired("A seat?", { window: param.boolean({ default: true }) });
    },
  }));
  const { asked } = await fields.round({ to: "Rome" });
  assertEquals(asked?.additionalInput.params.requestedSchema, {
    type: "object",
    properties: { window: { type: "boolean", default: true } },
  });
  assertEquals(spec.kind, "service");
});

Deno.test("answers accumulate in the state, and the client sends only the latest (E-15, E-12)", async () => {
  const reads = { a: param.integer(), b: param.integer(), c: param.integer() };
  const { round } = serveAsking(serviceSpec({
    reads,
    permissions,
    run: ({ args }) => {
      for (const name of ["a", "b", "c"] as const) {
        if (args[name] === undefined) {
          throw new AdditionalInputRequired(name, { [name]: param.integer({ required: true }) });
        }
      }
      return args;
    },
  }));
  const first = await round();
  const second = await round({}, {
    answers: { additionalInput: accept({ a: 1 }) },
    state: first.state,
  });
  assertEquals(second.asked?.additionalInput.params.message, "b");
  const third = await round({}, {
    answers: { additionalInput: accept({ b: 2 }) },
    state: second.state,
  });
  assertEquals(third.asked?.additionalInput.params.message, "c");
  const { value } = await round({}, {
    answers: { additionalInput: accept({ c: 3 }) },
    state: third.state,
  });
  assertEquals(value, { a: 1, b: 2, c: 3 });
});

Deno.test("an answer stands over what was sent, a bound argument over both (E-12, K-42)", async () => {
  const spec = serviceSpec({
    reads: { id: param.integer(), note: param.string(), tenant: param.string() },
    instance: selectorSpec({
      kind: "retrieve",
      reads: { row: param.integer() },
      permissions,
      select: ({ args }) => ({ row: args.row }),
    }),
    permissions,
    run: ({ args, instance }) => {
      if (args.note === undefined) {
        throw new AdditionalInputRequired("Which?", {
          row: param.integer({ required: true }),
          note: param.string({ required: true }),
        });
      }
      return { ...args, instance };
    },
  });
  const { round, events } = serveAsking(spec, {
    binding: { serverArguments: { values: { tenant: "ours" } } },
  });
  const content = { row: 2, note: "n", tenant: "theirs" };
  const { value } = await round({ id: 1, row: 1 }, {
    answers: { additionalInput: accept(content) },
  });
  assertEquals(value, { id: 1, note: "n", tenant: "ours", row: 2, instance: { row: 2 } });
  assertEquals(events.map(({ event }) => event), ["server_argument.dropped"]);
});

Deno.test("the check, the permissions and the charge are asked once, of the merged arguments (K-23, E-12)", async () => {
  const seen: unknown[] = [];
  const watching = {
    hasPermission: ({ args }: { readonly args: unknown }) => {
      seen.push(args);
      return true;
    },
  };
  const spec = serviceSpec({
    reads,
    permissions: [watching],
    run: ({ args }) => {
      if (args.day === undefined) throw new AdditionalInputRequired("When?", asked);
      return args;
    },
  });
  const { round } = serveAsking(spec, {
    binding: { rateLimits: [slidingWindow({ maxCalls: 3, perSeconds: 600 })] },
  });
  const { state } = await round({ to: "Rome" });
  const wrong = await round({ to: "Rome" }, {
    answers: { additionalInput: accept({ day: "tomorrow" }) }, // without a state, only the check looks
  });
  assertEquals(wrong.refusal?.type, "validation_error");
  assertEquals(Object.keys(wrong.refusal?.detail), ["day"]);
  const answers = { additionalInput: accept({ day: "2027-01-01" }) };
  const { value } = await round({ to: "Rome" }, { answers, state });
  assertEquals(value, { to: "Rome", day: "2027-01-01" });
  assertEquals(seen, [{ to: "Rome" }, {}, { to: "Rome", day: "2027-01-01" }]);
  assertEquals((await round({ to: "Rome" })).error?.code, -32005); // three charges, one a round
});

for (const [action, type] of [["decline", "input_declined"], ["cancel", "input_cancelled"]]) {
  Deno.test(`a user who answers "${action}" ends the call as ${type}, charged, without a run (E-14)`, async () => {
    const { spec, ran } = booking();
    const { round } = serveAsking(spec, {
      binding: { rateLimits: [slidingWindow({ maxCalls: 2, perSeconds: 600 })] },
    });
    const { state } = await round({ to: "Rome" });
    const { refusal } = await round({ to: "Rome" }, {
      answers: { additionalInput: { action } },
      state,
    });
    assertEquals([refusal?.type, refusal?.action], [type, action]);
    assertEquals(ran.length, 1);
    assertEquals((await round({ to: "Rome" })).error?.code, -32005);
  });
}

Deno.test("a user's refusal is told after the gate, never instead of it (E-14)", async () => {
  const { spec } = booking();
  const { round } = serveAsking(spec, { binding: { scopes: ["book"] } });
  const { status } = await round({ to: "Rome" }, {
    answers: { additionalInput: REFUSED },
    as: signedIn("a", ["read"]),
  });
  assertEquals(status, 403);
});

const NOT_TAKEN: readonly (readonly [title: string, fields: object])[] = [
  ["what nobody declared", { other: param.string() }],
  ["what a provider always fills", { owned: param.string() }],
  ["what the server fills", { tenant: param.string() }],
];

for (const [title, fields] of NOT_TAKEN) {
  Deno.test(`AdditionalInputRequired refuses to ask for ${title}, whoever calls (E-2)`, async () => {
    const { round } = serveAsking(
      serviceSpec({
        reads: { to: param.string(), tenant: param.string(), owned: param.string() },
        provide: { keys: { owned: "always" }, resolve: () => ({ owned: "x" }) },
        permissions,
        run: () => {
          throw new AdditionalInputRequired("More?", fields as never);
        },
      }),
      { binding: { serverArguments: { values: { tenant: "ours" } } } },
    );
    const [name] = Object.keys(fields);
    for (const client of [EVERYTHING, {}]) {
      const { status, error } = await round({}, { client });
      assertEquals([status, error?.code], [200, -32603]);
      assertEquals(error?.message, `Cannot ask for "${name}": tool "t" takes "to"`);
    }
  });
}

const UNFIT: readonly (readonly [title: string, field: unknown])[] = [
  ["an object", param.object()],
  ["a list of anything", param.array()],
  ["a list of numbers", param.array(param.integer())],
  ["a list of rows", param.array({ a: param.string() })],
  ["a list without choices", param.array(param.string())],
  ["what may be null", param.string({ nullable: true })],
];

for (const [title, field] of UNFIT) {
  Deno.test(`AdditionalInputRequired refuses ${title} as a field, whoever calls (E-3)`, async () => {
    const { round } = serveAsking(serviceSpec({
      reads: { more: field as never },
      permissions,
      run: () => {
        throw new AdditionalInputRequired("More?", { more: field as never });
      },
    }));
    for (const client of [EVERYTHING, {}]) {
      const { error } = await round({}, { client });
      assertEquals(error?.code, -32603);
      assertMatch(error?.message, /^Cannot ask for "more": it /);
    }
  });
}

const DEGRADED: readonly (readonly [title: string, round: object])[] = [
  ["a client that declares nothing", { client: {} }],
  ["a client that opens URLs only", { client: { elicitation: { url: {} } } }],
  ["a client whose elicitation is no object", { client: { elicitation: true } }],
  ["a legacy client", { era: "legacy" }],
];

for (const [title, round] of DEGRADED) {
  Deno.test(`${title} gets the degraded answer, which a model can act on (E-19, E-20)`, async () => {
    const served = serveAsking(booking().spec);
    const { status, refusal } = await served.round({ to: "Rome" }, round);
    assertEquals(status, 200);
    assertEquals(refusal, {
      type: "input_required",
      message: "When?",
      requestedInput: { day: { type: "string", format: "date", description: "When." } },
    });
    const { value } = await served.round({ to: "Rome", day: "2027-01-01", seats: 1 }, round);
    assertEquals(value, { to: "Rome", day: "2027-01-01", seats: 1 });
  });
}

for (const elicitation of [{}, { form: {} }, { form: {}, url: {} }]) {
  Deno.test(`a client that declares elicitation ${JSON.stringify(elicitation)} is asked (E-19)`, async () => {
    const { asked } = await serveAsking(booking().spec).round({ to: "Rome" }, {
      client: { elicitation },
    });
    assertEquals(asked?.additionalInput.method, "elicitation/create");
  });
}

Deno.test("AdditionalInputRequired without fields is always told, never asked (E-20)", async () => {
  const { round } = serveAsking(serviceSpec({
    permissions,
    run: () => {
      throw new AdditionalInputRequired("Sign in first.");
    },
  }));
  const { refusal } = await round();
  assertEquals(refusal, { type: "input_required", message: "Sign in first." });
});

Deno.test("after maxRounds rounds the call degrades instead of asking (E-15)", async () => {
  const { round } = serveAsking(
    serviceSpec({
      reads: { a: param.integer() },
      permissions,
      run: () => {
        throw new AdditionalInputRequired("More?", { a: param.integer({ required: true }) });
      },
    }),
    { server: { requestState: { maxRounds: 2 } } },
  );
  const answers = { additionalInput: accept({ a: 1 }) };
  const first = await round();
  const second = await round({}, { answers, state: first.state });
  assertEquals(second.asked?.additionalInput.params.message, "More?");
  const third = await round({}, { answers, state: second.state });
  assertEquals(third.refusal?.type, "input_required");
});

Deno.test("an answer is held against the form that asked, and asked again where it does not fit (B8)", async () => {
  const { round } = serveAsking(serviceSpec({
    reads: { size: param.string(), secret: param.string() },
    permissions,
    run: ({ args }) => {
      if (args.size !== undefined) return args;
      throw new AdditionalInputRequired("Which size?", {
        size: param.string({ choices: ["S", "M"], required: true }),
      });
    },
  }));
  const { state } = await round();
  const wrong = await round({}, { answers: { additionalInput: accept({ size: "XXL" }) }, state });
  assertEquals(wrong.asked?.additionalInput.params.message, "Which size?");
  const content = { size: "S", secret: "was not asked for" };
  const { value } = await round({}, { answers: { additionalInput: accept(content) }, state });
  assertEquals(value, { size: "S" });
});

Deno.test("a selector that asks for arguments is refused in its own words (E-1)", async () => {
  const { round } = serveAsking(selectorSpec({
    kind: "retrieve",
    reads: { day: param.string() },
    permissions,
    select: () => {
      throw new AdditionalInputRequired("When?", { day: param.string() });
    },
  }));
  const { refusal } = await round();
  assertEquals(refusal, { type: "service_error", message: "When?" });
});

Deno.test("in process the tool degrades, and its spec alone is a service that refuses (E-20, E-21, N-7)", async () => {
  const { server } = serveAsking(booking().spec);
  const invoked = await server.invokeTool("t", { to: "Rome" });
  assertStringIncludes(JSON.stringify(invoked), '\\"type\\":\\"input_required\\"');
  const called = await server.callTool("t", { to: "Rome" });
  assertStringIncludes(JSON.stringify(called), '\\"type\\":\\"service_error\\"');
});

for (const name of ["verify", "continuation_token"]) {
  Deno.test(`AdditionalInputRequired refuses to ask for ${name}, which is no argument of the spec (X-7)`, async () => {
    const spec = serviceSpec({
      action: "update",
      reads: { to: param.string() },
      permissions,
      run: () => {
        throw new AdditionalInputRequired("More?", { [name]: param.string() } as never);
      },
    });
    const { round } = serveAsking(spec, { binding: { continuation: true } });
    const { error } = await round({});
    assertEquals(error?.message, `Cannot ask for "${name}": tool "t" takes "to"`);
  });
}

Deno.test("what a call asks for beside the arguments of its spec is part of the call (X-7)", async () => {
  const spec = serviceSpec({
    action: "create",
    reads,
    permissions,
    run: async ({ args, ask }) => {
      const first = await ask({ day: question.form("When?", asked) });
      const second = await ask({ sure: question.form("Sure?", {}) });
      return { id: args.to, first, second };
    },
  });
  const { round } = serveAsking(spec);
  const answers = { day: accept({ day: "2026-07-28" }) };
  const { state: early } = await round({ to: "Rome", verify: true });
  const { state } = await round({ to: "Rome", verify: true }, { answers, state: early });
  const rest = { answers: { sure: accept({}) }, state };
  assertEquals((await round({ to: "Rome", verify: false }, rest)).error?.code, -32602);
  const { result } = await round({ to: "Rome", verify: true }, rest);
  assertEquals(result?.structuredContent.id, "Rome");
});
