/**
 * What the reading of a request envelope adds to the parsing of its message:
 * `deno bench -A bench/envelope_bench.ts`. The floor is `JSON.parse` of the same text.
 *
 * @module
 */
import { readRequestEnvelope } from "../src/era/modern/read_request_envelope.ts";

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
    readRequestEnvelope(JSON.parse(text));
  });
}
