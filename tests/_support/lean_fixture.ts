import {
  type Caller,
  type McpServer,
  serviceSpec,
  type ServiceToolOptions,
  unrestricted,
} from "@limen/mcp";
import * as z from "zod";
import { type Served, serveSpec } from "./serve_spec.ts";

/** Somebody who may be given tokens. */
export const ada: Caller = { user: { id: "ada", authenticated: true } };
/** Somebody else. */
export const eve: Caller = { user: { id: "eve", authenticated: true } };

/** A row of the tests: what is written is what was sent, with an id. */
export const Device = z.object({ id: z.string(), name: z.string(), note: z.string() });

/** Declares a write of many devices. */
export const createDevices = serviceSpec({
  action: "create",
  many: true,
  input: z.object({ name: z.string() }),
  output: Device,
  permissions: [unrestricted],
  run: ({ args }) => args.map(({ name }, i) => ({ id: `d${i}`, name, note: "-" })),
});

/** Declares a write of one device. */
export const createDevice = serviceSpec({
  action: "create",
  input: z.object({ name: z.string() }),
  output: Device,
  permissions: [unrestricted],
  run: ({ args }) => ({ id: "d0", name: args.name, note: "-" }),
});

/** How callers can send tokens: as an argument of the tool, by another tool, or not at all. */
export const SLOTS = ["own", "shared", "none"] as const;
/** One of {@linkcode SLOTS}. */
export type Slot = (typeof SLOTS)[number];

/** Serves a spec as the tool `t`, with or without a slot for tokens. */
export function serveWithSlot(
  spec: unknown,
  slot: Slot,
  options: { readonly binding?: Partial<ServiceToolOptions>; readonly server?: object } = {},
): Served {
  const own = slot === "own" ? { continuation: true } : {};
  const shared = slot === "shared" ? { continuationTool: "read_on" } : {};
  return serveSpec(spec, {
    binding: { ...own, ...options.binding },
    server: { ...shared, ...options.server },
  });
}

/** What a caller who has a token sends, and where to. */
export function readOn(
  server: McpServer,
  slot: Slot,
  args: Readonly<Record<string, unknown>>,
  caller: Caller = ada,
): ReturnType<McpServer["invokeTool"]> {
  return server.invokeTool(slot === "own" ? "t" : "read_on", args, {
    user: caller.user,
    ...(caller.token === undefined ? {} : { scopes: caller.token.scopes }),
  });
}
