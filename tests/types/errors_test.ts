/**
 * What an author reads in an editor: the types on hover, and the errors (TS-1, TS-4). Snippets that are wrong are
 * checked by a compiler of their own; each error must be told in one or two lines.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ANSWER_SNIPPETS } from "./answer_snippets.ts";
import { ASK_SNIPPETS } from "./ask_snippets.ts";
import { BINDING_SNIPPETS } from "./binding_snippets.ts";
import { OPTION_SNIPPETS } from "./option_snippets.ts";
import { POOL_SNIPPETS } from "./pool_snippets.ts";
import { PROVIDER_SNIPPETS } from "./provider_snippets.ts";
import type { Snippet } from "./snippet.ts";
import { SPEC_SNIPPETS } from "./spec_snippets.ts";

const PRELUDE = `
import {
  fileResources, type FileSource, fixedWindow, hostAuth, type InputOf, lateAuth, lateStore, McpServer, pageable, param,
  type PermissionCheck, poolSeeds, type Principal, provider, question, type Schema, type SeedPool, selectorSpec,
  ServiceConflict, ServiceError, ServiceNotFound, serviceSpec, specsFor, staticTokens, unrestricted,
} from "@limen/mcp";
import { jwtAuth } from "@limen/mcp/auth/jwt";
import { memoryStore } from "@limen/mcp/stores/memory";
import { z } from "zod";
interface Staff extends Principal { readonly tenant: string }
const isClerk: PermissionCheck<Staff> = { hasPermission: ({ user }) => user.tenant === "a" };
const about = { name: "s", version: "1" } as const;
const server = new McpServer(about);
const staffed = new McpServer<Staff>(about);
const open = { permissions: [unrestricted] } as const;
const tool = { description: "T.", effect: "read", permissions: [unrestricted] } as const;
const reads = {
  name: param.string({ required: true }),
  count: param.integer({ default: 1 }),
  status: param.string({ choices: ["open", "paid"] }),
};
const row = z.object({ v: z.string() });
const choice = z.object({ v: z.enum(["a", "b"]), n: z.array(z.union([z.literal(1), z.literal(2)])) });
const seeds = poolSeeds({ tenant: ({ user }: SeedPool<Staff>) => user.tenant });
const seeded = specsFor(seeds);
const list = { ...open, kind: "list" } as const;
const one = { ...open, kind: "retrieve" } as const;
const found = selectorSpec({ kind: "retrieve", reads: { id: param.integer() }, output: row, select: () => null });
declare const redis: { get(key: string): Promise<string | null>; set(key: string, value: string): Promise<string> };
declare const queue: { add(data: string): Promise<{ id: string }> };
declare const files: FileSource;
export {};
`;

const ARGS =
  '{ readonly name: string; readonly count: number; readonly status?: "open" | "paid" | undefined; }';

// `never` takes nothing, so that the error says the type as a hover does.
const SNIPPETS: readonly Snippet[] = [
  ...OPTION_SNIPPETS,
  ...SPEC_SNIPPETS,
  ...ANSWER_SNIPPETS,
  ...BINDING_SNIPPETS,
  ...ASK_SNIPPETS,
  ...POOL_SNIPPETS,
  ...PROVIDER_SNIPPETS,
  {
    title: "a pool on hover",
    code: 'server.tool("t", { ...tool, reads }, (pool) => { const x: never = pool; return x; });',
    says: `Type '{ readonly args: ${ARGS}; readonly progress: Progress; `,
  },
  {
    title: "args on hover",
    code:
      'server.tool("t", { ...tool, reads }, ({ args }) => { const x: never = args; return x; });',
    says: `Type '${ARGS}' is not assignable to type 'never'`,
  },
  {
    title: "args of reads and input, as one object",
    code: 'server.tool("t", { ...tool, reads: { id: reads.count }, input: row }, ({ args }) => ' +
      "{ const x: never = args; return x; });",
    says: "Type '{ readonly id: number; v: string; }' is not assignable to type 'never'",
  },
  {
    title: "args of a tool that takes nothing",
    code: 'server.tool("t", tool, ({ args }) => { const x: never = args; return x; });',
    says: "Type '{}' is not assignable to type 'never'",
  },
  {
    title: "the user of a server",
    code: 'staffed.tool("t", tool, ({ user }) => { const x: never = user; return x; });',
    says: "Type 'Staff' is not assignable to type 'never'",
  },
  {
    title: "a misspelt argument",
    code: 'server.tool("t", { ...tool, reads }, ({ args }) => args.nmae);',
    says: `Property 'nmae' does not exist on type '${ARGS}'`,
  },
  {
    title: "an argument outside of args",
    code: 'server.tool("t", { ...tool, reads }, ({ name }) => name);',
    says: `Property 'name' does not exist on type '{ readonly args: ${ARGS}; `,
  },
  {
    title: "a choice that there is not",
    code: 'server.tool("t", { ...tool, reads }, ({ args }) => args.status === "closed");',
    says: "have no overlap",
  },
  {
    title: "a field that a spec does not have",
    code: "serviceSpec({ ...open, colour: 1, run: () => 1 });",
    says: "'colour' does not exist in type 'ServiceOptions<",
  },
  {
    title: "an option that a tool does not have",
    code: 'server.tool("t", { ...tool, colour: 1 }, () => 1);',
    says: "'colour' does not exist in type 'SimpleToolOptions<",
  },
  {
    title: "an option that a binding does not have",
    code: 'server.registerTool(serviceSpec({ ...open, run: () => 1 }), { name: "t", ' +
      'description: "T.", colour: 1 });',
    says: "'colour' does not exist in type 'ServiceToolOptions'",
  },
  {
    title: "a misspelt option of a parameter",
    code: 'param.string({ chioces: ["a"] });',
    says: "Did you mean to write 'choices'?",
  },
  {
    title: "a default of another type",
    code: 'param.integer({ default: "1" });',
    says: "Type 'string' is not assignable to type 'number'",
  },
  {
    title: "a check that answers a text",
    code: 'serviceSpec({ permissions: [{ hasPermission: () => "yes" }], run: () => 1 });',
    says: "Type 'string' is not assignable to type 'Awaitable<boolean>'",
  },
  {
    title: "a check outside of a list",
    code: "serviceSpec({ permissions: unrestricted, run: () => 1 });",
    says: "'PermissionCheck<Principal>' is missing the following properties",
  },
  {
    title: "a check for other users",
    code: 'server.tool("t", { ...tool, permissions: [isClerk] }, () => 1);',
    says: "Property 'tenant' is missing in type 'Principal' but required in type 'Staff'",
  },
  {
    title: "a check for the server's own users",
    code: 'staffed.tool("t", { ...tool, permissions: [isClerk, unrestricted] }, () => 1);',
  },
  {
    title: "an effect that there is not",
    code: 'server.tool("t", { ...tool, effect: "write" }, () => 1);',
    says: "Type '\"write\"' is not assignable to type 'Effect'",
  },
  {
    title: "a kind that there is not",
    code: 'selectorSpec({ ...open, kind: "many", select: () => [] });',
    says: 'Type \'"many"\' is not assignable to type \'"list" | "retrieve"\'',
  },
  {
    title: "an answer that is not the output",
    code: 'server.tool("t", { ...tool, output: row }, () => ({ v: 1 }));',
    says: "Type 'number' is not assignable to type 'string'",
  },
  {
    title: "an answer that lacks a part of the output",
    code: "serviceSpec({ ...open, output: row, run: () => ({}) });",
    says:
      "Type '{}' is not assignable to type 'AnswerMismatch<{}, { v: string; }> & { v: string; }'",
  },
  {
    title: "one row in place of a list",
    code: 'selectorSpec({ ...open, kind: "list", output: row, select: () => ({ v: "a" }) });',
    says: "required in type 'AnswerMismatch<{ v: \"a\"; }, Rows<{ v: string; }>>'",
  },
  {
    title: "no name",
    code: 'server.registerTool(serviceSpec({ ...open, run: () => 1 }), { description: "T." });',
    says: "Property 'name' is missing in type '{ description: string; }'",
  },
  {
    title: "what is no spec",
    code: 'server.registerTool({ run: () => 1 }, { name: "t", description: "T." });',
    says: "'run' does not exist in type 'Spec<Principal, ",
  },
  {
    title: "promises and plain values alike",
    code: 'server.tool("t", { ...tool, output: row }, () => Promise.resolve({ v: "a" }));' +
      'selectorSpec({ ...open, kind: "retrieve", output: row, select: () => null });' +
      'selectorSpec({ ...open, kind: "list", output: row, select: async function* () {} as never });',
  },
];

/** The errors of every snippet: the lines of the message, without the place. */
async function check(): Promise<ReadonlyMap<number, readonly string[]>> {
  const folder = await Deno.makeTempDir();
  try {
    const files = SNIPPETS.map((_, i) => `${folder}/snippet_${i}.ts`);
    for (const [i, file] of files.entries()) {
      await Deno.writeTextFile(file, `${PRELUDE}${SNIPPETS[i]!.code}\n`);
    }
    const config = fileURLToPath(new URL("../../deno.json", import.meta.url));
    const { stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", "--config", config, ...files],
      env: { NO_COLOR: "1" },
    }).output();
    return parse(new TextDecoder().decode(stderr), pathToFileURL(folder).href);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Reads the report of the compiler: a message, the line of code and a mark unless it is long, the place. */
function parse(report: string, folder: string): ReadonlyMap<number, readonly string[]> {
  const errors = new Map<number, readonly string[]>();
  for (const block of report.split(/^(?=TS\d+ \[ERROR\])/m)) {
    if (!block.startsWith("TS")) continue;
    const lines = block.split("\n");
    const place = lines.findIndex((line) => line.trimStart().startsWith("at "));
    const [, index] = /snippet_(\d+)\.ts/.exec(lines[place] ?? "") ?? [];
    assert(index !== undefined, `An error outside of the snippets of ${folder}: ${block}`);
    assert(!errors.has(Number(index)), `Two errors: ${block}`);
    const isQuoted = /^[~^ ]+$/.test(lines[place - 1] ?? "");
    errors.set(Number(index), lines.slice(0, isQuoted ? place - 2 : place));
  }
  return errors;
}

Deno.test("an editor says what a type is, and what is wrong, in one or two lines", async (t) => {
  const errors = await check();
  for (const [i, { title, says }] of SNIPPETS.entries()) {
    await t.step(title, () => {
      const lines = errors.get(i) ?? [];
      if (says === undefined) return assertEquals(lines, []);
      assertStringIncludes(lines.join("\n"), says);
      assert(lines.length <= 2, lines.join("\n"));
    });
  }
});
