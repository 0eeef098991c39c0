import {
  McpServer,
  param,
  type PermissionCheck,
  type ServerOptions,
  serviceSpec,
  unrestricted,
} from "../../mod.ts";
import type { CaseGroup } from "./kernel_case.ts";

const COUNT = 1000;
const reads = {
  text: param.string({ required: true, help: "What to look for." }),
  limit: param.integer({ default: 10, help: "How many at most." }),
};
const condition = { code: "closed", reason: "The books are closed.", when: () => true };

/** A server of a thousand tools, all of which the caller may run. */
function serveMany(
  permission: PermissionCheck,
  options: Partial<ServerOptions> = {},
  more: object = {},
): McpServer {
  const server = new McpServer({
    name: "bench",
    version: "1.0.0",
    pageSize: COUNT,
    log: () => {},
    ...options,
  });
  for (let index = 1; index <= COUNT; index++) {
    const spec = serviceSpec({ reads, permissions: [permission], run: () => "", ...more });
    server.registerTool(spec, { name: `search_${index}`, description: "Searches a collection." });
  }
  return server;
}

const later: PermissionCheck = { hasPermission: () => Promise.resolve(true) };
const filterListings = true;

/** What it adds to a listing to leave out what the caller may not run. */
export const listCases: CaseGroup = {
  title: "a list of 1000 tools",
  method: "tools/list",
  arguments: {},
  marker: "search_1000",
  cases: [
    { name: "to everyone", build: () => serveMany(unrestricted) },
    {
      name: "filtered by a check of each",
      build: () => serveMany({ hasPermission: () => true }, { filterListings }),
    },
    {
      name: "filtered by one check of all",
      build: () => serveMany(unrestricted, { filterListings }),
    },
    {
      name: "filtered by a check that answers later",
      build: () => serveMany(later, { filterListings }),
    },
    {
      name: "with an affordance each",
      build: () => serveMany(unrestricted, {}, { affordances: [condition] }),
    },
  ],
};
