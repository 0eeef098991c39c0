/**
 * Serves the README's server as `deno serve` does, and greets over the wire.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { serve } from "@hono/node-server";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { connect } from "../_support/connect.ts";
import { readFailure, readText } from "../_support/read_result.ts";
import { runChecks } from "../_support/run_checks.ts";
import server from "./server.ts";

const hostname = "127.0.0.1";
const http = Deno.serve({ hostname, port: 0, onListen: () => {} }, server.fetch);
const client = await connect(`http://${hostname}:${http.addr.port}/mcp`);

await runChecks([
  ["the README shows this server", async () => {
    const [readme, source] = await Promise.all([
      Deno.readTextFile(new URL("../../README.md", import.meta.url)),
      Deno.readTextFile(new URL("server.ts", import.meta.url)),
    ]);
    assertStringIncludes(readme, `\`\`\`ts\n${source}\`\`\``);
  }],

  ["greet greets, in English unless told otherwise", async () => {
    const greet = async (args: Record<string, string>) =>
      readText(await client.callTool({ name: "greet", arguments: args }));
    assertEquals(await greet({ name: "Ada" }), "Hello, Ada!");
    assertEquals(await greet({ name: "Ada", language: "fr" }), "Bonjour, Ada!");
  }],

  ["greet says what it needs", async () => {
    const { message } = readFailure(await client.callTool({ name: "greet", arguments: {} }));
    assertEquals(message, "Missing required argument(s): `name`.");
  }],

  ["it can be mounted on Hono", async () => {
    const app = new Hono().all("/mcp", (c) => server.fetch(c.req.raw));
    const http = Deno.serve({ hostname, port: 0, onListen: () => {} }, app.fetch);
    await greetAt(http.addr.port);
    await http.shutdown();
  }],

  ["it can be served by @hono/node-server", async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const http = serve({ fetch: server.fetch, hostname, port: 0 }, ({ port }) => resolve(port));
    await greetAt(await promise);
    http.close();
  }],
]);

await client.close();
await http.shutdown();

async function greetAt(port: number): Promise<void> {
  const client = await connect(`http://${hostname}:${port}/mcp`);
  const result = await client.callTool({ name: "greet", arguments: { name: "Ada" } });
  assertEquals(readText(result), "Hello, Ada!");
  await client.close();
}
