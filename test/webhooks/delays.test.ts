import fc from 'fast-check';
import pino from 'pino';
import { expect, test } from 'vitest';
import { Tallier } from '../../gateway/figures/tallier.ts';
import { everyone } from '../../gateway/figures/tally.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { delayParts, type Wait } from '../../gateway/store/tables/webhooks.ts';
import { arrived, askedFor, attempted, waited } from '../../gateway/webhooks/model/delays.ts';
import { forAll } from '../for-all.ts';
import { delivery } from '../store/rows.ts';
import { settled, startHarness, startMs, until } from './harness.ts';
import { receiver } from './receiver.ts';

const start = delivery('dlv_1', 'evt_1', 'ep_1', { created_at: 1000 });

/** Clocks of processes differ, so the times of a delivery's changes are in no order. */
const time = fc.integer({ min: 0, max: 1_000_000 });
const wait: fc.Arbitrary<Wait | null> = fc.option(
  fc.record({ part: fc.constantFrom('limit', 'hold', 'retry'), since: time, until: fc.option(time) }),
);
const spent = fc.record(
  { limit: fc.double({ min: 0, max: 2000, noNaN: true }), receiver: fc.integer({ min: -30_000, max: 30_000 }) },
  { requiredKeys: [] },
);
const step = fc.record({ atMs: time, wait, spent, isAttempt: fc.boolean() });

test('whatever a delivery waits for, no part of its delay is negative, and they add up to the whole', () => {
  forAll(100, [fc.array(step, { maxLength: 8 }), time, time], (steps, atMs, eventAtMs) => {
    let row = start;
    for (const one of steps) {
      const delays = waited(row, one.atMs, one.wait, one.spent);
      row = one.isAttempt ? { ...row, delays: attempted(delays), attempts: row.attempts + 1 } : { ...row, delays };
    }
    const { delays, delivered_at } = arrived(row, waited(row, atMs), { atMs, eventAtMs });
    const parts = delayParts.map((part) => delays?.ms[part] ?? 0);
    expect(parts.every((ms) => Number.isInteger(ms) && ms >= 0)).toBe(true);
    expect(parts.reduce((sum, ms) => sum + ms, 0)).toBe(delivered_at - eventAtMs);
  });
});

const endsAt = (row: typeof start, atMs: number) =>
  arrived(row, waited(row, atMs, null, { receiver: 20 }), { atMs: atMs + 20, eventAtMs: 1000 });

test('a wait ends when it was to end, and then the gateway is late', () => {
  const failed = waited(start, 1100, { part: 'retry', since: 1150, until: 6150 }, { receiver: 50 });
  const { delays, delivered_at } = endsAt({ ...start, attempts: 1, delays: attempted(failed) }, 6200);
  expect(delays?.ms).toEqual({ own: 150, retry: 5000, receiver: 70 });
  expect(delivered_at).toBe(6220);
});

test('a dead letter that is sent again waited for that, and a skipped one for the end of its hold', () => {
  const dead = { ...start, status: 'failed', attempts: 1, delays: attempted(null), updated_at: 1100 } as const;
  const skipped = { ...start, status: 'skipped', updated_at: 1000 } as const;
  expect(endsAt({ ...dead, ...askedFor(dead, 9100), status: 'pending' }, 9110).delays?.ms).toEqual({
    own: 110,
    retry: 8000,
    receiver: 20,
  });
  expect(endsAt({ ...skipped, ...askedFor(skipped, 9000), status: 'pending' }, 9010).delays?.ms).toEqual({
    own: 10,
    hold: 8000,
    receiver: 20,
  });
});

test('what has arrived does not arrive again', () => {
  const before = { ...start, status: 'delivered', attempts: 1, updated_at: 1200 } as const;
  const again = { ...before, ...askedFor(before, 5000), status: 'pending' } as const;
  expect(endsAt(again, 5000)).toEqual({ delays: null, delivered_at: 1200 });
});

test('a delivery of which an older process has made an attempt has no parts', () => {
  const planned = waited(start, 1100, { part: 'retry', since: 1150, until: 6150 }, { receiver: 50 });
  const row = { ...start, attempts: 2, delays: attempted(planned) };
  expect(endsAt(row, 9000)).toEqual({ delays: null, delivered_at: 9020 });
  expect(endsAt({ ...row, delays: waited(row, 9500) }, 9900)).toEqual({ delays: null, delivered_at: 9920 });
  expect(endsAt({ ...start, attempts: 1 }, 9000).delays).toBeNull();
});

test('what waits for a hold and a retry is late by those, and its first attempt began in time', async () => {
  const store = new MemoryStore();
  const tallier = new Tallier({ store, log: pino({ level: 'silent' }) });
  const harness = startHarness({ store, tallier });
  let answers = 0;
  const { url, received } = await receiver((response) => response.writeHead(answers++ === 0 ? 500 : 204).end());
  const { id } = await harness.endpoint({ url });
  await store.update('endpoints', { id }, { held_until: startMs + 60_000, held_because: 'failing', holds: 1 });
  await harness.emit();
  await harness.clock.advance(60_000);
  await until(() => expect(received).toHaveLength(1));
  await until(async () => expect((await harness.deliveries())[0]).toMatchObject({ attempts: 1 }));
  await until(async () => {
    await harness.clock.advance(10_000);
    expect(await harness.deliveries()).toMatchObject([{ status: 'delivered' }]);
  });
  const [row] = await settled(harness, 1, 'delivered');
  const { own = 0, ...others } = row?.delays?.ms ?? {};
  const arrivedAt = row?.delivered_at ?? 0;
  expect(others).toMatchObject({ hold: expect.any(Number), retry: 5000 });
  expect(others.hold).toBeGreaterThanOrEqual(60_000);
  expect(own + Object.values(others).reduce((sum, ms) => sum + ms, 0)).toBe(arrivedAt - startMs);
  await tallier.flush();
  const tallies = await store.list('tallies', {
    where: { kind: { in: ['delay', 'first_attempt'] }, width: 60_000, subject: everyone },
  });
  expect(tallies.map(({ kind, name, total }) => `${kind} ${name} ${total}`)).toEqual(
    expect.arrayContaining(['first_attempt in_time 1', 'delay whole 1', 'delay hold 1', 'delay retry 1']),
  );
});
