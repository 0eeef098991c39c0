/**
 * A server whose tools can run as tasks, and hooks to hold their work and to see what became of it.
 *
 * @module
 */
import {
  McpServer,
  param,
  type Principal,
  type ServerOptions,
  ServiceError,
  serviceSpec,
  staticTokens,
  unrestricted,
} from "@limen/mcp";
import { until } from "./until.ts";

/** What a test can see of the inside, and hold back. */
export class TaskHooks {
  /** The keys whose work has begun, in order. */
  readonly began: string[] = [];
  /** The keys whose work saw its signal aborted. */
  readonly aborted: string[] = [];
  /** How often `prepare` ran. */
  prepared = 0;
  /** Whether callers are permitted. */
  isOpen = true;
  /** What was logged. */
  readonly events: Parameters<NonNullable<ServerOptions["log"]>>[0][] = [];
  readonly #gates: Map<string, PromiseWithResolvers<void>> = new Map();

  /** What the work of a key waits for. */
  gate(key: string): PromiseWithResolvers<void> {
    let gate = this.#gates.get(key);
    if (gate === undefined) this.#gates.set(key, gate = Promise.withResolvers());
    return gate;
  }

  /** Resolves once the work of a key has begun. */
  async untilBegun(key: string, times = 1): Promise<void> {
    await until(() => this.began.filter((one) => one === key).length >= times);
  }
}

const USERS: readonly Principal[] = [
  { id: "ada", authenticated: true },
  { id: "bob", authenticated: true },
];

/** Knows `Bearer ada-token-…` and `Bearer bob-token-…`; whoever sends none is anonymous. */
export function createTaskAuth(): NonNullable<ServerOptions["auth"]> {
  const tokens = USERS.map((user) => ({
    token: tokenOf(user.id!),
    user,
    scopes: ["read", "write"],
  }));
  return staticTokens(tokens, { allowAnonymous: true });
}

/** The token of a user. */
export function tokenOf(id: string): string {
  return `${id}-token-0123456789abcdef0123456789abcdef`;
}

/** Finds a user by id. */
export const restoreUser: NonNullable<ServerOptions["restoreCaller"]> = (id) => {
  const user = USERS.find((one) => one.id === id);
  return user && { user };
};

/** Makes a server with the tools; callers authenticate unless told otherwise. */
export function createTaskServer(hooks: TaskHooks, options: Partial<ServerOptions>): McpServer {
  const server = new McpServer({
    name: "tasks",
    version: "1.0.0",
    log: (event) => void hooks.events.push(event),
    auth: createTaskAuth(),
    restoreCaller: restoreUser,
    ...options,
  });
  const permissions = [{ hasPermission: () => hooks.isOpen }];
  const shared = { effect: "act", taskPolicy: "optional", permissions } as const;

  server.tool("count", {
    ...shared,
    description: "Counts, and says how far it is.",
    reads: { to: param.integer({ required: true }) },
  }, ({ args, progress }) => {
    for (let i = 1; i <= args.to; i++) progress(i, { total: args.to, message: "Counting" });
    return { counted: args.to };
  });

  const wait = (isIdempotent: boolean) =>
    serviceSpec({
      permissions,
      reads: { key: param.string({ required: true }) },
      idempotent: isIdempotent,
      prepare: () => void hooks.prepared++,
      run: async ({ args: { key }, signal, progress }) => {
        hooks.began.push(key);
        progress(1, { total: 2, message: "Waiting" });
        const aborted = new Promise<void>((resolve) =>
          signal.addEventListener("abort", () => resolve())
        );
        await Promise.race([hooks.gate(key).promise, aborted]);
        if (signal.aborted) hooks.aborted.push(key);
        signal.throwIfAborted();
        return { waited: key };
      },
    });
  server.registerTool(wait(false), {
    name: "wait",
    description: "Waits for a gate.",
    taskPolicy: "optional",
  });
  server.registerTool(wait(true), {
    name: "wait_again",
    description: "Waits for a gate, and may do so twice.",
    taskPolicy: "optional",
  });

  server.tool("refuse", {
    ...shared,
    description: "Refuses.",
    taskPolicy: "required",
  }, () => {
    throw new ServiceError("The domain says no");
  });

  server.tool("fail", { ...shared, description: "Throws." }, () => {
    throw new Error("secret-text");
  });

  server.tool("who", {
    ...shared,
    description: "Says who runs it.",
    scopes: "read",
  }, ({ user, token, request }) => ({
    id: user.id ?? null,
    authenticated: user.authenticated,
    scopes: token?.scopes ?? [],
    hasRequest: request !== undefined,
  }));

  server.tool("echo", {
    description: "Repeats a text, at once.",
    effect: "read",
    reads: { text: param.string({ required: true }) },
    permissions: [unrestricted],
  }, ({ args }) => args.text);
  return server;
}
