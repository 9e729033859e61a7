import { createPostgresBackend } from 'bullmq';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Clock, ManualClock, systemClock } from '../../gateway/base/clock.ts';
import { BullMqQueue } from '../../gateway/queue/bullmq.ts';
import { openEmbeddedQueue } from '../../gateway/queue/embedded.ts';
import { maxGroup } from '../../gateway/queue/groups.ts';
import { MemoryQueue } from '../../gateway/queue/memory.ts';
import { RedisQueue } from '../../gateway/queue/redis.ts';
import type { PglitePool } from '../../gateway/store/pglite/pool.ts';
import { openEmptyPglite } from '../pglite.ts';
import { newName, onScale, redisUrl } from '../scale/services.ts';
import { until } from '../webhooks/harness.ts';
import { listeningLog, queueConformance } from './conformance.ts';

describe('memory', () => {
  queueConformance(async () => {
    const clock = new ManualClock(Date.UTC(2026, 0, 1));
    const { log, logged } = listeningLog();
    return { queue: new MemoryQueue(clock, log), logged, pass: (ms) => clock.advance(ms) };
  });

  test('a closed queue keeps nothing, and nothing of what is added to it', async () => {
    const { log } = listeningLog();
    const queue = new MemoryQueue(new ManualClock(0), log);
    const add = () => queue.add([0, 5].map((delayMs) => ({ deliveryId: `dlv${delayMs}`, attempt: 1, dueAt: 5, delayMs })));
    await add();
    await queue.close();
    expect(await queue.depth()).toEqual({ waiting: 0, delayed: 0, active: 0 });
    await add();
    expect(await queue.depth()).toEqual({ waiting: 0, delayed: 0, active: 0 });
  });
});

describe('BullMQ on PGlite', () => {
  let pool: PglitePool;
  const openEmbedded = () => openEmbeddedQueue(pool, { attemptDeadlineMs: 1000, log: listeningLog().log });
  beforeAll(async () => {
    pool = await openEmptyPglite();
    await (await openEmbedded()).close();
  });
  afterAll(() => pool.end());

  let number = 0;
  const openOn = (options: { lockMs: number; attemptDeadlineMs: number; name?: string; clock?: Clock }) => {
    const { log, logged } = listeningLog();
    const queue = new BullMqQueue({
      name: `test${number++}`,
      connection: pool as never,
      backend: createPostgresBackend,
      log,
      ...options,
    });
    return { queue, logged };
  };

  const times = { lockMs: 30_000, attemptDeadlineMs: 15_000 };
  queueConformance(async () => ({ ...openOn(times), pass: async () => {} }));

  const openOne = (more: { name?: string; clock?: Clock } = {}) => {
    const { queue } = openOn({ ...times, ...more });
    onTestFinished(() => queue.close());
    return queue;
  };

  test('a lock that is not longer than the deadline is rejected', () => {
    expect(() => openOn({ lockMs: 15_000, attemptDeadlineMs: 15_000 })).toThrow(/must be longer/);
  });

  const many = (count: number, delayMs = 0) =>
    Array.from({ length: count }, (_, index) => ({ deliveryId: `dlv${index}`, attempt: 1, dueAt: 5, delayMs }));

  test('what is added while the database is busy shares jobs; what is added to a quiet queue does not', async () => {
    const queue = openOne();
    const [first, ...others] = many(41) as [ReturnType<typeof many>[number]];
    const busy = queue.add([first]);
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([busy, ...others.map((one) => queue.add([one]))]);
    expect((await queue.depth()).waiting).toBe(1 + Math.ceil(40 / maxGroup));
  });

  test('a process takes a bounded number of attempts, and leaves the others for other processes', async () => {
    const queue = openOne();
    const gate = Promise.withResolvers<void>();
    let ran = 0;
    await queue.add(many(40 * maxGroup));
    queue.work(
      async () => {
        ran++;
        await gate.promise;
      },
      { concurrency: maxGroup },
    );
    onTestFinished(() => gate.resolve());
    // The attempts of the first job take all slots. The worker takes two more jobs one after the other, and then no other.
    await until(async () => expect(await queue.depth()).toEqual({ waiting: 37, active: 3, delayed: 0 }));
    expect(ran).toBe(maxGroup);
    gate.resolve();
    await until(() => expect(ran).toBe(40 * maxGroup));
  });

  test('a process takes nothing while its clock is wrong, and leaves all to the others', async () => {
    let [skewMs, asked] = [0, 0];
    const clock: Clock = {
      ...systemClock,
      skewMs() {
        asked++;
        return skewMs;
      },
    };
    const queue = openOne({ name: 'shared', clock });
    const { queue: other } = openOn({ ...times, name: 'shared' });
    const ran: string[] = [];
    const working = (name: string) => async (job: { deliveryId: string }) => void ran.push(`${name}: ${job.deliveryId}`);
    queue.work(working('this'), { concurrency: 1 });
    await queue.add(many(1));
    await until(() => expect(ran).toEqual(['this: dlv0']));
    skewMs = 60_000;
    await queue.add(many(2));
    asked = 0;
    await until(() => expect(asked).toBeGreaterThan(0));
    other.work(working('other'), { concurrency: 1 });
    await until(() => expect(ran.slice(1)).toEqual(['other: dlv0', 'other: dlv1']));
    await other.close();
    skewMs = 0;
    await queue.add(many(1));
    await until(() => expect(ran.slice(3)).toEqual(['this: dlv0']));
  });

  test('what goes first runs before what waits; with a low priority, before others of that priority', async () => {
    const queue = openOne();
    const job = (deliveryId: string, how: { first?: true; low?: true }) => ({
      ...how,
      deliveryId,
      attempt: 1,
      dueAt: 5,
      delayMs: 0,
    });
    for (const [id, how] of Object.entries({
      low: { low: true },
      lowFirst: { low: true, first: true },
      waits: {},
      first: { first: true },
    }))
      await queue.add([job(id, how as object)]);
    const ran: string[] = [];
    queue.work(async ({ deliveryId }) => void ran.push(deliveryId), { concurrency: 1 });
    await until(() => expect(ran).toEqual(['first', 'waits', 'lowFirst', 'low']));
  });

  test('what is late gets every second place, and a running job is told that others wait for its place', async () => {
    const queue = openOne();
    const named = (prefix: string, count: number, how = {}) =>
      many(count).map((job, index) => ({ ...job, ...how, deliveryId: `${prefix}${index}` }));
    const [began, running]: [string[], (() => void)[]] = [[], []];
    const awaited: boolean[] = [];
    queue.work(
      async ({ deliveryId }, isAwaited) => {
        began.push(deliveryId);
        await new Promise<void>((resolve) => running.push(resolve));
        awaited.push(isAwaited?.() ?? false);
      },
      { concurrency: 8 },
    );
    await queue.add(named('late', 11, { late: true }));
    await until(() => expect(began).toHaveLength(8));
    running.shift()?.();
    await until(() => expect(began).toHaveLength(9));
    await queue.add(named('new', 2));
    await until(async () => expect((await queue.depth()).active).toBe(2));
    for (let count = 10; count <= 13; count++) {
      running.shift()?.();
      await until(() => expect(began).toHaveLength(count));
    }
    expect(began.slice(8)).toEqual(['late8', 'new0', 'late9', 'new1', 'late10']);
    expect(awaited).toEqual([false, true, true, true, false]);
    for (const end of running) end();
  });

  test('`held` names what waits, runs and is delayed; of a long backlog it knows up to when it has read', async () => {
    const queue = openOne();
    const gate = Promise.withResolvers<void>();
    let ran = 0;
    queue.work(
      async () => {
        ran++;
        await gate.promise;
      },
      { concurrency: 1 },
    );
    onTestFinished(() => gate.resolve());
    await queue.add(many(2));
    await until(() => expect(ran).toBe(1));
    await queue.add([{ deliveryId: 'low', attempt: 1, dueAt: 5, delayMs: 0, low: true }]);
    await queue.add([{ deliveryId: 'later', attempt: 2, dueAt: 6, delayMs: 60_000 }]);
    expect([...(await queue.held()).ids].sort()).toEqual(['dlv0-1-5', 'dlv1-1-5', 'later-2-6', 'low-1-5']);
    await queue.add(many(1000 * maxGroup).map((job) => ({ ...job, dueAt: 100_000 })));
    const { ids, mayHave } = await queue.held();
    const lost = { deliveryId: 'lost', attempt: 1, dueAt: 70_000 };
    expect([ids.size > 1000, mayHave(lost), mayHave({ ...lost, dueAt: 90_000 })]).toEqual([true, false, true]);
    // What goes first is due later than what it passes.
    await queue.add([{ deliveryId: 'passes', attempt: 1, dueAt: 500_000, delayMs: 0, first: true }]);
    expect((await queue.held()).mayHave({ ...lost, dueAt: 90_000 })).toBe(true);
    // Of jobs with a low priority all are known.
    expect(mayHave({ ...lost, dueAt: 90_000, low: true })).toBe(false);
  });

  test('attempts that had not begun when the process stopped are left to the next one', async () => {
    const first = await openEmbedded();
    const begun: string[] = [];
    const gate = Promise.withResolvers<void>();
    first.work(
      async ({ deliveryId }) => {
        begun.push(deliveryId);
        await gate.promise;
      },
      { concurrency: 1 },
    );
    await first.add(many(3));
    await until(() => expect(begun).toEqual(['dlv0']));
    const closing = first.close();
    gate.resolve();
    await closing;
    const second = await openEmbedded();
    onTestFinished(() => second.close());
    second.work(async ({ deliveryId }) => void begun.push(deliveryId), { concurrency: 1 });
    await until(() => expect(begun).toEqual(['dlv0', 'dlv1', 'dlv2']));
  });

  test('the next process drops the jobs that a killed one had taken', async () => {
    const killed = await openEmbedded();
    const gate = Promise.withResolvers<void>();
    onTestFinished(() => killed.close());
    onTestFinished(() => gate.resolve());
    killed.work(() => gate.promise, { concurrency: 1 });
    await killed.add(many(1));
    await until(async () => expect(await killed.depth()).toMatchObject({ active: 1 }));
    const next = await openEmbedded();
    onTestFinished(() => next.close());
    expect(await next.depth()).toEqual({ waiting: 0, delayed: 0, active: 0 });
  });
});

onScale('BullMQ on Redis', () => {
  const openAs = (prefix: string) => {
    const { log, logged } = listeningLog();
    const options = { url: redisUrl, prefix, attemptDeadlineMs: 15_000, stalledEveryMs: 30_000, log };
    return { queue: new RedisQueue(options), logged };
  };
  queueConformance(async () => ({ ...openAs(newName()), pass: async () => {} }));

  test('one process takes the jobs of another; prefixes are separate', async () => {
    const [prefix, elsewhere] = [newName(), newName()];
    const [producer, worker, stranger] = [openAs(prefix), openAs(prefix), openAs(elsewhere)].map(({ queue }) => queue) as [
      RedisQueue,
      RedisQueue,
      RedisQueue,
    ];
    for (const queue of [producer, worker, stranger]) onTestFinished(() => queue.close());
    await producer.add([{ deliveryId: 'shared', attempt: 1, dueAt: 5, delayMs: 0 }]);
    expect(await stranger.depth()).toEqual({ waiting: 0, delayed: 0, active: 0 });
    const ran = new Promise((resolve) => worker.work(async (job) => resolve(job), { concurrency: 1 }));
    expect(await ran).toEqual({ deliveryId: 'shared', attempt: 1, dueAt: 5 });
  });
});
