import { errorsSeldom, type Logger } from '../../base/log.ts';
import type { Redis } from '../../base/redis.ts';
import { type Entry, type Gate, lookAgainMs } from './port.ts';

/**
 * The algorithm of `memory.ts`, on Redis's clock. KEYS, two for each entry: its endpoint's leases (a sorted set, scored by
 * expiry) and the earliest start of the next attempt. ARGV: the length of a lease, the delay before asking again, then
 * three for each entry: its delivery, the maximum in flight, the maximum per second (empty for none).
 */
const enterScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease = tonumber(ARGV[1])

local function enter(leases, nextKey, delivery, most, rate)
  if not redis.call('ZSCORE', leases, delivery) then
    if redis.call('ZCARD', leases) >= most then redis.call('ZREMRANGEBYSCORE', leases, '-inf', now) end
    if redis.call('ZCARD', leases) >= most then return tonumber(ARGV[2]) end
    if rate then
      local nextAt = tonumber(redis.call('GET', nextKey) or '0')
      if nextAt > now then return math.ceil(nextAt - now) end
      nextAt = math.max(nextAt, now - 1000) + 1000 / rate
      redis.call('SET', nextKey, string.format('%.3f', nextAt), 'PX', math.ceil(nextAt - now) + 1001)
    end
  end
  redis.call('ZADD', leases, now + lease, delivery)
  redis.call('PEXPIRE', leases, lease)
  return false
end

local answers = {}
for entry = 1, #KEYS / 2 do
  local at = entry * 3
  answers[entry] = enter(KEYS[entry * 2 - 1], KEYS[entry * 2], ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]))
end
return answers
`;

/** KEYS: the sorted set of each lease. ARGV: the delivery of each lease. */
const leaveScript = `
for lease = 1, #KEYS do redis.call('ZREM', KEYS[lease], ARGV[lease]) end
`;

interface GateCommands {
  passerelleLeave(...input: (string | number)[]): Promise<null>;
  passerelleEnter(...input: (string | number)[]): Promise<(number | null)[]>;
}

/** The gate of all processes on one Redis. If Redis does not answer, it admits all: the queue is down too, so few jobs start. */
export class RedisGate implements Gate {
  readonly #redis: Redis;
  readonly #prefix: string;
  readonly #leaseMs: number;
  readonly #failed: (error: unknown, message: string) => void;

  /** `leaseMs` must be longer than an attempt and its wait in the queue. */
  constructor({ redis, prefix, leaseMs, log }: { redis: Redis; prefix: string; leaseMs: number; log: Logger }) {
    this.#redis = redis;
    this.#prefix = prefix;
    this.#leaseMs = leaseMs;
    this.#failed = errorsSeldom(log);
    redis.defineCommand('passerelleEnter', { lua: enterScript });
    redis.defineCommand('passerelleLeave', { lua: leaveScript });
  }

  async enter(entries: readonly Entry[]): Promise<(number | null)[]> {
    if (entries.length === 0) return [];
    const keys = entries.flatMap(({ endpointId }) => [this.#leases(endpointId), `${this.#prefix}:gate-next:${endpointId}`]);
    const limits = entries.flatMap((entry) => [entry.deliveryId, entry.maxInFlight, entry.maxPerSecond ?? '']);
    try {
      return await this.#commands.passerelleEnter(keys.length, ...keys, this.#leaseMs, lookAgainMs, ...limits);
    } catch (error) {
      this.#failed(error, 'gate.open');
      return entries.map(() => null);
    }
  }

  /** A lease that cannot be returned now expires by itself. */
  async leave(entries: readonly Pick<Entry, 'endpointId' | 'deliveryId'>[]): Promise<void> {
    if (entries.length === 0) return;
    const keys = entries.map(({ endpointId }) => this.#leases(endpointId));
    const deliveries = entries.map(({ deliveryId }) => deliveryId);
    try {
      await this.#commands.passerelleLeave(keys.length, ...keys, ...deliveries);
    } catch (error) {
      this.#failed(error, 'gate.open');
    }
  }

  async inFlight(endpointIds: readonly string[]): Promise<(number | null)[]> {
    const now = Date.now();
    try {
      const counts = endpointIds.map((id) => ['zcount', this.#leases(id), String(now), '+inf']);
      const answers = (await this.#redis.pipeline(counts).exec()) ?? [];
      return endpointIds.map((_, index) => (typeof answers[index]?.[1] === 'number' ? answers[index][1] : null));
    } catch (error) {
      this.#failed(error, 'gate.uncounted');
      return endpointIds.map(() => null);
    }
  }

  get #commands(): GateCommands {
    return this.#redis as unknown as GateCommands;
  }

  #leases(endpointId: string): string {
    return `${this.#prefix}:gate:${endpointId}`;
  }
}
