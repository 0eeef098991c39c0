/** Clients that listen over a socket, and leave at any moment. */
import { type Broker, memoryBroker } from "@limen/mcp/stores/memory";
import { assert, assertEquals } from "@std/assert";
import { slowBroker } from "../_support/slow_broker.ts";
import { listenRequest } from "../_support/listen_client.ts";
import { ADA, as, createNotes, type NoteServer } from "../_support/note_server.ts";
import { until } from "../_support/until.ts";

const FILTER = { toolsListChanged: true, resourceSubscriptions: ["notes://1"] };

/** Serves notes on a port of their own. */
async function withSocket(
  broker: Broker,
  run: (ask: (signal?: AbortSignal) => Promise<Response>, notes: NoteServer) => Promise<void>,
): Promise<void> {
  const notes = createNotes({ broker });
  const listener = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    notes.server.fetch,
  );
  const url = `http://127.0.0.1:${listener.addr.port}/mcp`;
  try {
    await run((signal) => {
      const input = { ...as(ADA), url, ...(signal === undefined ? {} : { signal }) };
      return fetch(listenRequest(FILTER, input));
    }, notes);
  } finally {
    await notes.server.close();
    await listener.shutdown();
  }
}

Deno.test("a client that leaves while it listens leaves nothing behind", async () => {
  const broker = memoryBroker();
  await withSocket(broker, async (ask, { server }) => {
    for (let i = 0; i < 8; i++) { // more than one caller may have at a time
      const controller = new AbortController();
      const response = await ask(controller.signal);
      const reader = response.body!.getReader();
      await reader.read();
      assertEquals(broker.activeSubscriptions, 2);
      await server.notifyListChanged("tools");
      const { value } = await reader.read();
      assert(new TextDecoder().decode(value).includes("tools/list_changed"));
      controller.abort();
      await reader.read().catch(() => {});
      await until(() => broker.activeSubscriptions === 0);
    }
  });
});

Deno.test("a client that leaves before the acknowledgement leaves nothing behind", async () => {
  const { broker, waiting } = slowBroker();
  await withSocket(broker, async (ask, { server, logged }) => {
    for (let i = 0; i < 8; i++) {
      const controller = new AbortController();
      const pending = ask(controller.signal).catch((error) => error.name);
      await until(() => waiting.length === 2);
      controller.abort();
      assertEquals(await pending, "AbortError");
      for (const go of waiting.splice(0)) go();
      await until(() => broker.activeSubscriptions === 0);
    }
    const last = ask();
    await until(() => waiting.length === 2); // its place is free
    for (const go of waiting.splice(0)) go();
    const response = await last;
    await server.close();
    assert((await response.text()).includes('"resultType":"complete"'));
    assertEquals([broker.activeSubscriptions, logged], [0, []]);
  });
});
