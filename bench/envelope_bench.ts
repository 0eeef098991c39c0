/**
 * What envelopes cost: `deno bench -A bench/envelope_bench.ts`.
 *
 * - The reading of a request envelope, beside the parsing of its message; the floor is `JSON.parse` of
 *   the same text.
 * - The extraction of a lean envelope from a result of 60 rows, beside the writing of that result as
 *   JSON, which it may be 10 % of.
 *
 * What a lean call costs over the wire is measured by `lean_bench.ts`, in turns with its echo.
 *
 * @module
 */
import { createTopics } from "../src/features/topics.ts";
import { ListenSlots } from "../src/gate/listen_slots.ts";
import { parseMessage } from "../src/edge/parse_message.ts";
import { classifyRequest } from "../src/era/classify_request.ts";
import type { Catalogue } from "../src/era/catalogue.ts";
import { createLegacyEra } from "../src/era/legacy/legacy_era.ts";
import { createModernEra } from "../src/era/modern/modern_era.ts";
import { Registry } from "../src/features/registry.ts";
import { ResourceRegistry } from "../src/features/resources/resource_registry.ts";
import { createByteCounter } from "../src/present/byte_counter.ts";
import { extractEnvelope } from "../src/present/lean_envelope.ts";
import { serialize } from "../src/present/serialize.ts";
import { isRefusal } from "../src/protocol/refusal.ts";
import { deviceRows } from "./lean/device_rows.ts";

const catalogue: Catalogue = {
  topics: createTopics("bench"),
  streaming: "auto",
  serverInfo: { name: "bench", version: "1.0.0" },
  tools: new Registry("tool", "name"),
  prompts: new Registry("prompt", "name"),
  resources: new ResourceRegistry(),
  dynamicCatalogue: false,
  filterListings: false,
  pageSize: 100,
  catalogTtlMs: 60_000,
  faults: "rpcError",
  dispatchTimeoutMs: null,
};
const eras = {
  modern: createModernEra(
    catalogue,
    new ListenSlots({ maxSubscriptions: null, maxSubscriptionsPerCaller: 5 }),
  ),
  legacy: createLegacyEra(catalogue, undefined),
};
const headers = new Headers({
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": "echo",
});

const least = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const full = {
  ...least,
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {}, url: {} } },
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  "io.modelcontextprotocol/logLevel": "warning",
  progressToken: "p1",
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
};

const envelopes: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "request envelope, least": { _meta: least },
  "request envelope, full": { _meta: full },
  "no request envelope": {},
};

for (const [group, params] of Object.entries(envelopes)) {
  const call = { name: "echo", arguments: { text: "The quick brown fox" }, ...params };
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call });
  Deno.bench(`${group}: floor`, { group, baseline: true }, () => {
    JSON.parse(text);
  });
  Deno.bench(`${group}: Limen`, { group }, () => {
    const message = parseMessage(text);
    const version = headers.get("mcp-protocol-version");
    if (!isRefusal(message)) classifyRequest({ message, version, headers }, eras);
  });
}

const rows = deviceRows(60);
const json = serialize(rows);
const countBytes = createByteCounter();
const write = { action: "create", leanKeys: [], sent: {}, findDeleted: () => undefined } as const;
const extract = () => extractEnvelope({ ...write, value: rows, dataSize: countBytes(json) });
const lean = "lean envelope of 60 rows";
Deno.bench(`${lean}: the result as JSON`, { group: lean, baseline: true }, () => {
  serialize(rows);
});
Deno.bench(`${lean}: with a token`, { group: lean }, () => {
  extract();
});
Deno.bench(`${lean}: with ids`, { group: lean }, () => {
  extract().closeWithIds();
});
