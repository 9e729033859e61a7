import { expect, test } from 'vitest';
import { buildTestApp } from '../helper.ts';
import { receiver } from '../webhooks/receiver.ts';

test('a call leads to the events that it caused, and an event to its call', async () => {
  const app = await buildTestApp({ demo: false });
  await app.manage('POST', '/cohesion/plans', { annee: 2031 });
  const closing = await app.manage('POST', '/cohesion/plans/2031/close');
  const id = String(closing.headers['x-request-id']);
  await app.settled();
  const { data } = (await app.manage('GET', `/events?caused_by=${id}`)).body;
  expect(data).toMatchObject([{ type: 'plan.closed', caused_by: id }]);
  expect((await app.manage('GET', `/events/${data[0].id}`)).body.data.caused_by).toBe(id);
  expect((await app.manage('GET', `/calls/${id}`)).body.data).toMatchObject({ operation: 'closePlan', caller: 'operator' });
  expect((await app.manage('GET', `/events?caused_by=call_${'0'.repeat(32)}`)).body.data).toEqual([]);
});

test('the list of deliveries, a delivery and its endpoint say why something has not arrived', async () => {
  const { url } = await receiver((response) => response.writeHead(500).end());
  const app = await buildTestApp({ demo: false });
  const endpoint = (await app.manage('POST', '/endpoints', { service: 'cohesion', url })).body.data.id;
  await app.manage('POST', '/cohesion/plans', { annee: 2031 });
  await app.manage('POST', '/cohesion/plans/2031/close');
  await app.settled();
  const [{ id }] = (await app.manage('GET', `/deliveries?endpoint_id=${endpoint}`)).body.data;
  const read = async () => (await app.manage('GET', `/deliveries/${id}`)).body.data;
  const { cause: told } = await read();
  const { host } = new URL(url);
  expect(told).toMatchObject({ case: 'retry', values: { host, failure: 500, failed: 1 } });
  expect(told.text).toMatch(/^127.*:\d+ has answered 500 \(1 of 1\)\. Next try at .* UTC\.$/);

  // Its circuit opens.
  const failing = {
    failing_since: Date.UTC(2026, 10, 24, 4, 10, 38),
    failing_with: { failure: 500, mixed: false, attempts: 16 },
  };
  const held_until = Date.UTC(2126, 10, 24);
  await app.store.update('endpoints', { id: endpoint }, { ...failing, held_until, held_because: 'failing' });
  const text = `${host} has answered 500 since 2026-11-24 04:10:38 UTC (16 of 16). 1 delivery waits. Next try at 2126-11-24 00:00:00 UTC.`;
  const cause = { case: 'held', text, values: { failure: 500, waiting: 1 } };
  expect(await read()).toMatchObject({
    cause,
    advice: 'The receiver answered 500. The recorded response may say why.',
  });
  expect((await app.manage('GET', `/endpoints/${endpoint}`)).body.data.cause).toMatchObject(cause);
  // A list counts nothing.
  expect((await app.manage('GET', `/deliveries?endpoint_id=${endpoint}`)).body.data).toMatchObject([
    { url, cause: { case: 'held', text: text.replace(' 1 delivery waits.', ''), values: { waiting: null } } },
  ]);

  await app.store.update('deliveries', { id }, { status: 'skipped', reason: 'endpoint_disabled', next_attempt_at: null });
  expect((await read()).cause.text).toBe(`${host} was paused or disabled when the delivery was due, so it was skipped.`);
});
