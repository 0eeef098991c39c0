import { encodeBase64Url } from "../ports/base64url.ts";
import { digestText } from "../ports/digest_text.ts";
import type { Log } from "../ports/log_event.ts";
import type { Caller } from "../ports/principal.ts";
import { principalKey } from "../ports/principal_key.ts";
import { isJsonObject, type JsonObject } from "../protocol/json.ts";
import type { KeyValueStore } from "../stores/key_value_store.ts";
import { type ByteCounter, createByteCounter } from "./byte_counter.ts";
import type { ContinuationSettings } from "./continuation_options.ts";

/** A result that a caller may read later. */
export interface KeptResult {
  /** The tool that gave it, whose scopes and permissions are asked again. */
  readonly tool: string;
  /** The checked arguments that permissions were asked with. */
  readonly args: JsonObject;
  /** Whether it is one row that was written (HV-23). */
  readonly isRow: boolean;
  /** Its JSON text. */
  readonly json: string;
}

/** A result to keep. */
export interface KeepOptions extends Holder {
  /** The size of its JSON text, in bytes. */
  readonly dataSize: number;
}

/** Who keeps or reads a result, and where failures of the store are told. */
export interface Holder {
  /** Whose it is. */
  readonly caller: Caller;
  /** Where events go. */
  readonly log: Log;
}

/** 128 random bits: whoever guesses has no chance within the life of a token (HV-24). */
const TOKEN_BYTES = 16;

/** A token, and the key that the store knows it by. */
interface Ticket {
  readonly token: string;
  readonly key: string;
}

const DRAWN_AT_ONCE = 16;

/** The least that a kept result counts for, so that a bound of bytes bounds their number too. */
const LEAST_BYTES = 1024;

/**
 * Results that are kept for a while, each under a token of which the store holds only the digest
 * (B10). A store that fails costs a caller the token and nothing else.
 */
export class Continuations {
  /** How they are kept. */
  readonly settings: ContinuationSettings;
  /** Counts bytes, here and for whoever decides what is kept. */
  readonly countBytes: ByteCounter = createByteCounter();
  readonly #store: KeyValueStore;
  /** Tokens that nobody has yet, with their keys. */
  readonly #spare: Ticket[] = [];

  /** Takes where results are kept, and how. */
  constructor(store: KeyValueStore, settings: ContinuationSettings) {
    this.#store = store;
    this.settings = settings;
  }

  /**
   * Keeps a result.
   *
   * @returns The token, once the store has the result; `undefined` for a caller who gets none, for one who
   * has too much kept already, and where the store fails.
   */
  async keep(
    { json, ...rest }: KeptResult,
    { caller, log, dataSize }: KeepOptions,
  ): Promise<string | undefined> {
    const owner = this.#ownerOf(caller);
    if (owner === undefined) return undefined;
    const head = `${JSON.stringify({ ...rest, owner })}\n`;
    const { ttlMs } = this.settings;
    try {
      if (!await this.#charge(owner, this.countBytes(head) + dataSize)) return undefined;
      const { token, key } = this.#spare.pop() ?? await this.#draw();
      await this.#store.set(key, head + json, { ttlMs });
      return token;
    } catch (cause) {
      return tellFailure(log, "Keeping a result failed", cause);
    }
  }

  /**
   * Finds a result by its token.
   *
   * @returns What the caller kept; `undefined` for everything else: a token that is another's, expired or
   * made up, and a store that fails.
   */
  async find(token: string, { caller, log }: Holder): Promise<KeptResult | undefined> {
    try {
      const value = await this.#store.get(await keyOf(token));
      const owner = this.#ownerOf(caller);
      return value === undefined || owner === undefined ? undefined : read(value, owner);
    } catch (cause) {
      return tellFailure(log, "Finding a kept result failed", cause);
    }
  }

  /** Several at once: a digest is made on another thread, and the way there is most of what it takes. */
  async #draw(): Promise<Ticket> {
    const [first, ...spare] = await Promise.all(Array.from({ length: DRAWN_AT_ONCE }, drawTicket));
    this.#spare.push(...spare);
    return first!;
  }

  /** Whether a caller may keep so much more. */
  async #charge(owner: string, size: number): Promise<boolean> {
    const { ttlMs, maxBytesPerCaller } = this.settings;
    const bytes = Math.max(size, LEAST_BYTES);
    if (bytes > maxBytesPerCaller) return false;
    const key = `limit:continuation:${owner}`;
    if (await this.#store.increment(key, bytes, { ttlMs }) <= maxBytesPerCaller) return true;
    await this.#store.increment(key, -bytes, { ttlMs });
    return false;
  }

  /** The principal, and whom its credential was issued for (HV-26). */
  #ownerOf({ user, token }: Caller): string | undefined {
    const hasKey = user.authenticated ? user.id !== undefined && user.id !== "" : true;
    if (!hasKey || (!user.authenticated && !this.settings.anonymous)) return undefined;
    const audience = [token?.audience ?? []].flat().toSorted();
    return JSON.stringify([principalKey(user), ...audience]);
  }
}

async function drawTicket(): Promise<Ticket> {
  const token = encodeBase64Url(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  return { token, key: await keyOf(token) };
}

async function keyOf(token: string): Promise<string> {
  return `continuation:${encodeBase64Url(await digestText(token))}`;
}

function read(value: string, owner: string): KeptResult | undefined {
  const end = value.indexOf("\n");
  const head: unknown = JSON.parse(value.slice(0, end));
  if (!isJsonObject(head) || head.owner !== owner) return undefined;
  return { ...head, json: value.slice(end + 1) } as object as KeptResult;
}

function tellFailure(log: Log, message: string, cause: unknown): undefined {
  log({ level: "warning", event: "continuation.store", message, cause });
}
