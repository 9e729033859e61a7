import type { FastifyRequest } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { openLog } from '../../gateway/base/log.ts';
import { closeRedis, openCounters } from '../../gateway/base/redis.ts';
import type { LimitRule } from '../../gateway/http/api.ts';
import { shareCounters } from '../../gateway/http/limit/shared-counters.ts';
import { startRedis } from './private-services.ts';
import { onScale } from './services.ts';

onScale('limits that processes share', () => {
  /** Counters of two processes. `list` returns the times that Redis holds for the key. */
  const open = async (rule: Partial<LimitRule> = {}) => {
    const redis = await startRedis();
    const processes = await Promise.all([1, 2].map(() => openCounters(redis.url, openLog('silent'))));
    onTestFinished(async () => void (await Promise.all(processes.map(closeRedis))));
    const full: LimitRule = { name: 'r', windowMs: 60_000, max: 5, per: 'address', key: () => 'one', ...rule };
    const counts = processes.map((one) =>
      shareCounters({
        redis: one,
        namespace: 'test:',
        uncounted: (error) => expect.fail(String(error)),
      }),
    );
    const call = async (process: number, increment = true, max = full.max) =>
      (await counts[process]?.({} as FastifyRequest, { ...full, max }, increment)) ?? expect.fail('not counted');
    const [first] = processes;
    return { call, redis: first as NonNullable<typeof first> };
  };
  const key = 'test:r:one';

  test('the calls of all processes count together, refused ones and looks do not', async () => {
    const { call } = await open();
    const all = await Promise.all(Array.from({ length: 20 }, (_none, at) => call(at % 2)));
    // Two connections: Redis chooses the order of their calls.
    const remaining = all.filter(({ exceeded }) => !exceeded).map(({ state }) => state.remaining);
    expect(remaining.sort()).toEqual([0, 1, 2, 3, 4]);
    expect(await call(1, false)).toMatchObject({ exceeded: true, state: { limit: 5, remaining: 0, resetSeconds: 60 } });
    // A larger limit, of another plan, has room at once; a smaller one has none.
    expect(await call(0, true, 6)).toMatchObject({ exceeded: false, state: { remaining: 0 } });
    expect(await call(0, true, 3)).toMatchObject({ exceeded: true, state: { remaining: 0 } });
  });

  test('a call counts until it is a window old by the clock of Redis, and then the key is gone', async () => {
    const { call, redis } = await open();
    const [seconds = 0, micros = 0] = (await redis.time()).map(Number);
    const now = seconds * 1000 + Math.floor(micros / 1000);
    // Calls of the last minute: two that are over, one that ends in 10.5 s, and three of 30 s ago.
    await redis.rpush(key, ...[now - 61_000, now - 60_000, now - 49_500, now - 30_000, now - 30_000, now - 30_000]);
    expect(await call(0)).toMatchObject({ exceeded: false, state: { remaining: 0 } });
    const refused = await call(1);
    expect(refused.exceeded).toBe(true);
    expect(refused.state.resetSeconds).toBeLessThanOrEqual(11);
    expect(await redis.llen(key)).toBe(5);
    expect(await redis.pttl(key)).toBeGreaterThan(0);
    expect(await redis.pttl(key)).toBeLessThanOrEqual(60_000);
  });

  test('whoever waits until the window has room is not refused, and no window has more than the limit', async () => {
    const { call, redis } = await open({ windowMs: 200, max: 3 });
    const accepted: number[] = [];
    while (accepted.length < 12) {
      const { exceeded } = await call(accepted.length % 2);
      if (!exceeded) accepted.push(Number(await redis.lindex(key, -1)));
    }
    for (const [at, begin] of accepted.entries()) {
      const next = accepted[at + 3];
      if (next !== undefined) expect(next - begin).toBeGreaterThanOrEqual(200);
    }
  });
});
