/** The official client of the first generation listens to its session, and resumes it. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Notification } from "@modelcontextprotocol/sdk/types.js";
import { assert, assertEquals } from "@std/assert";
import { memoryBroker } from "@limen/mcp/stores/memory";
import { createServer } from "../../examples/conformance/server.ts";
import { until } from "../_support/until.ts";

/** How the client reconnects, soon enough for a test. */
const reconnectionOptions = {
  initialReconnectionDelay: 10,
  maxReconnectionDelay: 10,
  reconnectionDelayGrowFactor: 1,
  maxRetries: 5,
};

for (const sessions of ["sealed", "stored"] as const) {
  Deno.test(`The first official client hears of notifications in a ${sessions} session, and resumes`, async () => {
    const broker = memoryBroker();
    const server = createServer({
      secret: "a secret of more than thirty-two bytes",
      sessions,
      broker,
      replay: {},
    });
    // The first stream breaks after a message: the client comes back with the last number it got.
    const gets: Request[] = [];
    let breaks: (() => void) | undefined;
    let admit: (() => void) | undefined;
    const admitted = new Promise<void>((resolve) => admit = resolve);
    const listener = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      async (request) => {
        if (request.method !== "GET") return await server.fetch(request);
        gets.push(request);
        if (gets.length === 2) await admitted;
        const response = await server.fetch(request);
        const { readable, writable } = new TransformStream();
        const controller = new AbortController();
        const { signal } = controller;
        response.body!.pipeTo(writable, { signal, preventAbort: true })
          .catch(() => writable.close());
        breaks = () => controller.abort();
        return new Response(readable, response);
      },
    );
    const client = new Client({ name: "test", version: "1.0.0" });
    const heard: unknown[] = [];
    client.fallbackNotificationHandler = ({ method, params }: Notification) => {
      heard.push([method, params?.n]);
      return Promise.resolve();
    };
    const url = new URL(`http://127.0.0.1:${listener.addr.port}/mcp`);
    const transport = new StreamableHTTPClientTransport(url, { reconnectionOptions });
    await client.connect(transport);
    try {
      const id = transport.sessionId!;
      const send = (n: number) =>
        server.notify(id, { method: "notifications/test", params: { n } });
      await until(() => broker.activeSubscriptions === 2); // its stream, and the server's own
      assertEquals(await send(1), true);
      await until(() => heard.length === 1);
      breaks!();
      await until(() => broker.activeSubscriptions === 1);
      assertEquals(await send(2), false);
      admit!();
      await until(() => gets.length === 2);
      await until(() => heard.length === 2);
      assert(/^[0-9]{16}$/.test(gets[1]!.headers.get("last-event-id")!));
      assertEquals(await send(3), true);
      await until(() => heard.length === 3);
      assertEquals(heard, [1, 2, 3].map((n) => ["notifications/test", n]));
    } finally {
      await client.close();
      await server.close();
      await listener.shutdown();
    }
    assertEquals(broker.activeSubscriptions, 0);
  });
}
