import type { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { type Entry, earlyMs, type Gate, type Lease, lookAgainMs, placeMs, toleranceMs } from '../../gateway/queue/gate/port.ts';

export interface GateUnderTest {
  gate: Gate;
  /** Advances time without waiting. */
  advance(ms: number): Promise<void>;
}

export const leaseMs = 600_000;

const wish = (deliveryId: string, given: Partial<Entry> = {}): Entry => ({
  endpointId: 'end_1',
  deliveryId,
  maxInFlight: 100,
  maxPerSecond: null,
  ...given,
});

const later = (ms: number) => expect.objectContaining({ kind: 'admitted', ms });
const now = later(0);
const full = (ms = lookAgainMs) => ({ kind: 'full', ms });
/** Returns a function that gives back the last lease of each of these deliveries. Call it before the gate gives leases. */
export function leaver(gate: Gate): (...deliveryIds: string[]) => Promise<void> {
  const leases = new Map<string, Lease>();
  const enter = gate.enter.bind(gate);
  gate.enter = async (entries) => {
    const answers = await enter(entries);
    for (const answer of answers) if (answer.kind === 'admitted') leases.set(answer.lease.deliveryId, answer.lease);
    return answers;
  };
  return (...deliveryIds) => gate.leave(deliveryIds.flatMap((id) => leases.get(id) ?? []));
}

const running = { kind: 'running', ms: expect.any(Number) };

/** Redis has its own clock, so advancing time means moving the stored times back. */
export async function shiftBack(redis: Redis, prefix: string, ms: number): Promise<void> {
  for (const key of [...(await redis.keys(`${prefix}:gate:*`)), ...(await redis.keys(`${prefix}:gate-places:*`))]) {
    for (const member of await redis.zrange(key, '0', '-1')) await redis.zincrby(key, -ms, member);
    await redis.pexpire(key, Math.max(1, (await redis.pttl(key)) - ms));
  }
  for (const key of await redis.keys(`${prefix}:gate-last:*`)) {
    const [at, left] = [Number(await redis.get(key)), await redis.pttl(key)];
    if (left > ms) await redis.set(key, String(at - ms), 'PX', left - ms);
    else await redis.del(key);
  }
}

/** The tests of every Gate. `open` returns a new one with leases of `leaseMs`. One call sees one time. */
export function gateConformance(open: () => Promise<GateUnderTest>): void {
  const opened = async () => {
    const { gate, advance } = await open();
    return { gate, advance, leave: leaver(gate) };
  };

  test('admits up to the maximum in flight, and more when some have left', async () => {
    const { gate, leave } = await opened();
    const few = { maxInFlight: 2 };
    expect(await gate.enter([wish('a', few), wish('b', few), wish('c', few)])).toEqual([now, now, full()]);
    expect(await gate.enter([wish('c', few)])).toEqual([full()]);
    await leave('a');
    expect(await gate.enter([wish('c', few), wish('d', few)])).toEqual([now, full()]);
  });

  test('an attempt that takes the place of one that has ended has its room, whoever else asks', async () => {
    const { gate } = await open();
    const alone = { maxInFlight: 1 };
    const [first] = await gate.enter([wish('a', alone)]);
    const instead = first?.kind === 'admitted' ? first.lease : undefined;
    const [next] = await gate.enter([wish('b', { ...alone, instead }), wish('c', alone)]);
    expect(next).toEqual(now);
    // The lease that has ended frees no room a second time.
    expect(await gate.enter([wish('c', { ...alone, instead })])).toEqual([full()]);
    expect(await gate.inFlight(['end_1'])).toEqual([1]);
  });

  test('says how many attempts are in flight at each endpoint', async () => {
    const { gate, advance, leave } = await opened();
    await gate.enter([wish('a'), wish('b'), wish('c', { endpointId: 'end_2' })]);
    await gate.reserve([wish('d')]);
    expect(await gate.inFlight(['end_2', 'end_1', 'end_3'])).toEqual([1, 3, 0]);
    await leave('a');
    expect(await gate.inFlight(['end_1'])).toEqual([2]);
    await advance(leaseMs + 1);
    expect(await gate.inFlight(['end_1', 'end_2'])).toEqual([0, 0]);
    expect(await gate.inFlight([])).toEqual([]);
  });

  test('endpoints do not block each other', async () => {
    const { gate, leave } = await opened();
    const alone = { maxInFlight: 1, maxPerSecond: 1 };
    const entries = ['end_1', 'end_2', 'end_3'].map((endpointId) => wish(`to ${endpointId}`, { ...alone, endpointId }));
    expect(await gate.enter(entries)).toEqual([now, now, now]);
    await leave('to end_1');
    const more = entries.map((entry) => ({ ...entry, deliveryId: `more ${entry.deliveryId}`, maxPerSecond: null }));
    expect(await gate.enter(more)).toEqual([now, full(), full()]);
  });

  test('one attempt of a delivery at a time, even one that an operator asked for', async () => {
    const { gate, leave } = await opened();
    expect(await gate.enter([wish('a'), wish('a'), wish('a', { urgent: true })])).toEqual([now, running, running]);
    expect(await gate.reserve([wish('a')])).toEqual([running]);
    await leave('a');
    expect(await gate.enter([wish('a', { urgent: true })])).toEqual([now]);
  });

  test('a lease that was not returned expires, and says when', async () => {
    const { gate, advance } = await open();
    const alone = { maxInFlight: 1 };
    await gate.enter([wish('killed', alone)]);
    await advance(leaseMs / 2);
    const [answer] = await gate.enter([wish('killed', alone)]);
    expect(answer).toEqual(running);
    expect(answer?.ms).toBeGreaterThan(leaseMs / 4);
    expect(answer?.ms).toBeLessThanOrEqual(leaseMs / 2);
    await advance(leaseMs / 2 + 1);
    expect(await gate.enter([wish('b', alone), wish('killed', alone)])).toEqual([now, full()]);
  });

  test('an attempt whose lease has ended gives back no lease of another attempt', async () => {
    const { gate, advance } = await open();
    const [first] = await gate.enter([wish('a')]);
    await advance(leaseMs);
    const [second] = await gate.enter([wish('a')]);
    for (const one of [first, second]) expect(one).toEqual(now);
    if (first?.kind === 'admitted') await gate.leave([first.lease]);
    expect(await gate.enter([wish('a')])).toEqual([running]);
    if (second?.kind === 'admitted') await gate.leave([second.lease]);
    expect(await gate.enter([wish('a')])).toEqual([now]);
  });

  test('an urgent attempt counts, but does not wait for the limits', async () => {
    const { gate, leave } = await opened();
    const alone = { maxInFlight: 1, maxPerSecond: 0.01 };
    expect(await gate.enter([wish('a', alone), wish('b', { ...alone, urgent: true })])).toEqual([now, now]);
    expect(await gate.reserve([wish('c', alone), wish('d', { ...alone, urgent: true })])).toEqual([full(), now]);
    await gate.release([wish('d')]);
    await leave('a');
    expect(await gate.enter([wish('c', alone)])).toEqual([full()]);
    await leave('b');
    const [answer] = await gate.enter([wish('c', alone)]);
    expect(answer?.ms).toBeGreaterThan(120_000);
  });

  test('starts are spaced evenly: an idle endpoint has no burst', async () => {
    const { gate, advance } = await open();
    const slow = { maxPerSecond: 20 };
    expect(await gate.enter(['a', 'b', 'c', 'd'].map((id) => wish(id, slow)))).toEqual([now, later(50), later(100), full(150)]);
    await advance(10_000);
    expect(await gate.enter(['d', 'e', 'f', 'g'].map((id) => wish(id, slow)))).toEqual([now, later(50), later(100), full(150)]);
  });

  test('the wait says when the rate allows an attempt, also below one per second', async () => {
    const { gate, advance } = await open();
    const rare = { maxPerSecond: 0.1 };
    expect(await gate.enter([wish('a', rare), wish('b', rare)])).toEqual([now, full(10_000)]);
    await advance(10_200);
    expect(await gate.enter([wish('b', rare), wish('c', rare)])).toEqual([now, full(10_000)]);
  });

  test('a changed rate counts at once', async () => {
    const { gate } = await open();
    expect(await gate.enter([wish('a', { maxPerSecond: 0.01 })])).toEqual([now]);
    const [answer] = await gate.enter([wish('b', { maxPerSecond: 20 })]);
    expect(answer?.kind).toBe('admitted');
    expect(answer?.ms).toBeLessThanOrEqual(50);
  });

  test('an attempt that is not admitted does not count towards the rate', async () => {
    const { gate, leave } = await opened();
    const both = { maxInFlight: 1, maxPerSecond: 20 };
    expect(await gate.enter([wish('a', both), wish('b', both), wish('c', both)])).toEqual([now, full(), full()]);
    await leave('a');
    const [answer] = await gate.enter([wish('b', both)]);
    expect(answer?.kind).toBe('admitted');
    expect(answer?.ms).toBeLessThanOrEqual(50);
  });

  test('a start that is a little late does not delay the next ones; time without attempts is not saved up', async () => {
    const { gate, advance } = await open();
    const rate = { maxPerSecond: 2 };
    const spacingMs = 500;
    const beganMs = performance.now();
    expect(await gate.enter([wish('a', rate)])).toEqual([now]);
    await advance(spacingMs + 10);
    expect(await gate.enter([wish('b', rate)])).toEqual([now]);
    const isLittle = performance.now() - beganMs < toleranceMs - 10;
    const [soon] = await gate.reserve([wish('c', rate)]);
    const spentMs = performance.now() - beganMs;
    expect(soon?.ms).toBeGreaterThan(spacingMs - 10 - spentMs - earlyMs - 1);
    // Redis has real time. If the machine was too slow to be late by only a little, the next start is a whole spacing away.
    expect(soon?.ms).toBeLessThanOrEqual(spacingMs - (isLittle ? 10 : 0) - earlyMs);
    await gate.release([wish('c')]);
    await advance(5000);
    const againMs = performance.now();
    expect(await gate.enter([wish('d', rate)])).toEqual([now]);
    const [next] = await gate.reserve([wish('e', rate)]);
    expect(next?.ms).toBeGreaterThan(spacingMs - (performance.now() - againMs) - earlyMs - 1);
  });

  test('a missed start is given up for a later one', async () => {
    const { gate } = await open();
    const rate = { maxPerSecond: 20 };
    const entries = ['a', 'b'].map((id) => wish(id, rate));
    expect(await gate.enter(entries)).toEqual([now, later(50)]);
    const delays = await gate.delay(entries);
    expect(delays[1] as number).toBeGreaterThan(delays[0] as number);
    expect(delays[1]).toBeLessThanOrEqual(150);
    expect(await gate.delay([])).toEqual([]);
  });

  test('a place counts as in flight, and its delivery is admitted', async () => {
    const { gate, leave } = await opened();
    const alone = { maxInFlight: 1 };
    expect(await gate.reserve([wish('a', alone), wish('b', alone)])).toEqual([now, full()]);
    expect(await gate.enter([wish('b', alone), wish('a', alone)])).toEqual([full(), now]);
    await leave('a');
    expect(await gate.enter([wish('b', alone)])).toEqual([now]);
  });

  test('a delivery has one place: two processes cannot both take it from the lane', async () => {
    const { gate } = await open();
    expect(await gate.reserve([wish('a'), wish('a'), wish('a', { urgent: true })])).toEqual([now, full(), full()]);
  });

  test('an attempt does not take a delivery that its lane has released', async () => {
    const { gate, advance } = await open();
    const [first] = await gate.enter([wish('a')]);
    const instead = first?.kind === 'admitted' ? first.lease : undefined;
    await gate.reserve([wish('b')]);
    expect(await gate.enter([wish('b', { instead })])).toEqual([running]);
    expect(await gate.inFlight(['end_1'])).toEqual([1]);
    expect(await gate.enter([wish('b')])).toEqual([now]);
    const [next] = await gate.enter([wish('c')]);
    await gate.reserve([wish('d')]);
    await advance(placeMs + 1);
    expect(await gate.enter([wish('d', { instead: next?.kind === 'admitted' ? next.lease : undefined })])).toEqual([now]);
  });

  test('a place without a job is given back, or expires', async () => {
    const { gate, advance } = await open();
    const alone = { maxInFlight: 1 };
    await gate.reserve([wish('a', alone)]);
    await gate.release([wish('a')]);
    expect(await gate.reserve([wish('b', alone)])).toEqual([now]);
    const rate = { endpointId: 'end_2', maxPerSecond: 2 };
    await gate.reserve([wish('d', rate), wish('e', rate)]);
    await advance(placeMs + 501);
    expect(await gate.enter([wish('c', alone), wish('b', alone), wish('f', rate)])).toEqual([now, full(), now]);
  });

  test('places are given up to two seconds ahead, and their deliveries start at the rate', async () => {
    const { gate, advance } = await open();
    const rate = { maxPerSecond: 2 };
    const entries = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => wish(id, rate));
    const starts = [0, 500, 1000, 1500, 2000].map((ms) => later(Math.max(0, ms - earlyMs)));
    expect(await gate.reserve(entries)).toEqual([...starts, full(1500)]);
    // What has no place starts after them.
    expect(await gate.enter([wish('g', rate)])).toEqual([full(2500)]);
    expect(await gate.enter(entries.slice(0, 1))).toEqual([now]);
    await advance(500);
    const [second, third] = await gate.enter(entries.slice(1, 3));
    expect(second).toEqual(now);
    expect(third?.ms).toBeGreaterThanOrEqual(500 - toleranceMs);
    expect(third?.ms).toBeLessThanOrEqual(500);
  });

  test('leaving twice, or without entries, does nothing', async () => {
    const { gate, leave } = await opened();
    await gate.release([wish('stranger')]);
    await gate.enter([wish('a', { maxInFlight: 1 })]);
    await leave('a', 'a');
    expect(await gate.enter([wish('b', { maxInFlight: 1 })])).toEqual([now]);
    await leave();
    await gate.release([]);
    expect([await gate.enter([]), await gate.reserve([])]).toEqual([[], []]);
  });
}
