import { inProcessExecutor, McpServer, type ServerOptions } from "@limen/mcp";
import { addPrompts } from "./prompts.ts";
import { addQuestions } from "./questions.ts";
import { addResources } from "./resources.ts";
import { addTasks } from "./tasks.ts";
import { addTools } from "./tools.ts";

/**
 * A server with one of everything: the fixture of the official conformance suite, which asks for
 * these names, texts and schemas.
 */
export function createServer(options: Partial<ServerOptions> = {}): McpServer {
  const server = new McpServer({
    name: "conformance",
    version: "1.0.0",
    executor: inProcessExecutor({ maxRunning: 100 }), // some are left to run for a minute
    tasks: { anonymous: true },
    ...options,
  });
  addTools(server);
  addTasks(server);
  addResources(server);
  addPrompts(server);
  addQuestions(server);
  return server;
}
