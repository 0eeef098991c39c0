import { RedisServer } from "../../tests/redis/redis_server.ts";
import { RoundRobin } from "./round_robin.ts";
import { ServerProcess } from "./server_process.ts";

/** How large a cluster is. */
export interface ClusterOptions {
  /** How many server processes there are. */
  readonly processes: number;
  /** How many clients they know. */
  readonly clients: number;
}

/** A process that was killed. */
export interface Killed {
  readonly pid: number;
  /** Where it listened. */
  readonly url: string;
  /** When it was sure to live still, in milliseconds of `performance.now()`. */
  readonly at: number;
}

/** A Redis of its own, some server processes and a proxy before them. */
export class Cluster implements AsyncDisposable {
  /** The Redis that they share. */
  readonly redis: RedisServer;
  /** The proxy before them. */
  readonly proxy: RoundRobin;
  /** What `replace()` killed. */
  readonly killed: Killed[] = [];
  readonly #clients: number;
  readonly #processes: (ServerProcess | undefined)[];
  #isOver = false;

  private constructor(redis: RedisServer, processes: ServerProcess[], clients: number) {
    this.redis = redis;
    this.#processes = processes;
    this.#clients = clients;
    this.proxy = new RoundRobin(() => this.urls);
  }

  /** Starts everything. */
  static async start({ processes, clients }: ClusterOptions): Promise<Cluster> {
    const redis = await RedisServer.start("everysec");
    const options = { socket: redis.path, clients };
    const started = await Promise.allSettled(
      Array.from({ length: processes }, () => ServerProcess.start(options)),
    );
    const running = started.flatMap((one) => one.status === "fulfilled" ? [one.value] : []);
    const cluster = new Cluster(redis, running, clients);
    if (running.length === processes) return cluster;
    await cluster[Symbol.asyncDispose]();
    throw new Error("Cannot start the cluster: a server process did not start");
  }

  /** Where the processes that live at the moment listen. */
  get urls(): readonly string[] {
    return this.#processes.flatMap((process) => process === undefined ? [] : [process.url]);
  }

  /** Kills a process as `kill -9` does, and starts another in its place. */
  async replace(index: number): Promise<void> {
    const process = this.#processes[index]!;
    this.killed.push({ pid: process.pid, url: process.url, at: performance.now() });
    await process.kill(); // the proxy goes on sending to it until it is gone
    this.#processes[index] = undefined;
    const next = await ServerProcess.start({ socket: this.redis.path, clients: this.#clients });
    if (this.#isOver) await next.kill();
    else this.#processes[index] = next;
  }

  /** Ends everything, and removes what Redis wrote. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#processes.map((process) => process?.kill()));
    await this.redis[Symbol.asyncDispose]();
    await this.proxy[Symbol.asyncDispose]();
  }
}
