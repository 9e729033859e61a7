import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { announceProcess } from '../../gateway/manage/processes/presence.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { tellOutages } from '../../gateway/store/outage.ts';
import { type Store, StoreTooSlow, StoreUnavailable } from '../../gateway/store/port.ts';
import { buildTestApp, stillClock } from '../helper.ts';
import { receiver } from '../webhooks/receiver.ts';

const minuteMs = 60_000;

/** Each line as its message, and its fields that tell of an outage. */
function outageLog() {
  const clock = stillClock();
  const lines: Record<string, unknown>[] = [];
  const target = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const told = () => lines.splice(0).map(({ msg, during, seconds }) => ({ msg, during, seconds }));
  return { clock, told, ...tellOutages(target, () => clock.now()) };
}

function awayable(): { store: Store; away: { is: boolean } } {
  const away = { is: false };
  const store = new Proxy<Store>(new MemoryStore(), {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function' || name === 'close') return method;
      return (...args: unknown[]) => (away.is ? Promise.reject(new StoreUnavailable('away')) : method.apply(target, args));
    },
  });
  return { store, away };
}

test('an outage of ten minutes is a line when it begins, one a minute and one when it is over', async () => {
  const { clock, told, log, written } = outageLog();
  const { store, away } = awayable();
  const { call, manage, posToken } = await buildTestApp({ clock, store, logger: log });
  const to = await receiver((response) => response.writeHead(500).end());
  await manage('POST', '/endpoints', { service: 'pos', url: to.url });
  const presence = announceProcess({ store, clock, log, role: 'all', isMember: async () => true, end() {}, written });
  onTestFinished(async () => void (await presence.close()));
  const token = await posToken();
  const sell = () => call('POST', '/pos/api/sales', { token, body: {} });
  const toldBesideAlerts = () => told().flatMap(({ msg }) => (/^alert\./.test(String(msg)) ? [] : [msg]));
  const pass = async (minutes: number) => {
    for (let second = 0; second < minutes * 60; second += 5) {
      await clock.advance(5000);
      await sell();
    }
  };
  await pass(1);
  expect(told()).toEqual([]);
  away.is = true;
  await pass(10);
  expect(toldBesideAlerts()).toEqual(Array.from({ length: 10 }, () => 'store.away'));
  away.is = false;
  await pass(1);
  expect(toldBesideAlerts()).toEqual(['store.back']);
});

test('a line names its caller and how long the outage has lasted', async () => {
  const { clock, told, log, written } = outageLog();
  const fail = () => log.error({ err: new StoreUnavailable('away'), callId: 'call_1' }, 'store.unavailable');
  for (let failures = 0; failures < 3; failures++) fail();
  await clock.advance(minuteMs);
  log.warn({ err: new StoreUnavailable('away') }, 'attempts.wait_for_store');
  expect(told()).toEqual([
    { msg: 'store.away', during: 'store.unavailable', seconds: 0 },
    { msg: 'store.away', during: 'attempts.wait_for_store', seconds: 60 },
  ]);
  written();
  fail();
  written();
  expect(told(), 'a write between failures').toEqual([]);
  written();
  written();
  expect(told()).toEqual([{ msg: 'store.back', during: undefined, seconds: 60 }]);
  fail();
  expect(told()).toMatchObject([{ msg: 'store.away', seconds: 0 }]);
});

test('other lines are as they were, also those of a long query and of a locked row', () => {
  const { told, log } = outageLog();
  const locked = new StoreUnavailable('locked', { cause: Object.assign(new Error('lock timeout'), { code: '55P03' }) });
  for (const err of [new StoreTooSlow('slow'), locked, new Error('a defect')])
    for (let repeated = 0; repeated < 2; repeated++) log.error({ err }, 'fanout.failed');
  log.warn('gateway.stopping');
  expect(told().map(({ msg }) => msg)).toEqual([...Array.from({ length: 6 }, () => 'fanout.failed'), 'gateway.stopping']);
});
