/**
 * Prints the heap as sessions are opened and used:
 * `deno run -A bench/sessions.ts [--sessions n] [--steps n]`. Verified sealed sessions are remembered
 * up to 10,000, so that their heap stops growing there; stored ones take what the store holds of them.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { formatTable } from "./peers/format_table.ts";
import { runScript } from "./peers/run_script.ts";

async function measure(kind: string, count: string, steps: string): Promise<readonly string[]> {
  const script = new URL("./peers/hold_sessions.ts", import.meta.url);
  const bytes = (await runScript(script, [kind, count, steps])).map(Number);
  return [kind, ...bytes.map((one) => `${((one - bytes[0]!) / 1e6).toFixed(2)} MB`)];
}

if (import.meta.main) {
  const { values: { sessions, steps } } = parseArgs({
    args: Deno.args,
    options: {
      sessions: { type: "string", default: "10000" },
      steps: { type: "string", default: "4" },
    },
  });
  const counts = Array.from({ length: Number(steps) + 1 }, (_, i) => `${i * Number(sessions)}`);
  const rows: (readonly string[])[] = [];
  for (const kind of ["sealed", "stored"]) rows.push(await measure(kind, sessions, steps));
  console.log(formatTable([["sessions", ...counts], ...rows]));
}
