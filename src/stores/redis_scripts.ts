/**
 * Writes a new value where the key holds the expected one. Arguments: expected, next, milliseconds to
 * live or nothing to keep the time there is. Answers 1, or 0 where nothing changed.
 */
const COMPARE_AND_SET = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[3] == '' then
  redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
else
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
end
return 1`;

/**
 * Adds to a number. Arguments: what to add, milliseconds that a new number lives or nothing. Answers
 * the sum in decimal digits, or why there is none: INCRBY would take 64 bits, and a sum past 2^53
 * could not be told exactly.
 */
const INCREMENT = `
local held = redis.call('GET', KEYS[1])
if held and held ~= '0' and not string.match(held, '^%-?[1-9]%d*$') then return 'text' end
local sum = tonumber(held or '0') + tonumber(ARGV[1])
if sum > 9007199254740991 or sum < -9007199254740991 then return 'range' end
local digits = string.format('%.0f', sum)
if held then
  redis.call('SET', KEYS[1], digits, 'KEEPTTL')
elseif ARGV[2] == '' then
  redis.call('SET', KEYS[1], digits)
else
  redis.call('SET', KEYS[1], digits, 'PX', ARGV[2])
end
return digits`;

/**
 * What a store runs within Redis, each at one moment and on one key. They are sent with EVAL: Redis
 * keeps what it compiled, and nothing has to be loaded again after it was restarted.
 */
export const redisScripts: {
  readonly compareAndSet: string;
  readonly increment: string;
} = { compareAndSet: COMPARE_AND_SET, increment: INCREMENT };
