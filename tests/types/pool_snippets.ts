import type { Snippet } from "./snippet.ts";

/** Pools that an author annotates, which are checked against what there is (TS-1, TS-4). */
export const POOL_SNIPPETS: readonly Snippet[] = [
  {
    title: "the pool of other users",
    code: 'server.tool("t", tool, ({ user }: SeedPool<Staff>) => user.tenant);',
    says: "Type '({ user }: SeedPool<Staff>) => string' is not assignable to type " +
      "'PoolMismatch<{ readonly user: Staff; }, { readonly user: Principal; }>'",
  },
  {
    title: "a function of the author's for other users",
    code: "const load = ({ user }: { user: Staff }) => [user.tenant];" +
      "selectorSpec({ ...list, select: load });",
    says: "'PoolMismatch<{ user: Staff; }, { readonly user: Principal; }>'",
  },
  {
    title: "a prompt for other users",
    code: 'server.registerPrompt("p", open, ({ user }: SeedPool<Staff>) => user.tenant);',
    says: "'PoolMismatch<{ readonly user: Staff; }, { readonly user: Principal; }>'",
  },
  {
    title: "an argument of another type",
    code: 'server.tool("t", { ...tool, reads: { n: reads.count } }, ' +
      "({ args }: { args: { n: string } }) => args.n);",
    says: "'PoolMismatch<{ args: { n: string; }; }, { readonly args: { readonly n: number; }; }>'",
  },
  {
    title: "an argument that may be missing",
    code: "selectorSpec({ ...one, reads: { s: reads.status }, " +
      "select: ({ args }: { args: { s: string } }) => args.s });",
    says: "'PoolMismatch<{ args: { s: string; }; }, { readonly args: { readonly s?: ",
  },
  {
    title: "arguments in the place of the pool",
    code: 'server.tool("t", { ...tool, reads }, ({ name }: { name: string }) => name);',
    says: "'PoolMismatch<{ name: string; }, {}>'",
  },
  {
    title: "a seed of no server",
    code: "serviceSpec({ ...open, run: ({ tenant }: { tenant: string }) => { return tenant; } });",
    says: "'PoolMismatch<{ tenant: string; }, {}>'",
  },
  {
    title: "a target row where nothing finds one",
    code: "serviceSpec({ ...open, run: ({ instance }: { instance: object }) => instance });",
    says: "'PoolMismatch<{ instance: object; }, {}>'",
  },
  {
    title: "pools that fit",
    code:
      'server.tool("t", { ...tool, reads }, ({ args }: { args: { name: string } }) => args.name);' +
      'staffed.tool("t", { ...tool, reads }, ({ user }: SeedPool<Staff>) => user.tenant);' +
      'staffed.registerPrompt("p", open, ({ user }: SeedPool<Staff>) => user.tenant);' +
      "seeded.serviceSpec({ ...open, run: ({ tenant }: { tenant: string }) => tenant });" +
      "selectorSpec({ ...one, select: (pool: SeedPool) => pool.user.id });" +
      "selectorSpec({ ...list, select: (pool: object) => [pool] });" +
      'const clock = provider({ clock: "always" }, () => ({ clock: 1 }));' +
      "serviceSpec({ ...open, provide: clock, run: (pool: { clock: number }) => pool.clock });" +
      "serviceSpec({ ...open, instance: found, run: (pool: { instance: { v: string } }) => pool.instance.v });",
  },
  {
    title: "the pool of users that a caller chooses",
    code: "function make<User extends Staff>(one: McpServer<User>) {" +
      "return specsFor<User>().serviceSpec({ permissions: [isClerk], run: ({ user }: SeedPool<Staff>) => user.tenant }); }",
  },
];
