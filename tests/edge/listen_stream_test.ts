/** A reader that is slow never makes a stream of events grow past its bound. */
import { assert, assertEquals } from "@std/assert";
import { ListenStream } from "../../src/edge/listen_stream.ts";
import { anonymous } from "../../src/ports/principal.ts";

function createStream() {
  let forgotten = 0;
  const options = {
    id: 1,
    lists: [],
    watched: [],
    caller: { user: anonymous },
    host: {},
    request: undefined,
    endsAt: undefined,
    asksAt: 0,
    slot: undefined,
  };
  const stream = new ListenStream(options, {
    encoder: new TextEncoder(),
    writeLast: () => "last",
    forget: () => void forgotten++,
  });
  return { stream, body: stream.createBody(), forgotten: () => forgotten };
}

function blocks(text: string): readonly string[] {
  return text.split("\n\n").slice(0, -1);
}

Deno.test("ListenStream hands an event at once to a reader who waits", async () => {
  const { stream, body } = createStream();
  const reader = body.getReader();
  const decoder = new TextDecoder();
  stream.open("first");
  assertEquals(decoder.decode((await reader.read()).value), "data: first\n\n");
  const read = reader.read();
  await new Promise((resolve) => setTimeout(resolve, 0));
  stream.push('{"id":');
  assertEquals(decoder.decode((await read).value), 'data: {"id":1}}}\n\n');
  await reader.cancel();
});

Deno.test("ListenStream adds no event that waits already, and keeps the order of the others", async () => {
  const { stream, body } = createStream();
  stream.open("first");
  for (const head of ["a", "b", "a", "c", "b", "a"]) stream.push(head);
  stream.end();
  assertEquals(blocks(await new Response(body).text()), [
    "data: first",
    "data: a1}}}",
    "data: b1}}}",
    "data: c1}}}",
    "data: last",
  ]);
});

Deno.test("ListenStream takes an event again once it was read", async () => {
  const { stream, body } = createStream();
  const reader = body.getReader();
  stream.open("first");
  for (let i = 0; i < 3; i++) {
    stream.push("a");
    stream.push("a");
    const text = new TextDecoder().decode((await reader.read()).value);
    assertEquals(blocks(text).filter((block) => block === "data: a1}}}").length, 1);
  }
  await reader.cancel();
});

for (
  const [title, count, head] of [
    ["1000 events", 1000, "x"],
    ["1 MiB", 200, "x".repeat(10_000)],
  ] as const
) {
  Deno.test(`ListenStream keeps ${title} for a slow reader, and then but the end`, async () => {
    const { stream, body, forgotten } = createStream();
    stream.open("first");
    for (let i = 0; i < count - 1 && forgotten() === 0; i++) stream.push(`${i}${head}`);
    assertEquals(forgotten(), title === "1 MiB" ? 1 : 0);
    stream.push(`last${head}`);
    stream.push("more");
    assertEquals(forgotten(), 1);
    assertEquals(blocks(await new Response(body).text()), ["data: last"]);
  });
}

Deno.test("ListenStream writes nothing more for a reader who has left", async () => {
  const { stream, body, forgotten } = createStream();
  stream.open("first");
  stream.push("a");
  await body.cancel();
  assertEquals(forgotten(), 1);
  stream.push("b");
  stream.keepAlive();
  stream.end();
  assertEquals(forgotten(), 1);
});

Deno.test("ListenStream takes nothing before it is opened, nor after it has ended", async () => {
  const { stream, body, forgotten } = createStream();
  stream.push("early");
  stream.end();
  stream.end();
  assertEquals(forgotten(), 0);
  stream.open("first");
  stream.push("late");
  stream.keepAlive();
  const text = await new Response(body).text();
  assertEquals(blocks(text), ["data: first", "data: last"]);
  assert(forgotten() === 1);
});
