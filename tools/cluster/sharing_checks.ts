import type { CheckReport } from "../check_report.ts";
import type { Cluster } from "./cluster.ts";
import { ClusterClient } from "./cluster_client.ts";
import { SessionListener } from "./session_listener.ts";
import { until } from "./until.ts";
import { type Kind, KINDS, QUOTA } from "./wire.ts";

/** How many callers share a quota at a time, and how often each calls. */
const CALLERS = 20;
const CALLS = 5;

/** Checks what the processes have in common while all of them live. */
export async function checkSharing(cluster: Cluster, report: CheckReport): Promise<void> {
  for (const kind of KINDS) {
    await report.check(
      `A ${kind} session is served, refused and ended in every process`,
      () => shareSession(cluster, kind),
    );
    await report.check(
      `The GET stream of a ${kind} session moves between processes`,
      () => moveStream(cluster, kind),
    );
  }
  for (const name of ["fixed", "sliding", "bucket"]) {
    await report.check(
      `The quota of ${QUOTA} calls holds for all processes (${name})`,
      () => shareQuota(cluster, `quota_${name}`),
    );
  }
}

async function shareSession(cluster: Cluster, kind: Kind): Promise<string> {
  const [first, ...others] = cluster.urls;
  const opener = new ClusterClient({ url: first!, client: 0, kind, era: "legacy" });
  await opener.open();
  const here = [first!, ...others].map((url) => opener.at(url));
  const processes = new Set<unknown>();
  for (const client of here) processes.add((await client.must("whereami")).text);
  if (processes.size !== cluster.urls.length) throw new Error("Not every process answered");
  for (const url of cluster.urls) {
    const stranger = new ClusterClient({ url, client: 1, kind, era: "legacy" });
    stranger.session = opener.session;
    const { status } = await stranger.call("whereami");
    if (status !== 404) throw new Error(`Another caller's session answered ${status}`);
  }
  await here.at(-1)!.end();
  const start = Date.now();
  for (const client of here) {
    await until(
      "an ended session is 404 everywhere",
      async () => (await client.call("whereami")).status === 404,
      31_000,
    );
  }
  return `${processes.size} processes, ended everywhere within ${Date.now() - start} ms`;
}

async function moveStream(cluster: Cluster, kind: Kind): Promise<string> {
  const [first] = cluster.urls;
  const client = new ClusterClient({ url: first!, client: 0, kind, era: "legacy" });
  await client.open();
  const { session } = client;
  let told = 0;
  for (const url of cluster.urls) {
    const listener = new SessionListener(client.at(url));
    try {
      await until("a stream opens", () => listener.isOpen);
      for (const teller of cluster.urls) {
        await client.at(teller).must("tell", { session, n: ++told });
      }
      await until(
        "every message arrives",
        () => listener.numbers.has(told) && listener.numbers.size === cluster.urls.length,
      );
    } finally {
      await listener.close();
    }
  }
  await client.end();
  return `${told} messages`;
}

async function shareQuota(cluster: Cluster, tool: string): Promise<string> {
  let admitted = 0;
  let refused = 0;
  await Promise.all(Array.from({ length: CALLERS }, async (_, caller) => {
    for (let call = 0; call < CALLS; call++) {
      const url = cluster.urls[(caller + call) % cluster.urls.length]!;
      const client = new ClusterClient({ url, client: 0, kind: "stored", era: "modern" });
      const { code } = await client.call(tool);
      if (code === undefined) admitted++;
      else if (code === -32005) refused++;
      else throw new Error(`${tool} answered ${code}`);
    }
  }));
  if (admitted !== QUOTA) throw new Error(`${admitted} calls were admitted`);
  return `${CALLERS} callers at once, ${admitted} calls admitted, ${refused} refused`;
}
