/** A server of many tools stays quick to type-check (TS-1, TS-4). */
import { assert, assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";

const HEAD = `
import { McpServer, param, selectorSpec, serviceSpec, unrestricted } from "@limen/mcp";
import { z } from "zod";
const server = new McpServer({ name: "s", version: "1" });
const open = { permissions: [unrestricted] } as const;
`;

/** One tool of each kind, with reads, an input and an output of its own. */
function write(i: number): string {
  return `
const row${i} = z.object({ id: z.number(), name${i}: z.string(), tags: z.array(z.string()) });
server.registerTool(
  ${
    i % 2 === 0
      ? `selectorSpec({
    ...open,
    kind: "list",
    reads: { id${i}: param.integer({ required: true }), status: param.string({ choices: ["a", "b"] }) },
    output: row${i},
    select: ({ args }) => [{ id: args.id${i}, name${i}: args.status ?? "", tags: [] }],
  }),
  { name: "t${i}", paginate: true },`
      : `serviceSpec({
    ...open,
    reads: { id${i}: param.integer({ required: true }) },
    input: z.object({ name: z.string(), amount${i}: z.number() }),
    output: row${i},
    run: ({ args }) => ({ id: args.id${i} + args.amount${i}, name${i}: args.name, tags: [] }),
  }),
  { name: "t${i}" },`
  }
);
`;
}

/** How long the compiler takes over so many tools, in milliseconds. */
async function check(folder: string, count: number): Promise<number> {
  const file = `${folder}/tools_${count}.ts`;
  const tools = Array.from({ length: count }, (_, i) => write(i));
  await Deno.writeTextFile(file, HEAD + tools.join(""));
  const config = fileURLToPath(new URL("../../deno.json", import.meta.url));
  const start = performance.now();
  const { stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", "--config", config, file],
    env: { NO_COLOR: "1" },
  }).output();
  assertEquals(new TextDecoder().decode(stderr), "");
  return performance.now() - start;
}

Deno.test("200 tools are type-checked within 10 seconds, the library's own types aside", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const [few, many] = [await check(folder, 1), await check(folder, 200)];
    assert(many - few < 10_000, `It took ${Math.round(few)} and ${Math.round(many)} ms`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
