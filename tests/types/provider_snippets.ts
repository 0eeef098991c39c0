import type { Snippet } from "./snippet.ts";

/** Mistakes in providers, and in functions that provide values (TS-1, TS-2). */
export const PROVIDER_SNIPPETS: readonly Snippet[] = [
  {
    title: "a provider that leaves out a key (TS-2)",
    code: 'provider({ clock: "always" }, () => ({ time: 1 }));',
    says: "'clock' does not exist in type '{ readonly time: Filling; }'",
  },
  {
    title: "a filling that there is not (TS-2)",
    code: 'provider({ clock: "sometimes" }, () => ({ clock: 1 }));',
    says: "Type '\"sometimes\"' is not assignable to type 'Filling'",
  },
  {
    title: "a provider that answers no values (TS-2)",
    code: 'provider({ clock: "maybe" }, async ({ user }) => user.id ? { clock: 1 } : undefined);',
    says: "of type 'AnswerMismatch<undefined, Readonly<Record<string, unknown>>>'",
  },
  {
    title: "provided values that are a text (TS-2)",
    code: 'server.tool("t", { ...tool, provide: async () => "a" }, () => 1);',
    says: "to type 'AnswerMismatch<string, Readonly<Record<string, unknown>>>'",
  },
  {
    title: "provided values that may be missing (TS-2)",
    code:
      "serviceSpec({ ...open, provide: async ({ user }) => { return user.id ? { id: user.id } : undefined; }, run: () => 1 });",
    says: "to type 'AnswerMismatch<undefined, Readonly<Record<string, unknown>>>'",
  },
  {
    title: "input data that may be missing (TS-2)",
    code:
      "serviceSpec({ ...open, inputData: ({ user }) => { if (user.id) return { id: user.id }; }, run: () => 1 });",
    says: "to type 'AnswerMismatch<undefined, Readonly<Record<string, unknown>>>'",
  },
  {
    title: "a provider of other users (TS-2)",
    code:
      'serviceSpec({ ...open, provide: specsFor<Staff>().provider({ a: "always" }, ({ user }) => ({ a: user.tenant })), run: () => 1 });',
    says: "in type 'PoolMismatch<{ readonly user: Staff; }, { readonly user: Principal; }>'",
  },
  {
    title: "a provider of seeds that there are not (TS-2)",
    code:
      'staffed.tool("t", { ...tool, provide: seeded.provider({ a: "always" }, ({ tenant }) => ({ a: tenant })) }, () => 1);',
    says: "in type 'PoolMismatch<{ readonly tenant: string; }, {}>'",
  },
  {
    title: "provided values for other users (TS-2)",
    code:
      "serviceSpec({ ...open, provide: ({ user }: SeedPool<Staff>) => ({ a: user.tenant }), run: () => 1 });",
    says: "to type 'PoolMismatch<{ readonly user: Staff; }, { readonly user: Principal; }>'",
  },
  {
    title: "input data for other users (TS-2)",
    code:
      'server.tool("t", { ...tool, inputData: async ({ user }: SeedPool<Staff>) => ({ a: user.tenant }) }, () => 1);',
    says: "to type 'PoolMismatch<{ readonly user: Staff; }, { readonly user: Principal; }>'",
  },
  {
    title: "a provider for other users, as it is declared (TS-2)",
    code: 'provider({ a: "always" }, ({ user }: SeedPool<Staff>) => ({ a: user.tenant }));',
    says: "of type 'PoolMismatch<{ readonly user: Staff; }, { readonly user: Principal; }>'",
  },
  {
    title: "provided values and input data side by side (TS-2)",
    code: "serviceSpec({ ...open, provide: ({ user }) => ({ a: user.id }), " +
      "inputData: async ({ token }: SeedPool) => ({ b: token?.scopes }), run: ({ a }) => a?.length });" +
      'server.tool("t", { ...tool, provide: () => JSON.parse(""), inputData: () => ({}) }, () => 1);' +
      'staffed.tool("t", { ...tool, provide: provider({ a: "maybe" }, async ({ user }: SeedPool) => ({ a: user.id })), ' +
      "inputData: ({ user }) => ({ b: user.tenant }) }, ({ a }) => a);" +
      'seeded.serviceSpec({ ...open, provide: seeded.provider({ a: "always" }, ({ tenant }) => ({ a: tenant })), ' +
      "inputData: async ({ tenant, user }) => ({ b: tenant + user.tenant }), run: ({ a, tenant }) => a + tenant });",
  },
  {
    title: "provided values that are a helper's own (TS-2)",
    code:
      "function f<Given extends Record<string, unknown>>(provide: (pool: SeedPool) => Given) { " +
      "return serviceSpec({ ...open, provide, inputData: provide, run: () => 1 }); }" +
      "function g<User extends Principal>(provide: (pool: SeedPool<User>) => { a: string }) { " +
      "return specsFor<User>().serviceSpec({ ...open, provide, inputData: provide, run: ({ a }) => a.length }); }",
  },
  {
    title: "a provided value on hover (TS-2)",
    code: 'serviceSpec({ ...open, provide: provider({ clock: "always" }, () => ({ clock: 1 })), ' +
      "run: ({ clock }) => { const x: never = clock; return x; } });",
    says: "Type 'number' is not assignable to type 'never'",
  },
];
