import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { timeOfId } from '../../gateway/base/ids.ts';
import { newDataDir, type Started } from '../e2e/process.ts';
import { eventually } from '../eventually.ts';
import { patientReceiver, receiver } from '../webhooks/receiver.ts';
import {
  connected,
  type Environment,
  installation,
  jobsIn,
  ledgerOf,
  metricsOf,
  onScale,
  openShop,
  patient,
  register,
  saleReferences,
  sellMany,
  start,
} from './services.ts';

const hourSeconds = 3600;

/** The clock of a process, which Debian's faketime changes while it runs. Its timers are right: they are monotonic. */
function changingClock(offset: string) {
  const file = join(newDataDir({ empty: true }), 'offset');
  const set = (to: string) => writeFileSync(file, to);
  set(offset);
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  if (library === undefined) throw new Error('Install the Debian package faketime.');
  const environment: Environment = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  return { environment, set };
}

const readyz = async ({ greeting }: Started) => (await fetch(`${greeting.url}/readyz`)).text();

/** Every time that decides when something is sent, and when it was made, less the database's time in seconds. */
async function distances(shared: Environment): Promise<number[]> {
  const client = await connected(shared);
  const { rows } = await client.query(`
    select extract(epoch from clock_timestamp()) * 1000 as now, at from (
      select next_attempt_at as at from passerelle.deliveries union all select created_at from passerelle.deliveries
      union all select held_until from passerelle.endpoints union all select ended_at from passerelle.attempts) as times
    where at is not null`);
  const { rows: ids } = await client.query(`
    select extract(epoch from clock_timestamp()) * 1000 as now, id from passerelle.events`);
  const times = [...rows, ...ids.map(({ now, id }) => ({ now, at: timeOfId(id) }))];
  return times.map(({ now, at }) => Math.abs(at - now) / 1000);
}

onScale('a process whose clock differs by an hour', () => {
  test.each(['+1h', '-1h'])(
    '%s, set during attempts: what it schedules has the time of the database, and the others make it',
    async (offset) => {
      const shared = await installation(patient);
      const clock = changingClock('+0');
      const [api, doomed] = await Promise.all([start(shared, 'api'), start({ ...shared, ...clock.environment }, 'all')]);
      const { url, waiting } = await patientReceiver();
      const others = await receiver();
      await register(api, url, { ordered: true });
      await register(api, url);
      await register(api, others.url);
      const shop = await openShop(api);
      await sellMany(shop, [doomed], 10);
      // The ordered endpoint has one attempt at a time.
      await eventually(() => expect([waiting.length, others.received.length]).toEqual([11, 10]));
      clock.set(offset);
      await eventually(async () => expect(await readyz(doomed)).toContain(`"degraded":{"clock":`));
      for (const response of waiting.splice(0)) response.writeHead(503).end();
      const failedOnce = `select 1 from passerelle.deliveries where status = 'pending' and attempts = 1`;
      const client = await connected(shared);
      await eventually(async () => expect((await client.query(failedOnce)).rows).toHaveLength(11));
      await sellMany(shop, [doomed], 10);
      // Nobody makes them: it does not, and gives back those that it had taken.
      await eventually(async () => expect(await jobsIn(api, 'waiting')).toBeGreaterThanOrEqual(10));
      expect(others.received).toHaveLength(10);
      expect(Math.max(...(await distances(shared)))).toBeLessThan(hourSeconds / 2);

      doomed.child.kill('SIGKILL');
      await start(shared, 'worker');
      await eventually(async () => {
        for (const response of waiting.splice(0)) response.end('ok');
        expect((await ledgerOf(api)).deliveries).toMatchObject({ pending: 0, delivered: 60 });
      });
    },
  );

  test.each([
    ['+1h', hourSeconds, 'ahead of'],
    ['-1h', -hourSeconds, 'behind'],
  ])('%s, from its start: sends nothing and says so, until its clock is right', async (offset, skew, words) => {
    const shared = await installation();
    const clock = changingClock(offset);
    const [api, worker] = await Promise.all([start(shared, 'api'), start({ ...shared, ...clock.environment }, 'worker')]);
    const target = await receiver();
    await register(api, target.url);
    const shop = await openShop(api);
    await sellMany(shop, [api], 10);
    // Deliveries that are queued at the same time share a job.
    await eventually(async () => expect(await jobsIn(api, 'waiting')).toBeGreaterThan(0));
    expect((await ledgerOf(api)).deliveries.pending).toBe(10);
    const { notReady } = JSON.parse(await readyz(worker));
    const [, seconds, text] = /^The machine's clock is (\d+) s (.*)$/.exec(notReady.clock) ?? [];
    expect(text).toBe(`${words} the database's: no deliveries are made here until it differs by 30 s at most.`);
    // The database's time is read less exactly on a busy machine.
    const measured = [Number(seconds) * Math.sign(skew)];
    const metrics = await metricsOf(worker);
    measured.push(Number(/^passerelle_clock_skew_seconds (\S+)/m.exec(metrics)?.[1]));
    for (const one of measured) expect(Math.abs(one - skew)).toBeLessThan(60);
    expect(worker.output().stderr).toContain('clock.wrong');
    expect(target.received).toEqual([]);
    clock.set('+0');
    await eventually(() => expect(saleReferences(target.received)).toHaveProperty('size', 10));
    expect(await readyz(worker)).toBe('{"status":"ready"}');
    await eventually(() => expect(worker.output().stderr).toContain('clock.right'));
  });
});
