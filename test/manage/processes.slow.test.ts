import pino from 'pino';
import { expect, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { announceProcess } from '../../gateway/manage/processes/presence.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { StoreUnavailable } from '../../gateway/store/port.ts';
import { buildTestApp } from '../helper.ts';

const startMs = Date.UTC(2026, 10, 27);
const at = (seconds: number) => new Date(startMs + seconds * 1000).toISOString();

const member = { isMember: async () => true, end: () => {} };

test('a process is listed while it runs, and for a day after it was killed', async () => {
  const clock = new ManualClock(startMs);
  const { store, manage } = await buildTestApp({ clock, demo: false });
  const listed = async () => (await manage('GET', '/processes')).body.data;
  const log = pino({ level: 'silent' });
  const killed = new ManualClock(startMs);
  announceProcess({ ...member, store, clock: killed, log, role: 'worker' });
  const api = announceProcess({ ...member, store, clock: Object.assign(clock, { skewMs: () => 1500 }), log, role: 'api' });
  await clock.advance(30_000);
  expect(await listed()).toEqual([
    {
      id: expect.stringMatching(/^proc_/),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      role: 'api',
      host: expect.any(String),
      pid: process.pid,
      running: true,
      clock_skew_seconds: 1.5,
      started_at: at(0),
      seen_at: at(30),
    },
    expect.objectContaining({ role: 'worker', running: false, clock_skew_seconds: null, seen_at: at(0) }),
  ]);
  await api.close();
  expect(await listed()).toMatchObject([{ role: 'worker' }]);
  await clock.advance(24 * 3_600_000);
  const next = announceProcess({ ...member, store, clock, log, role: 'all' });
  await clock.advance(0);
  expect(await listed()).toMatchObject([{ role: 'all', running: true }]);
  await next.close();
});

test('a process that the store has lost, or that could not reach it, is listed again', async () => {
  const clock = new ManualClock(startMs);
  const store = new MemoryStore();
  const update = store.update.bind(store);
  store.update = () => Promise.reject(new StoreUnavailable('away'));
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  const presence = announceProcess({ ...member, store, clock, log, role: 'all' });
  await clock.advance(0);
  expect(await store.count('processes')).toBe(0);
  expect(JSON.parse(lines.join(''))).toMatchObject({ msg: 'process.not_shown', err: { message: 'away' } });
  store.update = update;
  for (let lost = 0; lost < 2; lost++) {
    await clock.advance(10_000);
    expect(await store.list('processes')).toMatchObject([{ started_at: startMs, seen_at: clock.now() }]);
    await store.remove('processes', {});
  }
  await presence.close();
});

test('a process whose master key was replaced while it hung ends', async () => {
  const clock = new ManualClock(startMs);
  let [isMember, ended] = [true, 0];
  const parts = { store: new MemoryStore(), clock, log: pino({ level: 'silent' }), role: 'api' } as const;
  const presence = announceProcess({ ...parts, isMember: async () => isMember, end: () => ended++ });
  await clock.advance(10_000);
  expect(ended).toBe(0);
  isMember = false;
  await clock.advance(10_000);
  expect(ended).toBe(1);
  await presence.close();
});
