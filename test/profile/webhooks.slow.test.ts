import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Detail } from '../../gateway/base/errors.ts';
import { eventsOf } from '../../spec/openapi/operations.ts';
import { type Method, stillClock } from '../helper.ts';
import { until } from '../webhooks/harness.ts';
import { receiver } from '../webhooks/receiver.ts';
import { bodiesAt, deliveriesOf, openWorld, verified } from './webhook-world.ts';

const refusalOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code];

test('an endpoint counts once its receiver has accepted a signed test event', async () => {
  const { account, store, emit, to, at } = await openWorld();
  await store('STORE-A');
  const aya = await account('Aya', ['STORE-A']);
  const made = await aya.data('POST', '/endpoints', { url: at('/aya'), events: ['inventory.low'] });
  expect(made).toMatchObject({
    active: false,
    disabled_reason: 'unverified',
    service: 'pos',
    secret: expect.stringMatching(/^whsec_/),
  });

  await emit.stock('STORE-A', 'before');
  const outcome = await aya.data('POST', `/endpoints/${made.id}/verify`);
  expect(outcome).toMatchObject({
    verified: true,
    attempt: { outcome: 'success', response_status: 200, response_body: 'answer of /aya' },
    diagnosis: null,
    endpoint: { id: made.id, active: true, disabled_reason: null },
  });
  const again = await aya.call('POST', `/endpoints/${made.id}/verify`);
  expect(refusalOf(again)).toEqual([409, 'already_verified']);
  await emit.stock('STORE-A', 'after');

  const bodies = await until(() => {
    const arrived = bodiesAt(to, '/aya');
    expect(arrived).toHaveLength(2);
    return arrived;
  });
  const [tested, sent] = bodies.map((body) => JSON.parse(body));
  expect([tested.event, sent.event, sent.data.name]).toEqual(['inventory.low', 'inventory.low', 'after']);
  const signature = createHmac('sha256', made.secret)
    .update(bodies[0] as string)
    .digest('hex');
  expect(to.received[0]?.headers['x-service-signature']).toBe(`sha256=${signature}`);
  // No event of before is owed to it.
  await deliveriesOf(aya, 'status=delivered', 2);
  await deliveriesOf(aya, '', 2);
});

test('a receiver that refuses the test gets a diagnosis, and its endpoint stays as it is', async () => {
  const { account, at } = await openWorld();
  const aya = await account('Aya');
  const { id } = await aya.data('POST', '/endpoints', { url: at('/refuse') });
  const outcome = await aya.data('POST', `/endpoints/${id}/verify`, { language: 'php' });
  expect(outcome).toMatchObject({
    verified: false,
    says: expect.stringMatching(/answered 401.*\/profile\/v1\/deliveries\/dlv_.*\/diagnose/),
    attempt: { outcome: 'status', response_status: 401, number: 1, next_attempt_at: null },
    diagnosis: { genuine: true, attempt: 1 },
    endpoint: { active: false, disabled_reason: 'unverified' },
  });

  const found = await aya.data('POST', `/deliveries/${outcome.delivery_id}/diagnose`, {
    secret: 'whsec_b3RoZXI=',
    language: 'php',
  });
  expect(found.checked).toContainEqual(expect.objectContaining({ case: 'secret_foreign' }));
  const activated = await aya.call('PATCH', `/endpoints/${id}`, { active: true });
  expect(refusalOf(activated)).toEqual([409, 'illegal_move']);
});

test.each(['/gone', '/refuse'])('an endpoint at %s cannot be activated without a verification', async (path) => {
  const { account, at, gateway } = await openWorld();
  const aya = await account('Aya');
  const { id } = await aya.data('POST', '/endpoints', { url: at(path) });
  expect((await aya.data('POST', `/endpoints/${id}/verify`)).verified).toBe(false);
  await aya.call('POST', `/endpoints/${id}/test`, { event_type: 'sale.completed' });
  await gateway.settled();
  for (const [method, url, body] of [
    ['PATCH', `/endpoints/${id}`, { active: true }],
    ['PATCH', `/endpoints/${id}`, { active: true }],
  ] as const)
    expect(refusalOf(await aya.call(method, url, body))).toEqual([409, 'illegal_move']);
});

test('a failed verification or test is nothing that is owed: no recovery sends it to the receiver when it works', async () => {
  const { account, at, gateway } = await openWorld();
  const aya = await account('Aya');
  const { id } = await aya.data('POST', '/endpoints', { url: at('/refuse') });
  await aya.data('POST', `/endpoints/${id}/verify`);
  const own = await gateway.manage('POST', '/endpoints', { service: 'pos', url: at('/refuse') });
  await gateway.manage('POST', `/endpoints/${own.body.data.id}/test`, { event_type: 'sale.completed' });
  await gateway.settled();
  expect(await aya.data('GET', '/deliveries')).toMatchObject([{ status: 'failed', test: true }]);
  const all = { statuses: ['pending', 'failed', 'skipped'], dry_run: true };
  expect(await aya.data('POST', '/recoveries', all)).toMatchObject({ matching: 0 });
  const ofOperator = await gateway.manage('POST', '/recoveries', { ...all, endpoint_id: own.body.data.id });
  expect(ofOperator.body.data).toMatchObject({ matching: 0 });
});

test('a receiver that cannot be reached is named, with what went wrong', async () => {
  const { account } = await openWorld();
  const aya = await account('Aya');
  const { id } = await aya.data('POST', '/endpoints', { url: 'http://127.0.0.1:9/away' });
  expect(await aya.data('POST', `/endpoints/${id}/verify`)).toMatchObject({
    verified: false,
    says: expect.stringMatching(/could not be reached as it must be \([^)]*[^.]\)\. Mend/),
    attempt: { outcome: 'connect' },
  });
});

test.each([
  [410, /^The receiver answered 410 Gone.*needs an answer of 2xx/],
  [302, /^The receiver answered 302, a redirect.*2xx.*final address/],
])('a receiver that answers a verification with %d is told what it answered and what is needed', async (status, words) => {
  const to = await receiver((response) => response.writeHead(status, { location: '/elsewhere' }).end());
  const { account } = await openWorld();
  const aya = await account('Aya');
  const { id } = await aya.data('POST', '/endpoints', { url: to.url });
  const outcome = await aya.data('POST', `/endpoints/${id}/verify`);
  expect(outcome).toMatchObject({ verified: false, says: expect.stringMatching(words) });
  expect(outcome.says).not.toContain('could not be reached');
  expect(outcome.attempt.next_attempt_why).not.toContain('operator');
});

test('a second endpoint with the same URL and some of the same events is named when it is created', async () => {
  const { account, store, at } = await openWorld();
  await store('STORE-A');
  const [aya, ben] = [await account('Aya', ['STORE-A']), await account('Ben', ['STORE-A'])];
  const create = (partner: typeof aya, events: string[] | null) =>
    partner.data('POST', '/endpoints', { url: at('/same'), ...(events && { events }) });
  const first = await create(aya, ['sale.completed']);
  expect(first.same_url).toEqual([]);
  expect((await create(aya, ['inventory.low'])).same_url).toEqual([]);
  expect((await create(aya, ['sale.completed', 'inventory.low'])).same_url).toHaveLength(2);
  expect((await create(ben, null)).same_url).toEqual([]);
});

test('an owner has at most 5 recoveries that have not ended', async () => {
  const { account, gateway } = await openWorld();
  const [aya, ben] = [await account('Aya'), await account('Ben')];
  for (let count = 0; count < 5; count++) await aya.data('POST', '/recoveries', {});
  // A recovery of nothing ends at once.
  await gateway.store.update('recoveries', {}, { status: 'paused', ended_at: null });
  expect(refusalOf(await aya.call('POST', '/recoveries', {}))).toEqual([409, 'too_many_recoveries']);
  await ben.data('POST', '/recoveries', {});
  const [newest] = await aya.data('GET', '/recoveries');
  await aya.data('PATCH', `/recoveries/${newest.id}`, { status: 'canceled' });
  await aya.data('POST', '/recoveries', {});
});

test('an owner cannot resume what an operator disabled', async () => {
  const { account, at, gateway } = await openWorld();
  const aya = await account('Aya');
  const { id } = await verified(aya, at('/aya'));
  await gateway.manage('PATCH', `/endpoints/${id}`, { active: false });
  for (const change of [{ active: true }, { url: at('/other') }])
    expect(refusalOf(await aya.call('PATCH', `/endpoints/${id}`, change))).toEqual([409, 'illegal_move']);
  expect(refusalOf(await aya.call('PATCH', `/endpoints/${id}`, { active: true }))).toEqual([409, 'illegal_move']);
  const [sent] = await aya.data('GET', '/deliveries');
  for (const [path, body] of [
    [`/endpoints/${id}/verify`, undefined],
    [`/endpoints/${id}/test`, { event_type: 'sale.completed' }],
    [`/deliveries/${sent.id}/resend`, undefined],
  ] as const) {
    const { error } = (await aya.call('POST', path, body)).body;
    expect([error.message, error.details[0].message]).toEqual([
      expect.stringContaining('before an operator activates it'),
      'none',
    ]);
  }
  await gateway.manage('PATCH', `/endpoints/${id}`, { active: true });
  expect(await aya.data('GET', `/endpoints/${id}`)).toMatchObject({ active: true });
});

test('the owner and the service are never taken from a request', async () => {
  const { account, at } = await openWorld();
  const [aya, ben] = [await account('Aya'), await account('Ben')];
  for (const field of [{ owner: ben.owner }, { service: 'cohesion' }, { active: true }, { visible: null }]) {
    const reply = await aya.call('POST', '/endpoints', { url: at('/hook'), ...field });
    expect(reply.body.error.details[0]).toMatchObject({ field: Object.keys(field)[0], rule: 'unknown_field' });
  }
  for (const query of [`owner=${ben.owner}`, 'partner=Ben']) {
    expect((await aya.call('GET', `/deliveries?${query}`)).status).toBe(400);
    expect((await aya.call('GET', `/deliveries/count?${query}`)).status).toBe(400);
    expect((await aya.call('GET', `/deliveries/export?format=csv&${query}`)).status).toBe(400);
  }
  expect((await aya.call('POST', '/recoveries', { owner: ben.owner })).status).toBe(400);
});

test('deliveries are listed, filtered, searched, counted, exported, read and resent', async () => {
  const { account, store, emit, to, at, gateway } = await openWorld();
  for (const id of ['STORE-A', 'STORE-B']) await store(id);
  const [aya, ben] = [await account('Aya', ['STORE-A']), await account('Ben', ['STORE-B'])];
  const one = await verified(aya, at('/one'));
  await verified(aya, at('/two'));
  await verified(ben, at('/ben'));
  await emit.stock('STORE-A', 'Stock of Aya');
  await emit.stock('STORE-B', 'Stock of Ben');
  await gateway.settled();

  const listed = await deliveriesOf(aya, 'q=Stock', 2);
  expect(listed).toMatchObject([{ subject: 'STORE-A', subject_name: 'Boutique STORE-A', status: 'delivered' }, {}]);
  await deliveriesOf(aya, `endpoint_id=${one.id}`, 2);
  await deliveriesOf(aya, 'q=Ben', 0);
  await deliveriesOf(aya, 'event_type=payment.received', 0);
  for (const path of ['/deliveries?', '/deliveries/count?', '/deliveries/export?format=csv&', '/attempts/export?format=curl&']) {
    const { body } = await aya.call('GET', `${path}event_type=payment.recieved`);
    expect(body.error.details, path).toMatchObject([
      { field: 'event_type', message: expect.stringContaining('the nearest is payment.received') },
    ]);
  }
  await deliveriesOf(aya, 'status=failed', 0);
  expect(await aya.data('GET', '/deliveries/count?q=Stock')).toMatchObject({ count: 2, more: false });
  expect(await aya.data('GET', '/deliveries/count')).toMatchObject({ count: 4, more: false });
  const csv = (await aya.call('GET', '/deliveries/export?format=csv')).text.trim().split('\r\n');
  expect(csv).toHaveLength(5);
  expect((await aya.call('GET', '/attempts/export?format=curl')).text.match(/^curl/gm)).toHaveLength(4);

  const detail = await aya.data('GET', `/deliveries/${listed[0].id}`);
  expect(detail).toMatchObject({
    event: { type: 'inventory.low', payload: { data: { name: 'Stock of Aya' } } },
    attempts_made: [{ number: 1 }],
  });
  // How many endpoints matched, and whose call caused it, are not the partner's business.
  expect(Object.keys(detail.event).sort()).toEqual(['body', 'created_at', 'id', 'payload', 'service', 'subject', 'type']);
  const before = to.received.length;
  expect(await aya.data('POST', `/deliveries/${detail.id}/resend`)).toMatchObject({ status: 'pending', reason: 'resend' });
  await until(() => expect(to.received).toHaveLength(before + 1));
});

test('an event that left the perimeter before it was sent is not shown, found or compared', async () => {
  const { account, store, emit, at, gateway } = await openWorld();
  for (const id of ['STORE-A', 'STORE-B']) await store(id);
  const aya = await account('Aya', ['STORE-A', 'STORE-B']);
  const { id } = await verified(aya, at('/aya'));
  await emit.stock('STORE-B', 'sent in time');
  await gateway.settled();
  await aya.data('PATCH', `/endpoints/${id}`, { active: false });
  await emit.stock('STORE-B', 'never sent');
  const [hidden] = await deliveriesOf(aya, 'q=never', 1);
  await gateway.manage('PATCH', `/pos/accounts/${aya.owner.slice('account:'.length)}`, { store_ids: ['STORE-A'] });

  expect(await aya.data('GET', `/deliveries/${hidden.id}`)).toMatchObject({ event: null });
  expect((await aya.data('GET', '/deliveries')).find((one: { id: string }) => one.id === hidden.id)).toMatchObject({
    subject: null,
    subject_name: null,
  });
  await deliveriesOf(aya, 'q=never', 0);
  expect((await aya.data('GET', '/deliveries/count?q=never')).count).toBe(0);
  expect((await aya.call('GET', '/deliveries/export?format=csv&q=STORE-B')).text).not.toContain(hidden.id);
  expect((await aya.data('POST', '/recoveries', { statuses: ['skipped'], q: 'never', dry_run: true })).matching).toBe(0);
  const compared = await aya.call('POST', `/deliveries/${hidden.id}/diagnose`, { body: '{}', headers: {} });
  expect(compared.text).not.toMatch(/differ|body_other/);
  // The receiver has this one already.
  await deliveriesOf(aya, 'q=in%20time', 1);
});

test('the catalogue has the events of the owner’s API only', async () => {
  const { account, user } = await openWorld();
  const [aya, chief] = [await account('Aya'), await user('Chief')];
  const typesOf = async (partner: typeof aya) =>
    (await partner.data('GET', '/events/catalogue')).map(({ type }: { type: string }) => type);
  expect(await typesOf(aya)).toEqual(Object.keys(eventsOf('pos')));
  expect(await typesOf(chief)).toContain('intervention.validated');
  const [sale] = await aya.data('GET', '/events/catalogue');
  expect(sale).toMatchObject({ schema: { type: 'object' }, example: { store_id: 'STORE-ABJ-01' } });
});

test('sample receivers are given in each language, with this gateway’s header', async () => {
  const { account, user } = await openWorld({ settings: { WEBHOOK_SIGNATURE_HEADER: 'X-Acme-Sig' } });
  const [aya, chief] = [await account('Aya'), await user('Chief')];
  const spellings: Record<string, string> = {
    node: 'x-acme-sig',
    php: 'HTTP_X_ACME_SIG',
    python: 'x-acme-sig',
    go: 'X-Acme-Sig',
    java: 'X-Acme-Sig',
    csharp: 'X-Acme-Sig',
    ruby: 'x-acme-sig',
  };
  for (const [language, header] of Object.entries(spellings)) {
    const { status, text, headers } = await aya.call('GET', `/receivers/${language}`);
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text).toContain(header);
    expect(text).not.toMatch(/x.service.signature/i);
    expect(text).toMatch(/Events of the Point of Sale Integration API: sale\.completed, /);
  }
  expect((await chief.call('GET', '/receivers/go')).text).toMatch(
    /Events of the Social Cohesion Management API: intervention\.validated, /,
  );
  expect((await aya.call('GET', '/receivers/cobol')).status).toBe(400);
});

test('a token that may not read everything opens no webhooks, which tell of everything', async () => {
  const { user, withToken, at } = await openWorld();
  const chief = await user('Chief');
  await verified(chief, at('/chief'));
  const weak = await withToken(chief, { abilities: ['read:indicators', 'write:financements'] });
  for (const [method, path, body] of [
    ['GET', '/endpoints', undefined],
    ['GET', '/deliveries', undefined],
    ['POST', '/endpoints', { url: at('/thief') }],
  ] as const) {
    const reply = await weak.call(method, path, body);
    expect(refusalOf(reply)).toEqual([403, 'abilities_missing']);
    expect(reply.text).toContain('read:interventions, read:structures, read:stats');
  }
  expect((await weak.call('GET', '/events/catalogue')).status).toBe(200);
  const reading = await withToken(chief, {
    abilities: ['read:indicators', 'read:interventions', 'read:structures', 'read:stats'],
  });
  expect(await reading.data('GET', '/endpoints')).toHaveLength(1);
});

test('refusals name the paths of the profile, and none where its page shows them too', async () => {
  const { account, at } = await openWorld();
  const aya = await account('Aya');
  const { id } = await verified(aya, at('/aya'));
  await aya.data('PATCH', `/endpoints/${id}`, { active: false });
  const texts = await Promise.all(
    [
      aya.call('POST', `/endpoints/${id}/test`, { event_type: 'sale.completed' }),
      aya.call('POST', `/endpoints/${id}/test`, { event_type: 'sale.completed', data: 5 }),
    ].map(async (reply) => JSON.stringify((await reply).body.error)),
  );
  for (const text of texts) expect(text).toContain('/profile/v1/');
  for (const text of texts) expect(text).not.toContain('/manage/');
  for (const path of ['/endpoints/ep_1', '/deliveries/dlv_1', '/calls/call_1']) {
    const { message } = (await aya.call('GET', path)).body.error;
    expect(message).toMatch(/of yours\. Check the id/);
    expect(message).not.toMatch(/GET|_HOURS/);
  }
});

test('a field that is wrong is refused once, in plain words; an unknown filter is likened only to one that is near', async () => {
  const { account, at } = await openWorld();
  const aya = await account('Aya');
  const { id } = await verified(aya, at('/aya'));
  const problems = async (method: Method, path: string, body?: unknown) =>
    (await aya.call(method, path, body)).body.error.details.map(({ field, message }: Detail) => [field, message]);
  expect(await problems('POST', '/recoveries', { statuses: [] })).toEqual([
    ['statuses', expect.stringMatching(/^must name at least one status: pending, failed, skipped/)],
  ]);
  expect(await problems('POST', `/endpoints/${id}/rotate-secret`, { overlap_hours: -1 })).toEqual([
    ['overlap_hours', 'must be 0 or more'],
  ]);
  expect(await problems('POST', '/alerts/address/confirm', { secret_code: '' })).toEqual([['secret_code', 'must not be empty']]);
  expect(await problems('POST', '/alerts/address/confirm', { secret_code: ' ' })).toEqual([['secret_code', 'must not be blank']]);
  const [[, far]] = await problems('GET', '/deliveries?partner=Ben');
  expect(far).toMatch(/^is not a field of this request. Its fields: .*status/);
  const [[, near]] = await problems('GET', '/deliveries?statu=failed');
  expect(near).toBe('is not a field of this request; the nearest is status');
});

test('a partner sends at most 30 tests a minute', async () => {
  const { account } = await openWorld({ clock: stillClock() });
  const [aya, ben] = [await account('Aya'), await account('Ben')];
  for (let count = 0; count < 30; count++) expect((await aya.call('POST', '/endpoints/ep_1/verify')).status).toBe(404);
  expect((await aya.call('POST', '/endpoints/ep_1/verify')).status).toBe(429);
  expect((await aya.call('POST', '/endpoints/ep_1/test', { event_type: 'sale.completed' })).status).toBe(429);
  expect((await ben.call('POST', '/endpoints/ep_1/verify')).status).toBe(404);
});
