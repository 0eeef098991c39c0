/** Sessions, streams and slow clients behind a socket, with raw bytes. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { ServerOptions } from "@limen/mcp";
import { type Broker, memoryBroker } from "@limen/mcp/stores/memory";
import { createFixture, type Fixture } from "../_support/fixture_server.ts";
import { openSession } from "../_support/legacy_session.ts";
import { until } from "../_support/until.ts";
import { watchRejections } from "../_support/wire_sheet.ts";

interface Served extends Fixture {
  readonly broker: Broker;
  /** Opens a connection, and sends lines. */
  readonly connect: (...lines: readonly string[]) => Promise<Deno.TcpConn>;
  /** Sends lines, and reads the answer until the server closes. */
  readonly ask: (...lines: readonly string[]) => Promise<string>;
}

async function served(
  options: Partial<ServerOptions>,
  run: (served: Served) => Promise<void>,
): Promise<void> {
  await watchRejections(async () => {
    const broker = memoryBroker();
    const fixture = createFixture({ broker, sessions: "stored", ...options });
    const { fetch } = fixture.server;
    const listener = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, fetch);
    const connect = async (...lines: readonly string[]) => {
      const connection = await Deno.connect({ hostname: "127.0.0.1", port: listener.addr.port });
      await connection.write(latin1(lines.join("\r\n")));
      return connection;
    };
    const ask = async (...lines: readonly string[]) =>
      await new Response((await connect(...lines)).readable).text();
    try {
      await run({ ...fixture, broker, connect, ask });
    } finally {
      await fixture.server.close();
      await listener.shutdown();
    }
    assertEquals(broker.activeSubscriptions, 0);
  });
}

/** Each character as one byte. */
function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** What arrives first. */
async function readSome(connection: Deno.TcpConn): Promise<string> {
  const buffer = new Uint8Array(4096);
  const count = await connection.read(buffer);
  return new TextDecoder().decode(buffer.subarray(0, count ?? 0));
}

const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
const HEAD = [
  "Host: localhost",
  "Content-Type: application/json",
  "Accept: application/json, text/event-stream",
  "MCP-Protocol-Version: 2025-11-25",
] as const;

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

for (
  const [title, lines] of [
    ["stops halfway", [`Content-Length: ${LIST.length}`, "", LIST.slice(0, 20)]],
    ["never begins", [`Content-Length: ${LIST.length}`, "", ""]],
    ["stops between chunks", ["Transfer-Encoding: chunked", "", "5", LIST.slice(0, 5), ""]],
  ] as const
) {
  Deno.test(`Deno.serve: a body that ${title} is 408 (B13)`, () =>
    served({ bodyTimeoutMs: 100 }, async ({ connect, hooks }) => {
      const began = performance.now();
      const connection = await connect("POST /mcp HTTP/1.1", ...HEAD, ...lines);
      const answer = await readSome(connection);
      const took = performance.now() - began;
      connection.close();
      assert(answer.startsWith("HTTP/1.1 408 "), answer);
      assertMatch(answer, /connection: close/i);
      assertMatch(answer, /"code":-32600,"message":"The body took too long to arrive"/);
      assert(took >= 90 && took < 2000, `${took} ms`);
      assertEquals(hooks.events.map(({ event }) => event), ["request.refused"]);
    }));
}

Deno.test("Deno.serve: a body that comes byte by byte is 408 (B13)", () =>
  served({ bodyTimeoutMs: 100 }, async ({ connect }) => {
    const head = ["POST /mcp HTTP/1.1", ...HEAD, `Content-Length: ${LIST.length}`, "", ""];
    const connection = await connect(...head);
    let isOpen = true;
    const dripping = (async () => {
      for (const byte of LIST) {
        if (!isOpen) return;
        await connection.write(latin1(byte)).catch(() => isOpen = false);
        await sleep(10);
      }
    })();
    assertMatch(await readSome(connection), /^HTTP\/1.1 408 /);
    isOpen = false;
    await dripping;
    connection.close();
  }));

Deno.test("Deno.serve: a body in pieces that arrive in time is served", () =>
  served({ bodyTimeoutMs: 2000, sessions: "none" }, async ({ connect }) => {
    const head = ["POST /mcp HTTP/1.1", ...HEAD, "Connection: close"];
    const connection = await connect(...head, `Content-Length: ${LIST.length}`, "", "");
    for (const part of [LIST.slice(0, 10), LIST.slice(10)]) {
      await sleep(20);
      await connection.write(latin1(part));
    }
    const answer = await new Response(connection.readable).text();
    assert(answer.startsWith("HTTP/1.1 200 "), answer);
  }));

for (
  const [sessions, broker, allow] of [
    ["none", true, "POST, OPTIONS"],
    ["stored", false, "POST, DELETE, OPTIONS"],
    ["stored", true, "GET, POST, DELETE, OPTIONS"],
  ] as const
) {
  Deno.test(`Deno.serve: other methods are 405 with Allow: ${allow}`, () =>
    served({ sessions, ...(broker ? {} : { broker: undefined as never }) }, async ({ ask }) => {
      for (const verb of ["HEAD", "PUT", "PATCH", "FOO", "GET"]) {
        const answer = await ask(`${verb} /mcp HTTP/1.1`, ...HEAD, "Connection: close", "", "");
        assert(answer.startsWith("HTTP/1.1 405 "), answer);
        assert(answer.toLowerCase().includes(`\r\nallow: ${allow.toLowerCase()}\r\n`), answer);
        const [, body] = answer.split("\r\n\r\n");
        assertEquals(body === "", verb === "HEAD");
      }
      const answer = await ask("OPTIONS /mcp HTTP/1.1", ...HEAD, "Connection: close", "", "");
      assert(answer.startsWith("HTTP/1.1 204 "), answer);
      const methods = allow.replace(", OPTIONS", "").toLowerCase();
      for (const [name, value] of [["allow", allow], ["access-control-allow-methods", methods]]) {
        assert(answer.toLowerCase().includes(`\r\n${name}: ${value!.toLowerCase()}\r\n`), answer);
      }
    }));
}

for (
  const [title, lines, status] of [
    ["two equal Content-Length", [`Content-Length: ${LIST.length}`], /^HTTP\/1.1 [24]00 /],
    ["two Content-Length", ["Content-Length: 5"], /^HTTP\/1.1 400 /],
    ["two versions", ["MCP-Protocol-Version: 2025-06-18"], /^HTTP\/1.1 400 /],
    ["two equal versions", ["MCP-Protocol-Version: 2025-11-25"], /^HTTP\/1.1 400 /],
    ["a version with high bytes", ["MCP-Protocol-Version: \u00ff"], /^HTTP\/1.1 400 /],
    ["high bytes in a header nobody reads", ["X-Other: \u00e9\u00ff"], /^HTTP\/1.1 200 /],
    ["a method header of the modern era", ["Mcp-Method: \u00ff"], /^HTTP\/1.1 200 /],
  ] as const
) {
  Deno.test(`Deno.serve: a legacy request with ${title} gets ${status.source.slice(12)}`, () =>
    served({ sessions: "none" }, async ({ ask }) => {
      const length = [`Content-Length: ${LIST.length}`, "Connection: close", ...lines, "", LIST];
      assertMatch(await ask("POST /mcp HTTP/1.1", ...HEAD, ...length), status);
    }));
}

Deno.test("Deno.serve: a session that is named twice, or with high bytes, is unknown", () =>
  served({}, async ({ server, ask }) => {
    const own = `Mcp-Session-Id: ${await openSession(server)}`;
    const length = [`Content-Length: ${LIST.length}`, "Connection: close"];
    const post = (...lines: string[]) =>
      ask("POST /mcp HTTP/1.1", ...HEAD, ...length, ...lines, "", LIST);
    assertMatch(await post(own), /^HTTP\/1.1 200 /);
    assertMatch(await post(own, own), /^HTTP\/1.1 404 /);
    assertMatch(await post(own, "Mcp-Session-Id: x"), /^HTTP\/1.1 404 /);
    assertMatch(await post("Mcp-Session-Id: \u00e9\u00ff"), /^HTTP\/1.1 404 /);
    assertMatch(await post(), /^HTTP\/1.1 400 /);
  }));

Deno.test("Deno.serve: a listener that hangs up leaves nothing behind", () =>
  served({ keepAliveMs: 20 }, async ({ server, connect, broker }) => {
    const session = `Mcp-Session-Id: ${await openSession(server)}`;
    for (let i = 0; i < 5; i++) {
      const connection = await connect("GET /mcp HTTP/1.1", ...HEAD, session, "", "");
      await until(() => broker.activeSubscriptions === 1);
      connection.close();
      await until(() => broker.activeSubscriptions === 0);
    }
  }));

Deno.test("Deno.serve: a listener that hangs up at once leaves nothing behind", () =>
  served({ keepAliveMs: 20 }, async ({ server, connect, broker }) => {
    const sessions = await Promise.all(Array.from({ length: 20 }, () => openSession(server)));
    for (const id of sessions) {
      const lines = ["GET /mcp HTTP/1.1", ...HEAD, `Mcp-Session-Id: ${id}`, "", ""];
      (await connect(...lines)).close();
    }
    await sleep(50);
    await until(() => broker.activeSubscriptions === 0);
  }));

Deno.test("Deno.serve: a listener that does not read keeps one message and the waiting ones", () =>
  served({}, async ({ server, connect, broker }) => {
    const id = await openSession(server);
    const connection = await connect(
      "GET /mcp HTTP/1.1",
      ...HEAD,
      `Mcp-Session-Id: ${id}`,
      "",
      "",
    );
    await until(() => broker.activeSubscriptions === 1);
    const params = { text: "x".repeat(10_000) };
    for (let i = 0; i < 3000 && broker.activeSubscriptions === 1; i++) {
      await server.notify(id, { method: "notifications/message", params });
      if (i % 50 === 0) await sleep(1);
    }
    // The broker gave the listener up: what the kernel took is all there is.
    assertEquals(broker.activeSubscriptions, 0);
    connection.close();
  }));
