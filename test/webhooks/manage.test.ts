import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { eventsOf } from '../../spec/openapi/operations.ts';
import { buildTestApp, sharedByTests, stillClock, type TestGateway } from '../helper.ts';
import { until } from './harness.ts';
import { receiver } from './receiver.ts';
import { verifyAsPublished } from './standard-webhooks.ts';

/** For calls that are refused. */
const refusing = sharedByTests((atEnd) => buildTestApp({ demo: false, atEnd }));

const create = async (app: TestGateway, body: object) => {
  const reply = await app.manage('POST', '/endpoints', body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body.data;
};

/** Closes a plan, which emits plan.closed. */
async function closeAPlan(app: TestGateway): Promise<void> {
  await app.manage('POST', '/cohesion/plans', { annee: 2031 });
  expect((await app.manage('POST', '/cohesion/plans/2031/close')).status).toBe(200);
}

test('an operator creates an endpoint, an event is delivered, and every step can be read', async () => {
  const app = await buildTestApp({ demo: false });
  const { url, received } = await receiver((response) => response.end('thanks'));
  const { id, secret } = await create(app, { service: 'cohesion', url });
  await closeAPlan(app);
  const delivery = await until(async () => {
    const [found] = (await app.manage('GET', `/deliveries?endpoint_id=${id}&status=delivered`)).body.data;
    expect(found).toMatchObject({ event_type: 'plan.closed', attempts: 1, reason: null, advice: null });
    return found;
  });

  const post = received[0] as (typeof received)[number];
  expect(verifyAsPublished(secret, post.body, post.headers)).toMatchObject({
    event: 'plan.closed',
    data: { annee: 2031 },
  });
  expect(post.headers['x-service-signature']).toBe(`sha256=${createHmac('sha256', secret).update(post.body).digest('hex')}`);

  const one = (await app.manage('GET', `/deliveries/${delivery.id}`)).body.data;
  expect(one).toMatchObject({
    url,
    event: { id: delivery.event_id, body: post.body, payload: JSON.parse(post.body), matched: 1 },
  });
  expect(one.attempts_made).toMatchObject([
    { number: 1, outcome: 'success', response_status: 200, response_body: 'thanks', address: '127.0.0.1' },
  ]);

  const event = (await app.manage('GET', `/events/${delivery.event_id}`)).body.data;
  expect(event).toMatchObject({ type: 'plan.closed', body: post.body, deliveries: [{ id: delivery.id }] });
  expect((await app.manage('GET', '/events?service=cohesion&type=plan.closed')).body).toMatchObject({
    data: [{ id: delivery.event_id }],
    next: null,
  });
  expect((await app.manage('GET', '/events?service=pos')).body.data).toEqual([]);
  expect((await app.manage('GET', '/ledger')).body.data).toEqual({
    period: { from: null, to: null },
    expected: 1,
    filtered: 0,
    awaiting_fan_out: 0,
    deliveries: { pending: 0, delivered: 1, failed: 0, skipped: 0 },
    skipped_because: {},
    unaccounted: 0,
  });
});

test('the secret is shown once, stored sealed, and redacted from the records', async () => {
  const app = await buildTestApp({ demo: false });
  const { id, secret } = await create(app, { service: 'pos', url: 'https://example.com/hook' });
  expect(secret).toMatch(/^whsec_/);
  const read = await app.manage('GET', `/endpoints/${id}`);
  const listed = await app.manage('GET', '/endpoints');
  const stored = await app.store.get('endpoints', { id });
  const calls = await app.manage('GET', '/calls');
  const recorded = await Promise.all(
    calls.body.data.map(async (call: { id: string }) => (await app.manage('GET', `/calls/${call.id}`)).body.data),
  );
  expect(recorded.some((call) => call.operation === 'createEndpoint')).toBe(true);
  for (const place of [read.body, listed.body, stored, recorded]) expect(JSON.stringify(place)).not.toContain(secret);
  expect(JSON.stringify(read.body)).not.toContain('sealed');
  expect(read.body.data.secrets).toMatchObject([{ expires_at: null }]);
});

test('rotation shows a new secret and keeps the old one for the overlap, or not at all if it leaked', async () => {
  const app = await buildTestApp({ demo: false });
  const { id, secret } = await create(app, { service: 'pos', url: 'https://example.com/hook' });
  const rotated = await app.manage('POST', `/endpoints/${id}/rotate-secret`, {});
  expect(rotated.status).toBe(200);
  expect(rotated.body.data.secret).not.toBe(secret);
  expect(rotated.body.data.secrets).toMatchObject([{ expires_at: null }, { expires_at: expect.any(String) }]);
  const [newest, old] = rotated.body.data.secrets;
  expect(Date.parse(old.expires_at) - Date.parse(newest.created_at)).toBe(24 * 3_600_000);
  const leaked = await app.manage('POST', `/endpoints/${id}/rotate-secret`, { overlap_hours: 0 });
  expect(leaked.body.data.secrets).toMatchObject([{ expires_at: null }]);
  expect((await app.store.get('endpoints', { id }))?.secrets).toHaveLength(1);
});

test('PATCH changes the given fields and leaves the others', async () => {
  const app = await buildTestApp({ demo: false });
  const { id } = await create(app, {
    service: 'pos',
    url: 'https://example.com/hook',
    events: ['sale.completed'],
    perimeter: ['store1'],
    description: 'tills',
  });
  const paused = await app.manage('PATCH', `/endpoints/${id}`, { active: false });
  expect(paused.body.data).toMatchObject({
    active: false,
    disabled_reason: 'operator',
    events: ['sale.completed'],
    perimeter: ['store1'],
    description: 'tills',
  });
  const changed = await app.manage('PATCH', `/endpoints/${id}`, {
    active: true,
    events: null,
    perimeter: ['store2', 'store2'],
    url: 'https://example.org/#x',
  });
  expect(changed.body.data).toMatchObject({
    active: true,
    disabled_reason: null,
    events: null,
    perimeter: ['store2'],
    url: 'https://example.org/',
  });
});

test('an endpoint has limits of its own, shows its health, and activating it again ends a hold', async () => {
  const app = await buildTestApp({ demo: false, clock: stillClock() });
  const nowMs = app.clock.now();
  const made = await create(app, { service: 'pos', url: 'https://example.com/hook' });
  const well = { state: 'ok', held_until: null, held_because: null, failing_since: null };
  expect(made).toMatchObject({ max_in_flight: null, max_per_second: null, retry_for_hours: null, ordered: false, health: well });
  const limits = { max_in_flight: 3, max_per_second: 0.5, retry_for_hours: 240, ordered: true };
  expect(await create(app, { service: 'pos', url: 'https://example.com/hook', ...limits })).toMatchObject(limits);
  const { id } = made;
  expect((await app.manage('PATCH', `/endpoints/${id}`, limits)).body.data).toMatchObject(limits);
  const patch = { max_per_second: null, ordered: false };
  expect((await app.manage('PATCH', `/endpoints/${id}`, patch)).body.data).toMatchObject({ ...patch, max_in_flight: 3 });

  const health = async (held_until: number | null) => {
    await app.store.update('endpoints', { id }, { held_until, held_because: 'failing', holds: 2, failing_since: 1000 });
    return (await app.manage('GET', `/endpoints/${id}`)).body.data.health;
  };
  const failing = { held_because: 'failing', failing_since: new Date(1000).toISOString() };
  expect(await health(nowMs - 1)).toMatchObject({ state: 'probing', ...failing });
  expect(await health(nowMs + 60_000)).toMatchObject({ state: 'held', held_until: expect.any(String), ...failing });
  for (const before of [true, false]) {
    await health(nowMs + 60_000);
    await app.manage('PATCH', `/endpoints/${id}`, { active: before });
    const { body } = await app.manage('PATCH', `/endpoints/${id}`, { active: true });
    expect(body.data).toMatchObject({ active: true, disabled_reason: null, health: well });
    expect(await app.store.get('endpoints', { id })).toMatchObject({ holds: 0 });
  }
});

test('a deleted endpoint is not listed, and deleting it again gives 404', async () => {
  const app = await buildTestApp({ demo: false });
  const { id } = await create(app, { service: 'pos', url: 'https://example.com/hook' });
  expect((await app.manage('DELETE', `/endpoints/${id}`)).body).toEqual({ data: { id, skipped: 0 } });
  expect((await app.manage('GET', '/endpoints')).body.data).toEqual([]);
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['DELETE', '', undefined],
    ['PATCH', '', { active: true }],
    ['POST', '/rotate-secret', {}],
  ] as const) {
    expect((await app.manage(method, `/endpoints/${id}${path}`, body)).status, method).toBe(404);
  }
});

test.each([
  [{}, 'service'],
  [{ service: 'other' }, 'service'],
  [{ url: undefined }, 'url'],
  [{ url: 'not a url' }, 'url'],
  [{ url: 'http://example.com/' }, 'url'],
  [{ url: 'https://10.0.0.1/' }, 'url'],
  [{ url: 'https://user:pass@example.com/' }, 'url'],
  [{ url: 'https://example.com/\u0000' }, 'url'],
  [{ url: `https://example.com/${'a'.repeat(2000)}` }, 'url'],
  [{ events: ['sale.completed', 'plan.closed'] }, 'events.1'],
  [{ events: [] }, 'events'],
  [{ events: 'sale.completed' }, 'events'],
  [{ perimeter: ['\ud800'] }, 'perimeter.0'],
  [{ description: '\u0007' }, 'description'],
  [{ active: 'yes' }, 'active'],
  [{ max_in_flight: 0 }, 'max_in_flight'],
  [{ max_in_flight: 1001 }, 'max_in_flight'],
  [{ max_per_second: 0 }, 'max_per_second'],
  [{ max_per_second: 10_001 }, 'max_per_second'],
  [{ retry_for_hours: 0 }, 'retry_for_hours'],
  [{ retry_for_hours: 241 }, 'retry_for_hours'],
  [{ retry_for_hours: 1.5 }, 'retry_for_hours'],
  [{ ordered: 1 }, 'ordered'],
  [{ secret: 'mine' }, 'secret'],
])('%j is refused with 400 and the field named', async (change, field) => {
  const app = refusing();
  const body = Object.keys(change).length === 0 ? {} : { service: 'pos', url: 'https://example.com/', ...change };
  const reply = await app.manage('POST', '/endpoints', body);
  expect(reply.status).toBe(400);
  expect(reply.body.error.details.map((detail: { field: string }) => detail.field)).toContain(field);
  expect(await app.store.count('endpoints')).toBe(0);
});

test('without the development setting, endpoints on this machine are rejected', async () => {
  const app = await buildTestApp({ demo: false, settings: { WEBHOOK_LOOPBACK: 'off' } });
  for (const url of ['http://localhost:9000/', 'https://127.0.0.1/', 'https://[::1]/', 'https://2130706433/']) {
    expect((await app.manage('POST', '/endpoints', { service: 'pos', url })).status, url).toBe(400);
  }
});

test('an empty PATCH, unknown ids and bad filters are refused', async () => {
  const app = await buildTestApp({ demo: false });
  const { id } = await create(app, { service: 'pos', url: 'https://example.com/hook' });
  expect((await app.manage('PATCH', `/endpoints/${id}`, {})).status).toBe(400);
  for (const path of ['/endpoints/nothing', '/events/nothing', '/deliveries/nothing', '/deliveries/%F0%9F%8C%8D'])
    expect((await app.manage('GET', path)).status, path).toBe(404);
  for (const path of [
    '/deliveries/%00',
    '/deliveries?event_id=%00',
    '/deliveries?status=lost',
    '/deliveries?limit=0',
    '/deliveries?other=1',
    '/events?service=x',
    '/endpoints?limit=101',
    '/ledger?x=1',
  ]) {
    expect((await app.manage('GET', path)).status, path).toBe(400);
  }
});

test('the catalogue has all documented events and four notices, each with a schema that matches its example', async () => {
  const app = await buildTestApp({ demo: false });
  const { data } = (await app.manage('GET', '/event-types')).body;
  const [pos, cohesion] = [Object.keys(eventsOf('pos')), Object.keys(eventsOf('cohesion'))];
  const notices = ['endpoint.disabled', 'endpoint.held', 'endpoint.recovered'];
  expect(data.map(({ type }: { type: string }) => type).sort()).toEqual([...pos, ...cohesion, ...notices].sort());
  for (const { schema, example } of data) expect(Object.keys(example).sort()).toEqual(Object.keys(schema.properties).sort());
  expect((await app.manage('GET', '/event-types?service=pos')).body.data).toHaveLength(pos.length);
});

test('metrics count attempts and deliveries', async () => {
  const app = await buildTestApp({ demo: false });
  const { url } = await receiver();
  await create(app, { service: 'cohesion', url });
  await closeAPlan(app);
  await until(async () => expect((await app.manage('GET', '/ledger')).body.data.deliveries.delivered).toBe(1));
  const { text } = await app.call('GET', '/metrics');
  expect(text).toContain('passerelle_deliveries_total{outcome="delivered"} 1');
  expect(text).toContain('passerelle_delivery_attempt_duration_seconds_count{outcome="success"} 1');
  expect(text).toContain('passerelle_deliveries_unaccounted 0');
});

test.each([
  ['file:///etc/passwd', /is a URL of file: and names no host/],
  ['mailto:example', /is a URL of mailto: and names no host/],
  ['mailto:a@example.com', /^The text is not a URL that can be called/],
  ['till:geheim@example.com/hook', /^(?!.*(till|geheim)).*without a user name and password/],
  ['https://till:ge/heim@example.com/hook', /^(?!.*(till|heim)).*without a user name and password/],
  ['localhost:3000/hook', /has no scheme. Write http:\/\/localhost:3000\/hook/],
  ['ftp://example.com/', /ftp:\/\/ is not https/],
  ['https://example.com:25/', /port 25 is for another service than a web server/],
])('the URL %s is refused at the creation and at a change, with what is wrong with it', async (url, message) => {
  const app = await buildTestApp({ demo: false });
  const { id } = (await app.manage('POST', '/endpoints', { service: 'pos', url: 'https://example.com/' })).body.data;
  for (const [method, path] of [
    ['POST', '/endpoints'],
    ['PATCH', `/endpoints/${id}`],
  ] as const) {
    const refused = await app.manage(method, path, method === 'POST' ? { service: 'pos', url } : { url });
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringMatching(message)]);
  }
});
