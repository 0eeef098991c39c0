/**
 * Several server processes behind a round-robin proxy on one Redis: `deno task cluster`. Proves that
 * sessions, limits and streams work across processes, and that `kill -9` of one after the other under
 * load loses nothing that was acknowledged; then that tasks end and changes are heard while one of four
 * other processes is killed every 5 s. Needs `redis-server`. Prints its figures, ends by itself, and
 * removes what it started.
 *
 * `--seconds 60` is how long processes are killed in either part; in less than a minute there are fewer
 * tasks and fewer who listen to changes. In the first part, `--processes 2` is how many there are,
 * `--writers 6` and `--listeners 4` how many clients write and listen meanwhile.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { CheckReport } from "./check_report.ts";
import { Cluster } from "./cluster/cluster.ts";
import { checkKills, countClients } from "./cluster/kill_checks.ts";
import { checkSharing } from "./cluster/sharing_checks.ts";
import { checkWork, WORK_CLIENTS, WORK_PROCESSES } from "./cluster/work_checks.ts";

/** How long all but the kills may take, in seconds. */
const MARGIN_S = 240;

if (import.meta.main) {
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      seconds: { type: "string", default: "60" },
      processes: { type: "string", default: "2" },
      writers: { type: "string", default: "6" },
      listeners: { type: "string", default: "4" },
    },
  });
  const options = {
    seconds: Number(values.seconds),
    processes: Number(values.processes),
    writers: Number(values.writers),
    listeners: Number(values.listeners),
  };
  const report = new CheckReport();
  const parts = [
    {
      processes: options.processes,
      clients: countClients(options),
      check: async (cluster: Cluster) => {
        await checkSharing(cluster, report);
        await checkKills(cluster, report, options);
      },
    },
    {
      processes: WORK_PROCESSES,
      clients: WORK_CLIENTS,
      check: (cluster: Cluster) => checkWork(cluster, report, options),
    },
  ];
  let cluster: Cluster | undefined;
  const stop = async (): Promise<never> => {
    await cluster?.[Symbol.asyncDispose]();
    Deno.exit(1);
  };
  const deadline = setTimeout(() => {
    console.log("FAIL  It took too long");
    stop();
  }, (parts.length * options.seconds + MARGIN_S) * 1000);
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, stop);
  for (const part of parts) {
    try {
      cluster = await Cluster.start(part);
      await part.check(cluster);
    } catch (error) {
      await report.check("It runs to its end", () => Promise.reject(error));
    }
    await cluster?.[Symbol.asyncDispose]();
    cluster = undefined;
  }
  clearTimeout(deadline);
  report.finish();
  Deno.exit(report.isGood ? 0 : 1);
}
