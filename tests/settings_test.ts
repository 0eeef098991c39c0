import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { ConfigurationError, McpServer, type ServerOptions, unrestricted } from "@limen/mcp";
import { readSettings } from "../src/settings.ts";
import { mcpRequest } from "./_support/mcp_request.ts";
import { readAnswer } from "./_support/read_answer.ts";

const REFUSED: readonly (readonly [title: string, options: object, message: RegExp])[] = [
  ["an unknown option", { colour: "red" }, /option colour is not an option/],
  ["an inherited name as option", { toString: 1 }, /option toString is not an option/],
  ["no name", { name: undefined }, /option name must be a text/],
  ["an empty version", { version: "" }, /option version must be a text/],
  ["a page size of zero", { pageSize: 0 }, /option pageSize must be an integer of at least 1/],
  ["a fraction", { maxBodyBytes: 1.5 }, /option maxBodyBytes must be an integer/],
  ["not a number", { keepAliveMs: NaN }, /option keepAliveMs must be an integer/],
  ["a negative time", { catalogTtlMs: -1 }, /option catalogTtlMs must be an integer of at least 0/],
  ["a text in place of a number", { pageSize: "10" }, /option pageSize must be/],
  ["a text in place of a claim", { strictAccept: "no" }, /option strictAccept must be/],
  ["an unknown way of streaming", { streaming: "always" }, /option streaming must be/],
  ["an unknown way of faults", { faults: "throw" }, /option faults must be/],
  ["a clock that does not tell the time", { clock: {} }, /option clock must have a method now/],
  ["a log that cannot be called", { log: "console" }, /option log must be/],
  [
    "origins that are no list",
    { allowedOrigins: "https://a.example" },
    /option allowedOrigins must/,
  ],
  ["a public URL that is none", { publicUrl: "mcp.example" }, /option publicUrl must be/],
  ["an origin with a path", { allowedOrigins: ["https://a.example/x"] }, /not an origin such as/],
  ["null as an origin", { allowedOrigins: ["null"] }, /not an origin such as/],
  ["what cannot authenticate", { auth: {} }, /auth must be an object with authenticate\(\)/],
  ["a Map as a store", { stores: new Map() }, /stores must be an object with compareAndSet\(\)/],
  ["every origin without auth", { allowedOrigins: ["*"] }, /lets every web page call it/],
];

for (const [title, options, message] of REFUSED) {
  Deno.test(`new McpServer() refuses ${title}`, () => {
    const error = assertThrows(
      () => new McpServer({ name: "s", version: "1", ...options } as ServerOptions),
      ConfigurationError,
    );
    assertMatch(error.message, message);
  });
}

/** A value that each option refuses; one that is missing here does not compile. */
const WRONG: Readonly<Record<keyof ServerOptions, unknown>> = {
  allowedHosts: "localhost",
  allowedOrigins: "https://a.example",
  around: [{}],
  audit: "console",
  auth: "bearer",
  bodyTimeoutMs: 0,
  broker: "memory",
  catalogTtlMs: "60000",
  clock: 0,
  continuationTool: 1,
  continuations: "memory",
  conventions: "none",
  description: 1,
  dispatchTimeoutMs: 0,
  dynamicCatalogue: 1,
  executor: {},
  faults: "throw",
  filterListings: "no",
  host: {},
  icons: "icon.png",
  implies: "admin",
  includeOutputSchema: null,
  includeStructuredContent: null,
  includeValidationValue: 0,
  instructions: ["a"],
  keepAliveMs: 0,
  leanWrites: "no",
  limits: null,
  log: "console",
  logLevel: "trace",
  maxBodyBytes: -1,
  maxPageSize: 0,
  maxProgressReports: 0.5,
  maxResultBytes: Infinity,
  maxStreams: 0,
  maxStreamsPerCaller: 0,
  maxSubscriptions: 0,
  maxSubscriptionsPerCaller: null,
  name: 1,
  pageSize: null,
  probeAboveBytes: 0,
  partition: "tenant",
  publicUrl: "ftp://mcp.example",
  replay: true,
  requestState: { invalidState: "trust" },
  requireListPagination: "yes",
  requireToolDescriptions: "yes",
  requireToolPermissions: "no",
  resourceMetadata: [],
  resourceTtlMs: -1,
  restoreCaller: {},
  secret: "short",
  seeds: () => ({}),
  sessionIdleTtlMs: 0,
  sessionMaxAgeMs: 0,
  sessions: "memory",
  stores: "redis",
  streamAfterMs: -1,
  streamMaxAgeMs: 0,
  streaming: "always",
  strictAccept: "no",
  tasks: [],
  subscriptionMaxAgeMs: 0,
  title: 1,
  transaction: {},
  translateError: {},
  trustedProxies: -1,
  version: 1,
  websiteUrl: 1,
};

// SET-1
for (const [option, value] of Object.entries(WRONG)) {
  Deno.test(`new McpServer() refuses ${option}: ${JSON.stringify(value) ?? typeof value}`, () => {
    const options = { name: "s", version: "1", [option]: value } as object as ServerOptions;
    const error = assertThrows(() => new McpServer(options), ConfigurationError);
    assertMatch(error.message, new RegExp(`\\b${option}\\b`));
  });
}

const UNITS: Readonly<Record<string, number>> = {
  MiB: 1 << 20,
  days: 24 * 60 * 60 * 1000,
  hours: 60 * 60 * 1000,
  hour: 60 * 60 * 1000,
};

/** The value that a default in words means, where it is one. */
function readDefault(text: string): unknown {
  const [, quoted, digits, unit] =
    /^(?:`(.*?)`|([\d ]*\d)(?: ([A-Za-z]+))?)(?=$|[,:])/.exec(text) ?? [];
  if (quoted !== undefined) return JSON.parse(quoted);
  if (digits === undefined) return undefined;
  return Number(digits.replaceAll(" ", "")) * (unit === undefined ? 1 : UNITS[unit] ?? NaN);
}

Deno.test("readSettings() has the defaults that docs/settings.md names", async () => {
  const settings = { ...readSettings({ name: "s", version: "1" }) } as Record<string, unknown>;
  let compared = 0;
  for (const line of (await Deno.readTextFile("docs/settings.md")).split("\n")) {
    const [, name, text] = /^\| `(\w+)` +\| `.*?` +\| (.*?) \|/.exec(line.replaceAll("\\|", "/")) ??
      [];
    if (name === undefined || !["boolean", "number", "string"].includes(typeof settings[name])) {
      continue;
    }
    if (text === "required") continue;
    compared++;
    assertEquals(settings[name], readDefault(text!), name);
  }
  assertEquals(compared > 20, true);
});

Deno.test("new McpServer() takes an option that is undefined for one that is absent", async () => {
  const options = { name: "s", version: "1", pageSize: undefined, log: undefined };
  const server = new McpServer(options as object as ServerOptions);
  server.tool("t", { description: "T.", effect: "read", permissions: [unrestricted] }, () => "ok");
  const answer = await readAnswer(await server.fetch(mcpRequest("modern")));
  assertEquals(answer.message?.result.tools.length, 1);
});

Deno.test("new McpServer() logs warnings and errors to the console, and nothing else", async () => {
  const lines: unknown[][] = [];
  const { warn, error } = console;
  console.warn = (...line) => void lines.push(["warn", ...line]);
  console.error = (...line) => void lines.push(["error", ...line]);
  try {
    const cause = new Error("broken");
    const server = new McpServer({
      name: "s",
      version: "1",
      host: () => {
        throw cause;
      },
    });
    const options = { description: "T.", effect: "read", permissions: [unrestricted] } as const;
    server.tool("a.b", options, () => "ok");
    await server.fetch(mcpRequest("modern"));
    assertEquals(lines[0], [
      "warn",
      '[limen] ToolName: Tool "a.b": model APIs take names of A-Z a-z 0-9 _ - only, ' +
      "up to 64 characters",
    ]);
    assertMatch(
      String(lines[1]![1]),
      /^\[limen\] request.fault: Answering a request failed \{"ref/,
    );
    assertEquals([lines[1]![0], lines[1]![2], lines.length], ["error", cause, 2]);
  } finally {
    Object.assign(console, { warn, error });
  }
});
