import type { Caller } from "@limen/mcp";
import type { ClientEra } from "./mcp_request.ts";
import { callTool, type Served, type ServeOptions, serveSpec, type Told } from "./serve_spec.ts";
import type { Message } from "./read_answer.ts";

/** A secret of tests. */
export const SECRET = "a secret of the tests, 32 bytes!";

/** A client that can be asked everything. */
export const EVERYTHING: Message = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

/** How a call is sent in one of its rounds. */
export interface Round {
  /** `inputResponses`. Default: none. */
  readonly answers?: unknown;
  /** `requestState`. Default: none. */
  readonly state?: unknown;
  /** Who calls. Default: somebody anonymous. */
  readonly as?: Caller;
  /** What the client declares. Default: that it can be asked everything. */
  readonly client?: Message;
  /** Default `"modern"`. */
  readonly era?: ClientEra;
}

/** What a caller is told, in a round. */
export interface ToldRound extends Told {
  /** The requests of a result that asks. */
  readonly asked: Message | undefined;
  /** Its state. */
  readonly state: string | undefined;
}

/** A server with one tool, `t`, that may ask. */
export interface ServedAsking extends Served {
  /** Calls the tool in one round. */
  round(args?: unknown, round?: Round): Promise<ToldRound>;
}

/** Serves a spec as the tool `t` of a server with a secret. */
export function serveAsking(spec: unknown, options: ServeOptions = {}): ServedAsking {
  const served = serveSpec(spec, {
    ...options,
    server: { secret: SECRET, sessions: "none", ...options.server },
  });
  return { ...served, round: (args, round) => callRound(served.server, args, round) };
}

/** Calls the tool `t` of a server in one round. */
export async function callRound(
  server: Served["server"],
  args: unknown = {},
  { answers, state, as, client = EVERYTHING, era = "modern" }: Round = {},
): Promise<ToldRound> {
  const params = {
    name: "t",
    arguments: args,
    ...(answers === undefined ? {} : { inputResponses: answers }),
    ...(state === undefined ? {} : { requestState: state }),
  };
  const meta = era === "modern" ? { "io.modelcontextprotocol/clientCapabilities": client } : {};
  const told = await callTool(server, args, {
    era,
    ...(as === undefined ? {} : { as }),
    input: { params, meta },
  });
  const isAsking = told.result?.resultType === "input_required";
  return {
    ...told,
    asked: isAsking ? told.result?.inputRequests : undefined,
    state: isAsking ? told.result?.requestState : undefined,
  };
}

/** The answer of a user who fills in a form. */
export function accept(content?: Message): Message {
  return content === undefined ? { action: "accept" } : { action: "accept", content };
}

/** The caller who is signed in under this id. */
export function signedIn(id: string, scopes?: readonly string[]): Caller {
  return {
    user: { id, authenticated: true },
    ...(scopes === undefined ? {} : { token: { scopes } }),
  };
}
