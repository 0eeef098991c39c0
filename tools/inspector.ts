/**
 * Drives `examples/conformance/` with the command line of the MCP Inspector, in both eras:
 * `deno task inspector`. Its first run downloads 111 MB, which is why no other task runs it.
 *
 * @module
 */
import { runPackage } from "./run_package.ts";
import { startFixture } from "./start_fixture.ts";

const INSPECTOR = "npm:@modelcontextprotocol/inspector@2.12.0";
const ERAS = ["legacy", "modern"] as const;

/** What the Inspector is told, how it must exit, and what it must print. */
const STEPS: readonly {
  readonly title: string;
  readonly args: readonly string[];
  readonly code: number;
  readonly prints: RegExp;
}[] = [
  {
    title: "lists the tools, with schemas that every client can read",
    args: ["--method", "tools/list", "--strict"],
    code: 0,
    prints: /"name":"test_simple_text".*"name":"json_schema_2020_12_tool"/,
  },
  {
    title: "calls a tool",
    args: ["--method", "tools/call", "--tool-name", "test_simple_text"],
    code: 0,
    prints: /"text":"This is a simple text response for testing\."/,
  },
  {
    title: "calls a tool with arguments that are mirrored into headers",
    args: [
      ...["--method", "tools/call", "--tool-name", "test_x_mcp_header"],
      ...["--tool-arg", "region=eu", "level=3"],
    ],
    code: 0,
    prints: /"text":"Region eu, level 3\."/,
  },
  {
    title: "calls a tool that reports progress",
    args: ["--method", "tools/call", "--tool-name", "test_tool_with_progress"],
    code: 0,
    prints: /"text":"Done\."/,
  },
  {
    title: "tells a tool that fails from one that answers",
    args: ["--method", "tools/call", "--tool-name", "test_error_handling"],
    code: 5,
    prints: /"isError":true/,
  },
  {
    title: "is refused where it lacks a capability",
    args: ["--method", "tools/call", "--tool-name", "test_missing_capability"],
    code: 1,
    prints: /Missing required client capability/,
  },
];

if (import.meta.main) {
  let passed = 0;
  let failed = 0;
  const fixture = await startFixture("tools/inspector/fixture.ts");
  try {
    for (const era of ERAS) {
      for (const { title, args, code, prints } of STEPS) {
        const run = await runPackage(INSPECTOR, {
          lock: "tools/inspector/deno.lock",
          permissions: ["--allow-all"], // it looks into /proc, which nothing less allows
          args: [
            ...["--cli", fixture.url, "--transport", "http", "--protocol-era", era],
            ...[...args, "--format", "json"],
          ],
        });
        const printed = run.stdout + run.stderr;
        const isFine = run.code === code && prints.test(printed);
        console.log(`${isFine ? "ok  " : "FAIL"} ${era}: ${title}`);
        if (!isFine) console.log(`     expected exit ${code}, got ${run.code}: ${printed}`);
        if (isFine) passed++;
        else failed++;
      }
    }
  } finally {
    await fixture.stop();
  }
  console.log(`\n${passed} passed, ${failed} failed`);
  if (failed > 0) Deno.exit(1);
}
