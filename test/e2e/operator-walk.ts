import { once } from 'node:events';
import { expect } from 'vitest';
import { manage, openShop, register, sellMany } from '../scale/services.ts';
import { receiverOn } from '../webhooks/receiver.ts';
import { type Reply, type Started, until } from './process.ts';

const dead = 200;
const waiting = 5;

/** Settings for the walk: dead letters without retries, and enough attempts in flight. */
export const walkSettings = {
  DEMO: 'off',
  WEBHOOK_LOOPBACK: 'on',
  WEBHOOK_RETRY_SECONDS: '0',
  WEBHOOK_CONCURRENCY: '500',
  WEBHOOK_ENDPOINT_CONCURRENCY: '500',
  // The first attempts must still be open when the last sale has been made.
  WEBHOOK_DEADLINE_MS: '120000',
  LOG_LEVEL: 'silent',
};

/** Returns the rows of all pages of a list. */
async function all(get: (path: string) => Promise<Reply>, path: string): Promise<Reply[]> {
  const rows: Reply[] = [];
  for (let cursor = ''; ; ) {
    const page = await get(`${path}&limit=100${cursor && `&cursor=${cursor}`}`);
    rows.push(...page.data);
    if (!page.next) return rows;
    cursor = page.next;
  }
}

/**
 * An incident, through the manage API only: a receiver hangs and dies with hundreds of deliveries in flight. The operator
 * finds the cause, and recovers the deliveries when the receiver is back.
 */
export async function operatorWalk(gateway: Started): Promise<void> {
  const get = async (path: string) => {
    const { status, body } = await manage(gateway, 'GET', path);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const post = async (path: string, body?: object) => (await manage(gateway, 'POST', path, body)).body.data;
  const ledger = async () => (await get('/ledger')).data;
  const kinds = async () => (await get(`/notices?endpoint_id=${endpoint_id}`)).data.map(({ kind }: Reply) => kind);

  // A receiver takes two hundred deliveries, answers none of them, and dies.
  const dying = await receiverOn(0, () => {});
  const endpoint_id = await register(gateway, dying.url);
  const health = async () => (await get(`/endpoints/${endpoint_id}`)).data.health;
  const shop = await openShop(gateway);
  const sell = async (times: number) => {
    expect(new Set(await sellMany(shop, [gateway], times))).toEqual(new Set([201]));
  };
  expect(await health()).toMatchObject({ state: 'ok', held_until: null });
  await sell(dead);
  await until(async () => dying.received.length === dead);
  dying.server.closeAllConnections();
  await once(dying.server.close(), 'close');

  // The operator sees a notice, the held endpoint, dead letters with their reason, and the parked deliveries.
  await until(async () => (await ledger()).deliveries.failed === dead);
  await sell(waiting);
  await until(async () => (await ledger()).deliveries.pending === waiting);
  expect(await ledger()).toMatchObject({ expected: dead + waiting, unaccounted: 0 });
  expect((await get(`/notices?endpoint_id=${endpoint_id}`)).data).toMatchObject([
    { kind: 'endpoint.held', endpoint_id, message: expect.any(String), advice: expect.any(String) },
  ]);
  expect(await health()).toMatchObject({ held_because: 'failing', failing_since: expect.any(String) });
  const letters = await all(get, `/deliveries?endpoint_id=${endpoint_id}&status=failed&reason=reset`);
  expect(letters).toHaveLength(dead);
  for (const { advice } of letters) expect(advice).toMatch(/connection was closed/);

  // The receiver is back. The operator resends one dead letter as a test, and then the parked deliveries are sent.
  const back = await receiverOn(Number(new URL(dying.url).port));
  await post(`/deliveries/${letters[0].id}/resend`);
  await until(async () => (await health()).state === 'ok');
  await until(async () => (await ledger()).deliveries.delivered === 1 + waiting);
  expect(await kinds()).toEqual(['endpoint.recovered', 'endpoint.held']);

  // A recovery resends the rest: the operator counts first, starts it, and waits until every result is known.
  const wanted = { endpoint_id, reason: 'reset', pace: 200 };
  const left = dead - 1;
  expect(await post('/recoveries', { ...wanted, dry_run: true })).toEqual({
    dry_run: true,
    matching: left,
    by_endpoint: [{ endpoint_id, count: left }],
    not_possible: 0,
  });
  expect(back.received).toHaveLength(1 + waiting);
  const { id, total } = await post('/recoveries', wanted);
  expect(total).toBe(left);
  const progress = await until(async () => {
    const { data } = await get(`/recoveries/${id}`);
    return data.status === 'done' && data.results.pending === 0 && data;
  });
  expect(progress).toMatchObject({ done: left, results: { queued: left, delivered: left, failed: 0, refused: 0 } });
  const items = await all(get, `/recoveries/${id}/items?result=delivered`);
  expect(items.map(({ delivery_id }) => delivery_id).sort()).toEqual(
    letters
      .slice(1)
      .map((letter) => letter.id)
      .sort(),
  );

  // Nothing is missing: each event arrived once with its own bytes, and the ledger balances.
  const bodies = ({ received }: Pick<typeof back, 'received'>) =>
    new Map(received.map(({ headers, body }) => [headers['webhook-id'], body]));
  expect(back.received).toHaveLength(dead + waiting);
  expect([...bodies(dying)].filter(([webhookId, body]) => bodies(back).get(webhookId) !== body)).toEqual([]);
  expect(await ledger()).toMatchObject({
    expected: dead + waiting,
    awaiting_fan_out: 0,
    deliveries: { delivered: dead + waiting, failed: 0, pending: 0, skipped: 0 },
    unaccounted: 0,
  });
  const metrics = await (await fetch(`${gateway.greeting.url}/metrics`)).text();
  expect(metrics).toMatch(/^passerelle_deliveries_unaccounted 0$/m);
}
