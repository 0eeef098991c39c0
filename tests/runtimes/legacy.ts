import { assertSame } from "./assert_same.ts";
import type { Case, Target } from "./case.ts";
import { readAnswers } from "./read_answer.ts";

const headers = {
  "content-type": "application/json",
  "accept": "application/json, text/event-stream",
};

/** The era of sessions. */
export const legacy: readonly Case[] = [
  {
    title: "initialize opens sessions at once, each with an id of its own",
    run: async ({ fetch }) => {
      const opened = await Promise.all([1, 2, 3].map(() => open(fetch)));
      assertSame(new Set(opened).size, 3);
    },
  },
  {
    title: "a call within a session is answered in the legacy shape",
    run: async ({ fetch }) => {
      const response = await call(fetch, await open(fetch));
      const [answer] = await readAnswers(response);
      assertSame(answer?.result, { content: [{ type: "text", text: "hello" }] });
    },
  },
  {
    title: "a legacy client gets progress",
    run: async ({ fetch }) => {
      const params = { name: "report", _meta: { progressToken: 7 } };
      const response = await fetch(post("tools/call", params, await open(fetch)));
      const messages = await readAnswers(response);
      assertSame(messages.map(({ params }) => params?.progress ?? "result"), [1, 2, 3, "result"]);
    },
  },
  {
    title: "an unknown session and an ended one are refused with HTTP 404",
    run: async ({ fetch }) => {
      const unknown = await call(fetch, "unknown");
      await unknown.body?.cancel();
      const id = await open(fetch);
      const ended = await fetch({ method: "DELETE", headers: sessionHeaders(id) });
      await ended.body?.cancel();
      const late = await call(fetch, id);
      await late.body?.cancel();
      assertSame([unknown.status, ended.status, late.status], [404, 204, 404]);
    },
  },
];

async function open(fetch: Target["fetch"]): Promise<string> {
  const clientInfo = { name: "runtimes", version: "1.0.0" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const response = await fetch(post("initialize", params));
  const [answer] = await readAnswers(response);
  assertSame(answer?.result?.protocolVersion, "2025-11-25");
  return response.headers.get("mcp-session-id") ?? "";
}

async function call(fetch: Target["fetch"], session: string): Promise<Response> {
  return await fetch(post("tools/call", { name: "echo", arguments: { text: "hello" } }, session));
}

function post(method: string, params: object, session?: string): RequestInit {
  return {
    method: "POST",
    headers: session === undefined ? headers : sessionHeaders(session),
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  };
}

function sessionHeaders(session: string): Record<string, string> {
  return { ...headers, "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
}
