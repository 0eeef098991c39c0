import { type Caller, McpServer, type Principal, type ServerOptions } from "@limen/mcp";
import { type ClientEra, mcpRequest } from "./mcp_request.ts";
import { type Answer, type Message, readAnswer } from "./read_answer.ts";
import { assertSound } from "./wire_sheet.ts";

/** How a request is sent. */
export interface AskAsOptions {
  /** Default `"modern"`. */
  readonly era?: ClientEra;
  /** Who asks. Default: somebody anonymous. */
  readonly as?: Caller;
  /** `_meta` of the request. Default: the era's own. */
  readonly meta?: Message;
}

/** A server that takes its caller from what {@linkcode askAs} sends, and logs nothing. */
export function serverOfCallers(options: Partial<ServerOptions> = {}): McpServer {
  const authenticate = ({ headers }: Request): Caller => {
    const text = headers.get("x-caller");
    return text === null ? { user: { authenticated: false } as Principal } : JSON.parse(text);
  };
  return new McpServer({
    name: "s",
    version: "1",
    log: () => {},
    auth: { authenticate },
    ...options,
  });
}

/** Sends a method as a caller, and reads the answer, which must be sound. */
export async function askAs(
  server: { fetch(request: Request): Promise<Response> },
  method: string,
  params: Message = {},
  { era = "modern", as, meta = {} }: AskAsOptions = {},
): Promise<Answer & { readonly message: Message }> {
  const headers = as === undefined ? {} : { "x-caller": JSON.stringify(as) };
  const sent = { method, params, headers, meta };
  const answer = await readAnswer(await server.fetch(mcpRequest(era, sent)));
  assertSound(answer, method, era);
  return answer as Answer & { readonly message: Message };
}
