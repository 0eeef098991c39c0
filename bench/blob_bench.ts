/**
 * What reading 5 MiB of bytes costs beyond a bare handler that parses the request and answers the
 * same bytes in base64: `deno bench -A bench/blob_bench.ts`. The answers are compared before they are
 * timed.
 *
 * @module
 */
import { McpServer, selectorSpec, unrestricted } from "@limen/mcp";

const bytes = new Uint8Array(5 << 20).map((_, index) => (index * 31) & 255);
const server = new McpServer({ name: "bench", version: "1.0.0", maxResultBytes: 8 << 20 });
const spec = selectorSpec({ kind: "retrieve", permissions: [unrestricted], select: () => bytes });
server.registerResource(spec, { uri: "bench://blob", name: "blob", encoding: "blob" });

function request(): Request {
  return new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"bench://blob"}}',
  });
}

async function bare(request: Request): Promise<Response> {
  const { id, params } = JSON.parse(await request.text());
  const blob = toBase64(bytes);
  return new Response(
    `{"jsonrpc":"2.0","id":${id},"result":{"contents":[{"uri":${
      JSON.stringify(params.uri)
    },"mimeType":"application/octet-stream","blob":"${blob}"}]}}`,
    { headers: { "content-type": "application/json" } },
  );
}

function toBase64(bytes: Uint8Array): string {
  if ("toBase64" in bytes && typeof bytes.toBase64 === "function") return bytes.toBase64();
  throw new Error("This runtime has no Uint8Array.prototype.toBase64");
}

const answers = [await bare(request()), await server.fetch(request())];
const [expected, actual] = await Promise.all(answers.map((answer) => answer.text()));
if (expected !== actual) throw new Error("The answers differ");

Deno.bench("5 MiB blob: floor", { group: "blob", baseline: true }, async () => {
  await (await bare(request())).arrayBuffer();
});
Deno.bench("5 MiB blob: Limen", { group: "blob" }, async () => {
  await (await server.fetch(request())).arrayBuffer();
});
