import type { ServerResponse } from 'node:http';
import { expect } from 'vitest';
import { freePort } from '../free-port.ts';
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
  // The first attempts must still be open when the last sale has been made, and the last one until the receiver is back.
  WEBHOOK_DEADLINE_MS: '120000',
  LOG_LEVEL: 'silent',
};

/** Returns the rows of all pages of a list. */
export async function allPages(get: (path: string) => Promise<Reply>, path: string): Promise<Reply[]> {
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

  // A receiver takes two hundred deliveries and one, answers none of them, and dies. One connection stays open: an endpoint
  // that is held gets no attempt beside it, so the deliveries below wait, however long the hold is.
  const open: ServerResponse[] = [];
  const dying = await receiverOn(await freePort(), (response) => void open.push(response));
  const endpoint_id = await register(gateway, dying.url, { max_in_flight: 500 });
  const health = async () => (await get(`/endpoints/${endpoint_id}`)).data.health;
  const shop = await openShop(gateway);
  const sell = async (times: number) => {
    expect(new Set(await sellMany(shop, [gateway], times))).toEqual(new Set([201]));
  };
  expect(await health()).toMatchObject({ state: 'ok', held_until: null });
  await sell(dead + 1);
  await until(async () => open.length === dead + 1);
  dying.server.close();
  for (const { socket } of open.slice(1)) socket?.destroy();

  // The operator sees a notice, the held endpoint, dead letters with their reason, and the parked deliveries.
  await until(async () => (await ledger()).deliveries.failed === dead);
  await sell(waiting);
  await until(async () => (await ledger()).deliveries.pending === 1 + waiting);
  expect(await ledger()).toMatchObject({ expected: dead + 1 + waiting, unaccounted: 0 });
  expect((await get(`/notices?endpoint_id=${endpoint_id}`)).data).toMatchObject([
    { kind: 'endpoint.held', endpoint_id, message: expect.any(String), advice: expect.any(String) },
  ]);
  expect(await health()).toMatchObject({ held_because: 'failing', failing_since: expect.any(String) });
  const letters = await allPages(get, `/deliveries?endpoint_id=${endpoint_id}&status=failed&reason=reset`);
  expect(letters).toHaveLength(dead);
  for (const { advice } of letters) expect(advice).toMatch(/connection was closed/);

  // The receiver is back. The operator resends one dead letter as a test, and then the parked deliveries are sent.
  const back = await receiverOn(Number(new URL(dying.url).port));
  open[0]?.writeHead(200, { connection: 'close' }).end('ok');
  await post(`/deliveries/${letters[0].id}/resend`);
  await until(async () => (await health()).state === 'ok');
  await until(async () => (await ledger()).deliveries.delivered === 2 + waiting);
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
  const items = await allPages(get, `/recoveries/${id}/items?result=delivered`);
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
  const [[answeredId], ...died] = [...bodies(dying)] as [[unknown, string], ...[unknown, string][]];
  expect(bodies(back).has(answeredId as string)).toBe(false);
  expect(died.filter(([webhookId, body]) => bodies(back).get(webhookId as string) !== body)).toEqual([]);
  expect(await ledger()).toMatchObject({
    expected: dead + 1 + waiting,
    awaiting_fan_out: 0,
    deliveries: { delivered: dead + 1 + waiting, failed: 0, pending: 0, skipped: 0 },
    unaccounted: 0,
  });
  const metrics = await (await fetch(`${gateway.greeting.url}/metrics`)).text();
  expect(metrics).toMatch(/^passerelle_deliveries_unaccounted 0$/m);
}
