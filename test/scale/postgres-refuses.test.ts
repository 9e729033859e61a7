import { expect, test } from 'vitest';
import type { Started } from '../e2e/process.ts';
import { eventually } from '../eventually.ts';
import { mountSmallDisk, type SmallDisk } from '../small-disk.ts';
import { type Received, receiver } from '../webhooks/receiver.ts';
import { startPostgres } from './private-services.ts';
import {
  connected,
  installation,
  jobsIn,
  manage,
  onScale,
  openShop,
  patient,
  register,
  saleReferences,
  sellMany,
  shortDeadline,
  start,
  untilLedger,
} from './services.ts';

/** A receiver that answers 500 until `recover` is called. */
async function failingReceiver() {
  let status = 500;
  const { url, received } = await receiver((response) => response.writeHead(status).end());
  const recover = () => {
    status = 200;
  };
  return { url, received, recover };
}

async function readOnlySwitch(url: string): Promise<(state: 'on' | 'off') => Promise<void>> {
  const admin = await connected({ DATABASE_URL: url });
  await admin.query('set default_transaction_read_only = off');
  return async (state) => {
    await admin.query(`alter system set default_transaction_read_only = ${state}`);
    await admin.query('select pg_reload_conf()');
  };
}

async function deliveriesAt(gateway: Started, endpointId: string): Promise<{ status: string; attempts: number }[]> {
  return (await manage(gateway, 'GET', `/deliveries?endpoint_id=${endpointId}&limit=100`)).body.data;
}

/** Waits until `count` deliveries are delivered, and checks that every request the receiver got is in the ledger. */
async function expectAllRecorded(gateway: Started, endpointId: string, count: number, received: readonly Received[]) {
  await eventually(async () => {
    const deliveries = await deliveriesAt(gateway, endpointId);
    expect(deliveries.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => 'delivered'));
    expect(deliveries.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(received.length);
  });
}

onScale('PostgreSQL refuses to write', () => {
  test('a locked endpoint holds up no record; its health follows when it is free', async () => {
    const shared = await installation({ WEBHOOK_RETRY_SECONDS: '0,3600' });
    const [api] = await Promise.all([start(shared, 'api'), start(shared, 'worker'), start(shared, 'worker')]);
    const [healthy, failing] = [await receiver(), await failingReceiver()];
    const healthyId = await register(api, healthy.url);
    const failingId = await register(api, failing.url);
    const shop = await openShop(api);
    const client = await connected(shared);
    await client.query('begin');
    await client.query('select id from passerelle.endpoints where id = $1 for update', [failingId]);

    await Promise.all(Array.from({ length: 5 }, () => shop.sell(api)));
    await eventually(() => expect(failing.received.length).toBeGreaterThan(0));
    // These begin after an attempt at the locked endpoint.
    await Promise.all(Array.from({ length: 5 }, () => shop.sell(api)));
    await expectAllRecorded(api, healthyId, 10, healthy.received);
    await eventually(async () => {
      const attempts = (await deliveriesAt(api, failingId)).map((one) => one.attempts);
      expect(attempts).toEqual(Array.from({ length: 10 }, () => 1));
    });
    const failingSince = async () => (await manage(api, 'GET', `/endpoints/${failingId}`)).body.data.health.failing_since;
    expect(await failingSince()).toBeNull();

    await client.query('rollback');
    await eventually(async () => expect(await failingSince()).not.toBeNull());
  });

  test('a locked delivery holds up only itself', async () => {
    const shared = await installation(patient);
    const [api] = await Promise.all([start(shared, 'api'), start(shared, 'worker')]);
    const waiting: (() => void)[] = [];
    const target = await receiver((response) => void waiting.push(() => response.end('ok')));
    const endpointId = await register(api, target.url);
    const shop = await openShop(api);
    await Promise.all(Array.from({ length: 5 }, () => shop.sell(api)));
    await eventually(() => expect(waiting).toHaveLength(5));
    const client = await connected(shared);
    await client.query('begin');
    await client.query('select id from passerelle.deliveries order by id limit 1 for update');
    for (const answer of waiting) answer();
    await eventually(async () => {
      const statuses = (await deliveriesAt(api, endpointId)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual(['delivered', 'delivered', 'delivered', 'delivered', 'pending']);
    });
    await client.query('rollback');
    await expectAllRecorded(api, endpointId, 5, target.received);
  });

  test('read-only, as after a failover: calls get 503, and no attempt is lost from the ledger', async () => {
    const postgres = await startPostgres();
    const shared = await installation({ DATABASE_URL: postgres.url });
    const [api] = await Promise.all([start(shared, 'api'), start(shared, 'worker'), start(shared, 'worker')]);
    const target = await failingReceiver();
    const endpointId = await register(api, target.url);
    const shop = await openShop(api);
    const setReadOnly = await readOnlySwitch(postgres.url);
    let acknowledged = 0;
    const sell = async () => {
      const reply = await shop.sell(api);
      if (reply.status === 201) acknowledged++;
      return reply;
    };
    while (acknowledged < 8) await sell();

    await setReadOnly('on');
    await eventually(async () => {
      const { status, headers } = await sell();
      expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    });
    const { status, body } = await manage(api, 'GET', '/deliveries?limit=100');
    expect([status, body.data.length]).toEqual([200, acknowledged]);
    expect((await fetch(`${api.greeting.url}/readyz`)).status).toBe(503);
    // Each delivery is due every second. Each worker makes the attempts that were under way, and no others.
    const before = receiptsPerEvent(target.received);
    const beganMs = performance.now();
    await eventually(() => expect(performance.now() - beganMs).toBeGreaterThan(6000));
    for (const [event, count] of receiptsPerEvent(target.received))
      expect(count - (before.get(event) ?? 0)).toBeLessThanOrEqual(2);

    target.recover();
    await setReadOnly('off');
    await expectAllRecorded(api, endpointId, acknowledged, target.received);
    expect((await shop.sell(api)).status).toBe(201);
  });

  test('read-only for longer than a lease: a worker that has noticed nothing does not repeat what waits for its record', async () => {
    const postgres = await startPostgres();
    const shared = await installation({ DATABASE_URL: postgres.url, WEBHOOK_DEADLINE_MS: '6000' });
    // The one has room for half of the jobs, so that the idle one gets the others.
    const workers = [start({ ...shared, WEBHOOK_CONCURRENCY: '5' }, 'worker'), start(shared, 'worker')] as const;
    const [api, , idle] = await Promise.all([start(shared, 'api'), ...workers]);
    const waiting: (() => void)[] = [];
    let isWaiting = true;
    const target = await receiver((response) => {
      const answer = () => response.end('ok');
      if (isWaiting) waiting.push(answer);
      else answer();
    });
    const endpointId = await register(api, target.url);
    const shop = await openShop(api);
    const setReadOnly = await readOnlySwitch(postgres.url);
    // It takes none of these.
    idle.child.kill('SIGSTOP');
    await sellMany(shop, [api], 10);
    // Each attempt has left its job, and has another one for the case that its process dies.
    await eventually(async () =>
      expect([await jobsIn(api, 'active'), await jobsIn(api, 'delayed'), waiting.length]).toEqual([0, 10, 10]),
    );
    await setReadOnly('on');
    isWaiting = false;
    for (const answer of waiting) answer();
    idle.child.kill('SIGCONT');
    await eventually(async () => expect(await jobsIn(api, 'delayed')).toBe(0));
    await setReadOnly('off');
    await expectAllRecorded(api, endpointId, 10, target.received);
    const client = await connected({ DATABASE_URL: postgres.url });
    expect((await client.query(`select 1 from passerelle.attempts where outcome = 'success'`)).rowCount).toBe(10);
  });
});

onScale('PostgreSQL’s disk is full', () => {
  test.for([
    ['data', ({ folder }: SmallDisk) => ({ dataIn: folder })],
    ['log, so that it ends by itself', ({ folder }: SmallDisk) => ({ logIn: folder })],
  ] as const)('that of its %s: calls get 503, and all goes on when there is space', async ([what, on], context) => {
    const disk = mountSmallDisk(96);
    if (!disk) return context.skip('a tmpfs cannot be mounted here');
    const postgres = await startPostgres(on(disk));
    const shared = await installation({ DATABASE_URL: postgres.url, ...shortDeadline });
    const [api, worker] = await Promise.all([start(shared, 'api'), start(shared, 'worker')]);
    const target = await receiver();
    await register(api, target.url);
    const shop = await openShop(api);
    const sold: string[] = [];
    const sell = async () => {
      const { status, headers, body } = await shop.sell(api);
      if (status === 201) sold.push(body.data.reference);
      else expect([status, headers.get('retry-after')]).toEqual([503, '5']);
      return status;
    };
    await sell();
    disk.fill();
    if (what !== 'data') {
      // Sales would take long to fill the rest of the log.
      const client = await connected({ DATABASE_URL: postgres.url });
      const fill = () => client.query(`select pg_logical_emit_message(false, '', repeat('-', 1000000))`);
      await eventually(() => expect(fill()).rejects.toThrow());
    }
    await eventually(async () => expect(await sell()).toBe(503));
    disk.free();
    if (what !== 'data') await postgres.start();
    await eventually(async () => expect(await sell()).toBe(201));
    await untilLedger(api, { unaccounted: 0, deliveries: { pending: 0 } });
    const delivered = saleReferences(target.received);
    expect(sold.filter((reference) => !delivered.has(reference))).toEqual([]);
    for (const { child } of [api, worker]) expect(child.exitCode).toBeNull();
  });
});

function receiptsPerEvent(received: readonly Received[]): Map<unknown, number> {
  const counts = new Map<unknown, number>();
  for (const { headers } of received) counts.set(headers['webhook-id'], (counts.get(headers['webhook-id']) ?? 0) + 1);
  return counts;
}
