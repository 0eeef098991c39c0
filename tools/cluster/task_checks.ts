import { redisLanes } from "../../tests/redis/redis_lanes.ts";
import type { CheckReport } from "../check_report.ts";
import type { Cluster } from "./cluster.ts";
import { askForTask, type KnownTask, type TaskCreator } from "./task_creator.ts";
import { until } from "./until.ts";
import { WORK } from "./wire.ts";

/** How long tasks may take to end after the last kill, in milliseconds. */
const DRAIN_MS = 60_000;

/**
 * Checks what became of the tasks that were created.
 *
 * @param following Rejects when a client is told that a task is not known.
 */
export async function checkTasks(
  cluster: Cluster,
  report: CheckReport,
  { creators, following }: {
    readonly creators: readonly TaskCreator[];
    readonly following: Promise<unknown>;
  },
): Promise<void> {
  const tasks = creators.flatMap((creator) => creator.tasks);
  await report.check("Every task ends, and stands so in every process", async () => {
    await Promise.race([
      following, // only to be told of a task that is lost
      until("every task ends", () => tasks.every(({ end }) => end !== undefined), DRAIN_MS),
    ]);
    for (const url of cluster.urls) for (const creator of creators) await askAgain(creator, url);
    const longest = Math.max(...tasks.map(({ createdAt, endedAt }) => endedAt! - createdAt));
    return `${tasks.length} tasks in ${cluster.urls.length} processes, ` +
      `the longest took ${(longest / 1000).toFixed(1)} s`;
  });
  await report.check("Every idempotent task completes with its work done", async () => {
    const repeatable = tasks.filter(({ isIdempotent }) => isIdempotent);
    const again = await checkCompleted(cluster, repeatable);
    return `${repeatable.length} tasks, the work of ${again} began again`;
  });
  await report.check(
    "Any other completes too, or failed with its process, and never began twice",
    async () => {
      const others = tasks.filter(({ isIdempotent }) => !isIdempotent);
      const failed = others.filter(({ end }) => end?.status !== "completed");
      await checkInterrupted(cluster, failed);
      const completed = others.filter(({ end }) => end?.status === "completed");
      const again = await checkCompleted(cluster, completed);
      if (again > 0) throw new Error(`The work of ${again} began twice`);
      return `${completed.length} completed, ${failed.length} failed`;
    },
  );
}

/** A task that has ended stands as it did. */
async function askAgain({ client, tasks }: TaskCreator, url: string): Promise<void> {
  await Promise.all(tasks.map(async (task) => {
    const again = await askForTask(client.at(url), task);
    if (JSON.stringify(again) !== JSON.stringify(task.end)) {
      throw new Error(`The task of ${task.key} was ${task.end?.status}, and is ${again.status}`);
    }
  }));
}

/** @returns How many of them began more than once. */
async function checkCompleted(cluster: Cluster, tasks: readonly KnownTask[]): Promise<number> {
  const wrong = tasks.filter(({ key, end }) =>
    end?.status !== "completed" || end.result?.content[0]?.text !== key
  );
  if (wrong.length > 0) {
    const { key, end } = wrong[0]!;
    throw new Error(`${wrong.length} did not complete, such as ${key}: ${JSON.stringify(end)}`);
  }
  const done = await readNotes(cluster, "done", tasks);
  if (!tasks.every(({ key }, i) => done[i] === key)) throw new Error("Not all work was done");
  const repeated = await readNotes(cluster, "repeated", tasks);
  return repeated.filter((pid) => pid !== null).length;
}

/** Only what a process had begun that was killed then may have failed. */
async function checkInterrupted(cluster: Cluster, failed: readonly KnownTask[]): Promise<void> {
  const strange = failed.find(({ end }) => end?.statusMessage !== "The work was interrupted");
  if (strange !== undefined) throw new Error(`${strange.key}: ${JSON.stringify(strange.end)}`);
  const repeated = await readNotes(cluster, "repeated", failed);
  if (repeated.some((pid) => pid !== null)) throw new Error("Some work began twice");
  const killed = new Set(cluster.killed.map(({ pid }) => `${pid}`));
  const begun = await readNotes(cluster, "begun", failed);
  const alive = begun.filter((pid) => pid !== null && !killed.has(pid));
  if (alive.length > 0) throw new Error(`${alive.length} failed whose processes live`);
}

/** Reads what the work of tasks noted, from Redis itself. */
async function readNotes(
  cluster: Cluster,
  note: string,
  tasks: readonly KnownTask[],
): Promise<readonly (string | null)[]> {
  if (tasks.length === 0) return [];
  const { connection, close } = await redisLanes[0]!.open(cluster.redis.path);
  try {
    const keys = tasks.map(({ key }) => `${WORK}:${note}:${key}`);
    const values = await connection.command(["MGET", ...keys], AbortSignal.timeout(10_000));
    return values as readonly (string | null)[];
  } finally {
    await close();
  }
}
