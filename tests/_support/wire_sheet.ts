import { assert, assertEquals, assertObjectMatch } from "@std/assert";
import type { ServerOptions } from "@limen/mcp";
import { type Lane, LANES, type Server } from "./lanes.ts";
import { createFixture, type Hooks } from "./fixture_server.ts";
import { type ClientEra, type McpInput, mcpRequest } from "./mcp_request.ts";
import { type Answer, type Message, readAnswer } from "./read_answer.ts";
import { assertConforms, SPEC_SOURCES } from "./spec_schema.ts";

/** One row of a sheet: what a client of an era sends, and what it must get. */
export interface WireCase {
  /** Of the case list, such as `"B01"`. */
  readonly id: string;
  /** What the row is about. */
  readonly title: string;
  /** Whose request it is. */
  readonly era: ClientEra;
  /** What is sent. */
  readonly input: McpInput;
  /** What must come back. */
  readonly expected: Expected;
}

/** What must come back. */
export interface Expected {
  /** HTTP status. */
  readonly status: number;
  /** What the JSON-RPC response holds at least; `null` for an empty body. */
  readonly message: Message | null;
  /** Response headers, exactly; `null` for one that must be absent. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The tools that ran. Default: none. */
  readonly ran?: readonly string[];
  /** The notifications before the response, each in full. Default: none. */
  readonly notifications?: readonly Message[];
  /** Whether the response has an id. Default: wherever `message` has one. */
  readonly hasId?: boolean;
  /** Anything else. */
  readonly check?: (answer: Answer, hooks: Hooks) => void;
}

/** The same rows, as clients of the legacy era send them. */
export function asLegacy(cases: readonly WireCase[]): readonly WireCase[] {
  return cases.map((one) => ({ ...one, era: "legacy" }));
}

/** Makes one test of each row on each lane, each with a fresh server. */
export function testSheet(cases: readonly WireCase[], options: Partial<ServerOptions> = {}): void {
  for (const { id, title, era, input, expected } of cases) {
    testLanes(`${id} ${era}: ${title} [${SPEC_SOURCES}]`, async (reach) => {
      const { server, hooks } = createFixture(options);
      const lane = await reach(server);
      const answer = await readAnswer(await lane.fetch(mcpRequest(era, input)));
      assertAnswer(answer, expected, input.method ?? "tools/list", era);
      assertEquals(hooks.ran, expected.ran ?? []);
      expected.check?.(answer, hooks);
      await assertStillServes(lane, era);
    });
  }
}

/** Opens a lane to a server; it is closed when the test ends. */
export type Reach = (server: Server) => Promise<Lane>;

/** Makes one test for each lane; a rejection that nobody handles fails it. */
export function testLanes(title: string, run: (reach: Reach) => Promise<void>): void {
  for (const [name, open] of Object.entries(LANES)) {
    Deno.test(`${title} [${name}]`, () =>
      watchRejections(async () => {
        await using lanes = new AsyncDisposableStack();
        await run(async (server) => lanes.use(await open(server)));
      }));
  }
}

function assertAnswer(
  answer: Answer,
  expected: Expected,
  method: string,
  era: ClientEra,
): void {
  const { message } = answer;
  assertEquals(answer.status, expected.status, answer.text);
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    assertEquals(answer.headers.get(name), value, name);
  }
  assertEquals(answer.notifications, expected.notifications ?? []);
  if (expected.message === null) {
    assertEquals(answer.text, "");
    return;
  }
  assert(message !== undefined, "Expected a message");
  assertSound(answer, method, era);
  assertObjectMatch(message, expected.message);
  assertEquals("id" in message, expected.hasId ?? "id" in expected.message);
}

/** What holds for every answer with a body: typed, JSON-RPC, and as the specification says. */
export function assertSound(answer: Answer, method: string, era: ClientEra = "modern"): void {
  const type = answer.headers.get("content-type");
  assert(type === "application/json" || type === "text/event-stream", `Content-Type ${type}`);
  assert(answer.message !== undefined, "Expected a response");
  assertEquals(answer.message.jsonrpc, "2.0");
  for (const one of [...answer.notifications, answer.message]) assertConforms(one, method, era);
}

/** Sends a plain tools/list. */
export async function assertStillServes(
  server: Pick<Lane, "fetch">,
  era: ClientEra,
): Promise<void> {
  const answer = await readAnswer(await server.fetch(mcpRequest(era)));
  assertEquals(answer.status, 200, answer.text);
  assertSound(answer, "tools/list", era);
  assertEquals(answer.message?.result.tools[0].name, "echo");
}

/** Runs a test; a rejection that nobody handles in the meantime fails it. */
export async function watchRejections(run: () => Promise<void>): Promise<void> {
  const reasons: unknown[] = [];
  const listener = (event: PromiseRejectionEvent): void => {
    event.preventDefault();
    reasons.push(event.reason);
  };
  globalThis.addEventListener("unhandledrejection", listener);
  try {
    await run();
    await new Promise((resolve) => setTimeout(resolve, 0));
  } finally {
    globalThis.removeEventListener("unhandledrejection", listener);
  }
  assertEquals(reasons, []);
}
