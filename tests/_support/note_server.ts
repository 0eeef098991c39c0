/**
 * A server of notes that clients watch, and two of them that stand for two processes.
 *
 * @module
 */
import {
  authenticated,
  McpServer,
  param,
  selectorSpec,
  type ServerOptions,
  serviceSpec,
  staticTokens,
} from "@limen/mcp";
import { memoryBroker } from "@limen/mcp/stores/memory";
import type { Broker } from "@limen/mcp/stores/memory";
import { assertEquals } from "@std/assert";
import { watchRejections } from "./wire_sheet.ts";

/** The bearer tokens of two people. */
export const ADA = "ada-ada-ada-ada-ada";
/** Of another. */
export const BOB = "bob-bob-bob-bob-bob";

/** A note. */
export interface Note {
  readonly id: number;
  readonly owner: string;
  readonly text: string;
}

/** A server with what it did. */
export interface NoteServer {
  readonly server: McpServer;
  readonly notes: Map<number, Note>;
  /** The events that were logged, by name. */
  readonly logged: string[];
}

/** Ada owns the notes 1 and 2, Bob the note 3; whoever owns a note reads it. */
export function createNotes(options: Partial<ServerOptions> = {}): NoteServer {
  const notes = new Map<number, Note>([
    [1, { id: 1, owner: "ada", text: "one" }],
    [2, { id: 2, owner: "ada", text: "two" }],
    [3, { id: 3, owner: "bob", text: "three" }],
  ]);
  const logged: string[] = [];
  const server = new McpServer({
    name: "notes",
    version: "1.0.0",
    log: ({ event }) => void logged.push(event),
    auth: staticTokens([
      { token: ADA, user: { id: "ada", authenticated: true }, scopes: ["read"] },
      { token: BOB, user: { id: "bob", authenticated: true } },
    ]),
    ...options,
  });
  server.registerResource(
    selectorSpec({
      kind: "retrieve",
      reads: { id: param.integer({ required: true }) },
      permissions: [authenticated],
      select: ({ args, user }) => {
        const note = notes.get(args.id);
        return note?.owner === user.id ? note : undefined;
      },
    }),
    { uri: "notes://{id}", name: "note" },
  );
  server.registerResource(
    selectorSpec({ kind: "retrieve", permissions: [authenticated], select: () => notes.size }),
    { uri: "notes://count", name: "count", scopes: "read" },
  );
  server.registerResource(
    selectorSpec({
      kind: "retrieve",
      permissions: [authenticated],
      select: () => {
        throw new Error("The database is gone");
      },
    }),
    { uri: "notes://broken", name: "broken" },
  );
  server.registerTool(
    serviceSpec({
      reads: { id: param.integer({ required: true }), text: param.string({ required: true }) },
      permissions: [authenticated],
      action: "update",
      run: ({ args }) => {
        const note = { ...notes.get(args.id)!, text: args.text };
        notes.set(args.id, note);
        return note;
      },
    }),
    {
      name: "write_note",
      description: "Changes a note.",
      invalidates: ["notes://{id}", "notes://count"],
    },
  );
  return { server, notes, logged };
}

/** What two processes share. */
export interface Processes {
  readonly first: NoteServer;
  readonly second: NoteServer;
  readonly broker: Broker;
}

/** Runs a test with two processes; nothing may be left of them. */
export async function withProcesses(
  run: (processes: Processes) => Promise<void>,
  options: Partial<ServerOptions> = {},
): Promise<void> {
  await watchRejections(async () => {
    const broker = memoryBroker();
    const shared = { broker, ...options };
    const [first, second] = [createNotes(shared), createNotes(shared)];
    await run({ first, second, broker });
    await Promise.all([first.server.close(), second.server.close()]);
    await settle();
    assertEquals(broker.activeSubscriptions, 0, "A subscription is left behind");
  });
}

/** Lets everything that is on its way arrive. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
}

/** The headers of somebody. */
export function as(token: string): { readonly headers: Readonly<Record<string, string>> } {
  return { headers: { authorization: `Bearer ${token}` } };
}
