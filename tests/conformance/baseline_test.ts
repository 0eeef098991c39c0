import { assertEquals } from "@std/assert";
import { BASELINE } from "./baseline.ts";

/** Entries per leg. A number goes down with the entries that it counts, and never up. */
const CEILINGS = { "2025-11-25": 8, "2026-07-28": 0, extensions: 0 };

for (const [leg, ceiling] of Object.entries(CEILINGS)) {
  const names = Object.values(BASELINE[leg as keyof typeof BASELINE]).flat();

  Deno.test(`BASELINE of ${leg} only shrinks`, () => {
    assertEquals(names.length, ceiling);
  });

  Deno.test(`BASELINE of ${leg} excuses nothing twice`, () => {
    const scenarios = new Set(names.filter((name) => !name.includes(":")));
    const twice = names.filter((name, index) =>
      names.indexOf(name) !== index ||
      (name.includes(":") && scenarios.has(name.slice(0, name.indexOf(":"))))
    );
    assertEquals(twice, []);
  });
}

Deno.test("BASELINE names every leg and no other", () => {
  assertEquals(Object.keys(BASELINE).sort(), Object.keys(CEILINGS).sort());
});
