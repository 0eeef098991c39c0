import { encodeBase64Url } from "../../ports/base64url.ts";
import { canonicalJson } from "../../ports/canonical_json.ts";
import { ConfigurationError } from "../../ports/configuration_error.ts";
import { digestText } from "../../ports/digest_text.ts";
import { equalBytes } from "../../ports/equal_bytes.ts";
import type { HostContext } from "../../ports/host_context.ts";
import type { Caller } from "../../ports/principal.ts";
import { principalKey } from "../../ports/principal_key.ts";
import type { Sealer } from "../../ports/sealer.ts";
import { serialize } from "../../present/serialize.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { KeyValueStore } from "../../stores/key_value_store.ts";
import type { Pending } from "./pending.ts";
import { readStatePayload, type StateHead, writeStatePayload } from "./request_state_payload.ts";

/** Whose state it is: a state is good for this caller and this call alone. */
export interface StateOwner {
  /** Who calls. */
  readonly caller: Caller;
  /** What the platform passed. */
  readonly host: HostContext;
  /** What is called. */
  readonly method: string;
  /** With what, as the client sent it. */
  readonly params: JsonObject;
}

/** How states are kept. */
export interface RequestStateOptions {
  /** Seals and opens states; absent where the server has no key. */
  readonly sealerFor?: ((host: HostContext) => Sealer) | undefined;
  /** Keeps what is too large to travel, and marks what was used. */
  readonly store: KeyValueStore;
  /** How long a state is good for, in milliseconds. */
  readonly ttlMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A state that was opened. */
export interface OpenedState {
  /** What was kept. */
  readonly pending: Pending;
  /** Uses the state up. @returns Whether it was unused. */
  readonly redeem: () => Promise<boolean>;
}

/** What travels with the client at most, in bytes; more waits in the store (B8). */
const MAX_BYTES = 4096;
/** How far the clocks of two processes may be apart. */
const SKEW_MS = 30_000;

/**
 * Seals where a call stands, for its client to bring back: bound to the caller and to the call as it
 * was sent, and good for some minutes. Nobody else can make, change or use one.
 *
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements-basic-workflow}
 */
export class RequestStates {
  readonly #options: RequestStateOptions;

  /** @param options How states are kept. */
  constructor(options: RequestStateOptions) {
    this.#options = options;
  }

  /**
   * Seals what a call needs to go on.
   *
   * @returns The state, or `undefined` where the answers alone will do.
   * @throws {ConfigurationError} when the call cannot go on without, and the server has no key.
   */
  async seal(pending: Pending, owner: StateOwner): Promise<string | undefined> {
    const { sealerFor, store, ttlMs, now } = this.#options;
    if (sealerFor === undefined) {
      if (!isNeeded(pending)) return undefined;
      throw new ConfigurationError(
        "Cannot ask over several rounds: set the option secret, which every process shares, or " +
          "requestState: { singleProcess: true } where there is only one",
      );
    }
    if (!isNeeded(pending) && !isWorthwhile(pending)) return undefined;
    const sealer = sealerFor(owner.host);
    const head: StateHead = {
      principal: await sealer.digest(principalKey(owner.caller.user)),
      call: await digestCall(owner),
      issuedAt: Math.floor(now() / 1000),
      nonce: crypto.getRandomValues(new Uint8Array(16)),
    };
    const kept = serialize(pending);
    const whole = writeStatePayload({ ...head, kept });
    if (whole.length <= MAX_BYTES) return await sealer.seal(whole);
    await store.set(`asked:${encodeBase64Url(head.nonce)}`, kept, { ttlMs: ttlMs + SKEW_MS });
    return await sealer.seal(writeStatePayload({ ...head, kept: await nameKept(kept) }));
  }

  /**
   * Opens a state that a client brought: signature ▸ principal ▸ call ▸ age (B8).
   *
   * @returns The state, or in words for the log why it is none of this caller and call.
   */
  async open(text: string, owner: StateOwner): Promise<OpenedState | string> {
    const { sealerFor, store, ttlMs, now } = this.#options;
    const opened = await sealerFor?.(owner.host).open(text);
    const payload = opened && readStatePayload(opened.payload);
    if (payload === undefined) return "It was not sealed here, or by another key";
    const principal = await opened!.digest(principalKey(owner.caller.user));
    if (!equalBytes(payload.principal, principal)) return "It is another caller's";
    if (!equalBytes(payload.call, await digestCall(owner))) return "It is another call's";
    const ageMs = now() - payload.issuedAt * 1000;
    if (ageMs < -SKEW_MS) return "It comes from the future";
    if (ageMs > ttlMs) return "It has expired";
    const nonce = encodeBase64Url(payload.nonce);
    let kept: string | undefined = payload.kept;
    if (!kept.startsWith("{")) {
      kept = await store.get(`asked:${nonce}`);
      if (kept !== undefined && await nameKept(kept) !== payload.kept) kept = undefined;
    }
    if (kept === undefined) return "What it stands for is no longer stored";
    const markTtlMs = ttlMs + 2 * SKEW_MS; // no state outlives its mark, in any process
    return {
      pending: JSON.parse(kept),
      redeem: () => store.set(`answered:${nonce}`, "1", { ttlMs: markTtlMs, ifAbsent: true }),
    };
  }
}

/** What is sealed in place of what the store keeps, so that a store can lose it and not change it. */
async function nameKept(kept: string): Promise<string> {
  return encodeBase64Url(await digestText(kept));
}

/** Whether a call cannot go on with the answers alone. */
function isNeeded(pending: Pending): boolean {
  return pending.state !== undefined || pending.isSingleUse === true ||
    pending.confirming !== undefined || pending.consents.length > 0 ||
    Object.keys(pending.answers).length > 0 || Object.keys(pending.arguments).length > 0;
}

/** Whether a state adds something: it counts the rounds, and holds an answer against its form. */
function isWorthwhile({ round, form }: Pending): boolean {
  return round > 1 || form !== undefined;
}

/** Names a call as it was sent: the order of keys does not matter, every value does (E-9). */
async function digestCall({ method, params }: StateOwner): Promise<Uint8Array> {
  const { name, arguments: args, uri } = params;
  return await digestText(canonicalJson({ method, payload: { name, arguments: args ?? {}, uri } }));
}
