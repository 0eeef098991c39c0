import type { CheckReport } from "../check_report.ts";
import { checkChanges } from "./change_checks.ts";
import { Changer } from "./changer.ts";
import { ChangeListener } from "./change_listener.ts";
import type { Cluster } from "./cluster.ts";
import { ClusterClient } from "./cluster_client.ts";
import { checkTasks } from "./task_checks.ts";
import { TaskCreator } from "./task_creator.ts";
import { until } from "./until.ts";
import { changeUri, WORK } from "./wire.ts";

/** How many server processes there are. */
export const WORK_PROCESSES = 4;

/** How many clients the servers know: each creates some of the tasks. */
export const WORK_CLIENTS = 10;

/** What happens in a minute; in less, less of it does. */
const TASKS = 1000;
const LISTENERS = 200;
/** In how many groups they listen, and of how many changes each group hears. */
const GROUPS = 20;
const CHANGES = 50;

const KILL_EVERY_MS = 5000;

/** Kills one process after the other while tasks run and clients listen, and checks what came of it. */
export async function checkWork(
  cluster: Cluster,
  report: CheckReport,
  { seconds }: { readonly seconds: number },
): Promise<void> {
  const share = Math.min(1, seconds / 60);
  const creators = Array.from(
    { length: WORK_CLIENTS },
    (_, i) => new TaskCreator(clientOf(cluster, i), `t${i}`),
  );
  const changers = Array.from(
    { length: GROUPS },
    (_, i) => new Changer(clientOf(cluster, i), i),
  );
  const perGroup = Math.ceil(CHANGES * share);
  const listeners = Array.from({ length: Math.ceil(LISTENERS * share) }, (_, i) => {
    const uris = Array.from({ length: perGroup }, (_, n) => changeUri(i % GROUPS, n));
    return new ChangeListener(clientOf(cluster, i), { uris, urls: () => cluster.urls });
  });
  let isOver = false;
  const following = Promise.all(creators.map((creator) => creator.follow(() => isOver)));
  following.catch(() => {}); // told by the check that waits for it
  try {
    await report.check(
      `Every client continues while one of ${WORK_PROCESSES} processes is killed every ` +
        `${KILL_EVERY_MS / 1000} s for ${seconds} s`,
      async () => {
        await until(
          "every listener listens",
          () => listeners.every(({ isOpen }) => isOpen),
          60_000,
        );
        const tasks = Math.ceil(TASKS * share / WORK_CLIENTS);
        await Promise.all([
          killProcesses(cluster, seconds),
          ...creators.map((one) => spread(() => one.create(), { count: tasks, seconds })),
          ...changers.map((one) => spread(() => one.change(), { count: perGroup, seconds })),
        ]);
        await until("every listener listens again", () => listeners.every(({ isOpen }) => isOpen));
        const lost = sum([...creators, ...changers].map(({ client }) => client.lost));
        return `${cluster.killed.length} kills, ${tasks * WORK_CLIENTS} tasks, ` +
          `${perGroup * GROUPS} changes, ${listeners.length} listeners, ${lost} answers lost, ` +
          `the longest wait ${Math.max(...creators.map(({ client }) => client.longestMs))} ms`;
      },
    );
    await checkTasks(cluster, report, { creators, following });
    const changes = changers.flatMap((changer) => changer.changes);
    await checkChanges(cluster, report, { changes, listeners });
  } finally {
    isOver = true;
    await Promise.allSettled([following, ...listeners.map((listener) => listener.close())]);
  }
}

function clientOf(cluster: Cluster, i: number): ClusterClient {
  const client = i % WORK_CLIENTS;
  return new ClusterClient({ url: cluster.proxy.url, client, kind: WORK, era: "modern" });
}

async function killProcesses(cluster: Cluster, seconds: number): Promise<void> {
  const start = performance.now();
  for (let kills = 0; (kills + 1) * KILL_EVERY_MS <= seconds * 1000; kills++) {
    await sleepUntil(start + (kills + 0.5) * KILL_EVERY_MS);
    await cluster.replace(kills % WORK_PROCESSES);
  }
}

/** Does something so often, evenly over the time. */
async function spread(
  step: () => Promise<void>,
  { count, seconds }: { readonly count: number; readonly seconds: number },
): Promise<void> {
  const start = performance.now();
  for (let n = 0; n < count; n++) {
    await sleepUntil(start + (n + Math.random()) * seconds * 1000 / count);
    await step();
  }
}

async function sleepUntil(at: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}
