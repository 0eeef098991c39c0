/** What clients leave behind who leave without a word; `deno task leak` looks at the heap as well. */
import { assertEquals } from "@std/assert";
import { LeavingClients } from "./leaving_clients.ts";

Deno.test("B13: sessions, aborted streams and slow readers leave nothing in the server", async () => {
  await using clients = new LeavingClients();
  const everything = async (count: number): Promise<void> => {
    await clients.openSessions(count);
    await clients.abortStreams(count);
    await clients.readSlowly(count / 4);
    await clients.settle();
  };
  await everything(20);
  // Handles are the whole process's, where other tests run beside this one.
  const { handles: _, ...before } = clients.holdings;
  await everything(200);
  const { handles: __, ...after } = clients.holdings;
  assertEquals(after, before);
});
