import pino from 'pino';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { firstIdAt } from '../../gateway/base/ids.ts';
import { allDifferences, unaccountedIn } from '../../gateway/figures/ledger.ts';
import { Tallier } from '../../gateway/figures/tallier.ts';
import { tallyEvents } from '../../gateway/figures/tally.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { type Store, StoreUnavailable } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { readLedger } from '../../gateway/webhooks/operator/ledger.ts';
import { Auditor } from '../../gateway/webhooks/upkeep/audit.ts';
import { buildTestApp, stillClock } from '../helper.ts';
import { memoryAndPglite } from '../shared-pglite.ts';
import { attempt as attemptRow, delivery as deliveryRow, event as eventRow } from '../store/rows.ts';
import { startMs, until } from './harness.ts';
import { watched } from './watched-store.ts';

const hourMs = 3_600_000;
/** The id of the event that was emitted this many hours ago. */
const eventId = (hoursAgo: number) => `${firstIdAt('evt', startMs - hoursAgo * hourMs)}${'0'.repeat(20)}`;

/** The id of a delivery of that event, such as `1a`, `1b`. */
function dlv(name: string): string {
  const hoursAgo = Number.parseInt(name, 10);
  return `${firstIdAt('dlv', startMs - hoursAgo * hourMs)}${name.slice(-1).repeat(20)}`;
}

describe.each(memoryAndPglite())('on %s', (_, emptyStore) => {
  let store: Store;
  beforeEach(async () => {
    store = await emptyStore();
  });

  /** Stores an event with two deliveries for each hour except hour 20. */
  async function makeHours(hours: number): Promise<void> {
    const all = Array.from({ length: hours }, (_, hour) => hour).filter((hour) => hour !== 20);
    await store.append(
      'events',
      all.map((hour) => eventRow(eventId(hour), { matched: 2, fanned_out_at: startMs })),
    );
    await store.append(
      'deliveries',
      all.flatMap((hour) => ['a', 'b'].map((one) => deliveryRow(dlv(`${hour}${one}`), eventId(hour), one))),
    );
  }

  async function lose(id: string): Promise<() => Promise<void>> {
    const [row] = await store.list('deliveries', { where: { id } });
    await store.remove('deliveries', { id });
    return () => store.append('deliveries', [row as Row<'deliveries'>]);
  }

  describe('the audit', () => {
    /** Returns an auditor that has walked through all hours, and `round`, which makes one round and returns the missing deliveries. */
    async function audited(hours = 40) {
      await makeHours(hours);
      const auditor = new Auditor({ store, clock: new ManualClock(startMs), log: pino({ level: 'silent' }) });
      const round = async () => {
        await auditor.round();
        return unaccountedIn(auditor.differences);
      };
      for (let step = 0; step * 10 <= hours; step++) expect(await round()).toBe(0);
      return { auditor, round };
    }

    test('notices when new and old deliveries disappear and reappear', async () => {
      const { auditor, round } = await audited();
      const bringBackNew = await lose(dlv('0a'));
      expect(await round()).toBe(1);
      // Further apart than one round of the walk.
      const bringBackOld = [await lose(dlv('39b')), await lose(dlv('25b'))];
      const seen: number[] = [];
      for (let turn = 0; turn < 5; turn++) seen.push(await round());
      expect(seen.toSorted()).toEqual(seen);
      expect(seen.at(-1)).toBe(3);
      expect((await readLedger(store)).unaccounted).toBe(3);
      await bringBackNew();
      expect(await round()).toBe(2);
      for (const bringBack of bringBackOld) await bringBack();
      expect(await round()).toBe(0);
      expect(auditor.awaitingFanOut).toBe(0);
    });

    test('audits an event at once if its fan-out was recent, however old the event is', async () => {
      const { auditor, round } = await audited();
      await store.update('events', { id: eventId(15) }, { fanned_out_at: null });
      // The walk is at the other end by now.
      for (let turn = 0; turn < 3; turn++) expect(await round()).toBe(0);
      expect(auditor.awaitingFanOut).toBe(1);
      await store.update('events', { id: eventId(15) }, { fanned_out_at: startMs });
      await lose(dlv('15a'));
      expect(await round()).toBe(1);
      expect(auditor.awaitingFanOut).toBe(0);
    });

    test('counts deliveries without their event, but not events that retention removed with all deliveries', async () => {
      const { auditor, round } = await audited(3);
      await store.remove('events', { id: eventId(2) });
      expect(await round()).toBe(2);
      expect(auditor.differences).toMatchObject({ missing: { deliveries: 0 }, surplus: { deliveries: 2 } });
      await store.remove('deliveries', { event_id: eventId(2) });
      expect(await round()).toBe(0);
    });

    test('a loss and a surplus do not cancel out, not even in one hour', async () => {
      const { auditor, round } = await audited(5);
      await lose(dlv('3a'));
      const [event] = await store.list('events', { where: { id: eventId(3) } });
      const twin = { ...(event as Row<'events'>), id: `${eventId(3)}1` };
      await store.append('events', [twin]);
      await store.append(
        'deliveries',
        ['x', 'y', 'z'].map((one) => deliveryRow(dlv(`3${one}`), twin.id, one)),
      );
      await round();
      expect(auditor.differences).toMatchObject({ missing: { deliveries: 1 }, surplus: { deliveries: 1 } });
    });

    test('counts attempts that vanished and attempts too many, but not those that retention may have removed', async () => {
      const { auditor, round } = await audited(3);
      await store.append('deliveries', [
        deliveryRow(dlv('1c'), `${eventId(1)}x`, 'a', { status: 'delivered', attempts: 2 }),
        deliveryRow(dlv('1d'), `${eventId(1)}x`, 'b', { status: 'delivered', attempts: 1 }),
      ]);
      await store.append('events', [eventRow(`${eventId(1)}x`, { matched: 2, fanned_out_at: startMs })]);
      await store.append('attempts', [
        attemptRow(dlv('1c'), 1, { id: 'att_1', number: 1 }),
        attemptRow(dlv('1d'), 1, { id: 'att_2', number: 1 }),
        attemptRow(dlv('1d'), 1, { id: 'att_3', number: 2 }),
      ]);
      await round();
      expect(auditor.differences).toEqual({
        missing: { events: 0, deliveries: 0, attempts: 1 },
        surplus: { deliveries: 0, attempts: 1 },
      });
      const clock = new ManualClock(startMs);
      const withRetention = new Auditor({ store, clock, log: pino({ level: 'silent' }), attemptHours: 1 });
      for (let turn = 0; turn < 3; turn++) await withRetention.round();
      expect(withRetention.differences).toEqual(allDifferences(0));
    });

    test('counts events that vanished with their deliveries, until retention may have removed them', async () => {
      const { auditor, round } = await audited(3);
      const tallier = new Tallier({ store, log: pino({ level: 'silent' }) });
      tallier.note(tallyEvents(await store.list('events')));
      await tallier.flush();
      await round();
      expect(auditor.differences.missing.events).toBe(0);
      await store.remove('deliveries', { event_id: { in: [eventId(0), eventId(2)] } });
      await store.remove('events', { id: { in: [eventId(0), eventId(2)] } });
      await round();
      expect(auditor.differences).toEqual({
        missing: { events: 2, deliveries: 0, attempts: 0 },
        surplus: { deliveries: 0, attempts: 0 },
      });
      const clock = new ManualClock(startMs);
      const withRetention = new Auditor({ store, clock, log: pino({ level: 'silent' }), deliveryHours: 2 });
      for (let turn = 0; turn < 3; turn++) await withRetention.round();
      expect(withRetention.differences.missing.events).toBe(1);
    });

    test('knows how long the oldest delivery that is due has waited', async () => {
      const { auditor, round } = await audited(3);
      await store.update('deliveries', {}, { status: 'delivered', next_attempt_at: null });
      await round();
      expect(auditor.oldestDueMs).toBe(0);
      const waiting = { status: 'pending', next_attempt_at: startMs - 5000 } as const;
      await store.update('deliveries', { id: dlv('1a') }, waiting);
      await store.update('deliveries', { id: dlv('2a') }, { ...waiting, parked: true, next_attempt_at: startMs - 9000 });
      await store.update('deliveries', { id: dlv('2b') }, { ...waiting, next_attempt_at: startMs + 9000 });
      await round();
      expect(auditor.oldestDueMs).toBe(5000);
    });

    test('every unbalanced slice gets its turn, however many there are', async () => {
      const { round } = await audited(200);
      const lost = Array.from({ length: 15 }, (_, index) => dlv(`${100 + index}a`));
      const bringBack = new Map<string, () => Promise<void>>();
      for (const id of lost) bringBack.set(id, await lose(id));
      await until(async () => expect(await round()).toBe(15));
      // The walk found this slice as the 14th, more than one round audits. The walk itself is far away.
      await bringBack.get(dlv('101a'))?.();
      await round();
      expect(await round()).toBe(14);
    });

    test('does a bounded amount of work in a round', async () => {
      await makeHours(200);
      let statements = 0;
      const counting = watched(store, () => statements++);
      const auditor = new Auditor({ store: counting, clock: new ManualClock(startMs), log: pino({ level: 'silent' }) });
      // The walk goes through all hours once.
      for (let round = 0; round < 21; round++) {
        statements = 0;
        await auditor.round();
        expect(statements).toBeLessThan(160);
      }
    });

    test('returns NaN while the store is away', async () => {
      let away = true;
      const clock = new ManualClock(startMs);
      const unsteady = watched(store, () => {
        if (away) throw new StoreUnavailable('away');
      });
      const auditor = new Auditor({ store: unsteady, clock, log: pino({ level: 'silent' }) });
      onTestFinished(() => auditor.close());
      auditor.start();
      await until(() => expect([unaccountedIn(auditor.differences), auditor.awaitingFanOut]).toEqual([Number.NaN, Number.NaN]));
      away = false;
      await clock.advance(15_000);
      await until(() => expect([unaccountedIn(auditor.differences), auditor.awaitingFanOut]).toEqual([0, 0]));
    });
  });

  test('the ledger of any period, service and endpoint is the plain sum', async () => {
    await makeHours(6);
    await store.update('events', { id: { in: [eventId(1), eventId(4)] } }, { service: 'cohesion', type: 'plan.closed' });
    await store.update('deliveries', { event_id: { in: [eventId(1), eventId(4)] } }, { event_type: 'plan.closed' });
    await store.update('deliveries', { id: dlv('1a') }, { status: 'skipped', reason: 'endpoint_disabled' });
    await store.update('deliveries', { id: { in: [dlv('2a'), dlv('4b')] } }, { status: 'skipped', reason: 'endpoint_deleted' });
    await store.update('deliveries', { id: dlv('3a') }, { status: 'failed', reason: 'endpoint_deleted' });
    await store.update('events', {}, { filtered: 1 });
    await store.update('events', { id: eventId(0) }, { fanned_out_at: null });
    await store.remove('deliveries', { id: dlv('5a') });
    const [events, deliveries] = [await store.list('events'), await store.list('deliveries')];

    for (const from of [undefined, startMs - 4 * hourMs, startMs - 90_000_000])
      for (const to of [undefined, startMs, startMs - 2 * hourMs])
        for (const service of [undefined, 'pos', 'cohesion'])
          for (const endpoint_id of [undefined, 'a']) {
            const inPeriod = events.filter(
              (one) =>
                (service === undefined || one.service === service) &&
                (from === undefined || one.id >= firstIdAt('evt', from)) &&
                (to === undefined || one.id < firstIdAt('evt', to)),
            );
            const found = deliveries.filter(
              (one) =>
                inPeriod.some(({ id }) => id === one.event_id) && (endpoint_id === undefined || one.endpoint_id === endpoint_id),
            );
            const count = (status: string, reason?: string) =>
              found.filter((one) => one.status === status && (reason === undefined || one.reason === reason)).length;
            const expected = endpoint_id === undefined ? inPeriod.length * 2 : null;
            const because = ['endpoint_disabled', 'endpoint_deleted'].map(
              (reason) => [reason, count('skipped', reason)] as const,
            );
            expect(await readLedger(store, { from, to, service, endpoint_id })).toEqual({
              expected,
              filtered: expected === null ? null : inPeriod.length,
              awaiting_fan_out: inPeriod.filter(({ fanned_out_at }) => fanned_out_at === null).length,
              deliveries: { pending: count('pending'), delivered: 0, failed: count('failed'), skipped: count('skipped') },
              skipped_because: Object.fromEntries(because.filter(([, number]) => number > 0)),
              unaccounted: expected === null ? null : expected - found.length,
            });
          }
  });
});

test('a scrape of the metrics does not query the store', async () => {
  let statements = 0;
  const store = watched(new MemoryStore(), ({ table }) => void (table !== 'calls' && statements++));
  const clock = stillClock();
  const app = await buildTestApp({ store, clock, demo: false });
  await until(async () => {
    const before = statements;
    const { text } = await app.call('GET', '/metrics');
    expect(text).toContain('passerelle_deliveries_unaccounted 0');
    expect(text).toContain('passerelle_events_awaiting_fan_out 0');
    expect(statements).toBe(before);
  });
});

test('the ledger says which period it sums, and refuses one that is empty', async () => {
  const app = await buildTestApp({ demo: false });
  const asked = await app.manage('GET', '/ledger?from=2026-11-21T10:00:00%2B02:00&to=2026-11-22T00:00:00Z&endpoint_id=ep_1');
  expect(asked.body.data).toMatchObject({
    period: { from: '2026-11-21T08:00:00.000Z', to: '2026-11-22T00:00:00.000Z' },
    expected: null,
    unaccounted: null,
  });
  const empty = await app.manage('GET', '/ledger?from=2026-11-22T00:00:00Z&to=2026-11-21T00:00:00Z');
  expect([empty.status, empty.body.error.details[0].field]).toEqual([400, 'to']);
  expect(empty.body.error.details[0].message).toContain(
    '2026-11-21T00:00:00.000Z, which is not after its start (2026-11-22T00:00:00.000Z)',
  );
  expect((await app.manage('GET', '/ledger?from=yesterday')).status).toBe(400);
});
