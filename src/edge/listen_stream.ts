import type { Feed } from "../features/feed.ts";
import type { EventListener } from "../features/subscriptions/event_hub.ts";
import { escapeForWire } from "../present/serialize.ts";
import type { RequestId } from "../protocol/json_rpc.ts";

/** Whoever keeps the streams of a server. */
export interface ListenStreamOwner {
  /** Writes text as bytes. */
  readonly encoder: TextEncoder;
  /** Writes the result that ends the stream of a request, as JSON text. */
  writeLast(id: RequestId): string;
  /** Told once, when a stream that was opened has ended or its reader has left. */
  forget(stream: ListenStream): void;
}

/** What a stream is about. */
export interface ListenStreamOptions {
  /** What it hears of. */
  readonly topics: Feed["topics"];
  /** The id of the request, and so of the subscription. */
  readonly id: RequestId;
  /** When it ends at the latest, in milliseconds since the epoch. */
  readonly endsAtMs: number;
  /** Whose bound it counts for. */
  readonly listener: string | undefined;
}

/** How many events may wait for one reader, and how many characters they may have together. */
const MAX_WAITING = 1000;
const MAX_WAITING_LENGTH = 1 << 20;

/**
 * The answer to `subscriptions/listen`, which stays open: events as they come, and the result at last.
 *
 * An event that waits already is not added again. A reader who is so slow that too much waits gets the
 * result in its place, and has to look at everything anew.
 *
 * It is its own source, and makes nothing before it is needed: there may be many, most of them idle.
 */
export class ListenStream
  implements EventListener, UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> {
  /** What it hears of. */
  readonly topics: ListenStreamOptions["topics"];
  /** When it ends at the latest. */
  readonly endsAtMs: number;
  /** Whose bound it counts for. */
  readonly listener: string | undefined;
  readonly #id: RequestId;
  readonly #owner: ListenStreamOwner;
  #controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
  #waiting: Set<string> | undefined;
  #waitingLength = 0;
  #state: "new" | "ended before it began" | "open" | "ending" | "over" = "new";
  #isHungry = false;

  /** Takes no events before it is opened. */
  constructor(options: ListenStreamOptions, owner: ListenStreamOwner) {
    this.topics = options.topics;
    this.endsAtMs = options.endsAtMs;
    this.listener = options.listener;
    this.#id = options.id;
    this.#owner = owner;
  }

  /** Makes what the response carries; called once. */
  createBody(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream(this, NOTHING_AHEAD);
  }

  /** Begins with the acknowledgement; what happened before it is not told. */
  open(first: string): void {
    const hasEnded = this.#state !== "new";
    this.#state = "open";
    this.#add(`data: ${first}\n\n`);
    if (hasEnded) this.end();
  }

  /** Takes an event, up to its subscription id. */
  push(head: string): void {
    if (this.#state !== "open") return;
    const id = this.#id;
    const idText = typeof id === "number" ? id : escapeForWire(JSON.stringify(id));
    const event = `data: ${head}${idText}}}}\n\n`;
    if (this.#isHungry) return this.#write(event);
    if (this.#waiting?.has(event)) return;
    const length = this.#waitingLength + event.length;
    if ((this.#waiting?.size ?? 0) >= MAX_WAITING || length > MAX_WAITING_LENGTH) {
      this.#waiting?.clear();
      return this.end();
    }
    this.#add(event);
  }

  /** Tells an idle reader that the stream lives. */
  keepAlive(): void {
    if (this.#isHungry && this.#state === "open") this.#write(": keepalive\n\n");
  }

  /** Ends it with the result, after what waits. */
  end(): void {
    if (this.#state === "new") this.#state = "ended before it began";
    if (this.#state !== "open") return;
    this.#state = "ending";
    this.#owner.forget(this);
    this.#add(`data: ${this.#owner.writeLast(this.#id)}\n\n`);
  }

  /** Called by the stream. */
  start(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): void {
    this.#controller = controller;
  }

  /** Called by the stream: the reader waits. */
  pull(): void {
    if (this.#waiting === undefined) {
      this.#isHungry = true;
      return;
    }
    const text = [...this.#waiting].join("");
    this.#waiting = undefined;
    this.#waitingLength = 0;
    this.#write(text);
  }

  /** Called by the stream: the reader has left. */
  cancel(): void {
    this.#waiting = undefined;
    if (this.#state === "open") this.#owner.forget(this);
    this.#state = "over";
  }

  #add(event: string): void {
    if (this.#isHungry) return this.#write(event);
    (this.#waiting ??= new Set()).add(event);
    this.#waitingLength += event.length;
  }

  #write(text: string): void {
    this.#isHungry = false;
    const isLast = this.#state === "ending";
    if (isLast) this.#state = "over";
    this.#controller!.enqueue(this.#owner.encoder.encode(text)); // may pull at once
    if (isLast) this.#controller!.close();
  }
}

/** What waits in the stream itself would count nowhere. */
const NOTHING_AHEAD = { highWaterMark: 0 } as const;
