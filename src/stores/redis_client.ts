/**
 * A Redis client, as far as a store and the sending side of a broker need it. Any client fits that can
 * send a command it does not know.
 */
export interface RedisClient {
  /**
   * Sends one command and answers its reply: text for a bulk string, a number or digits for an
   * integer, `null` or `undefined` for nothing. Rejects with an error reply, whose message begins
   * with its code. Commands are sent in the order of the calls.
   *
   * @param args The name of the command and its arguments.
   * @param signal Aborted when the caller waits no longer: a command that was not sent by then should
   * not be sent later.
   */
  command(args: readonly string[], signal: AbortSignal): Promise<unknown>;
}

/** What a broker wants to hear from a {@linkcode RedisSubscriber}. */
export interface RedisListener {
  /** Called with every message of a channel that is subscribed to. */
  message(channel: string, payload: string): void;
  /** Called when the connection is lost, before a message of the next one; may be called again. */
  lost(): void;
}

/**
 * A connection to Redis for receiving what is published, as far as a broker needs it. What is asked of
 * one channel takes effect in the order of the calls, also while the first is not confirmed.
 */
export interface RedisSubscriber {
  /** Names the listener; called once, before all else. */
  listen(listener: RedisListener): void;
  /** Subscribes to a channel; resolves once Redis has confirmed it. */
  subscribe(channel: string, signal: AbortSignal): Promise<unknown>;
  /** Ends it; resolves once Redis has confirmed it. A channel that is not subscribed to is harmless. */
  unsubscribe(channel: string, signal: AbortSignal): Promise<unknown>;
}

/** A client that can do both, though not always on one connection at the same time. */
export interface RedisConnection extends RedisClient, RedisSubscriber {}
