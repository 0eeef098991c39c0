import { assert, assertEquals } from "@std/assert";
import { type Caller, McpServer, type Principal, type ServerOptions } from "@limen/mcp";
import { type ClientEra, type McpInput, mcpRequest } from "./mcp_request.ts";
import { type Message, readAnswer } from "./read_answer.ts";
import { assertSound } from "./wire_sheet.ts";

/** An event, as a server logs it. */
export type Event = Parameters<NonNullable<ServerOptions["log"]>>[0];

/** What a spec is served with. */
export interface ServeOptions {
  /** Options of the binding, over a name and a description. */
  readonly binding?: object;
  /** Options of the server, over a name and a version. */
  readonly server?: object;
}

/** How one call is sent. */
export interface CallOptions {
  /** Whose request it is. Default `"modern"`. */
  readonly era?: ClientEra;
  /** Who calls. Default: somebody anonymous. */
  readonly as?: Caller;
  /** What else is sent. */
  readonly input?: McpInput;
}

/** What a caller is told. */
export interface Told {
  readonly status: number;
  /** The JSON-RPC error. */
  readonly error: Message | undefined;
  /** The result. */
  readonly result: Message | undefined;
  /** `structuredContent` of the result. */
  readonly value: unknown;
  /** The error of a result with `isError: true`. */
  readonly refusal: Message | undefined;
  /** The body as it was sent. */
  readonly body: string;
}

/** A server with one tool, `t`. */
export interface Served {
  readonly server: McpServer;
  /** What was logged. */
  readonly events: Event[];
  /** Calls the tool. */
  call(args?: unknown, options?: CallOptions): Promise<Told>;
  /** The tool's entry of tools/list. */
  entry(era?: ClientEra): Promise<Message>;
}

/** Serves a spec as the tool `t`; the sender of a request is written in its header `x-caller`. */
export function serveSpec(spec: unknown, options: ServeOptions = {}): Served {
  const events: Event[] = [];
  const log = (event: Event): void => void events.push(event);
  const auth = { authenticate: readCaller };
  const server = new McpServer({ name: "s", version: "1", log, auth, ...options.server });
  const binding = { name: "t", description: "Tests.", ...options.binding };
  server.registerTool(spec as Parameters<McpServer["registerTool"]>[0], binding);
  return {
    server,
    events,
    call: (args = {}, sent = {}) => callTool(server, args, sent),
    entry: async (era = "modern") => {
      const answer = await readAnswer(await server.fetch(mcpRequest(era)));
      assertSound(answer, "tools/list", era);
      const tools: readonly Message[] = answer.message!.result.tools;
      return tools.find(({ name }) => name === "t")!;
    },
  };
}

/** Calls the tool `t` of a server. */
export async function callTool(
  server: McpServer,
  args: unknown = {},
  { era = "modern", as, input = {} }: CallOptions = {},
): Promise<Told> {
  const request = mcpRequest(era, {
    method: "tools/call",
    params: { name: "t", arguments: args },
    ...input,
    headers: { ...as === undefined ? {} : { "x-caller": JSON.stringify(as) }, ...input.headers },
  });
  const answer = await readAnswer(await server.fetch(request));
  assertSound(answer, "tools/call", era);
  const { error, result } = answer.message ?? {};
  return {
    status: answer.status,
    error,
    result,
    value: result?.structuredContent,
    refusal: result?.isError === true ? readRefusal(result) : undefined,
    body: answer.text,
  };
}

/** A failure is one text block, and nothing else (T-41). */
function readRefusal(result: Message): Message {
  assert(!("structuredContent" in result));
  assertEquals(result.content.length, 1);
  const { error, ...rest } = JSON.parse(result.content[0].text);
  assertEquals(rest, {});
  return error;
}

function readCaller(request: Request): Caller {
  const text = request.headers.get("x-caller");
  return text === null ? { user: { authenticated: false } as Principal } : JSON.parse(text);
}
