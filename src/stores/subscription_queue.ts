import type { BrokerMessage, SubscribeOptions, Subscription, SubscriptionEnd } from "./broker.ts";

/** Options of a {@linkcode SubscriptionQueue}. */
export interface SubscriptionQueueOptions extends SubscribeOptions {
  /** Takes the subscription off its broker; called once, whatever ended it. */
  readonly release: () => void | Promise<void>;
}

type Result = IteratorResult<BrokerMessage, undefined>;

/** What waits between a broker and one reader: the part of a {@linkcode Subscription} all share. */
export class SubscriptionQueue implements Subscription {
  readonly #maxWaiting: number;
  readonly #maxWaitingBytes: number;
  readonly #release: () => void | Promise<void>;
  readonly #waiting: BrokerMessage[] = [];
  #waitingBytes = 0;
  /** What waits, where equal messages collapse. */
  readonly #distinct: Set<string> | undefined;
  /** Readers that wait; there are none while messages do. */
  readonly #readers: ((result: Result) => void)[] = [];
  #end: SubscriptionEnd | undefined;
  #released: Promise<void> = Promise.resolve();

  /** @throws {RangeError} when a bound is no positive integer. */
  constructor(options: SubscriptionQueueOptions) {
    const { maxWaiting = 1000, maxWaitingBytes = 1024 * 1024, collapse = false } = options;
    this.#maxWaiting = checkBound("maxWaiting", maxWaiting);
    this.#maxWaitingBytes = checkBound("maxWaitingBytes", maxWaitingBytes);
    this.#distinct = collapse ? new Set() : undefined;
    this.#release = options.release;
  }

  /** Why it ended; `undefined` while it is live. */
  get end(): SubscriptionEnd | undefined {
    return this.#end;
  }

  /** Hands a message to the reader, or lets it wait; past a bound, ends the subscription. */
  push(message: BrokerMessage): void {
    if (this.#end !== undefined) return;
    const reader = this.#readers.shift();
    if (reader !== undefined) return reader({ done: false, value: message });
    const name = nameOf(message);
    if (this.#distinct?.has(name)) return;
    const bytes = this.#waitingBytes + sizeOf(message);
    const isAlone = this.#waiting.length === 0;
    if (this.#waiting.length >= this.#maxWaiting || bytes > this.#maxWaitingBytes && !isAlone) {
      return this.finish("overflow");
    }
    this.#waiting.push(message);
    this.#waitingBytes = bytes;
    this.#distinct?.add(name);
  }

  /** Ends the subscription and drops what waits; harmless when it has ended. */
  finish(end: SubscriptionEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#waiting.length = 0;
    this.#distinct?.clear();
    for (const reader of this.#readers.splice(0)) reader(DONE);
    this.#released = Promise.resolve(this.#release());
    // Only close() has somebody to tell.
    this.#released.catch(() => {});
  }

  /** Ends the subscription, and resolves once its broker counts it no longer. */
  close(): Promise<void> {
    this.finish("closed");
    return this.#released;
  }

  /** Reads the messages; for one reader. */
  [Symbol.asyncIterator](): AsyncIterator<BrokerMessage, undefined> {
    return {
      next: () => this.#next(),
      return: async () => {
        await this.close();
        return DONE;
      },
    };
  }

  #next(): Promise<Result> {
    const message = this.#waiting.shift();
    if (message !== undefined) {
      this.#waitingBytes -= sizeOf(message);
      this.#distinct?.delete(nameOf(message));
      return Promise.resolve({ done: false, value: message });
    }
    if (this.#end !== undefined) return Promise.resolve(DONE);
    return new Promise((resolve) => this.#readers.push(resolve));
  }
}

const DONE = { done: true, value: undefined } as const;

function checkBound(name: string, bound: number): number {
  if (Number.isSafeInteger(bound) && bound > 0) return bound;
  throw new RangeError(`Cannot subscribe: ${name} must be a positive integer: got ${bound}`);
}

/** Two messages have one name only when both parts are equal. */
function nameOf({ topic, payload }: BrokerMessage): string {
  return `${topic.length} ${topic}${payload}`;
}

function sizeOf({ topic, payload }: BrokerMessage): number {
  return 2 * (topic.length + payload.length);
}
