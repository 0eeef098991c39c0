/** What is published offers what the sources do. */
import { assert, assertEquals } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { build } from "../../tools/build.ts";

Deno.test("The package has every entry point of the sources, and one copy of what they share", async () => {
  await Deno.mkdir("dist", { recursive: true });
  const folder = await Deno.makeTempDir({ dir: "dist", prefix: "test-" });
  try {
    await build(folder);
    const built = JSON.parse(await Deno.readTextFile(`${folder}/deno.json`));
    assertEquals(Object.keys(built.exports), Object.keys(config.exports));
    const load = (path: string) => import(new URL(path, `file://${Deno.cwd()}/`).href);
    const modules = new Map<string, Record<string, unknown>>();
    for (const [entry, source] of Object.entries(config.exports)) {
      const published = await load(`${folder}/${built.exports[entry]}`);
      assertEquals(Object.keys(published), Object.keys(await load(source)), entry);
      modules.set(entry, published);
    }
    const { McpServer, ConfigurationError } = modules.get(".")! as typeof import("../../mod.ts");
    try {
      new McpServer({ name: "", version: "1.0.0" });
      throw new Error("An empty name was accepted");
    } catch (error) {
      assert(error instanceof ConfigurationError);
    }
    const kernel = modules.get("./kernel")!;
    assertEquals(kernel.ServiceError, modules.get(".")!.ServiceError);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
