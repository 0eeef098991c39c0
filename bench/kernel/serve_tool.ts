import {
  type ListToolOptions,
  McpServer,
  type Principal,
  type SeedValues,
  type ServerOptions,
  type Spec,
} from "../../mod.ts";

/** How the one tool of a case is served. */
export interface ServeOptions<User extends Principal, Seeds extends SeedValues> {
  /** Options of the server. Default: none. */
  readonly server?: Partial<ServerOptions<User, Seeds>>;
  /** Options of the tool. Default: none. */
  readonly tool?: Omit<ListToolOptions, "name">;
}

/**
 * Serves one spec as the tool `run`; what a spec does not declare is dropped, so that one request fits
 * all cases.
 */
export function serveTool<User extends Principal, Seeds extends SeedValues>(
  spec: Spec<User, Seeds>,
  { server, tool }: ServeOptions<User, Seeds> = {},
): McpServer<User, Seeds> {
  const built = new McpServer<User, Seeds>({
    name: "bench",
    version: "1.0.0",
    log: () => {},
    ...server,
  });
  built.registerTool(spec as Spec<User, Seeds, "list">, {
    name: "run",
    description: "Does the work of the case.",
    unknownArguments: "ignore",
    ...tool,
  });
  return built;
}
