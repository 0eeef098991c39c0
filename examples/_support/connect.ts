import {
  Client,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";

/** How a client is set up. */
export interface ConnectOptions {
  /** The bearer token. Default: none. */
  readonly token?: string | undefined;
  /** What the user says to a question. Default: the client says that it can ask nobody. */
  readonly user?: ((message: string) => ElicitResult) | undefined;
  /** Default: the modern era. */
  readonly isLegacy?: boolean;
}

/** Connects the official client over HTTP. */
export async function connect(url: string, options: ConnectOptions = {}): Promise<Client> {
  const { token, user, isLegacy = false } = options;
  const client = new Client({ name: "check", version: "1.0.0" }, {
    capabilities: user === undefined ? {} : { elicitation: {} },
    versionNegotiation: { mode: isLegacy ? "legacy" : { pin: "2026-07-28" } },
  });
  if (user !== undefined) {
    client.setRequestHandler("elicitation/create", ({ params }) => user(params.message));
  }
  const headers: HeadersInit = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  return client;
}
