import { assertSame } from "./assert_same.ts";
import { callRequest } from "./call_request.ts";
import type { Case, Target } from "./case.ts";
import { readText } from "./read_answer.ts";

const LIMIT = 1 << 20;

/** Headers that are turned away, and the status. */
const REFUSED: readonly (readonly [
  title: string,
  headers: Readonly<Record<string, string>>,
  status: number,
])[] = [
  ["a page of another origin", { origin: "https://evil.example" }, 403],
  ["a page without origin", { origin: "null" }, 403],
  ["another content type", { "content-type": "text/plain" }, 415],
  ["a content encoding", { "content-encoding": "gzip" }, 415],
  ["a client that reads HTML only", { accept: "text/html" }, 406],
];

/** What the edge refuses before a method runs. */
export const refusals: readonly Case[] = [
  ...REFUSED.map(([title, headers, status]): Case => ({
    title: `${title} is refused with HTTP ${status}`,
    needsRawBody: "content-encoding" in headers,
    run: async ({ fetch }) => {
      const response = await fetch(callRequest("echo", { text: "hello" }, { headers }));
      await response.body?.cancel();
      assertSame(response.status, status);
    },
  })),
  {
    title: "a page of this machine is served, with its origin named",
    run: async ({ fetch }) => {
      const headers = { origin: "http://localhost:6274" };
      const response = await fetch(callRequest("echo", { text: "hello" }, { headers }));
      assertSame(await readText(response), "hello");
      assertSame(response.headers.get("access-control-allow-origin"), "http://localhost:6274");
    },
  },
  {
    title: "GET without a session is refused with HTTP 405",
    run: async ({ fetch }) => {
      const response = await fetch({ method: "GET" });
      await response.body?.cancel();
      assertSame([response.status, response.headers.get("allow")], [
        405,
        "GET, POST, DELETE, OPTIONS",
      ]);
    },
  },
  {
    title: "a body that is not JSON is refused with HTTP 400",
    needsRawBody: true,
    run: async ({ fetch }) => {
      const response = await fetch({ ...callRequest("echo"), body: "{" });
      assertSame([response.status, (await response.json()).error.code], [400, -32700]);
    },
  },
  {
    title: "a body of 1 MiB that declares its length is served, one byte more is HTTP 413",
    run: async (target) => {
      assertSame(await sendDeclared(target, LIMIT), 200);
      assertSame(await sendDeclared(target, LIMIT + 1), 413);
    },
  },
  {
    title: "a body of 1 MiB that declares no length is served, one byte more is HTTP 413",
    run: async (target) => {
      assertSame(await sendStreamed(target, LIMIT), 200);
      assertSame(await sendStreamed(target, LIMIT + 1), 413);
    },
  },
];

function requestOfSize(bytes: number): ReturnType<typeof callRequest> {
  const { length } = callRequest("echo", { text: "" }).body;
  return callRequest("echo", { text: "x".repeat(bytes - length) });
}

async function sendDeclared({ fetch, hasSocket }: Target, bytes: number): Promise<number> {
  const { headers, ...init } = requestOfSize(bytes);
  const declared: Record<string, string> = hasSocket ? {} : { "content-length": String(bytes) };
  return await statusOf(await fetch({ ...init, headers: { ...headers, ...declared } }));
}

async function sendStreamed({ fetch }: Target, bytes: number): Promise<number> {
  const { body, ...init } = requestOfSize(bytes);
  const stream = new Blob([body]).stream();
  const streamed: RequestInit & { duplex: "half" } = { ...init, body: stream, duplex: "half" };
  return await statusOf(await fetch(streamed));
}

async function statusOf(response: Response): Promise<number> {
  await response.text();
  return response.status;
}
