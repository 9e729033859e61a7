import { expect, test } from 'vitest';
import type { Started } from '../e2e/process.ts';
import { eventually } from '../eventually.ts';
import { receiver } from '../webhooks/receiver.ts';
import {
  connected,
  installation,
  onScale,
  openShop,
  register,
  saleReferences,
  shortDeadline,
  start,
  untilLedger,
} from './services.ts';

onScale('processes come and go', () => {
  test('SIGTERM in a fan-out to 5,000 endpoints: the process ends, and another one makes the rest, each delivery once', async () => {
    const shared = await installation();
    const [leaving, staying] = await Promise.all([start(shared), start(shared)]);
    const target = await receiver();
    const first = await register(leaving, `${target.url}/0`);
    const shop = await openShop(leaving);
    const client = await connected(shared);
    const copy = (table: string, key: string) =>
      client.query(
        `insert into passerelle.${table} select (jsonb_populate_record(one, jsonb_build_object($1::text, $2 || n, 'url', $3 || n))).*
        from passerelle.${table} one, generate_series(1, 4999) n`,
        [key, first, `${target.url}/`],
      );
    await copy('endpoints', 'id');
    await copy('subscriptions', 'endpoint_id');
    await shop.sell(leaving);
    // Between two of its transactions: its next one waits for this lock until the process has ended.
    await eventually(async () => {
      await client.query('begin');
      const { rows } = await client.query(`select fanout_after from passerelle.events where type = 'sale.completed' for update`);
      if (rows[0].fanout_after === null) await client.query('commit');
      expect(rows[0].fanout_after).not.toBeNull();
    });
    leaving.child.kill('SIGTERM');
    expect(await leaving.exited).toBe(0);
    expect((await client.query('select 1 from passerelle.deliveries')).rowCount).toBeLessThan(5000);
    await client.query('commit');

    await untilLedger(staying, { unaccounted: 0, awaiting_fan_out: 0, deliveries: { delivered: 5000, pending: 0 } });
    const { rows } = await client.query(
      'select count(distinct endpoint_id)::int as endpoints, count(*)::int as deliveries, sum(attempts)::int as attempts from passerelle.deliveries',
    );
    expect(rows).toEqual([{ endpoints: 5000, deliveries: 5000, attempts: 5000 }]);
    expect(new Set(target.received.map(({ path }) => path)).size).toBe(5000);
    expect(target.received).toHaveLength(5000);
  });

  test('gateways and workers stop, die and start while sales are made: every acknowledged one is delivered', async () => {
    const shared = await installation(shortDeadline);
    const gateways: Started[] = await Promise.all([start(shared, 'api'), start(shared, 'all')]);
    const workers: Started[] = [await start(shared, 'worker')];
    const target = await receiver();
    const [first] = gateways as [Started];
    await register(first, target.url);
    const shop = await openShop(first);
    const sold: string[] = [];
    let stopped = false;
    const sell = async (at: number) => {
      for (let sale = at; !stopped; sale++) {
        const through = gateways[sale % gateways.length] as Started;
        // A broken connection acknowledges nothing: the sale may be stored or not.
        const reply = await shop.sell(through).catch(() => undefined);
        if (reply?.status === 201) sold.push(reply.body.data.reference);
      }
    };
    const selling = Promise.all([sell(0), sell(1), sell(0), sell(1)]);
    const more = async (count: number) => {
      const before = sold.length;
      await eventually(() => expect(sold.length).toBeGreaterThan(before + count));
    };
    const replace = async (list: Started[], signal: NodeJS.Signals, role: 'all' | 'api' | 'worker') => {
      const old = list.shift() as Started;
      old.child.kill(signal);
      const code = await old.exited;
      if (signal === 'SIGTERM') expect(code).toBe(0);
      list.push(await start(shared, role));
    };
    await more(50);
    await replace(gateways, 'SIGTERM', 'api');
    await more(50);
    await replace(gateways, 'SIGKILL', 'all');
    await replace(workers, 'SIGKILL', 'worker');
    await more(50);
    await replace(gateways, 'SIGTERM', 'api');
    await replace(workers, 'SIGTERM', 'worker');
    await more(20);
    stopped = true;
    await selling;

    const missing = () => {
      const delivered = saleReferences(target.received);
      return sold.filter((reference) => !delivered.has(reference));
    };
    await eventually(() => expect(missing()).toEqual([]));
    await untilLedger(gateways[0] as Started, { unaccounted: 0, awaiting_fan_out: 0, deliveries: { pending: 0, failed: 0 } });
  });
});
