/** The server behind a socket: what only raw bytes and connections can show. */
import { assert, assertEquals } from "@std/assert";
import { createFixture, type Fixture } from "../_support/fixture_server.ts";
import { mcpRequest } from "../_support/mcp_request.ts";
import { assertStillServes, watchRejections } from "../_support/wire_sheet.ts";

/** Serves a fixture on a free port while a test runs. */
async function served(
  run: (url: string, fixture: Fixture, port: number) => Promise<void>,
): Promise<void> {
  await watchRejections(async () => {
    const fixture = createFixture();
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
