import type { Redis } from '../../base/redis.ts';
import { type Count, countedOf, maxOf } from './limit.ts';

export interface CounterOptions {
  redis: Redis;
  /** The prefix of the counters' keys in Redis. */
  namespace: string;
  /** Called for each call that Redis could not count. Such a call passes. */
  uncounted(error: unknown): void;
}

/**
 * A list of the times at which calls were accepted, the oldest first, by the clock of Redis, so that all processes agree.
 * It expires with its newest call. ARGV: the window in ms, the limit, and 1 if the call counts.
 */
const script = `
local key, window, limit = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local oldest = redis.call('LINDEX', key, 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call('LPOP', key)
  oldest = redis.call('LINDEX', key, 0)
end
local calls = redis.call('LLEN', key)
local isFull = calls >= limit
if ARGV[3] == '1' and not isFull then
  calls = redis.call('RPUSH', key, string.format('%.0f', now))
  redis.call('PEXPIRE', key, window)
end
local freed = redis.call('LINDEX', key, math.max(0, calls - limit)) or now
return {isFull and 1 or 0, calls, freed + window - now}
`;

interface WithScript {
  countCall(
    key: string,
    windowMs: number,
    limit: number,
    counts: 0 | 1,
  ): Promise<[isFull: 0 | 1, calls: number, freeInMs: number]>;
}

/** Returns a `Count` whose counters in Redis count the calls of all processes together, in one round trip for each rule. */
export function shareCounters({ redis, namespace, uncounted }: CounterOptions): Count {
  redis.defineCommand('countCall', { numberOfKeys: 1, lua: script });
  const counters = redis as Redis & WithScript;
  return async (request, rule, increment) => {
    const limit = maxOf(rule, request);
    if (limit === null) return null;
    const key = `${namespace}${rule.name}:${rule.key(request)}`;
    try {
      const [isFull, calls, freeInMs] = await counters.countCall(key, rule.windowMs, limit, increment ? 1 : 0);
      return countedOf(rule, limit, { isFull: isFull === 1, calls, freeInMs });
    } catch (error) {
      uncounted(error);
      return null;
    }
  };
}
