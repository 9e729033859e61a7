import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { type Depth, jobId, type Queue } from '../../gateway/queue/port.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import type { Store } from '../../gateway/store/port.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { Reconciler } from '../../gateway/webhooks/upkeep/reconcile.ts';
import { openEmptyPglite } from '../pglite.ts';
import { delivery as deliveryRow } from '../store/rows.ts';
import { startMs, until } from './harness.ts';

const everyMs = 30_000;
const graceMs = 60_000;
const nameOf = (index: number) => `dlv_${String(index).padStart(6, '0')}`;

/** An overdue delivery. They are due in the order of their numbers, thousands of them at the same millisecond. */
const overdue = (index: number, change: Partial<Row<'deliveries'>> = {}): Row<'deliveries'> => ({
  ...deliveryRow(nameOf(index), `evt_${index}`, 'ep'),
  next_attempt_at: startMs - 10_000_000 + Math.floor(index / 2700),
  ...change,
});

describe.each(['memory', 'pglite'])('the reconciler on %s', (tier) => {
  let store: Store;
  beforeAll(async () => {
    store = tier === 'memory' ? new MemoryStore() : await openSqlStore(await openEmptyPglite());
    await store.append(
      'deliveries',
      Array.from({ length: 12_000 }, (_, index) => overdue(index)),
    );
    await store.append('deliveries', [
      overdue(20_000, { parked: true }),
      overdue(20_001, { status: 'delivered' }),
      overdue(20_002, { next_attempt_at: null }),
      overdue(20_003, { next_attempt_at: startMs + everyMs * 100 }),
    ]);
  });
  afterAll(() => store.close());

  let clock: ManualClock;
  let offered: string[];
  let delays: Map<string, number>;
  let depth: Depth;
  let refuses: boolean;
  let errors: string[];
  let held: Queue['held'];
  beforeEach(() => {
    clock = new ManualClock(startMs);
    offered = [];
    delays = new Map();
    depth = { waiting: 0, active: 0, delayed: 0 };
    refuses = false;
    errors = [];
    held = undefined;
  });

  function reconciler(sweeps: (() => Promise<void>)[] = [], ofGraceMs = graceMs): Reconciler {
    const add: Queue['add'] = async (jobs) => {
      if (refuses) throw new Error('the queue is away');
      offered.push(...jobs.map(({ deliveryId }) => deliveryId));
      for (const { deliveryId, delayMs } of jobs) delays.set(deliveryId, delayMs);
    };
    const queue = { add, depth: async () => depth, ...(held ? { held } : {}) } as Queue;
    const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(JSON.parse(line).err.message) });
    const made = new Reconciler({ store, queue, clock, log, wakeFanout() {}, everyMs, graceMs: ofGraceMs, sweeps });
    onTestFinished(() => made.close());
    return made;
  }

  test('an empty queue is offered everything, oldest first, by one of two processes', async () => {
    let swept = 0;
    const sweep = async () => void swept++;
    const two = [reconciler([sweep]), reconciler([sweep])];
    for (const one of two) one.start();
    await until(() => expect(swept).toBe(1));
    expect(offered).toEqual(Array.from({ length: 12_000 }, (_, index) => nameOf(index)));
    await until(async () => expect(await store.alone('reconcile', async () => {})).toBe(true));
    // A process that skipped a round works in its next one.
    await clock.advance(everyMs);
    await until(() => expect(swept).toBeGreaterThan(1));
    expect(offered.length % 12_000).toBe(0);
  });

  test('a busy queue is offered 5,000 in a round; the next round continues there, and starts over at the end', async () => {
    depth.active = 1;
    let rounds = 0;
    const one = reconciler([async () => void rounds++]);
    const round = async () => {
      offered = [];
      const before = rounds;
      if (before === 0) one.start();
      else await clock.advance(everyMs);
      await until(() => expect(rounds).toBe(before + 1));
      await until(async () => expect(await store.alone('reconcile', async () => {})).toBe(true));
      return [offered.length, offered[0], offered.at(-1)];
    };
    expect(await round()).toEqual([5000, nameOf(0), nameOf(4999)]);
    expect(await round()).toEqual([5000, nameOf(5000), nameOf(9999)]);
    expect(await round()).toEqual([2000, nameOf(10_000), nameOf(11_999)]);
    expect(await round()).toEqual([5000, nameOf(0), nameOf(4999)]);
    depth.active = 0;
    expect(await round()).toEqual([12_000, nameOf(0), nameOf(11_999)]);
  });

  test('a queue that names its jobs is offered the others; one with too many to name, those that it cannot have', async () => {
    let swept = 0;
    const offer = async (jobs: string[]) => {
      const ids = new Set(jobs);
      held = async () => ({ ids, mayHave: (job) => ids.has(jobId(job)) });
      const one = reconciler([async () => void swept++]);
      const before = swept;
      one.start();
      await until(() => expect(swept).toBe(before + 1));
      await one.close();
      return offered.splice(0).slice(0, 2);
    };
    const { next_attempt_at } = overdue(0);
    expect(await offer([])).toEqual([nameOf(0), nameOf(1)]);
    expect(await offer([`${nameOf(0)}-1-${next_attempt_at}`, `${nameOf(1)}-1-0`])).toEqual([nameOf(1), nameOf(2)]);
    // A part of a backlog is known: what is due before it, and is not in it, is lost.
    depth.waiting = 1;
    held = async () => ({ ids: new Set(), mayHave: (job) => job.dueAt > (next_attempt_at ?? 0) });
    const one = reconciler([async () => void swept++]);
    one.start();
    await until(() => expect(swept).toBe(3));
    expect([offered.length, offered.at(-1)]).toEqual([2700, nameOf(2699)]);
  });

  test('a failing repair is logged and does not stop the others', async () => {
    refuses = true;
    let swept = 0;
    const one = reconciler([() => Promise.reject(new Error('no sweep')), async () => void swept++]);
    one.start();
    await until(() => expect(swept).toBe(1));
    expect(errors).toEqual(['the queue is away', 'no sweep']);
    await until(async () => expect(await store.alone('reconcile', async () => {})).toBe(true));
    refuses = false;
    await clock.advance(everyMs);
    await until(() => expect(swept).toBe(2));
    expect(offered).toHaveLength(12_000);
  });

  test('an extra round offers everything that is due, and postpones the next round', async () => {
    let rounds = 0;
    const one = reconciler([async () => void rounds++]);
    one.start();
    await until(() => expect(rounds).toBe(1));
    await until(async () => expect(await store.alone('reconcile', async () => {})).toBe(true));
    await store.update('deliveries', { id: nameOf(0) }, { next_attempt_at: startMs });
    onTestFinished(async () => {
      await store.update('deliveries', { id: nameOf(0) }, { next_attempt_at: overdue(0).next_attempt_at });
    });
    offered = [];
    one.repair({ emptied: false });
    await clock.advance(1999);
    expect(offered).toEqual([]);
    await clock.advance(1);
    await until(() => expect(rounds).toBe(2));
    // Due, but not overdue.
    expect(offered).toContain(nameOf(0));
    await until(async () => expect(await store.alone('reconcile', async () => {})).toBe(true));
    await clock.advance(everyMs - 1);
    expect(rounds).toBe(2);
    await clock.advance(1);
    await until(() => expect(rounds).toBe(3));
  });

  test('an extra round in which the queue does not answer is repeated', async () => {
    let rounds = 0;
    // Nothing is overdue, however often the clock moves: no other round offers the delivery.
    const one = reconciler([async () => void rounds++], Number.MAX_SAFE_INTEGER);
    one.start();
    await until(() => expect(rounds).toBe(1));
    await store.update('deliveries', { id: nameOf(0) }, { next_attempt_at: startMs });
    onTestFinished(async () => {
      await store.update('deliveries', { id: nameOf(0) }, { next_attempt_at: overdue(0).next_attempt_at });
    });
    offered = [];
    refuses = true;
    one.repair({ emptied: false });
    await clock.advance(2000);
    await until(() => expect(rounds).toBe(2));
    refuses = false;
    await until(async () => {
      await clock.advance(2000);
      expect(offered).toContain(nameOf(0));
    });
  });

  test('jobs that were lost after the queue was emptied are offered too, if both losses wait for one round', async () => {
    let rounds = 0;
    // Nothing is overdue, however often the clock moves: no other round offers the delivery.
    const one = reconciler([async () => void rounds++], Number.MAX_SAFE_INTEGER);
    one.start();
    await until(() => expect(rounds).toBe(1));
    offered = [];
    one.repair({ emptied: true });
    // Its new job could not be added.
    await store.update('deliveries', { id: nameOf(7) }, { updated_at: startMs + 1 });
    onTestFinished(async () => void (await store.update('deliveries', { id: nameOf(7) }, { updated_at: 1 })));
    one.repair({ emptied: false });
    await until(async () => {
      await clock.advance(2000);
      expect(offered).toContain(nameOf(7));
    });
  });

  test('after the queue was emptied, everything pending is offered, later deliveries with their delay', async () => {
    // New jobs keep the queue busy.
    depth.active = 1;
    let rounds = 0;
    const one = reconciler([async () => void rounds++]);
    one.start();
    await until(() => expect(rounds).toBe(1));
    offered = [];
    refuses = true;
    one.repair({ emptied: true });
    // It has a new job.
    await store.update('deliveries', { id: nameOf(7) }, { updated_at: startMs + 1 });
    onTestFinished(async () => void (await store.update('deliveries', { id: nameOf(7) }, { updated_at: 1 })));
    await clock.advance(2000);
    await until(() => expect(rounds).toBe(2));
    expect(offered).toEqual([]);
    // The queue was away again. The round is repeated until it has succeeded once.
    refuses = false;
    await until(async () => {
      await clock.advance(2000);
      expect(offered).toHaveLength(12_000);
      expect(offered).not.toContain(nameOf(7));
    });
    expect(delays.get(nameOf(0))).toBeLessThan(0);
    expect(delays.get(nameOf(20_003))).toBeGreaterThanOrEqual(startMs + everyMs * 100 - clock.now());
    expect(delays.get(nameOf(20_003))).toBeLessThan(everyMs * 100);
    await until(async () => expect(await store.alone('reconcile', async () => {})).toBe(true));
    // From now on a busy queue is offered a part again.
    offered = [];
    await until(async () => {
      await clock.advance(everyMs);
      expect(offered.length).toBeGreaterThanOrEqual(5000);
    });
    expect(offered).not.toContain(nameOf(20_003));
  });
});
