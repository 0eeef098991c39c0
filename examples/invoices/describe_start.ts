import type { McpServer } from "@limen/mcp";

/** What there is to tell about a server that has just started. */
export interface Start {
  /** Where it is reached. */
  readonly url: string;
  /** The token that writes ask for, if one is set. */
  readonly token: string | undefined;
  /** The folder that goes when the server stops, if there is one. */
  readonly folder: string | undefined;
}

/** Says where the server is, what it can do, and three lines to try. */
export async function describeStart(
  server: Pick<McpServer, "fetch">,
  start: Start,
): Promise<string> {
  const { url, token, folder } = start;
  const names = await list(server, "tools/list", ({ tools }) => tools);
  const prompts = await list(server, "prompts/list", ({ prompts }) => prompts);
  const uris = [
    ...await list(server, "resources/list", ({ resources }) => resources),
    ...await list(server, "resources/templates/list", (result) => result.resourceTemplates),
  ];
  const { headers, body } = request("tools/call", {
    name: "invoices_list",
    arguments: { status: "open", limit: 2 },
  });
  const flags = Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`).join(" ");
  return `Invoices is listening on ${url} (Ctrl+C or kill ${Deno.pid} stops it)
Tools: ${names.join(", ")}
Resources: ${uris.join(", ")}
Prompts: ${prompts.join(", ")}
Data: ${folder === undefined ? "the file in INVOICES_DATABASE" : `${folder}, removed at the end`}
Writes: ${token === undefined ? "open to this machine" : "ask for the token in INVOICES_TOKEN"}

Three lines to try in another terminal:
  curl -sS ${url} ${flags} -d '${body}'
  npx -y @modelcontextprotocol/inspector --cli ${url} --transport http --method tools/list
  claude mcp add --transport http invoices ${url}
`;
}

interface Entry {
  readonly name: string;
  readonly uri?: string;
  readonly uriTemplate?: string;
}

/** Asks a server what it has of a kind, as any client would. */
async function list(
  server: Pick<McpServer, "fetch">,
  method: string,
  entriesOf: (result: Readonly<Record<string, readonly Entry[]>>) => readonly Entry[] | undefined,
): Promise<readonly string[]> {
  const { headers, body } = request(method, {});
  const response = await server.fetch(
    new Request("http://127.0.0.1/mcp", { method: "POST", headers, body }),
  );
  const { result } = await response.json();
  return (entriesOf(result) ?? []).map(({ uri, uriTemplate, name }) => uri ?? uriTemplate ?? name);
}

/** A request of the modern protocol: an envelope in the body, and headers that mirror it. */
function request(method: string, params: { readonly name?: string; readonly arguments?: unknown }) {
  const version = "2026-07-28";
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return {
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": version,
      "mcp-method": method,
      ...(params.name === undefined ? {} : { "mcp-name": params.name }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: { ...params, _meta: envelope },
    }),
  };
}
