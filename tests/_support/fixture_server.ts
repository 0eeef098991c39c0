/**
 * The server that the wire cases are sent to: small tools, and hooks that tell what happened inside.
 *
 * @module
 */
import {
  jsonSchema,
  McpServer,
  param,
  type ServerOptions,
  ServiceError,
  toolResult,
  unrestricted,
} from "@limen/mcp";

/** What a test can see of the inside. */
export interface Hooks {
  /** The tools that ran, in order. */
  readonly ran: string[];
  /** The tools whose signal was aborted. */
  readonly aborted: string[];
  /** What was logged. */
  readonly events: Parameters<NonNullable<ServerOptions["log"]>>[0][];
  /** How many tools run at the moment. */
  inFlight: number;
}

/** A server with its hooks. */
export interface Fixture {
  readonly server: McpServer;
  readonly hooks: Hooks;
}

const PERMISSIONS = [unrestricted] as const;

/** Makes a fresh server; pages hold two entries. */
export function createFixture(options: Partial<ServerOptions> = {}): Fixture {
  const hooks: Hooks = { ran: [], aborted: [], events: [], inFlight: 0 };
  const log: ServerOptions["log"] = (event) => void hooks.events.push(event);
  const server = new McpServer({ name: "fixture", version: "1.0.0", pageSize: 2, log, ...options });

  /** Counts a run; the function's answer is the tool's. */
  async function tracked<T>(name: string, run: () => T | Promise<T>): Promise<T> {
    hooks.ran.push(name);
    hooks.inFlight++;
    try {
      return await run();
    } finally {
      hooks.inFlight--;
    }
  }

  server.tool("echo", {
    description: "Repeats a text.",
    effect: "read",
    reads: { text: param.string({ required: true }) },
    permissions: PERMISSIONS,
  }, ({ args }) => tracked("echo", () => args.text));

  server.tool("slow", {
    description: "Waits, and looks at its signal.",
    effect: "read",
    reads: { ms: param.integer({ required: true }), progress: param.integer() },
    permissions: PERMISSIONS,
  }, ({ args, signal, progress }) =>
    tracked("slow", async () => {
      signal.addEventListener("abort", () => hooks.aborted.push("slow"));
      if (args.progress !== undefined) progress(args.progress);
      await wait(args.ms, signal);
      return "done";
    }));

  server.tool("fail", {
    description: "Throws.",
    effect: "act",
    permissions: PERMISSIONS,
  }, () =>
    tracked("fail", () => {
      throw new Error("secret-text at /srv/secret.ts:1:1", { cause: new Error("secret-cause") });
    }));

  server.tool("refuse", {
    description: "Refuses.",
    effect: "act",
    permissions: PERMISSIONS,
  }, () =>
    tracked("refuse", () => {
      throw new ServiceError("boom");
    }));

  server.tool("is_error", {
    description: "Answers a result that reports a failure.",
    effect: "act",
    permissions: PERMISSIONS,
  }, () =>
    tracked(
      "is_error",
      () => toolResult({ content: [{ type: "text", text: "bad" }], isError: true }),
    ));

  server.tool("progress", {
    description: "Reports progress.",
    effect: "read",
    input: jsonSchema<{ values: readonly number[] }>({
      type: "object",
      properties: { values: { type: "array", items: { type: "number" } } },
      required: ["values"],
    }),
    permissions: PERMISSIONS,
  }, ({ args, progress }) =>
    tracked("progress", async () => {
      for (const value of args.values) {
        progress(value, { total: 10, message: `at ${value}` });
        await wait(0);
      }
      return "done";
    }));

  server.tool("structured", {
    description: "Answers an object.",
    effect: "read",
    reads: { v: param.string({ required: true }) },
    output: jsonSchema<{ v: string }>({
      type: "object",
      properties: { v: { type: "string" } },
      required: ["v"],
    }),
    permissions: PERMISSIONS,
  }, ({ args }) => tracked("structured", () => ({ v: args.v })));

  server.tool("blob", {
    description: "Answers bytes.",
    effect: "read",
    reads: { size: param.integer({ required: true }) },
    contentKind: "image",
    contentMimeType: "image/png",
    permissions: PERMISSIONS,
  }, ({ args }) => tracked("blob", () => new Uint8Array(args.size)));

  server.tool("hdr", {
    description: "Takes arguments that are mirrored into headers.",
    effect: "read",
    input: jsonSchema<{ n?: number; v?: string; a?: { b?: number | null } }>({
      type: "object",
      properties: {
        n: { type: "integer", "x-mcp-header": "N" },
        v: { type: "string", "x-mcp-header": "V" },
        a: {
          type: "object",
          properties: { b: { type: "integer", "x-mcp-header": "A-B" } },
        },
      },
    }),
    permissions: PERMISSIONS,
  }, ({ args }) => tracked("hdr", () => args));

  server.tool("noargs", {
    description: "Takes nothing.",
    effect: "read",
    permissions: PERMISSIONS,
  }, () => tracked("noargs", () => "ok"));

  for (const [name, value] of Object.entries(TEXTS)) {
    server.tool(name, {
      description: "Answers an awkward text.",
      effect: "read",
      permissions: PERMISSIONS,
    }, () => tracked(name, () => value));
  }
  return { server, hooks };
}

/** Answers that are hard to write. */
const TEXTS: Readonly<Record<string, unknown>> = {
  lone_text: "ab\ud83d",
  nul_text: "\u0000",
  lone_inside: { "key\udc00": "value\ud83d", nested: ["\ud83d"] },
};

/** Waits for a while, or until the signal is aborted. */
function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}
