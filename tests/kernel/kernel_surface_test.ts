/** What the kernel is to whoever serves it (K-4, K-5). */
import { assert, assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";

const KERNEL = fileURLToPath(new URL("../../src/kernel", import.meta.url));

/** The files of the kernel, with their text. */
function readKernel(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { name } of Deno.readDirSync(KERNEL)) {
    files.set(name, Deno.readTextFileSync(`${KERNEL}/${name}`));
  }
  return files;
}

Deno.test("the kernel imports nothing that knows of MCP (K-4)", () => {
  for (const [name, text] of readKernel()) {
    for (const [, from] of text.matchAll(/ from "([^"]+)";/g)) {
      const isOwn = /^\.\/|^\.\.\/(ports|schema)\/|^\.\.\/protocol\/json\.ts$/.test(from!);
      // Examples in comments import the package.
      assert(isOwn || /^@(limen|std)\//.test(from!), `${name} imports ${from}`);
    }
  }
});

// K-5: the questions a transport asks, by the one function that answers each.
const QUESTIONS = [
  "describeInputOf",
  "describeOutputOf",
  "prepareCall",
  "askCaller",
  "runCall",
  "compileOperation",
  "findUnmet",
  "canPresentNothing",
  "reachOf",
  "takePage",
  "compileAudience",
] as const;

for (const question of QUESTIONS) {
  Deno.test(`the kernel answers ${question}() in one place (K-5)`, () => {
    const pattern = new RegExp(`^(export )?(async )?function ${question}\\b`, "m");
    const places = [...readKernel()].filter(([, text]) => pattern.test(text));
    assertEquals(places.length, 1);
  });
}
