import { server } from "./fixture.ts";
import { runSuite } from "./suite.ts";

/**
 * What each runtime serves: the fixture, and at `/suite` what the suite says when it is run within
 * the process, without a socket.
 *
 * @param request The request.
 * @param platform What the runtime passes beside it.
 */
export async function serveSuite(
  request: Request,
  ...platform: readonly unknown[]
): Promise<Response> {
  if (!request.url.endsWith("/suite")) return await server.fetch(request, ...platform);
  return Response.json(await runSuite({ fetch: fetchInProcess, hasSocket: false }));
}

function fetchInProcess(init: RequestInit): Promise<Response> {
  return server.fetch(new Request("http://127.0.0.1/mcp", init));
}
