import { assertEquals } from "@std/assert";
import { formatRows } from "../../../tools/conformance/format_rows.ts";

Deno.test("formatRows() aligns the columns and adds them up", () => {
  const rows = [
    { scenario: "ping", passed: 2, failed: 0, warned: 0, skipped: 0, waitsFor: [] },
    {
      scenario: "caching",
      passed: 4,
      failed: 3,
      warned: 1,
      skipped: 10,
      waitsFor: ["prompts", "resources"],
    },
  ];
  assertEquals(
    formatRows("leg", rows),
    [
      "leg           passed   failed   warned  skipped  waits for",
      "ping               2        0        0        0",
      "caching            4        3        1       10  prompts, resources",
      "2 scenarios        6        3        1       10",
    ].join("\n"),
  );
});
