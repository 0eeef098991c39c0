import type { Context, Handler } from "@hono/hono";
import { type Caller, createDispatcher, type Dispatcher, type Spec } from "@limen/mcp/kernel";
import type { Staff } from "../invoices/staff.ts";
import { answer, refuse } from "./answer.ts";

/** What the handlers find in the context: who calls. */
export interface Env {
  readonly Variables: { caller: Caller<Staff> };
}

/** A route: what it takes and gives, and what answers it. */
export interface Route extends Pick<Dispatcher, "inputSchema" | "outputSchema"> {
  readonly handler: Handler<Env>;
}

/**
 * Serves a spec: its arguments are the members of the body, the query and the path, and a list comes
 * page by page.
 *
 * @param spec What is served.
 * @param route Where, for the errors of an author: `GET /invoices`.
 */
export function serveSpec(spec: Spec<Staff>, route: string): Route {
  const { inputSchema, outputSchema, dispatch } = createDispatcher(spec, {
    where: `route "${route}"`,
    paginate: spec.kind === "list",
  });
  const handler: Handler<Env> = async (context) => {
    const body = await readBody(context);
    if (body instanceof Response) return body;
    const result = await dispatch({
      caller: context.get("caller"),
      args: { ...body, ...context.req.query(), ...context.req.param() },
      signal: context.req.raw.signal,
    });
    return answer(result);
  };
  return { inputSchema, outputSchema, handler };
}

/** Reads the members of a JSON body; other types are refused, which web pages could send unasked. */
async function readBody({ req }: Context): Promise<object | Response> {
  const text = await req.text();
  if (text === "") return {};
  if (!/^application\/json\b/i.test(req.header("content-type") ?? "")) {
    return refuse(415, { type: "unsupported_media_type", message: "Send application/json" });
  }
  const body = parse(text);
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body;
  return refuse(400, { type: "invalid_body", message: "Send a JSON object" });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
