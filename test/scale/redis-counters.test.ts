import { execFileSync } from 'node:child_process';
import { stat } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openLog } from '../../gateway/base/log.ts';
import { closeRedis, openCounters } from '../../gateway/base/redis.ts';
import { startRedis } from './private-services.ts';
import { onScale } from './services.ts';

/** Resolves in the event loop's poll phase, so that timers run next. */
const whereTheLoopReads = () => new Promise<void>((resolve) => stat('.', () => resolve()));

const holdUp = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Asks Redis without the event loop, which stands still meanwhile. */
const readSync = (url: string, key: string) => execFileSync('redis-cli', ['-u', url, 'get', key], { encoding: 'utf8' }).trim();

onScale('the connection of the counters', () => {
  const open = async () => {
    const redis = await startRedis();
    const counters = await openCounters(redis.url, openLog('silent'));
    onTestFinished(() => closeRedis(counters));
    return { redis, counters };
  };

  test('a stall of its own process does not count as one of Redis', async () => {
    const { redis, counters } = await open();
    await whereTheLoopReads();
    const counted = counters.incr('calls');
    holdUp(1000);
    // A Redis that is slow itself must have replied before the stall ends.
    while (readSync(redis.url, 'calls') !== '1') holdUp(50);
    expect(await counted).toBe(1);
    expect(counters.status).toBe('ready');
  });

  test('a Redis that hangs counts as down until it replies again, and no call waits for it', async () => {
    const { redis, counters } = await open();
    redis.hang();
    await expect(Promise.all([counters.incr('calls'), counters.pipeline([['incr', 'calls']]).exec()])).rejects.toThrow();
    expect(counters.status).not.toBe('ready');
    await expect(counters.incr('calls')).rejects.toThrow('Redis is away: Redis did not answer within 500 ms.');
    redis.resume();
    await new Promise((ready) => counters.once('ready', ready));
    expect(await counters.incr('calls')).toBeGreaterThan(0);
  });
});
