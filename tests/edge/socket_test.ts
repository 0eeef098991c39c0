/** The server behind a socket: what only raw bytes and connections can show. */
import { assert, assertEquals } from "@std/assert";
import { createFixture, type Fixture } from "../_support/fixture_server.ts";
import { type McpInput, mcpRequest } from "../_support/mcp_request.ts";
import { readAnswer } from "../_support/read_answer.ts";
import { until } from "../_support/until.ts";
import { assertStillServes, watchRejections } from "../_support/wire_sheet.ts";

/** Serves a fixture on a free port while a test runs. */
async function served(
  run: (url: string, fixture: Fixture, port: number) => Promise<void>,
  options: Parameters<typeof createFixture>[0] = {},
): Promise<void> {
  await watchRejections(async () => {
    const fixture = createFixture(options);
    const listener = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      fixture.server.fetch,
    );
    const { port } = listener.addr;
    const url = `http://127.0.0.1:${port}/mcp`;
    try {
      await run(url, fixture, port);
      await assertStillServes({
        fetch: (request) => fetch(new Request(url, request)),
      }, "modern");
    } finally {
      await listener.shutdown();
    }
  });
}

/** Sends lines and a body as they are, and reads the answer until the server closes. */
async function sendRaw(port: number, head: readonly string[], body: string): Promise<string> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const length = new TextEncoder().encode(body).length;
  const lines = [...head, `Content-Length: ${length}`, "Connection: close", "", body];
  await connection.write(new TextEncoder().encode(lines.join("\r\n")));
  return await new Response(connection.readable).text();
}

const slow: McpInput = {
  method: "tools/call",
  params: { name: "slow", arguments: { ms: 20_000 } },
};
const echo = mcpRequest("modern", {
  method: "tools/call",
  params: { name: "echo", arguments: { text: "a" } },
});
const body = await echo.text();
const head = [
  "POST /mcp HTTP/1.1",
  "Host: localhost",
  "Content-Type: application/json",
  "Accept: application/json, text/event-stream",
  "MCP-Protocol-Version: 2026-07-28",
  "Mcp-Method: tools/call",
];

Deno.test("Deno.serve: a call over a raw connection is answered, and the connection closed (B96)", () =>
  served(async (_url, { hooks }, port) => {
    const answer = await sendRaw(port, [...head, "Mcp-Name:   echo  "], body);
    assert(answer.startsWith("HTTP/1.1 200 "), answer);
    assert(/content-type: application\/json\r\n/i.test(answer), answer);
    assertEquals(hooks.ran, ["echo"]);
  }));

Deno.test("Deno.serve: a header in two lines is -32020 on 400 (B07)", () =>
  served(async (_url, { hooks }, port) => {
    for (
      const lines of [
        ["Mcp-Name: echo", "Mcp-Name: echo"],
        ["Mcp-Name: echo", "MCP-Protocol-Version: 2025-11-25"],
        ["Mcp-Name: echo", "Mcp-Method: tools/list"],
      ]
    ) {
      const answer = await sendRaw(port, [...head, ...lines], body);
      assert(answer.startsWith("HTTP/1.1 400 ") && answer.includes("-32020"), answer);
    }
    assertEquals(hooks.ran, []);
  }));

Deno.test("Deno.serve: a name that was rebound to this machine is 403 (B40)", () =>
  served(async (_url, { hooks }, port) => {
    const foreign = head.with(1, "Host: evil.example:8080");
    const lines = [...foreign, "Mcp-Name: echo", "Origin: http://evil.example:8080"];
    const answer = await sendRaw(port, lines, body);
    assert(answer.startsWith("HTTP/1.1 403 "), answer);
    assertEquals(hooks.ran, []);
  }));

Deno.test("Deno.serve: headers that a proxy adds are ignored (B96)", () =>
  served(async (url, { hooks }) => {
    const headers = {
      "mcp-session-id": "foreign",
      "mcp-param-zzz": "x",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "https",
    };
    const input = { method: "tools/call", params: { name: "noargs" }, headers };
    const answer = await readAnswer(await fetch(mcpRequest("modern", { ...input, url })));
    assertEquals([answer.status, answer.headers.get("mcp-session-id")], [200, null]);
    assertEquals(hooks.ran, ["noargs"]);
  }));

Deno.test("Deno.serve: a body over the limit is 413, however it is sent", () =>
  served(async (url) => {
    const chunks = () => {
      let sent = 0;
      return new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull(controller) {
          if (++sent > 40) controller.close();
          else controller.enqueue(new Uint8Array(100_000).fill(32));
        },
      });
    };
    for (const create of [() => " ".repeat(2_000_000), chunks]) {
      const request = mcpRequest("modern", { url, body: create() });
      // A server that stops reading may reset the connection before the answer is read.
      const status = await fetch(request).then(async (response) => {
        await response.body?.cancel();
        return response.status;
      }, () => 413);
      assertEquals(status, 413);
    }
  }));

for (
  const [title, input] of [
    ["before anything was answered", slow],
    ["while its stream is open", {
      ...slow,
      params: { name: "slow", arguments: { ms: 20_000, progress: 1 } },
      meta: { progressToken: "t" },
    }],
  ] as const
) {
  Deno.test(`Deno.serve: a client that leaves ${title} cancels its call (B57)`, () =>
    served(async (url, { hooks }) => {
      const controller = new AbortController();
      const pending = fetch(mcpRequest("modern", { ...input, url, signal: controller.signal }))
        .then((response) => response.text())
        .catch(() => "left");
      await until(() => hooks.inFlight === 1);
      await sleep(20);
      controller.abort();
      assertEquals(await pending, "left");
      await until(() => hooks.inFlight === 0);
      assertEquals([hooks.aborted, hooks.events], [["slow"], []]);
    }));
}

Deno.test("Deno.serve: fifty clients that leave are all forgotten (B57)", () =>
  served(async (url, { hooks }) => {
    const controller = new AbortController();
    const pending = Array.from(
      { length: 50 },
      () =>
        fetch(mcpRequest("modern", { ...slow, url, signal: controller.signal }))
          .then((response) => response.text())
          .catch(() => "left"),
    );
    await until(() => hooks.inFlight === 50);
    controller.abort();
    assertEquals(new Set(await Promise.all(pending)), new Set(["left"]));
    await until(() => hooks.inFlight === 0);
    assertEquals(hooks.aborted.length, 50);
  }, { limits: { perCaller: { maxInFlight: 50 } } }));

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
