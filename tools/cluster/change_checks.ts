import type { CheckReport } from "../check_report.ts";
import type { Change } from "./changer.ts";
import type { ChangeListener, HeardStream } from "./change_listener.ts";
import type { Cluster } from "./cluster.ts";
import { until } from "./until.ts";

/**
 * How long a change may be on its way, in milliseconds: one that was published so shortly before its
 * process was killed may have been lost with it.
 */
const DELIVERY_MS = 2000;

/** Checks what was heard of the changes that were told, and lets the listeners leave. */
export async function checkChanges(
  cluster: Cluster,
  report: CheckReport,
  { changes, listeners }: {
    readonly changes: readonly Change[];
    readonly listeners: readonly ChangeListener[];
  },
): Promise<void> {
  await report.check("Every listener hears what is published while it listens", async () => {
    const due = listeners.map((listener) => dueTo(cluster, listener, changes));
    const isHeard = () => due.flat().every(({ stream, uris }) => uris.every(isIn(stream.heard)));
    await until("every change is heard", isHeard);
    const incomplete = sum(listeners.map((listener) => listener.incomplete));
    if (incomplete > 0) throw new Error(`${incomplete} streams were granted less than asked for`);
    const count = sum(due.flat().map(({ uris }) => uris.length));
    const all = sum(listeners.map(({ uris }) => uris.length));
    if (count < all / 2) throw new Error(`Only ${count} of ${all} deliveries could be expected`);
    return `${count} deliveries over ${due.flat().length} streams, at most ${all - count} more ` +
      `within ${DELIVERY_MS / 1000} s before a kill, between two streams or with a lost answer`;
  });
  await report.check("No stream tells twice, or ends while its process lives", async () => {
    await Promise.all(listeners.map((listener) => listener.close()));
    const streams = listeners.flatMap((listener) => listener.streams);
    const repeated = sum(streams.map((stream) => stream.repeated));
    if (repeated > 0) throw new Error(`${repeated} changes came twice`);
    const early = streams.filter((one) => one.isOver && killedAt(cluster, one) === undefined);
    if (early.length > 0) throw new Error(`${early.length} streams ended early`);
    return `${sum(streams.map(({ heard }) => heard.size))} deliveries`;
  });
}

/** What a stream has to hear. */
interface DueStream {
  readonly stream: HeardStream;
  readonly uris: readonly string[];
}

function dueTo(
  cluster: Cluster,
  { streams, uris }: ChangeListener,
  changes: readonly Change[],
): readonly DueStream[] {
  const watched = changes.filter(({ uri }) => uris.includes(uri));
  return streams.map((stream) => {
    const end = (killedAt(cluster, stream) ?? Infinity) - DELIVERY_MS;
    const due = watched.filter(({ startedAt, publishedAt }) =>
      startedAt > stream.openedAt && publishedAt !== undefined && publishedAt < end
    );
    return { stream, uris: due.map(({ uri }) => uri) };
  });
}

/** When the process of a stream was killed, if it was. */
function killedAt({ killed }: Cluster, { url }: HeardStream): number | undefined {
  return killed.find((one) => one.url === url)?.at;
}

function isIn(heard: ReadonlySet<string>): (uri: string) => boolean {
  return (uri) => heard.has(uri);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}
