import { assert, assertEquals } from "@std/assert";
import { readBody } from "../../src/edge/read_body.ts";

/** A request whose body arrives in chunks, without a declared length. */
function chunked(chunks: Iterable<Uint8Array<ArrayBuffer>>, onCancel = (): void => {}): Request {
  const iterator = chunks[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: onCancel,
  });
  return new Request("http://localhost/", { method: "POST", body });
}

function declared(length: string, body: string): Request {
  const headers = { "content-length": length };
  return new Request("http://localhost/", { method: "POST", body, headers });
}

/** The text, or the status of the refusal. */
async function read(request: Request, maxBytes: number): Promise<string | number> {
  const body = await readBody(request, { maxBodyBytes: maxBytes, bodyTimeoutMs: 10_000 })
    .settle();
  return typeof body === "string" ? body : body.status;
}

Deno.test("readBody() reads up to the limit, and not a byte more", async () => {
  for (
    const create of [
      () => declared("4", "\u00fc\u00fc"),
      () => chunked([bytes("\u00fc\u00fc")]),
    ]
  ) {
    assertEquals(await read(create(), 4), "\u00fc\u00fc");
    assertEquals(await read(create(), 3), 413);
  }
});

Deno.test("readBody() refuses a declared length over the limit before it reads", async () => {
  const request = declared("1000000", "short");
  assertEquals(await read(request, 100), 413);
  assertEquals(request.bodyUsed, false);
});

Deno.test("readBody() counts where the declared length is no number", async () => {
  for (const length of ["", "-1", "1e3", "0x10", "9".repeat(16)]) {
    assertEquals(await read(declared(length, "x".repeat(50)), 10), 413);
  }
});

Deno.test("readBody() stops an endless body at the limit, and cancels it", async () => {
  let sent = 0;
  let cancelled = 0;
  const endless = function* () {
    for (;; sent++) yield new Uint8Array(1000);
  };
  assertEquals(await read(chunked(endless(), () => void cancelled++), 10_000), 413);
  assert(sent < 20, `${sent}`);
  assertEquals(cancelled, 1);
});

Deno.test("readBody() joins characters that chunks tear apart", async () => {
  const whole = bytes("a\u00fc\u{1f600}b");
  const single = Array.from(whole, (byte) => new Uint8Array([byte]));
  assertEquals(await read(chunked(single), 100), "a\u00fc\u{1f600}b");
});

Deno.test("readBody() takes no body for an empty one", async () => {
  assertEquals(await read(new Request("http://localhost/", { method: "POST" }), 10), "");
});

Deno.test("readBody() refuses a body that breaks off, or was read already, with 400", async () => {
  const broken = function* () {
    yield new Uint8Array(1);
    throw new Error("connection reset");
  };
  assertEquals(await read(chunked(broken()), 10), 400);
  for (const request of [declared("1", "a"), chunked([bytes("a")])]) {
    await request.text();
    assertEquals(await read(request, 10), 400);
  }
});

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
