/**
 * What asking costs: sealing and opening the state that travels with questions, whole rounds, and a
 * call that does not ask, of a server that could: `deno bench -A bench/asking_bench.ts`. The floor of a
 * state is the bare HMAC of as many bytes, that of a call the same tool on a server without a key.
 *
 * @module
 */
import { McpServer, param, question, unrestricted } from "../mod.ts";
import type { Pending } from "../src/features/elicitation/pending.ts";
import { RequestStates } from "../src/features/elicitation/request_states.ts";
import { createKeyRing } from "../src/ports/key_ring.ts";
import { memoryStore } from "../src/stores/memory_store.ts";
import { systemClock } from "../src/ports/system_clock.ts";

const SECRET = "a secret of this bench, 32 bytes long";
const pending: Pending = {
  round: 2,
  names: ["seat"],
  answers: { trip: { action: "accept", content: { day: "2027-05-01", class: "second" } } },
  arguments: {},
  consents: [],
  state: { quote: 7600 },
};
const owner = {
  caller: { user: { id: "ada", authenticated: true } },
  host: {},
  method: "tools/call",
  params: { name: "trips_book", arguments: { to: "Rome", passengers: [{ name: "Ada", age: 36 }] } },
};

function createStates(encrypts: boolean): RequestStates {
  const keys = { purpose: "request state", server: "bench", publicUrl: undefined, encrypts };
  const store = memoryStore({ clock: systemClock });
  const now = (): number => Date.now();
  return new RequestStates({ sealerFor: createKeyRing(SECRET, keys), store, ttlMs: 600_000, now });
}

const bytes = new TextEncoder().encode(JSON.stringify(pending));
const key = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
for (const group of ["seal", "open"]) {
  Deno.bench(`${group}: floor`, { group, baseline: true }, async () => {
    await crypto.subtle.sign("HMAC", key, bytes);
  });
}
for (const encrypts of [false, true]) {
  const how = encrypts ? "encrypted" : "sealed";
  const states = createStates(encrypts);
  const state = await states.seal(pending, owner) ?? "";
  if (typeof await states.open(state, owner) === "string") throw new Error("The state must open");
  Deno.bench(`seal: ${how}, ${state.length} characters`, { group: "seal" }, async () => {
    await states.seal(pending, owner);
  });
  Deno.bench(`open: ${how}`, { group: "open" }, async () => {
    await states.open(state, owner);
  });
  const forged = `${state.slice(0, -8)}AAAAAAAA`;
  Deno.bench(`open: ${how}, forged`, { group: "open" }, async () => {
    await states.open(forged, owner);
  });
}

function createServer(secret?: string): McpServer {
  const server = new McpServer({
    name: "bench",
    version: "1.0.0",
    ...(secret === undefined ? {} : { secret, sessions: "none" }),
  });
  const permissions = [unrestricted];
  server.tool("echo", { description: "E.", effect: "act", permissions }, () => "hello");
  server.tool("ask", { description: "A.", effect: "act", permissions }, ({ ask }) => {
    const { name } = ask({ name: question.form("Who?", { name: param.string() }) }, { state: 1 });
    return name.action;
  });
  return server;
}

async function call(server: McpServer, name: string, more: object = {}): Promise<string> {
  const response = await server.fetch(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": name,
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          name,
          arguments: {},
          ...more,
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
          },
        },
      }),
    }),
  );
  return await response.text();
}

const keyless = createServer();
const server = createServer(SECRET);
const { result: { requestState } } = JSON.parse(await call(server, "ask"));
const answered = { requestState, inputResponses: { name: { action: "accept", content: {} } } };
if (!(await call(server, "ask", answered)).includes("accept")) throw new Error("Must be answered");

const group = "a call";
Deno.bench("a call: floor", { group, baseline: true }, async () => {
  await call(keyless, "echo");
});
Deno.bench("a call: does not ask", { group }, async () => {
  await call(server, "echo");
});
Deno.bench("a call: asks", { group }, async () => {
  await call(server, "ask");
});
Deno.bench("a call: answers", { group }, async () => {
  await call(server, "ask", answered);
});
