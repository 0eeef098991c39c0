import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { type Context, context, propagation, SpanKind, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  CompositePropagator,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from "@opentelemetry/core";
import { MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import {
  ConfigurationError,
  McpServer,
  param,
  selectorSpec,
  ServiceError,
  ServiceValidationError,
  unrestricted,
} from "@limen/mcp";
import { otel, type OtelOptions } from "@limen/mcp/otel";
import { type ClientEra, type McpInput, mcpRequest } from "../_support/mcp_request.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`;
const open = { description: "Tests.", effect: "read", permissions: [unrestricted] } as const;

/** Reads metrics when asked, without a timer. */
class Reader extends MetricReader {
  protected override onForceFlush(): Promise<void> {
    return Promise.resolve();
  }

  protected override onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

/** The exporter says by a timer that it has a span. */
function exported(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}

/** A server whose spans and metrics stay in memory. */
function createServer(options: OtelOptions = {}) {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  });
  const reader = new Reader();
  const meterProvider = new MeterProvider({ readers: [reader] });
  const server = new McpServer({
    name: "s",
    version: "1",
    log: () => {},
    secret: "a secret of the tests, 32 bytes long",
    auth: {
      authenticate: ({ headers }) => ({
        user: headers.has("authorization")
          ? { id: "ada", authenticated: true }
          : { authenticated: false },
      }),
    },
    around: [otel({ tracerProvider, meterProvider, ...options })],
  });
  const active: Context[] = [];
  server.tool("echo", { ...open, reads: { text: param.string() } }, async ({ args }) => {
    await Promise.resolve();
    active.push(context.active());
    return args.text ?? "";
  });
  server.tool("refuses", { ...open, reads: { how: param.string() } }, ({ args }) => {
    if (args.how === "validation") throw new ServiceValidationError("PLANTED is taken.");
    throw new ServiceError("PLANTED is closed.");
  });
  server.tool("breaks", open, () => {
    throw new TypeError("broken");
  });
  server.registerResource(
    selectorSpec({
      kind: "retrieve",
      reads: { id: param.string(), q: param.string() },
      permissions: [unrestricted],
      select: () => ({ ok: true }),
    }),
    { uri: "notes://{id}{?q}", name: "note" },
  );
  server.registerPrompt("greet", { permissions: [unrestricted] }, () => "Hello");
  const send = async (era: ClientEra, { headers, ...input }: McpInput): Promise<Response> => {
    const all = { authorization: "Bearer the-token-of-ada", ...headers };
    const response = await server.fetch(mcpRequest(era, { ...input, headers: all }));
    await response.body?.cancel();
    await exported();
    return response;
  };
  const metrics = async () => {
    const { resourceMetrics } = await reader.collect();
    return resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics);
  };
  return { server, send, spans: () => exporter.getFinishedSpans(), metrics, active };
}

function callOf(name: string, args: object = {}, input: McpInput = {}): McpInput {
  return { method: "tools/call", params: { name, arguments: args }, ...input };
}

const http = { "network.transport": "tcp", "network.protocol.name": "http" };
const modern = { "mcp.protocol.version": "2026-07-28", ...http, "jsonrpc.request.id": "1" };
const ERROR = 2;

interface Row {
  readonly title: string;
  readonly input: McpInput;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status?: number;
}

const ROWS: readonly Row[] = [
  {
    title: "a call",
    input: callOf("echo", { text: "PLANTED" }),
    name: "tools/call echo",
    attributes: {
      "mcp.method.name": "tools/call",
      "gen_ai.tool.name": "echo",
      "gen_ai.operation.name": "execute_tool",
    },
  },
  {
    title: "a listing",
    input: { method: "tools/list" },
    name: "tools/list",
    attributes: { "mcp.method.name": "tools/list" },
  },
  {
    title: "a read, by the URI that was declared",
    input: { method: "resources/read", params: { uri: "notes://PLANTED?q=PLANTED" } },
    name: "resources/read",
    attributes: { "mcp.method.name": "resources/read", "mcp.resource.uri": "notes://{id}{?q}" },
  },
  {
    title: "a prompt",
    input: { method: "prompts/get", params: { name: "greet" } },
    name: "prompts/get greet",
    attributes: { "mcp.method.name": "prompts/get", "gen_ai.prompt.name": "greet" },
  },
  {
    title: "an unknown tool",
    input: callOf("PLANTED"),
    name: "tools/call (unknown)",
    attributes: {
      "mcp.method.name": "tools/call",
      "gen_ai.tool.name": "(unknown)",
      "gen_ai.operation.name": "execute_tool",
      "error.type": "-32602",
      "rpc.response.status_code": "-32602",
    },
    status: ERROR,
  },
  {
    title: "an unknown resource",
    input: { method: "resources/read", params: { uri: "other://PLANTED" } },
    name: "resources/read",
    attributes: {
      "mcp.method.name": "resources/read",
      "mcp.resource.uri": "(unknown)",
      "error.type": "-32602",
      "rpc.response.status_code": "-32602",
    },
    status: ERROR,
  },
  {
    title: "a refusal of the domain",
    input: callOf("refuses"),
    name: "tools/call refuses",
    attributes: {
      "mcp.method.name": "tools/call",
      "gen_ai.tool.name": "refuses",
      "gen_ai.operation.name": "execute_tool",
      "error.type": "tool_error",
    },
    status: ERROR,
  },
];

for (const { title, input, name, attributes, status = 0 } of ROWS) {
  Deno.test(`otel() makes the span of ${title} (O-4, B22)`, async () => {
    const { send, spans } = createServer();
    await send("modern", input);
    const [span, ...others] = spans();
    assertEquals(others, []);
    assertEquals([span!.name, span!.kind], [name, SpanKind.SERVER]);
    assertEquals({ ...span!.attributes }, { ...modern, ...attributes });
    assertEquals(span!.status, { code: status });
    assertEquals(span!.events, []);
    assert(!JSON.stringify([span!.name, span!.attributes, span!.status]).includes("PLANTED"));
  });
}

Deno.test("otel() makes no span of a method that does not exist", async () => {
  const { send, spans } = createServer();
  await send("modern", { method: "PLANTED/none" });
  assertEquals(spans(), []);
});

Deno.test("otel() names a session by its first characters alone (O-7)", async () => {
  const { send, spans } = createServer();
  const params = { protocolVersion: "2025-06-18", capabilities: {} };
  const opened = await send("legacy", { method: "initialize", params });
  const session = opened.headers.get("mcp-session-id")!;
  await send("legacy", {
    method: "tools/list",
    headers: { "mcp-session-id": session, "mcp-protocol-version": null },
  });
  const { attributes } = spans()[1]!;
  assertEquals(attributes["mcp.session.id"], `${session.slice(0, 8)}…`);
  assertEquals(attributes["mcp.protocol.version"], "2025-06-18");
});

Deno.test("otel() records a fault, and hands it on", async () => {
  const { send, spans } = createServer();
  const { status } = await send("modern", callOf("breaks"));
  assertEquals(status, 500);
  const { attributes, events, status: ended } = spans()[0]!;
  assertEquals([attributes["error.type"], ended.code], ["-32603", ERROR]);
  assertEquals(events.map(({ name, attributes }) => [name, attributes?.["exception.type"]]), [
    ["exception", "TypeError"],
  ]);
});

Deno.test("otel() records what a domain refuses by option, and validation never (O-5)", async () => {
  for (
    const [recordServiceExceptions, how, count] of [
      [false, "closed", 0],
      [true, "closed", 1],
      [true, "validation", 0],
    ] as const
  ) {
    const { send, spans } = createServer({ recordServiceExceptions });
    await send("modern", callOf("refuses", { how }));
    const { events, attributes } = spans()[0]!;
    assertEquals([events.length, attributes["error.type"]], [count, "tool_error"]);
  }
});

Deno.test("otel() counts durations by method, tool and error, and by nothing that grows", async () => {
  const { send, metrics } = createServer();
  await send("modern", callOf("echo", {}, { id: "one" }));
  await send("modern", callOf("echo", {}, { id: "two" }));
  await send("modern", callOf("PLANTED-1"));
  await send("modern", callOf("PLANTED-2"));
  await send("modern", { method: "resources/read", params: { uri: "notes://PLANTED" } });
  const [metric, ...others] = await metrics();
  assertEquals(others, []);
  assertEquals([metric!.descriptor.name, metric!.descriptor.unit], [
    "mcp.server.operation.duration",
    "s",
  ]);
  const common = { "mcp.protocol.version": "2026-07-28", ...http };
  const call = {
    ...common,
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
  };
  assertEquals(
    metric!.dataPoints.map(({ attributes, value }) => [
      { ...attributes },
      (value as { count: number }).count,
    ]),
    [
      [{ ...call, "gen_ai.tool.name": "echo" }, 2],
      [{
        ...call,
        "gen_ai.tool.name": "(unknown)",
        "error.type": "-32602",
        "rpc.response.status_code": "-32602",
      }, 2],
      [{ ...common, "mcp.method.name": "resources/read" }, 1],
    ],
  );
  const { buckets } = metric!.dataPoints[0]!.value as { buckets: { boundaries: number[] } };
  assertEquals([buckets.boundaries[0], buckets.boundaries.at(-1)], [0.01, 300]);
});

/** Runs with what an application installs. */
async function installed(run: () => Promise<void>): Promise<void> {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(
    new CompositePropagator({
      propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()],
    }),
  );
  try {
    await run();
  } finally {
    context.disable();
    propagation.disable();
  }
}

Deno.test("otel() runs a tool inside of its span, also after it waited", () =>
  installed(async () => {
    const { send, spans, active } = createServer();
    await send("modern", callOf("echo"));
    assertEquals(trace.getSpanContext(active[0]!), spans()[0]!.spanContext());
  }));

const meta = { traceparent: TRACEPARENT, baggage: "user=PLANTED" };
const CONTINUED: readonly (readonly [
  title: string,
  options: OtelOptions,
  input: McpInput,
  isContinued: boolean,
])[] = [
  ["an authenticated caller", {}, { meta }, true],
  ["an anonymous caller", {}, { meta, headers: { authorization: null } }, false],
  [
    "an anonymous caller that is trusted by option",
    { trustTraceparent: "everyone" },
    { meta, headers: { authorization: null } },
    true,
  ],
  ["a caller whom nobody trusts", { trustTraceparent: "nobody" }, { meta }, false],
  ["a caller that sends nonsense", {}, { meta: { traceparent: "00-nonsense" } }, false],
  ["a caller that sends a number", {}, { meta: { traceparent: 1 } }, false],
  ["a caller whose HTTP request has one", {}, { headers: { traceparent: TRACEPARENT } }, false],
];

for (const [title, options, input, isContinued] of CONTINUED) {
  const verb = isContinued ? "continues" : "does not continue";
  Deno.test(`otel() ${verb} the trace of ${title}, and forwards no baggage (B22)`, () =>
    installed(async () => {
      const { send, spans, active } = createServer(options);
      await send("modern", callOf("echo", {}, input));
      const span = spans()[0]!;
      assertEquals(span.spanContext().traceId === TRACE, isContinued);
      assertEquals(span.parentSpanContext?.spanId, isContinued ? "b7ad6b7169203331" : undefined);
      assertEquals(propagation.getBaggage(active[0]!), undefined);
    }));
}

Deno.test("otel() links the surrounding span where the client's is the parent", () =>
  installed(async () => {
    const { send, spans } = createServer();
    const surrounding = { traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 1 };
    const around = trace.setSpanContext(context.active(), surrounding);
    await context.with(around, () => send("modern", callOf("echo", {}, { meta })));
    await context.with(around, () => send("modern", callOf("echo")));
    const [remote, local] = spans();
    assertEquals(remote!.links.map((link) => link.context), [surrounding]);
    assertEquals(remote!.spanContext().traceId, TRACE);
    assertEquals(local!.links, []);
    assertEquals(local!.parentSpanContext?.spanId, surrounding.spanId);
  }));

Deno.test("otel() sees calls in process, which have no transport", async () => {
  const { server, spans } = createServer();
  await server.invokeTool("echo", { text: "hi" });
  await exported();
  assertEquals(spans().map(({ name, attributes }) => [name, { ...attributes }]), [
    ["tools/call echo", {
      "mcp.method.name": "tools/call",
      "gen_ai.tool.name": "echo",
      "gen_ai.operation.name": "execute_tool",
    }],
  ]);
});

Deno.test("otel() without an SDK changes no answer", async () => {
  const server = new McpServer({ name: "s", version: "1", around: [otel()] });
  server.tool("echo", open, () => "ok");
  const response = await server.fetch(mcpRequest("modern", callOf("echo")));
  assertMatch(await response.text(), /"text":"ok"/);
});

Deno.test("otel() refuses unknown and wrong options, naming them", () => {
  for (
    const [options, message] of [
      [{ colour: "red" }, "option colour is not an option"],
      [{ trustTraceparent: "me" }, "option trustTraceparent must be one of"],
      [{ recordServiceExceptions: 1 }, "option recordServiceExceptions must be a boolean"],
    ] as const
  ) {
    assertThrows(() => otel(options as object as OtelOptions), ConfigurationError, message);
  }
});

Deno.test("mod.ts loads no OpenTelemetry", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "mod.ts"],
  }).output();
  assert(!new TextDecoder().decode(stdout).includes("src/otel/"));
});

Deno.test("otel() counts the requests that no method sees, by reason and status (O-4)", async () => {
  const { server, send, spans, metrics } = createServer();
  await send("modern", { headers: { "content-type": "text/plain" } });
  await send("modern", { body: "{" });
  await send("modern", { body: "{" });
  await send("modern", { headers: { origin: "https://evil.example" } });
  await server.fetch(new Request("http://localhost/", { method: "PUT" }));
  const refused = (await metrics()).find(({ descriptor }) =>
    descriptor.name === "limen.server.refused_requests"
  );
  assertEquals(
    refused?.dataPoints.map(({ attributes, value }) => [...Object.values(attributes), value]),
    [["content-type", 415, 1], ["json", 400, 2], ["origin", 403, 1], ["http-method", 405, 1]],
  );
  assertEquals(spans(), []);
});
