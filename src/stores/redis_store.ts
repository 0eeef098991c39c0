import { askRedis } from "./ask_redis.ts";
import { checkTtl } from "./check_ttl.ts";
import type { KeyValueStore } from "./key_value_store.ts";
import type { RedisClient } from "./redis_client.ts";
import { readRedisOptions, type RedisOptions } from "./redis_options.ts";
import { redisScripts } from "./redis_scripts.ts";
import { StoreUnavailableError } from "./store_unavailable_error.ts";

const READ = "Cannot read from Redis";
const WRITE = "Cannot write to Redis";

/**
 * Makes a store that keeps everything in Redis 6.0 or later, for all processes of a server. A value is
 * a Redis string under the prefix and the key, with the time to live of the call.
 *
 * Nothing is sent before the first call. While Redis is gone each call rejects with a
 * {@linkcode StoreUnavailableError} within `commandTimeoutMs`, and works again once the client has
 * connected again. A Redis that is full rejects writes with a `StoreFullError`; set its policy to
 * `noeviction`, since any other may evict sessions and single-use marks.
 *
 * @param client The client, through one of the adapters. The caller opens and closes it.
 * @throws {ConfigurationError} when an option cannot be used.
 *
 * @example
 * ```ts
 * import { redisStore } from "@limen/mcp/stores/redis";
 * import { assertEquals } from "@std/assert";
 *
 * const sent: string[] = [];
 * const client = { command: (args: readonly string[]) => Promise.resolve(void sent.push(...args)) };
 * const store = redisStore(client, { prefix: "invoices" });
 * assertEquals(await store.get("session:1"), undefined);
 * assertEquals(sent, ["GET", "invoices:session:1"]);
 * ```
 */
export function redisStore(client: RedisClient, options: RedisOptions): KeyValueStore {
  const { start, timeoutMs } = readRedisOptions(options);
  const ask = (action: string, args: readonly string[]) =>
    askRedis((signal) => client.command(args, signal), { action, timeoutMs });
  return {
    get: async (key) => toText(await ask(READ, ["GET", start + key])),
    set: async (key, value, options = {}) => {
      const ttl = toDigits(options.ttlMs);
      const args = ["SET", start + key, value];
      if (ttl !== "") args.push("PX", ttl);
      if (options.ifAbsent === true) args.push("NX");
      return toText(await ask(WRITE, args)) !== undefined;
    },
    delete: async (key) => Number(await ask(WRITE, ["DEL", start + key])) > 0,
    compareAndSet: async (key, expected, next, options = {}) => {
      const args = [expected, next, toDigits(options.ttlMs)];
      const { compareAndSet } = redisScripts;
      return Number(await ask(WRITE, ["EVAL", compareAndSet, "1", start + key, ...args])) === 1;
    },
    increment: async (key, by, options = {}) => {
      if (!Number.isSafeInteger(by)) {
        throw new RangeError(`Cannot increment: by must be a safe integer: got ${by}`);
      }
      const args = [String(by), toDigits(options.ttlMs)];
      const reply = await ask(WRITE, ["EVAL", redisScripts.increment, "1", start + key, ...args]);
      if (reply === "text") {
        throw new TypeError("Cannot increment: the key holds text that is no integer");
      }
      if (reply === "range") throw new RangeError("Cannot increment: the sum is no safe integer");
      return Number(reply);
    },
  };
}

/** Redis takes no exponent, and no more than 64 bits: some 285,000 years are enough. */
function toDigits(ttlMs: number | undefined): string {
  const whole = checkTtl(ttlMs);
  return whole === undefined ? "" : String(Math.min(whole, Number.MAX_SAFE_INTEGER));
}

function toText(reply: unknown): string | undefined {
  if (reply === null || reply === undefined) return undefined;
  if (typeof reply === "string") return reply;
  throw new StoreUnavailableError(
    "Cannot read from Redis: the client must answer text: set no other type mapping",
  );
}
