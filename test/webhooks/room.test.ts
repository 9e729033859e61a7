import { beforeEach, expect, test } from 'vitest';
import { ManualClock, type Timers } from '../../gateway/base/clock.ts';
import { Room } from '../../gateway/webhooks/delivery/room.ts';

let clock: ManualClock;
let slow: Set<string>;
let room: Room;

beforeEach(() => {
  clock = new ManualClock(0);
  slow = new Set();
  const timers: Timers = { elapsed: () => clock.now(), after: (ms, task) => clock.after(ms, task) };
  room = new Room({ timers, slow, concurrency: 4 });
});

const wait = (endpointId = 'ep_1', of: { maxInFlight?: number; sinceMs?: number; ms?: number } = {}) =>
  room.wait({ endpointId, maxInFlight: 20, sinceMs: 0, ms: 200, ...of });

/** What has come of these waits by now. */
async function by(waits: Promise<boolean>[]): Promise<(boolean | undefined)[]> {
  const now = new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)));
  return Promise.all(waits.map((one) => Promise.race([one, now])));
}

test('an attempt that ends lets one job ask again, the one that waits longest', async () => {
  const waits = [wait(), wait(), wait('ep_2')];
  room.freed('ep_1');
  expect(await by(waits)).toEqual([true, undefined, undefined]);
  room.freed('ep_1');
  room.freed('ep_1');
  expect(await by(waits)).toEqual([true, true, undefined]);
});

test('a job asks again when the gate expects room, because attempts of other processes end unseen', async () => {
  const waits = [wait()];
  await clock.advance(199);
  expect(await by(waits)).toEqual([undefined]);
  await clock.advance(1);
  expect(await by(waits)).toEqual([true]);
});

test('a job is parked after three seconds, or if room is further away than that', async () => {
  expect(await wait('ep_1', { ms: 3001 })).toBe(false);
  await clock.advance(2900);
  expect(await wait()).toBe(false);
  expect(await by([wait('ep_1', { ms: 100 })])).toEqual([undefined]);
});

test('a job does not wait for a slow receiver', async () => {
  slow.add('ep_1');
  expect(await wait()).toBe(false);
});

test('as many jobs wait as an endpoint takes, and nine tenths of what the process works on', async () => {
  const waits = [wait('ep_1', { maxInFlight: 2 }), wait('ep_1', { maxInFlight: 2 })];
  expect(await wait('ep_1', { maxInFlight: 2 })).toBe(false);
  waits.push(wait('ep_2'), wait('ep_3'));
  expect(await wait('ep_4')).toBe(false);
  expect(await by(waits)).toEqual([undefined, undefined, undefined, undefined]);
  room.freed('ep_1');
  expect(await by(waits)).toEqual([true, undefined, undefined, undefined]);
  expect(await by([wait('ep_4')])).toEqual([undefined]);
});
