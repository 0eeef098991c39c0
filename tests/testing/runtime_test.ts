import { readdirSync, readFileSync } from "node:fs";
import { assert, assertEquals } from "@std/assert";

Deno.test("nothing that serves imports src/testing/", () => {
  const root = new URL("../../", import.meta.url);
  const sources = readdirSync(new URL("src/", root), { recursive: true })
    .map((path) => `src/${path}`)
    .filter((path) => path.endsWith(".ts") && !path.startsWith("src/testing/"));
  assert(sources.length > 100);
  const importing = ["mod.ts", ...sources].filter((path) =>
    /(from|import) ?\(?"[^"]*\btesting\//.test(readFileSync(new URL(path, root), "utf8"))
  );
  assertEquals(importing, []);
});
