/**
 * Runs `check.ts` of every example, one after the other, and fails when one of them does.
 *
 * @module
 */
if (import.meta.main) {
  let failed = 0;
  for (
    const { name } of [...Deno.readDirSync("examples")].sort((a, b) => a.name < b.name ? -1 : 1)
  ) {
    const check = `examples/${name}/check.ts`;
    if (!await Deno.stat(check).then((stat) => stat.isFile, () => false)) continue;
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", check],
      stdin: "null",
      stdout: "inherit",
      stderr: "inherit",
    }).output();
    console.log(`${success ? "ok  " : "FAIL"} ${check}`);
    if (!success) failed++;
  }
  if (failed > 0) Deno.exit(1);
}
