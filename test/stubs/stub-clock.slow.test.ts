import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StubClock } from '../../stubs/clock.ts';
import { forAllAsync } from '../for-all.ts';
import { call, openReceiver, openStub } from './partner.ts';

const start = Date.UTC(2026, 2, 1, 8);
const settled = async () => {};

test('advancing waits for everything a task started before it runs the next', async () => {
  const clock = new StubClock(start);
  const events: string[] = [];
  let work: Promise<void> = Promise.resolve();
  clock.after(1000, () => {
    work = new Promise<void>((resolve) => setImmediate(resolve)).then(() => void events.push('first ended'));
  });
  clock.after(1000, () => events.push('second began'));
  await clock.advance(1000, () => work);
  expect(events).toEqual(['first ended', 'second began']);
});

test.each([
  ['that stands still', start],
  ['that runs', undefined],
])('on a clock %s, waiting tasks keep their remaining delay after a reset', async (_name, startMs) => {
  const clock = new StubClock(startMs);
  let ran = false;
  clock.after(3_600_000, () => {
    ran = true;
  });
  await clock.advance(3_000_000, settled);
  clock.reset();
  await clock.advance(500_000, settled);
  expect(ran).toBe(false);
  await clock.advance(100_000, settled);
  expect(ran).toBe(true);
  clock.close();
});

test('two advances run one after the other', async () => {
  const clock = new StubClock(start);
  await Promise.all([clock.advance(1000, settled), clock.advance(1000, settled)]);
  expect(clock.now() - start).toBe(2000);
});

test('a closed clock runs nothing more', async () => {
  const clock = new StubClock(start);
  let ran = false;
  clock.after(1000, () => {
    ran = true;
  });
  clock.close();
  await clock.advance(2000, settled);
  expect(ran).toBe(false);
});

const day = 86_400_000;

/** Repeats itself for ever, as the gateway's upkeep does. Returns the times at which it ran, since the start. */
function repeated(clock: StubClock, everyMs: number, options?: { upkeep: boolean }): number[] {
  const ran: number[] = [];
  const run = () => {
    ran.push(clock.now() - start);
    clock.after(everyMs, run, options);
  };
  clock.after(everyMs, run, options);
  return ran;
}

test.each([365, 10_000])('%i idle days take a few steps, the last of them at the end', async (days) => {
  const clock = new StubClock(start);
  const ran = [repeated(clock, 10_000, { upkeep: true }), repeated(clock, 3_600_000, { upkeep: true })];
  let steps = 0;
  await clock.advance(days * day, async () => void steps++);
  expect(steps).toBeLessThan(40);
  expect(ran.map((times) => times.at(-1))).toEqual([days * day, days * day]);
  expect(clock.now() - start).toBe(days * day);
});

test('work runs at its own time, also on a clock that is advanced far, and upkeep after it as before', async () => {
  await forAllAsync(
    { examples: [[[400 * day]], [[0, 400 * day]]] },
    [fc.array(fc.integer({ min: 0, max: 400 * day }), { maxLength: 20 })],
    async (delays) => {
      const clock = new StubClock(start);
      const upkeep = repeated(clock, 10_000, { upkeep: true });
      const ran: number[] = [];
      for (const delay of delays) clock.after(delay, () => ran.push(clock.now() - start));
      await clock.advance(400 * day, settled);
      expect(ran).toEqual(delays.toSorted((one, other) => one - other));
      expect(upkeep).toEqual(upkeep.toSorted((one, other) => one - other));
      expect(upkeep.at(-1)).toBeGreaterThan(400 * day - 10_000);
      expect(upkeep.length).toBeLessThan(45 * (new Set(delays).size + 1));
    },
  );
});

test('a short advance leaves no upkeep out', async () => {
  const clock = new StubClock(start);
  const ran = repeated(clock, 60_000, { upkeep: true });
  for (let minute = 0; minute < 5; minute++) await clock.advance(60_000, settled);
  expect(ran).toEqual([1, 2, 3, 4, 5].map((minute) => minute * 60_000));
});

test('an advance that would never end, or leaves the calendar, is refused', async () => {
  const clock = new StubClock(start);
  repeated(clock, 1);
  await expect(clock.advance(day, settled)).rejects.toThrow(
    /More than 100000 tasks fell due. The clock stands at 2026-03-01T08:01:40/,
  );
  await expect(clock.advance(1e15, settled)).rejects.toThrow('The clock cannot be advanced beyond the year 9999.');
});

test('a stub is advanced by 10,000 days, and its webhooks were tried at their times', async () => {
  const receiver = await openReceiver(500);
  const stub = await openStub('pos', { clock: '2026-03-01T08:00:00Z', webhooks: [{ url: receiver.url }] });
  await stub.trigger('sync.completed');
  await stub.clock.advance('10000d');
  const [delivery] = await stub.deliveries();
  expect([delivery?.status, delivery?.attempts]).toEqual(['failed', receiver.received.length]);
  const last = Date.parse(delivery?.attempts_made.at(-1)?.started_at ?? '') - start;
  expect([last > 2 * day, last < 4 * day]).toEqual([true, true]);
  const refused = await call(stub, 'POST', '/_stub/clock/advance', { body: { by: '9000000d' } });
  expect([refused.status, refused.body.error.message]).toEqual([400, 'The clock cannot be advanced beyond the year 9999.']);
});
