import { assert, assertEquals } from "@std/assert";
import { EventStream } from "../../src/edge/event_stream.ts";

function createStream(maxBufferedBytes = 1000) {
  let cancelled = 0;
  const stream = new EventStream({ onCancel: () => void cancelled++, maxBufferedBytes });
  return { stream, cancelled: () => cancelled };
}

async function readChunk(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
): Promise<string | undefined> {
  const { value } = await reader.read();
  return value === undefined ? undefined : new TextDecoder().decode(value);
}

Deno.test("EventStream writes messages in order, those of one tick as one chunk", async () => {
  const { stream } = createStream();
  const reader = stream.body.getReader();
  const first = readChunk(reader);
  stream.send("1");
  stream.send("2");
  assertEquals(await first, "data: 1\n\ndata: 2\n\n");
  stream.send("3");
  assertEquals(await readChunk(reader), "data: 3\n\n");
  stream.end("4");
  assertEquals(await readChunk(reader), "data: 4\n\n");
  assertEquals(await readChunk(reader), undefined);
});

Deno.test("EventStream drops what a slow reader leaves no room for, but for the last", async () => {
  const { stream } = createStream(100);
  for (let i = 0; i < 10_000; i++) stream.send(`${i}`.padStart(20));
  stream.end("end");
  const text = await new Response(stream.body).text();
  assert(text.length < 200, `${text.length}`);
  assert(text.startsWith("data:                    0\n\n"));
  assert(text.endsWith("data: end\n\n"));
});

Deno.test("EventStream takes messages again once a slow reader has caught up", async () => {
  const { stream } = createStream(60);
  const reader = stream.body.getReader();
  for (let i = 0; i < 10; i++) stream.send("x".repeat(20));
  await readChunk(reader);
  stream.send("later");
  stream.end("end");
  let text = "";
  for (let chunk = await readChunk(reader); chunk !== undefined; chunk = await readChunk(reader)) {
    text += chunk;
  }
  assert(text.includes("data: later\n\n"), text);
});

Deno.test("EventStream keeps a stream alive only where nothing waits already", async () => {
  const { stream } = createStream();
  stream.keepAlive();
  stream.keepAlive();
  stream.send("1");
  stream.keepAlive();
  stream.end("2");
  const text = await new Response(stream.body).text();
  assertEquals(text, ": keepalive\n\ndata: 1\n\ndata: 2\n\n");
});

Deno.test("EventStream tells when the reader leaves, and writes nothing more", async () => {
  const { stream, cancelled } = createStream();
  const reader = stream.body.getReader();
  stream.send("1");
  await readChunk(reader);
  await reader.cancel();
  assertEquals(cancelled(), 1);
  stream.send("2");
  stream.keepAlive();
  stream.end("3");
  assertEquals(await readChunk(reader), undefined);
});

Deno.test("EventStream tells nothing when a reader leaves after the end", async () => {
  const { stream, cancelled } = createStream();
  stream.end("1");
  const reader = stream.body.getReader();
  await readChunk(reader);
  await reader.cancel();
  assertEquals(cancelled(), 0);
});
