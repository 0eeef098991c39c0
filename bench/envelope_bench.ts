/**
 * What the reading of a request envelope adds to the parsing of its message:
 * `deno bench -A bench/envelope_bench.ts`. The floor is `JSON.parse` of the same text.
 *
 * @module
 */
import { parseMessage } from "../src/edge/parse_message.ts";
import { classifyRequest } from "../src/era/classify_request.ts";
import type { Catalogue } from "../src/era/catalogue.ts";
import { createLegacyEra } from "../src/era/legacy/legacy_era.ts";
import { createModernEra } from "../src/era/modern/modern_era.ts";
import { Registry } from "../src/features/registry.ts";
import { ResourceRegistry } from "../src/features/resources/resource_registry.ts";
import { isRefusal } from "../src/protocol/refusal.ts";

const catalogue: Catalogue = {
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
  modern: createModernEra(catalogue),
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
    if (!isRefusal(message)) classifyRequest({ message, headers }, eras);
  });
}
