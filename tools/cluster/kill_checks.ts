import { redisLanes } from "../../tests/redis/redis_lanes.ts";
import type { CheckReport } from "../check_report.ts";
import type { Cluster } from "./cluster.ts";
import { ClusterClient, type ClusterClientOptions } from "./cluster_client.ts";
import { Ender, type Load, repeat, Teller, Writer } from "./load.ts";
import { until } from "./until.ts";
import { type Kind, KINDS } from "./wire.ts";

/** How large the load is. */
export interface KillOptions {
  /** How long processes are killed, in seconds. */
  readonly seconds: number;
  /** How many processes there are. */
  readonly processes: number;
  /** How many clients write, a third each by sealed sessions, by stored ones and without any. */
  readonly writers: number;
  /** How many clients listen, half of them each to sealed and to stored sessions. */
  readonly listeners: number;
}

/** How many of the clients that the servers know take part. */
export function countClients({ writers, listeners }: KillOptions): number {
  return writers + listeners + KINDS.length;
}

/** How long both processes serve between two kills, in milliseconds. */
const PEACE_MS = 500;

/** How long a process may go by what it remembers of an ended session, in milliseconds (B4). */
const RECHECK_MS = 31_000;

/** Kills a process again and again under load, and checks that nothing acknowledged is lost. */
export async function checkKills(
  cluster: Cluster,
  report: CheckReport,
  options: KillOptions,
): Promise<void> {
  const { seconds, processes } = options;
  const { writers, tellers, enders } = await openClients(cluster, options);
  const loads: readonly Load[] = [...writers, ...tellers, ...enders];
  const start = Date.now();
  let kills = 0;
  let killedAt = 0;
  let isOver = false;
  await report.check(
    `Every client continues while processes are killed for ${seconds} s`,
    async () => {
      const working = Promise.all(loads.map((load) => repeat(load, () => isOver)));
      working.catch(() => isOver = true);
      while (Date.now() - start < seconds * 1000 && !isOver) {
        killedAt = Date.now();
        await cluster.replace(kills++ % processes);
        await new Promise((resolve) => setTimeout(resolve, PEACE_MS));
      }
      isOver = true;
      await working;
      const stuck = loads.filter(({ client }) => client.answeredAt < killedAt).length;
      if (stuck > 0) throw new Error(`${stuck} clients were not answered after the last kill`);
      const lost = sum(loads.map(({ client }) => client.lost));
      const longest = Math.max(...loads.map(({ client }) => client.longestMs));
      return `${loads.length} clients, ${kills} kills, ${lost} answers lost and asked for again, ` +
        `the longest wait ${longest} ms`;
    },
  );

  const keys = writers.flatMap((writer) => writer.keys);
  const elapsed = (Date.now() - start) / 1000;
  await report.check("Every acknowledged write is in Redis", async () => {
    const missing = await findMissing(cluster, writers);
    if (missing.length > 0) throw new Error(`${missing.length} are missing, such as ${missing[0]}`);
    return `${keys.length} writes, ${(keys.length / elapsed).toFixed(0)} a second`;
  });
  await report.check("Every acknowledged write is read through every process", async () => {
    for (const url of cluster.urls) for (const writer of writers) await readBack(writer, url);
    return `${keys.length} writes through ${cluster.urls.length} processes`;
  });
  await report.check("Every acknowledged message reaches its session, once", async () => {
    for (const { told, listener } of tellers) {
      await until("every message arrives", () => hasAll(listener.numbers, told));
    }
    await Promise.all(tellers.map(({ listener }) => listener.close()));
    const repeated = sum(tellers.map(({ listener }) => listener.repeated));
    if (repeated > 0) throw new Error(`${repeated} messages came twice`);
    const streams = sum(tellers.map(({ listener }) => listener.streams));
    return `${sum(tellers.map(({ told }) => told))} messages to ${tellers.length} sessions ` +
      `over ${streams} streams`;
  });
  await report.check(
    "Every session whose end was acknowledged is ended in every process",
    async () => {
      const ended = await Promise.all(enders.map((ender) => checkEnded(cluster, ender)));
      return `${sum(ended)} sessions`;
    },
  );
}

async function openClients(cluster: Cluster, { writers, listeners }: KillOptions): Promise<{
  readonly writers: readonly Writer[];
  readonly tellers: readonly Teller[];
  readonly enders: readonly Ender[];
}> {
  let client = 0;
  const open = async (kind: Kind, era: ClusterClientOptions["era"]): Promise<ClusterClient> => {
    const opened = new ClusterClient({ url: cluster.proxy.url, client: client++, kind, era });
    if (era === "legacy") await opened.open();
    return opened;
  };
  const kindOf = (i: number): Kind => KINDS[i % KINDS.length]!;
  const opened = { writers: [] as Writer[], tellers: [] as Teller[], enders: [] as Ender[] };
  for (let i = 0; i < writers; i++) {
    const era = i % 3 === 2 ? "modern" : "legacy";
    opened.writers.push(new Writer(await open(kindOf(i % 3), era), `w${i}`));
  }
  for (let i = 0; i < listeners; i++) {
    opened.tellers.push(new Teller(await open(kindOf(i), "legacy")));
  }
  for (const kind of KINDS) opened.enders.push(new Ender(await open(kind, "legacy")));
  return opened;
}

/** Asks Redis itself. */
async function findMissing(
  cluster: Cluster,
  writers: readonly Writer[],
): Promise<readonly string[]> {
  const { connection, close } = await redisLanes[0]!.open(cluster.redis.path);
  try {
    const missing: string[] = [];
    for (const { client, keys } of writers) {
      for (const some of chunks(keys)) {
        const names = some.map((key) => `${client.options.kind}:note:${key}`);
        const values = await connection.command(["MGET", ...names], AbortSignal.timeout(10_000));
        missing.push(...some.filter((key, i) => (values as readonly unknown[])[i] !== key));
      }
    }
    return missing;
  } finally {
    await close();
  }
}

async function readBack({ client, keys }: Writer, url: string): Promise<void> {
  for (const some of chunks(keys)) {
    const { structured } = await client.at(url).must("read", { keys: some });
    const values = structured!.values as readonly (string | null)[];
    const missing = some.find((key, i) => values[i] !== key);
    if (missing !== undefined) throw new Error(`${missing} is missing at ${url}`);
  }
}

async function checkEnded(cluster: Cluster, { client, ended }: Ender): Promise<number> {
  const end = Date.now() + RECHECK_MS;
  for (const url of cluster.urls) {
    const asking = client.at(url);
    for (const session of ended) {
      asking.session = session;
      await until(
        `an ended ${client.options.kind} session is 404`,
        async () => (await asking.call("whereami")).status === 404,
        Math.max(0, end - Date.now()),
      );
    }
  }
  return ended.length;
}

function* chunks(keys: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < keys.length; at += 200) yield keys.slice(at, at + 200);
}

function hasAll(numbers: ReadonlySet<number>, last: number): boolean {
  for (let n = 1; n <= last; n++) if (!numbers.has(n)) return false;
  return true;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}
