/**
 * Whatever is sent, in either era: a well-formed answer in time, and nothing of what went on inside.
 *
 * `FUZZ_RUNS` sends more, `FUZZ_SEED=random` something else each time; a failure prints the seed.
 */
import { assert, assertEquals } from "@std/assert";
import { memoryBroker } from "@limen/mcp/stores/memory";
import fc from "fast-check";
import { type Message, readEvents } from "../_support/read_answer.ts";
import { watchRejections } from "../_support/wire_sheet.ts";
import { type FuzzInput, fuzzInput, SESSION } from "./fuzz_input.ts";
import { FuzzServer } from "./fuzz_server.ts";

const RUNS = Number(Deno.env.get("FUZZ_RUNS") ?? 10_000);
const SEED = Deno.env.get("FUZZ_SEED") ?? "20261130";
const DEADLINE_MS = 10_000;

const SERVERS = {
  "sealed sessions": { secret: "a secret of more than thirty-two bytes" },
  "stored sessions and streams": {
    sessions: "stored",
    broker: memoryBroker(),
    replay: {},
    maxStreamsPerCaller: 100,
  },
} as const;

for (const [i, [title, options]] of Object.entries(SERVERS).entries()) {
  Deno.test(`McpServer.fetch() with ${title} answers ${RUNS} requests of any kind, well-formed`, () =>
    watchRejections(async () => {
      const server = new FuzzServer(options);
      const property = fc.asyncProperty(fuzzInput, (input) => assertSound(server, input));
      await fc.assert(property, {
        numRuns: RUNS,
        seed: SEED === "random" ? Date.now() : Number(SEED) + i,
      });
      await untilIdle(server);
      assertEquals(({} as { polluted?: unknown }).polluted, undefined);
      await server.close();
    }));
}

/** What is past its deadline is told so, and goes on until it listens. */
async function untilIdle({ hooks }: FuzzServer): Promise<void> {
  for (const end = Date.now() + DEADLINE_MS; hooks.inFlight > 0;) {
    assert(Date.now() < end, "Some tool runs on");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function assertSound(server: FuzzServer, input: FuzzInput): Promise<void> {
  server.hooks.events.length = 0;
  server.hooks.ran.length = 0;
  const request = await build(server, input);
  const { status, headers, text } = await inTime(read(server.fetch(request)));
  const type = headers.get("content-type");
  const isStream = type === "text/event-stream";
  if (isStream) assertEquals(status, 200);
  if (text === "") {
    assert(type === null && [202, 204, 404].includes(status), `${status} without a body`);
    return;
  }
  if (isStream && request.method === "GET") {
    readEvents(text.replace(/^id: [0-9]+\ndata: \n\n/gm, ""));
    return;
  }
  assert(isStream || type === "application/json", `${type}`);
  const message = isStream ? readEvents(text).at(-1)! : JSON.parse(text);
  if (new URL(request.url).pathname.startsWith("/.well-known/")) return;
  assertMessage(message);
  assertFault(server, status, message);
}

function assertMessage(message: Message): void {
  assertEquals(message.jsonrpc, "2.0");
  const { id, result, error } = message;
  assert((result === undefined) !== (error === undefined), "Exactly one of result and error");
  if (error === undefined) {
    assert(
      typeof id === "string" || Number.isSafeInteger(id),
      "A result has the id of its request",
    );
    assertEquals(typeof result, "object");
    if (result.isError === true) assertTellsNothing(result);
    return;
  }
  assert(id === undefined || typeof id === "string" || Number.isSafeInteger(id));
  assert(Number.isSafeInteger(error.code), "An error has a code");
  assert(typeof error.message === "string" && error.message.length < 500);
  assertTellsNothing(error);
}

/** A 5xx is a fault that the server has declared, and only a tool or resource that throws makes one. */
function assertFault({ hooks }: FuzzServer, status: number, { error }: Message): void {
  const faults = hooks.events.filter(({ level }) => level === "error");
  assertEquals(status >= 500, error?.code === -32603);
  assertEquals(faults.length, status >= 500 ? 1 : 0);
  if (status < 500) return;
  const [{ event, fields, cause }] = faults as [typeof faults[0] & object];
  assertEquals(event, "call.fault");
  assert(cause instanceof Error && cause.message.startsWith("secret-text"), String(cause));
  assertEquals(error, {
    code: -32603,
    message: "Internal error",
    data: { reference: fields?.reference },
  });
}

function assertTellsNothing(told: Message): void {
  assert(!/secret-|\.ts:\d|Error: /.test(JSON.stringify(told)), JSON.stringify(told));
}

async function build(server: FuzzServer, input: FuzzInput): Promise<Request> {
  const { verb, path, body, headers: given } = input;
  const headers = new Headers();
  for (const [name, value] of given) {
    if (value === null) headers.delete(name);
    else headers.append(name, value === SESSION ? await server.session() : value);
  }
  return new Request(`http://localhost${path}`, {
    method: verb,
    headers,
    ...(verb === "POST" || verb === "PUT" ? { body } : {}),
  });
}

interface Read {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Reads an answer; of the stream of a session only what is there at once. */
async function read(pending: Promise<Response>): Promise<Read> {
  const response = await pending;
  const { status, headers, body } = response;
  const isEndless = headers.get("content-type") === "text/event-stream" &&
    headers.get("x-accel-buffering") === "no";
  if (!isEndless) return { status, headers, text: decode(await response.arrayBuffer()) };
  let text = "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = body!.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { status, headers, text };
    text += decoder.decode(value, { stream: true });
    if (text.startsWith(": stream open")) { // it lasts as long as the session
      await reader.cancel();
      return { status, headers, text };
    }
  }
}

function decode(bytes: ArrayBuffer): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("It was not answered in time")), DEADLINE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
