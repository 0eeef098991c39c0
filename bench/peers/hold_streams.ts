/**
 * Opens streams of `subscriptions/listen` and prints the bytes of one, then how many events a second
 * reach all of them, and the processor's time for each delivery in microseconds:
 * `hold_streams.ts <limen|sdk2> <lists|resource> <streams> <events>`, in a process with
 * `--v8-flags=--expose-gc`. Every stream has a reader that waits, as a connection does.
 *
 * @module
 */
import process from "node:process";
import { heapAfterGc } from "./heap_after_gc.ts";
import { openListenLane } from "./listen_lane.ts";

const FILTERS: Readonly<Record<string, object>> = {
  lists: { toolsListChanged: true },
  resource: { toolsListChanged: true, resourceSubscriptions: ["rows://1"] },
};

function listenRequest(id: number, notifications: object): Request {
  return new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "subscriptions/listen",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id,
      method: "subscriptions/listen",
      params: {
        notifications,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
  });
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

if (import.meta.main) {
  const [lane = "", filter = "", streams, events] = Deno.args;
  const { fetch, publish } = await openListenLane(lane);
  let readers: Reader[] = [];
  let read: Promise<unknown>[] = [];
  const open = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      const response = await fetch(listenRequest(readers.length, FILTERS[filter]!));
      const reader: Reader = response.body!.getReader();
      const { value } = await reader.read();
      if (!new TextDecoder().decode(value).includes('"toolsListChanged":true')) {
        throw new Error(`${lane} does not listen: ${response.status}`);
      }
      readers.push(reader);
      read.push(reader.read());
    }
  };
  // What the server takes, and its code once it is warm, is no stream's.
  await open(Number(streams));
  await Promise.all(readers.map((reader) => reader.cancel()));
  [readers, read] = [[], []];
  const before = await heapAfterGc();
  await open(Number(streams));
  const after = await heapAfterGc();
  console.log((after - before) / Number(streams));

  const fanOut = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      publish();
      await Promise.all(read); // all have heard
      read = readers.map((reader) => reader.read());
    }
  };
  await fanOut(20);
  const [start, used] = [performance.now(), process.cpuUsage()];
  await fanOut(Number(events));
  console.log(1000 * Number(events) / (performance.now() - start));
  const { user, system } = process.cpuUsage(used);
  console.log((user + system) / Number(events) / Number(streams));
  Deno.exit();
}
