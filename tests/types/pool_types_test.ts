import { assertEquals } from "@std/assert";
import {
  McpServer,
  param,
  type Principal,
  provider,
  selectorSpec,
  serviceSpec,
  unrestricted,
} from "@limen/mcp";

// The assertions are the comments: this file must type-check.

interface Staff extends Principal {
  readonly tenant: string;
}

const permissions = [unrestricted];
const reads = { name: param.string({ required: true }) };
const one = { kind: "retrieve", permissions } as const;
const found = selectorSpec({ ...one, select: () => ({ id: 1 }) });
const tool = { description: "T.", effect: "read", permissions } as const;

Deno.test("a pool that is annotated is checked against what there is", () => {
  const server = new McpServer({ name: "s", version: "1" });
  const unused = [
    // @ts-expect-error: what a caller sent is in args
    () => server.tool("t", { ...tool, reads }, ({ name }: { name: string }) => name),
    // @ts-expect-error: the argument is a text
    () => server.tool("t", { ...tool, reads }, ({ args }: { args: { name: number } }) => args.name),
    // @ts-expect-error: the server has other users
    () => server.tool("t", tool, ({ user }: { user: Staff }) => user.tenant),
    // @ts-expect-error: there is no such seed
    () => serviceSpec({ permissions, run: ({ tenant }: { tenant: string }) => tenant }),
    // @ts-expect-error: nothing finds a row
    () => serviceSpec({ permissions, run: ({ instance }: { instance: object }) => instance }),
    // @ts-expect-error: the argument is a text
    () => selectorSpec({ ...one, reads, select: (pool: { args: { name: number } }) => pool }),
  ];
  assertEquals(unused.length, 6);
});

Deno.test("a pool that is annotated rightly is taken", () => {
  const server = new McpServer({ name: "s", version: "1" });
  server.tool("t", { ...tool, reads }, ({ args }: { args: { name: string } }) => args.name);
  const clock = provider({ clock: "always" }, () => ({ clock: 1 }));
  serviceSpec({ permissions, provide: clock, run: (pool: { clock: number }) => pool.clock });
  serviceSpec({
    permissions,
    instance: found,
    run: (pool: { instance: unknown }) => pool.instance,
  });
});
