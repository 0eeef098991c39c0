import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/** Connects the official client, over HTTP and in the modern protocol. */
export async function connect(url: string, token?: string): Promise<Client> {
  const client = new Client({ name: "check", version: "1.0.0" }, {
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  });
  const headers: HeadersInit = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  return client;
}
