import type { EventListener } from "../features/subscriptions/event_hub.ts";
import type { Listener, Topic } from "../features/topics.ts";
import type { ListenSlot } from "../gate/listen_slots.ts";
import { quote } from "../present/serialize.ts";
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
export interface ListenStreamOptions extends Listener {
  /** The lists that it hears of. */
  readonly lists: readonly Topic[];
  /** What else it hears of, as long as it is granted. */
  readonly watched: readonly Topic[];
  /** The id of the request, and so of the subscription. */
  readonly id: RequestId;
  /** When it ends at the latest; `undefined` is no bound. */
  readonly endsAt: number | undefined;
  /** When its grants are asked about again. */
  readonly asksAt: number;
  /** Whose bound it counts for. */
  readonly slot: ListenSlot;
}

/** How many events may wait for one reader, and how many characters they may have together. */
const MAX_WAITING = 1000;
const MAX_WAITING_LENGTH = 1 << 20;

type Controller = ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;

/** Events that wait for a reader, and how many characters they have together. */
class Waiting {
  readonly events: Set<string> = new Set();
  length = 0;
}

/**
 * The answer to `subscriptions/listen`, which stays open: events as they come, and the result at last.
 *
 * An event that waits already is not added again. A reader who is so slow that too much waits gets the
 * result in its place, and has to look at everything anew.
 *
 * There may be many, most of them idle. So each is its own source, holds all that is kept of its request,
 * and makes nothing before it is needed. Its times are in milliseconds since its owner began: small
 * integers take no room of their own.
 */
export class ListenStream
  implements EventListener, Listener, UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> {
  /** The lists that it hears of. */
  readonly lists: readonly Topic[];
  /** What else it hears of, as long as it is granted. */
  readonly watched: readonly Topic[];
  /** Who listens. */
  readonly caller: Listener["caller"];
  /** What the platform passed with the request. */
  readonly host: Listener["host"];
  /** What is left of the request. */
  readonly request: Listener["request"];
  /** When it ends at the latest; `undefined` is no bound. */
  readonly endsAt: number | undefined;
  /** When its grants are asked about again. */
  asksAt: number;
  /** Whose bound it counts for. */
  readonly slot: ListenSlot;
  readonly #id: RequestId;
  readonly #owner: ListenStreamOwner;
  /** Where to write; only while the reader waits. */
  #hungry: Controller | undefined;
  #waiting: Waiting | undefined;
  #state: "new" | "ended before it began" | "open" | "ending" | "over" = "new";

  /** Takes no events before it is opened. */
  constructor(options: ListenStreamOptions, owner: ListenStreamOwner) {
    this.lists = options.lists;
    this.watched = options.watched;
    this.caller = options.caller;
    this.host = options.host;
    this.request = options.request;
    this.endsAt = options.endsAt;
    this.asksAt = options.asksAt;
    this.slot = options.slot;
    this.#id = options.id;
    this.#owner = owner;
  }

  /** All that it hears of. */
  get topics(): readonly Topic[] {
    return [...this.lists, ...this.watched];
  }

  /** Makes what the response carries; called once. */
  createBody(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream(this, NOTHING_AHEAD);
  }

  /** Begins with the acknowledgement; what happened before it is not told. */
  open(first: string): void {
    const hasEnded = this.#state !== "new";
    this.#state = "open";
    ListenStream.#add(this, `data: ${first}\n\n`);
    if (hasEnded) this.end();
  }

  /** Takes an event, up to its subscription id. */
  push(head: string): void {
    if (this.#state !== "open") return;
    const event = `data: ${head}${quote(this.#id)}}}}\n\n`;
    if (this.#hungry !== undefined) return ListenStream.#write(this, this.#hungry, event);
    const { events, length } = this.#waiting ?? NONE;
    if (events.has(event)) return;
    if (events.size >= MAX_WAITING || length + event.length > MAX_WAITING_LENGTH) {
      this.#waiting = undefined;
      return this.end();
    }
    ListenStream.#add(this, event);
  }

  /** Tells an idle reader that the stream lives. */
  keepAlive(): void {
    if (this.#hungry === undefined || this.#state !== "open") return;
    ListenStream.#write(this, this.#hungry, ": keepalive\n\n");
  }

  /** Ends it with the result, after what waits. */
  end(): void {
    if (this.#state === "new") this.#state = "ended before it began";
    if (this.#state !== "open") return;
    this.#state = "ending";
    this.#owner.forget(this);
    ListenStream.#add(this, `data: ${this.#owner.writeLast(this.#id)}\n\n`);
  }

  /** Called by the stream: the reader waits. */
  pull(controller: Controller): void {
    if (this.#waiting === undefined) {
      this.#hungry = controller;
      return;
    }
    const text = [...this.#waiting.events].join("");
    this.#waiting = undefined;
    ListenStream.#write(this, controller, text);
  }

  /** Called by the stream: the reader has left. */
  cancel(): void {
    this.#waiting = undefined;
    if (this.#state === "open") this.#owner.forget(this);
    this.#state = "over";
  }

  // Static, since a private method would take a word of every stream.
  static #add(stream: ListenStream, event: string): void {
    if (stream.#hungry !== undefined) return ListenStream.#write(stream, stream.#hungry, event);
    const waiting = stream.#waiting ??= new Waiting();
    waiting.events.add(event);
    waiting.length += event.length;
  }

  static #write(stream: ListenStream, controller: Controller, text: string): void {
    stream.#hungry = undefined;
    const isLast = stream.#state === "ending";
    if (isLast) stream.#state = "over";
    controller.enqueue(stream.#owner.encoder.encode(text)); // may pull at once
    if (isLast) controller.close();
  }
}

const NONE: Waiting = new Waiting();

/** What waits in the stream itself would count nowhere. */
const NOTHING_AHEAD = { highWaterMark: 0 } as const;
