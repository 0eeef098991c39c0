import type { Snippet } from "./snippet.ts";

/** Mistakes in the options of a server, by the option they are in (TS-1). */
export const OPTION_SNIPPETS: readonly Snippet[] = [
  {
    title: "an option that a server does not have",
    code: "new McpServer({ ...about, colour: 1 });",
    says: "'colour' does not exist in type 'ServerOptions<Principal, ",
  },
  {
    title: "tokens of other users",
    code: "new McpServer<Staff>({ ...about, auth: staticTokens([" +
      '{ token: "x", user: { authenticated: true } }]) });',
    says: "Property 'tenant' is missing in type '{ authenticated: true; }'",
  },
  {
    title: "a function as auth",
    code: "new McpServer({ ...about, auth: () => hostAuth() });",
    says: "is not assignable to type 'Authenticator<Principal>'",
  },
  {
    title: "an authenticator that was not made",
    code: "new McpServer({ ...about, auth: hostAuth });",
    says: "is not assignable to type 'Authenticator<Principal>'",
  },
  {
    title: "an authenticator that answers a user",
    code: "new McpServer({ ...about, auth: { authenticate: () => ({ authenticated: true }) } });",
    says: "is not assignable to type 'Awaitable<Caller<Principal> | RefusedCredential | null>'",
  },
  {
    title: "an authenticator whose method is misspelt",
    code: "new McpServer({ ...about, auth: { authenicate: () => null } });",
    says: "'authenicate' does not exist in type 'Authenticator<Principal>'",
  },
  {
    title: "JWTs that make other users",
    code: "new McpServer<Staff>({ ...about, " +
      'auth: jwtAuth({ issuer: "https://a.example", user: (_claims, user) => user }) });',
    says: "but required in type 'Staff'",
  },
  {
    title: "JWTs whose user may not be found",
    code: "const rows = new Map<string, { tenant: string }>();" +
      'new McpServer<Staff>({ ...about, auth: jwtAuth({ issuer: "https://a.example", ' +
      "user: async ({ sub }, user) => { const row = rows.get(sub); return row && { ...user, ...row }; } }) });" +
      'jwtAuth<Staff>({ issuer: "https://a.example", user: () => null });',
  },
  {
    title: "a late authenticator of other users",
    code: "new McpServer<Staff>({ ...about, auth: lateAuth(() => staticTokens([" +
      '{ token: "x", user: { authenticated: true } }])) });',
    says: "Property 'tenant' is missing in type '{ authenticated: true; }'",
  },
  {
    title: "a late authenticator that comes later still",
    code: "new McpServer({ ...about, auth: lateAuth(async () => hostAuth()) });",
    says: "Property 'authenticate' is missing in type 'Promise<Authenticator<",
  },
  {
    title: "late authenticators that fit",
    code: "new McpServer<Staff>({ ...about, auth: lateAuth(() => hostAuth()) });" +
      "new McpServer({ ...about, auth: lateAuth(({ env }) => staticTokens([" +
      "{ token: String(env), user: { authenticated: true } }])) });",
  },
  {
    title: "a map as stores",
    code: "new McpServer({ ...about, stores: new Map<string, string>() });",
    says: "is missing the following properties from type 'KeyValueStore': compareAndSet, increment",
  },
  {
    title: "a client as stores",
    code: "new McpServer({ ...about, stores: redis });",
    says: "is missing the following properties from type 'KeyValueStore': delete, ",
  },
  {
    title: "a store that was not made",
    code: "new McpServer({ ...about, stores: memoryStore });",
    says: "is not assignable to type 'KeyValueStore'",
  },
  {
    title: "a function as stores",
    code: "new McpServer({ ...about, stores: async () => memoryStore() });",
    says: "is not assignable to type 'KeyValueStore'",
  },
  {
    title: "a late store that comes later still",
    code: "new McpServer({ ...about, stores: lateStore(async () => memoryStore()) });",
    says: "is missing the following properties from type 'KeyValueStore': ",
  },
  {
    title: "a store whose method answers something else",
    code: "new McpServer({ ...about, stores: { ...memoryStore(), get: async () => null } });",
    says: "Type 'null' is not assignable to type 'string | undefined'",
  },
  {
    title: "a limiter in the place of limits",
    code:
      "new McpServer({ ...about, limits: { perCaller: fixedWindow({ maxCalls: 1, perSeconds: 1 }) } });",
    says: "has no properties in common with type 'CallerLimitOptions'",
  },
  {
    title: "numbers in the place of a limiter",
    code: "new McpServer({ ...about, limits: { perCaller: { rateLimits: { maxCalls: 1 } } } });",
    says: "'maxCalls' does not exist in type ",
  },
  {
    title: "a limiter without a period",
    code:
      "new McpServer({ ...about, limits: { failedAuthentication: fixedWindow({ maxCalls: 1 }) } });",
    says: "Property 'perSeconds' is missing",
  },
  {
    title: "a store as broker",
    code: "new McpServer({ ...about, broker: memoryStore() });",
    says: "is missing the following properties from type 'Broker': ",
  },
  {
    title: "an executor that is a function",
    code: "new McpServer({ ...about, executor: (taskId: string) => queue.add(taskId) });",
    says: "is not assignable to type 'TaskExecutor'",
  },
  {
    title: "an executor whose method is misspelt",
    code: "new McpServer({ ...about, executor: { enque: () => {} } });",
    says: "'enque' does not exist in type 'TaskExecutor'",
  },
  {
    title: "an executor that answers what its queue does",
    code: "new McpServer({ ...about, executor: { enqueue: (taskId) => queue.add(taskId) } });",
  },
  {
    title: "seeds that are a plain object",
    code: 'new McpServer({ ...about, seeds: { tenant: () => "a" } });',
    says: "'tenant' does not exist in type 'PoolSeeds<",
  },
  {
    title: "a secret of bytes",
    code: "new McpServer({ ...about, secret: new Uint8Array(32) });",
    says: "is not assignable to type 'SecretSource'",
  },
  {
    title: "a level that there is not",
    code: 'new McpServer({ ...about, logLevel: "warn" });',
    says: "Type '\"warn\"' is not assignable to type 'LogLevel'",
  },
  {
    title: "an event that there is not",
    code: 'new McpServer({ ...about, log: ({ event }) => event === "call.faults" && alert() });',
    says: "have no overlap",
  },
  {
    title: "a hierarchy of scopes whose values are no lists",
    code: 'new McpServer({ ...about, implies: { admin: "write" } });',
    says: "Type 'string' is not assignable to type 'readonly string[]'",
  },
  {
    title: "what a platform may not know",
    code: "new McpServer({ ...about, host: (_request, info) => " +
      "({ clientAddress: (info as { readonly ip?: string }).ip }) });",
  },
];
