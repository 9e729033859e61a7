import pg from 'pg';
import { expect, test } from 'vitest';
import { type Started, until } from '../e2e/process.ts';
import { eventually } from '../eventually.ts';
import { networkTo } from './network.ts';
import { type Service, startPostgres, startStandby } from './private-services.ts';
import { onScale, type Shop, saleReferences, startTwo, untilLedger } from './services.ts';

const run = async (server: Service, statement: string) => {
  const client = new pg.Client(server.url);
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
};

/** Sells until `count` sales are acknowledged, through all gateways in turn. Returns their references. */
async function sellUntil(shop: Shop, gateways: Started[], count: number): Promise<string[]> {
  const sold: string[] = [];
  for (let at = 0; sold.length < count; at++) {
    const reply = await shop.sell(gateways[at % gateways.length] as Started);
    if (reply.status === 201) sold.push(reply.body.data.reference);
    else expect(reply.status).toBe(503);
  }
  return sold;
}

async function startPair({ synchronous }: { synchronous: boolean }) {
  const primary = await startPostgres();
  const network = await networkTo(primary.url);
  const standby = await startStandby(network.url);
  if (synchronous) {
    await run(primary, "alter system set synchronous_standby_names = '*'");
    await run(primary, 'select pg_reload_conf()');
    await until(async () => (await run(primary, 'select sync_state from pg_stat_replication'))[0]?.sync_state === 'sync');
  }
  const { host } = new URL(standby.url);
  // The standby first: a start must find the primary.
  const { host: primaryHost } = new URL(primary.url);
  const DATABASE_URL = `${standby.url.replace(host, `${host},${primaryHost}`)}?target_session_attrs=read-write`;
  const { gateways, first, target, shop } = await startTwo({ DATABASE_URL });
  const sell = (count: number) => sellUntil(shop, gateways, count);
  /** The sales that the store has. */
  const stored = async () => (await run(standby, 'select reference from passerelle.sales')).map((row) => row.reference as string);
  return { primary, standby, network, first, target, sell, stored };
}

onScale('PostgreSQL fails over to a standby', () => {
  test('with synchronous replication nothing acknowledged is lost, and all of it is delivered', async () => {
    const { primary, standby, first, target, sell, stored } = await startPair({ synchronous: true });
    const before = await sell(30);
    const selling = sell(30);
    await primary.kill();
    await standby.promote();
    const sold = [...before, ...(await selling), ...(await sell(10))];
    expect(await stored()).toEqual(expect.arrayContaining(sold));
    await eventually(() => expect([...saleReferences(target.received)]).toEqual(expect.arrayContaining(sold)));
    await untilLedger(first, { deliveries: { pending: 0 } });
  });

  test('with asynchronous replication the last writes are lost, and what follows is delivered and comes last', async () => {
    const { primary, standby, network, first, target, sell, stored } = await startPair({ synchronous: false });
    const kept = await sell(10);
    const at = (await run(primary, 'select pg_current_wal_lsn() as at'))[0]?.at;
    await until(async () => (await run(standby, `select pg_last_wal_replay_lsn() >= '${at}' as has`))[0]?.has === true);
    network.suffers({ answers: { held: true } });
    await sell(20);
    const lastSeen = Number((await run(primary, 'select max(position) as last from passerelle.events'))[0]?.last);
    await primary.kill();
    await standby.promote();
    const after = await sell(10);
    expect(new Set(await stored())).toEqual(new Set([...kept, ...after]));
    // A reader of events that has read the lost ones gets the new ones.
    const references = after.map((one) => `'${one}'`).join();
    const inBody = `body::jsonb #>> '{data,reference}' in (${references})`;
    const positions = await run(standby, `select position from passerelle.events where ${inBody}`);
    expect(positions.length).toBeGreaterThanOrEqual(10);
    for (const { position } of positions) expect(Number(position)).toBeGreaterThan(lastSeen);
    await eventually(() => expect([...saleReferences(target.received)]).toEqual(expect.arrayContaining([...kept, ...after])));
    await untilLedger(first, { deliveries: { pending: 0 } });
  });
});
