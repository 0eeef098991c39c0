/** Whose seeds they are (TS-4): a server of other users must not resolve them. */
import { McpServer, poolSeeds, type Principal, type SeedPool } from "@limen/mcp";
import { assertEquals } from "@std/assert";

interface Staff extends Principal {
  readonly tenant: string;
}

const about = { name: "s", version: "1" };

Deno.test("seeds that are extended for some users are theirs alone", () => {
  const seeds = poolSeeds({ at: () => 1 })
    .extend({ tenant: ({ user }: SeedPool<Staff>) => user.tenant });
  new McpServer<Staff, { at: number; tenant: string }>({ ...about, seeds });
  // @ts-expect-error: a principal has no tenant
  new McpServer<Principal, { at: number; tenant: string }>({ ...about, seeds });
  assertEquals(Object.keys(seeds.resolvers), ["at", "tenant"]);
});
