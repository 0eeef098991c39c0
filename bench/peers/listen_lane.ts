import { McpServer, param, selectorSpec, unrestricted } from "@limen/mcp";
import { memoryBroker } from "@limen/mcp/stores/memory";

/** A server that clients listen to. */
export interface ListenLane {
  /** Answers a request. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Tells every stream that the tools have changed. */
  readonly publish: () => unknown;
}

/** Opens a lane: the library, or the official SDK. */
export async function openListenLane(name: string): Promise<ListenLane> {
  return name === "sdk2" ? await openSdk() : openLimen();
}

function openLimen(): ListenLane {
  const broker = memoryBroker();
  const server = new McpServer({ name: "bench", version: "1.0.0", broker, maxSubscriptions: null });
  const permissions = [unrestricted];
  server.tool("echo", { description: "Echoes.", effect: "read", permissions }, () => "echo");
  const row = selectorSpec({
    kind: "retrieve",
    reads: { id: param.integer({ required: true }) },
    permissions,
    select: ({ args }) => ({ id: args.id }),
  });
  server.registerResource(row, { uri: "rows://{id}", name: "row" });
  return { fetch: server.fetch, publish: () => server.notifyListChanged("tools") };
}

async function openSdk(): Promise<ListenLane> {
  const { createMcpHandler, McpServer: Server } = await import(
    "npm:@modelcontextprotocol/server@2.4.0"
  );
  const capabilities = {
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
  };
  const { fetch, notify } = createMcpHandler(() => {
    const server = new Server({ name: "bench", version: "1.0.0" }, { capabilities });
    server.registerTool("echo", { description: "Echoes." }, () => ({
      content: [{ type: "text", text: "echo" }],
    }));
    return server;
  }, { maxSubscriptions: 1_000_000 });
  return { fetch: (request) => fetch(request), publish: () => notify.toolsChanged() };
}
