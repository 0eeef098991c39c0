import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type Authenticator,
  McpServer,
  param,
  question,
  staticTokens,
  unrestricted,
} from "@limen/mcp";
import { createTestClient, RpcFailure, type TestClientOptions } from "@limen/mcp/testing";
import { createFixture } from "../_support/fixture_server.ts";

// TH-2

const ERAS = ["modern", "legacy"] as const;
const SECRET = "a secret of at least 32 bytes, for tests";
const TOKEN = "correct-horse-battery";

for (const era of ERAS) {
  Deno.test(`createTestClient() lists the tools of all pages (${era})`, async () => {
    await using client = createTestClient(createFixture().server, { era });
    const names = (await client.listTools()).map(({ name }) => name);
    assert(names.length > 10); // pages hold two
    assertEquals(new Set(names).size, names.length);
    assertEquals(names[0], "echo");
  });

  Deno.test(`createTestClient() calls a tool, and takes its failure for a result (${era})`, async () => {
    await using client = createTestClient(createFixture({ secret: SECRET }).server, { era });
    const { structuredContent, isError } = await client.callTool("structured", { v: "é" });
    assertEquals([structuredContent, isError], [{ v: "é" }, undefined]);
    assertEquals((await client.callTool("refuse")).isError, true);
  });

  Deno.test(`createTestClient() throws RpcFailure where a call is refused (${era})`, async () => {
    await using client = createTestClient(createFixture().server, { era });
    const failure = await assertRejects(() => client.callTool("nothing such"), RpcFailure);
    assertEquals(failure.code, -32602);
    const fault = await assertRejects(() => client.callTool("fail"), RpcFailure);
    assertEquals([fault.code, fault.answer.status], [-32603, 500]);
    assert(fault.data instanceof Object && "reference" in fault.data);
    assertEquals(fault.message, "Request tools/call failed: Internal error (-32603) on HTTP 500");
  });

  Deno.test(`createTestClient() answers a request with a value, refused or not (${era})`, async () => {
    await using client = createTestClient(createFixture().server, { era });
    const refused = await client.request("no/such/method");
    assertEquals(refused.error?.code, -32601);
    assertEquals(refused.result, undefined);
    const listed = await client.request("tools/list", { cursor: "x" });
    assertEquals(listed.error?.code, -32602);
    assertEquals(listed.headers.get("content-type"), "application/json");
  });

  Deno.test(`createTestClient() hands on progress as it comes (${era})`, async () => {
    await using client = createTestClient(createFixture().server, { era });
    const seen: unknown[] = [];
    const onProgress = (report: object) => seen.push(report);
    await client.callTool("progress", { values: [1, 2] }, { onProgress });
    assertEquals(seen, [
      { progress: 1, total: 10, message: "at 1" },
      { progress: 2, total: 10, message: "at 2" },
    ]);
    const params = { name: "progress", arguments: { values: [3] } };
    const answer = await client.request("tools/call", params, { progressToken: "mine" });
    assertEquals(answer.status, 200);
    assertEquals(answer.notifications, [{
      method: "notifications/progress",
      params: { progressToken: "mine", progress: 3, total: 10, message: "at 3" },
    }]);
    assertEquals((await client.request("tools/call", params)).notifications, []);
  });

  for (const progress of [undefined, 1]) {
    const way = progress === undefined ? "a call" : "a call that streams";
    Deno.test(`createTestClient() cancels ${way} (${era})`, async () => {
      const { server, hooks } = createFixture({ secret: SECRET });
      await using client = createTestClient(server, { era });
      const leaving = new AbortController();
      const args = { ms: 10_000, ...(progress === undefined ? {} : { progress }) };
      const pending = client.callTool("slow", args, {
        signal: leaving.signal,
        progressToken: "p",
      });
      while (hooks.inFlight === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      leaving.abort(new Error("left"));
      await assertRejects(() => pending, Error, "left");
      await server.close();
      assertEquals([hooks.aborted, hooks.inFlight], [["slow"], 0]);
      await assertRejects(() => client.callTool("echo", {}, { signal: leaving.signal }));
      assertEquals(hooks.ran, ["slow"]);
    });
  }

  Deno.test(`createTestClient() sends a notification (${era})`, async () => {
    await using client = createTestClient(createFixture({ secret: SECRET }).server, { era });
    const { status, error } = await client.notify("notifications/roots/list_changed");
    assertEquals([status, error], [202, undefined]);
  });

  Deno.test(`createTestClient() sends its headers with every request (${era})`, async () => {
    const auth = staticTokens([{ token: TOKEN, user: { id: "ada", authenticated: true } }]);
    const { server } = createFixture({ auth, secret: SECRET });
    const stranger = createTestClient(server, { era });
    assertEquals((await stranger.request("tools/list")).status, 401);
    assertEquals((await stranger.notify("notifications/x")).status, 401);
    const failure = await assertRejects(() => stranger.callTool("echo"), RpcFailure);
    assertEquals(failure.answer.headers.get("www-authenticate"), 'Bearer realm="mcp"');
    await stranger.close();
    await using ada = createTestClient(server, {
      era,
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    assertEquals((await ada.callTool("echo", { text: "hi" })).content.length, 1);
  });

  Deno.test(`createTestClient() passes what a platform would (${era})`, async () => {
    const seen: unknown[] = [];
    const { server } = createFixture({
      host: (request, env) => {
        seen.push(env, request.url);
        return {};
      },
    });
    const url = "http://localhost/other";
    await createTestClient(server, { era, url, platform: ["env"] }).request("tools/list");
    assertEquals(seen.slice(-2), ["env", url]);
  });

  Deno.test(`createTestClient() declares its capabilities (${era})`, async () => {
    const server = new McpServer({ name: "s", version: "1.0.0", secret: SECRET });
    server.tool("sampled", {
      description: "Needs sampling.",
      effect: "act",
      requiresClient: { sampling: {} },
      permissions: [unrestricted],
    }, () => "ok");
    const call = (options: TestClientOptions) =>
      createTestClient(server, { era, ...options }).callTool("sampled");
    await assertRejects(() => call({}), RpcFailure);
    assertEquals((await call({ capabilities: { sampling: {} } })).content.length, 1);
  });

  Deno.test(`createTestClient() repeats annotated arguments in headers (${era})`, async () => {
    const server = new McpServer({ name: "s", version: "1.0.0" });
    server.tool("place", {
      description: "Says where.",
      effect: "read",
      reads: {
        region: param.string({ header: "Region" }),
        level: param.integer({ header: "Level" }),
      },
      permissions: [unrestricted],
    }, ({ args, request }) => `${args.region} ${request?.header("mcp-param-level")}`);
    const client = createTestClient(server, { era });
    const { content } = await client.callTool("place", { region: " Zürich", level: 3 });
    assertEquals(content, [{
      type: "text",
      text: era === "modern" ? " Zürich 3" : " Zürich null",
    }]);
  });
}

Deno.test("createTestClient() opens a legacy session once, and ends it", async () => {
  const seen: string[] = [];
  const { server } = createFixture({ secret: SECRET });
  const observed = {
    fetch: async (request: Request) => {
      const body = await request.clone().text();
      const session = request.headers.has("mcp-session-id") ? "in a session" : "alone";
      seen.push(`${body === "" ? request.method : JSON.parse(body).method} ${session}`);
      return await server.fetch(request);
    },
  };
  const client = createTestClient(observed, { era: "legacy" });
  await Promise.all([client.callTool("echo", { text: "a" }), client.request("tools/list")]);
  await client.close();
  await client.close();
  assertEquals(seen, [
    "initialize alone",
    "notifications/initialized in a session",
    "tools/call in a session",
    "tools/list in a session",
    "DELETE in a session",
  ]);
  await client.request("tools/list");
  assertEquals(seen[5], "initialize alone");
});

Deno.test("createTestClient() speaks the revision it is told to", async () => {
  const { server } = createFixture();
  const modern = createTestClient(server, { protocolVersion: "2099-01-01" });
  assertEquals((await modern.request("tools/list")).error?.code, -32022);
  const legacy = createTestClient(server, { era: "legacy", protocolVersion: "2025-06-18" });
  assertEquals((await legacy.request("tools/list")).status, 200);
  const opened = await legacy.request("initialize", { protocolVersion: "2025-06-18" });
  assertEquals(opened.result?.protocolVersion, "2025-06-18");
});

Deno.test("createTestClient() tells when a session cannot be ended", async () => {
  let caller = { user: { id: "ada", authenticated: true } };
  const auth: Authenticator = { authenticate: () => caller };
  const { server } = createFixture({ auth, secret: SECRET });
  const client = createTestClient(server, { era: "legacy" });
  await client.listTools();
  caller = { user: { id: "eve", authenticated: true } };
  const failure = await assertRejects(() => client.close(), RpcFailure);
  assertEquals(failure.answer.status, 404);
});

Deno.test("createTestClient() tells of an answer that is none", async () => {
  const client = createTestClient({ fetch: () => new Response(null, { status: 202 }) });
  const failure = await assertRejects(() => client.callTool("t"), RpcFailure);
  assertEquals(failure.code, undefined);
  assertEquals(
    failure.message,
    "Request tools/call failed: no JSON-RPC response on HTTP 202",
  );
});

Deno.test("createTestClient() reads an event stream however it is cut and framed", async () => {
  const text =
    ': hi\r\n\r\nid: 1\r\ndata: {"jsonrpc":\r\ndata:"2.0","id":1,"result":{"a":"é"}}\r\n\r\n';
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream({
    start: (controller) => {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const headers = { "content-type": "text/event-stream" };
  const client = createTestClient({ fetch: () => new Response(body, { headers }) });
  assertEquals((await client.request("x")).result, { a: "é" });
});

Deno.test("createTestClient() answers what is asked, round by round, and sends the call again", async () => {
  const server = new McpServer({ name: "s", version: "1.0.0", secret: SECRET });
  server.tool("book", {
    description: "Books a trip.",
    effect: "act",
    reads: { to: param.string({ required: true }) },
    permissions: [unrestricted],
  }, async ({ args, ask, confirm }) => {
    const { day, place } = ask({
      day: question.form("When?", { day: param.string({ required: true }) }),
      place: question.roots(),
    });
    if (day.action !== "accept" || place.action !== "accept") return "Nothing was booked.";
    await confirm(`Book ${args.to}?`, args);
    return `${args.to} on ${day.content.day} from ${place.roots[0]?.uri}`;
  });
  const asked: string[] = [];
  const client = createTestClient(server, {
    answer: async ({ key, method }) => {
      asked.push(`${key}: ${method}`);
      await Promise.resolve();
      if (method === "roots/list") return { roots: [{ uri: "file:///home" }] };
      return { action: "accept", ...key === "day" && { content: { day: "2027-05-01" } } };
    },
  });
  const { content } = await client.callTool("book", { to: "Rome" });
  assertEquals(content, [{ type: "text", text: "Rome on 2027-05-01 from file:///home" }]);
  assertEquals(asked, [
    "day: elicitation/create",
    "place: roots/list",
    "confirm: elicitation/create",
  ]);
});

Deno.test("createTestClient() stops answering a server that asks for ever", async () => {
  let rounds = 0;
  const inputRequests = { a: { method: "elicitation/create", params: {} } };
  const client = createTestClient({
    fetch: () =>
      Response.json({
        jsonrpc: "2.0",
        id: ++rounds,
        result: { resultType: "input_required", inputRequests, requestState: "s" },
      }),
  }, { answer: () => ({ action: "cancel" }) });
  assertEquals(
    (await client.request("tools/call", { name: "t" })).result?.inputRequests,
    inputRequests,
  );
  assertEquals(rounds, 21);
});
