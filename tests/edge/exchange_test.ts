/** Streams that open late, disconnects and slow readers, in process (G-9). */
import { assert, assertEquals } from "@std/assert";
import { McpServer, type ServerOptions, unrestricted } from "@limen/mcp";
import type { Pool } from "../../src/kernel/pool.ts";
import { mcpRequest } from "../_support/mcp_request.ts";
import { readAnswer } from "../_support/read_answer.ts";
import { assertSound, watchRejections } from "../_support/wire_sheet.ts";

/** A server with one tool, and a request that calls it and asks for progress. */
function serve(run: (pool: Pool) => unknown, options: Partial<ServerOptions> = {}) {
  const server = new McpServer({ name: "s", version: "1", ...options });
  server.tool("t", { description: "T.", effect: "act", permissions: [unrestricted] }, run as never);
  const controller = new AbortController();
  const request = mcpRequest("modern", {
    method: "tools/call",
    params: { name: "t" },
    meta: { progressToken: "t" },
    signal: controller.signal,
  });
  return { server, request, controller };
}

Deno.test("Exchange answers JSON where a call neither reports nor waits", async () => {
  const { server, request } = serve(() => "ok", { streamAfterMs: 0 });
  const answer = await readAnswer(await server.fetch(request));
  assertEquals(answer.headers.get("content-type"), "application/json");
});

Deno.test("Exchange opens a stream at the first report, before the call is over", () =>
  watchRejections(async () => {
    let finish = (): void => {};
    const { server, request } = serve(async ({ progress }) => {
      progress(1);
      await new Promise<void>((resolve) => finish = resolve);
      return "ok";
    });
    const response = await server.fetch(request);
    assertEquals(response.headers.get("content-type"), "text/event-stream");
    finish();
    const answer = await readAnswer(response);
    assertSound(answer, "tools/call");
    assertEquals(answer.notifications.length, 1);
  }));

Deno.test("Exchange writes a stream whose call was over at once", async () => {
  const { server, request } = serve(({ progress }) => {
    progress(1);
    progress(2);
    return "ok";
  });
  const answer = await readAnswer(await server.fetch(request));
  assertSound(answer, "tools/call");
  assertEquals(answer.notifications.map(({ params }) => params.progress), [1, 2]);
});

Deno.test("Exchange aborts a signal that is read after the client left", () =>
  watchRejections(async () => {
    const aborted: boolean[] = [];
    const { server, request } = serve(async (pool) => {
      pool.progress(1);
      await sleep(20);
      aborted.push(pool.signal.aborted);
      return "ok";
    });
    const response = await server.fetch(request);
    await response.body!.cancel();
    await sleep(40);
    assertEquals(aborted, [true]);
  }));

Deno.test("Exchange hears the request's signal while its stream is open", () =>
  watchRejections(async () => {
    const reasons: unknown[] = [];
    const { server, request, controller } = serve(async (pool) => {
      pool.progress(1);
      await sleep(5);
      const { signal } = pool;
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      reasons.push(signal.reason.name);
      return "ok";
    });
    const response = await server.fetch(request);
    await sleep(15);
    controller.abort();
    await sleep(5);
    assertEquals(reasons, ["AbortError"]);
    await response.body!.cancel();
  }));

Deno.test("Exchange ends a stream whose request was aborted", () =>
  watchRejections(async () => {
    const { server, request, controller } = serve(async ({ progress, signal }) => {
      progress(1);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    });
    const response = await server.fetch(request);
    controller.abort();
    const text = await response.text().catch(() => "broken off");
    assert(!text.includes('"result"'), text);
  }));

Deno.test("Exchange aborts the signal of a request that is aborted already", () =>
  watchRejections(async () => {
    const aborted: boolean[] = [];
    const { server, request, controller } = serve((pool) => {
      controller.abort();
      aborted.push(pool.signal.aborted);
      return "ok";
    });
    await server.fetch(request);
    assertEquals(aborted, [true]);
  }));

for (
  const [title, report] of [["a call", () => {}], [
    "a call that reports first",
    (pool: Pool) => pool.progress(1),
  ]] as const
) {
  Deno.test(`Exchange answers ${title} whose request was aborted before it is awaited`, () =>
    watchRejections(async () => {
      const { server, request, controller } = serve(async (pool) => {
        report(pool);
        controller.abort();
        assert(pool.signal.aborted);
        await sleep(1);
      });
      const response = await server.fetch(request);
      await response.text();
      await sleep(5);
      await server.close(); // nothing is left in flight
    }));
}

Deno.test("Exchange does not abort the signal of a call that is over", () =>
  watchRejections(async () => {
    let signal: AbortSignal | undefined;
    const { server, request, controller } = serve((pool) => {
      signal = pool.signal;
      return "ok";
    });
    assertEquals((await server.fetch(request)).status, 200);
    controller.abort();
    assertEquals(signal?.aborted, false);
  }));

Deno.test("Exchange holds at most a megabyte for a reader that does not read", () =>
  watchRejections(async () => {
    const { server, request } = serve(async ({ progress }) => {
      for (let i = 0; i < 1000; i++) progress(i, { message: "x".repeat(10_000) });
      await sleep(1);
      return "ok";
    });
    const response = await server.fetch(request);
    await sleep(20);
    const answer = await readAnswer(response);
    assertSound(answer, "tools/call");
    assert(answer.text.length < 1_100_000, `${answer.text.length}`);
    assertEquals(answer.message?.result.content, [{ type: "text", text: "ok" }]);
  }));

Deno.test("progress() never throws into a tool, whatever it is given (G-5, G-7)", () =>
  watchRejections(async () => {
    const { server, request } = serve(({ progress }) => {
      const report = progress as (...values: unknown[]) => void;
      const hostile = { toString: () => thrower(), toJSON: () => thrower() };
      report();
      report("5");
      report(NaN);
      report(1n);
      report(Symbol("s"));
      report(1, null);
      report(2, "text");
      report(3, { total: "x", message: Symbol("m"), meta: "text" });
      report(4, { message: hostile, meta: hostile });
      report(5, {
        get total(): number {
          return thrower();
        },
      });
      report(6, { meta: { "example/key": 1 } });
      return "ok";
    });
    const answer = await readAnswer(await server.fetch(request));
    assertSound(answer, "tools/call");
    assertEquals(answer.notifications.at(-1)?.params, {
      progressToken: "t",
      progress: 6,
      _meta: { "example/key": 1 },
    });
    assertEquals(answer.message?.result.content, [{ type: "text", text: "ok" }]);
  }));

Deno.test("progress() after the answer is over does nothing", () =>
  watchRejections(async () => {
    let late = (): void => {};
    const { server, request } = serve(({ progress }) => {
      progress(1);
      late = () => progress(2);
      return "ok";
    });
    const response = await server.fetch(request);
    late();
    const answer = await readAnswer(response);
    late();
    assertEquals(answer.notifications.length, 1);
  }));

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function thrower(): never {
  throw new Error("hostile");
}
