/**
 * Writes modules that import the tests, because `deno test` starts a worker for every file, which takes
 * longer than most files' tests: `deno run --allow-read --allow-write tools/gather_tests.ts coverage/tests`.
 *
 * @module
 */
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Enough that no processor of a small machine waits long for the other. */
const MODULES = 6;

/** @returns The paths of the test files in a folder and those below it. */
async function findTests(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) found.push(...await findTests(path));
    else if (name.endsWith("_test.ts")) found.push(path);
  }
  return found;
}

if (import.meta.main) {
  const [output = "coverage/tests"] = Deno.args;
  await Deno.remove(output, { recursive: true }).catch(() => {}); // the first time, it is not there
  await Deno.mkdir(output, { recursive: true });
  const imports = (await findTests("tests")).toSorted()
    .map((path) => `import ${JSON.stringify(pathToFileURL(resolve(path)).href)};\n`);
  for (let i = 0; i < MODULES; i++) {
    // One in turn for each: neighbours take about as long.
    const text = imports.filter((_, place) => place % MODULES === i).join("");
    await Deno.writeTextFile(join(output, `part_${i}_test.ts`), text);
  }
}
