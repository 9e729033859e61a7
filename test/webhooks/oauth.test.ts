import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { systemTimers, type Timers } from '../../gateway/base/clock.ts';
import { Keyring } from '../../gateway/base/keyring.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { StoreUnavailable } from '../../gateway/store/port.ts';
import type { OAuth2Client } from '../../gateway/store/tables/webhooks.ts';
import { sealCredentials } from '../../gateway/webhooks/endpoints/credentials.ts';
import { updateEndpoint } from '../../gateway/webhooks/endpoints/endpoints.ts';
import { resendDelivery, sendTestEvent } from '../../gateway/webhooks/operator/manual.ts';
import { createRecovery } from '../../gateway/webhooks/operator/recoveries.ts';
import type { Change } from '../../gateway/webhooks/outbox/change.ts';
import { type Harness, rules, settled, sold, startHarness, startMs, until } from './harness.ts';
import { issue, type TokenAnswer, tokenWorld } from './token-server.ts';
import { watched } from './watched-store.ts';

type World = Awaited<ReturnType<typeof tokenWorld>>;

const credentialsOf = ({ keys }: Pick<Harness, 'keys'>, oauth2: OAuth2Client) =>
  sealCredentials(keys, { headers: {}, basic: null, oauth2 });

const endpointAt = (harness: Harness, { shop, oauth2 }: Pick<World, 'shop' | 'oauth2'>, ordered = false) =>
  harness.endpoint({ url: shop.url, ordered, credentials: credentialsOf(harness, oauth2) });

const reasons = async (harness: Harness) => (await harness.attempts()).map(({ outcome }) => outcome);

test.each(['basic', 'body'] as const)(
  'a token of the token server goes with each request, asked for once (%s)',
  async (client_auth) => {
    const harness = startHarness();
    const world = await tokenWorld();
    await endpointAt(harness, { ...world, oauth2: { ...world.oauth2, client_auth, audience: 'https://shop.example' } });
    await harness.emit(undefined, { count: 20 });
    await settled(harness, 20, 'delivered');
    const [asked, ...others] = world.server.received;
    expect(others).toEqual([]);
    const form = Object.fromEntries(new URLSearchParams(asked?.body));
    const own = client_auth === 'body' ? { client_id: 'passerelle', client_secret: 'open: sesame/100%' } : {};
    expect(form).toEqual({ grant_type: 'client_credentials', scope: 'hooks', audience: 'https://shop.example', ...own });
    const pair = Buffer.from(asked?.headers.authorization?.split(' ')[1] ?? '', 'base64').toString();
    expect(pair).toBe(client_auth === 'basic' ? 'passerelle:open%3A+sesame%2F100%25' : '');
    expect(new Set(world.sent())).toEqual(new Set([expect.stringMatching(/^Bearer token-hooks-\d+$/)]));
    const [attempt] = await harness.attempts();
    expect(attempt?.request_headers.authorization).toBe('[redacted]');
    const rows = await harness.store.list('receiver_tokens');
    expect(JSON.stringify([rows, await harness.attempts()])).not.toContain('token-hooks');
  },
);

test('two processes share one token, and one of them replaces it before it expires', async () => {
  const shared = { store: new MemoryStore(), keys: new Keyring(randomBytes(32)) };
  const one = startHarness(shared);
  const other = startHarness({ ...shared, clock: one.clock });
  const world = await tokenWorld();
  await endpointAt(one, world);
  const burst = async (total: number) => {
    await Promise.all([one.emit(undefined, { count: 10 }), other.emit(undefined, { count: 10 })]);
    await settled(one, total, 'delivered');
  };
  await burst(20);
  await one.clock.advance(3_530_000);
  await burst(40);
  await one.clock.advance(20_000);
  await burst(60);
  expect(world.server.received).toHaveLength(2);
  expect(new Set(world.sent()).size).toBe(2);
});

test('a process that was suspended while it asked for a token does not send what ended meanwhile', async () => {
  let suspendedMs = 0;
  const timers: Timers = { ...systemTimers, elapsed: () => systemTimers.elapsed() + suspendedMs };
  const harness = startHarness({ timers });
  const world = await tokenWorld();
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  world.state.answer = (...asked) => void goesOn.then(() => issue()(...asked));
  await endpointAt(harness, world);
  await harness.emit();
  await until(() => expect(world.server.received).toHaveLength(1));
  await harness.store.update('deliveries', {}, { status: 'skipped', reason: 'endpoint_deleted', next_attempt_at: null });
  suspendedMs = 60_000;
  goOn();
  await until(async () => expect(await harness.store.list('receiver_tokens')).toHaveLength(1));
  await harness.webhooks.close();
  expect(world.shop.received).toEqual([]);
  expect(await harness.attempts()).toEqual([]);
});

test('a token that is about to expire is used while another process asks for the next one', async () => {
  const harness = startHarness();
  const world = await tokenWorld();
  await endpointAt(harness, world);
  await harness.emit();
  await settled(harness, 1, 'delivered');
  await harness.clock.advance(3_550_000);
  const { promise, resolve } = Promise.withResolvers<void>();
  const [{ endpoint_id = '' } = {}] = await harness.store.list('receiver_tokens');
  const away = harness.store.alone(`token ${endpoint_id}`, () => promise);
  await harness.emit();
  await settled(harness, 2, 'delivered');
  resolve();
  await away;
  expect([world.server.received.length, new Set(world.sent()).size]).toEqual([1, 1]);
});

test.each([false, true])('after a 401 there is one more request, with a new token (ordered: %s)', async (ordered) => {
  const harness = startHarness();
  const world = await tokenWorld();
  await endpointAt(harness, world, ordered);
  await harness.emit();
  await settled(harness, 1, 'delivered');
  const [revoked] = world.sent();
  world.state.accepts = (authorization) => authorization !== revoked;
  await harness.emit(undefined, { count: 5 });
  await settled(harness, 6, 'delivered');
  expect(world.server.received).toHaveLength(2);
  expect(await reasons(harness)).toEqual(Array(6).fill('success'));
  const again = async () => (await harness.attempts()).map(({ asked_again }) => asked_again);
  // Those in order after the first one have the new token already.
  expect((await again()).slice(0, 2)).toEqual([false, true]);

  world.state.accepts = () => false;
  const before = world.sent().length;
  await harness.emit();
  await until(async () => expect(await reasons(harness)).toEqual([...Array(6).fill('success'), 'status']));
  expect(world.sent().slice(before)).toHaveLength(2);
  expect(world.server.received).toHaveLength(3);
  expect((await again()).at(-1)).toBe(true);
});

const json =
  (body: unknown, status = 200): TokenAnswer =>
  (response) =>
    response.writeHead(status).end(JSON.stringify(body));

const failures: [string, TokenAnswer, string][] = [
  [
    'refuses the client',
    json({ error: 'invalid_client', error_description: 'not open: sesame/100%' }, 401),
    'answered 401 (invalid_client: not [redacted])',
  ],
  ['fails', (response) => response.writeHead(503).end('<h1>Sorry</h1>'), 'answered 503.'],
  [
    'redirects',
    (response) => response.writeHead(302, { location: '/token2' }).end(),
    'answered 302, a redirect. Redirects are not followed',
  ],
  ['closes', (response) => response.destroy(), 'did not answer'],
  ['does not end', (response) => response.write(' '), 'did not answer'],
  ['says too much', (response) => response.end(`{"access_token":"${'x'.repeat(20_000)}"}`), 'more than it may'],
  ['does not send JSON', (response) => response.end('access_token=x'), 'without a JSON object'],
  ['gives nothing', json({ token_type: 'bearer' }), 'without an access_token'],
  ['gives a header', json({ access_token: 'x\r\nX-Admin: 1', token_type: 'bearer' }), 'without an access_token'],
  ['gives another kind', json({ access_token: 'x', token_type: 'mac' }), 'of the type "mac"'],
];

test.each(failures)(
  'a token server that %s is not the fault of the receiver, which gets nothing',
  async (_what, answer, error) => {
    const harness = startHarness({ settings: { scheduleSeconds: [0, 3600], deadlineMs: 500 } });
    const world = await tokenWorld();
    world.state.answer = answer;
    const { id } = await endpointAt(harness, world);
    await harness.emit(undefined, { count: 30 });
    await until(async () => expect(await reasons(harness)).toEqual(Array(30).fill('token')));
    const [attempt] = await harness.attempts();
    expect(attempt?.error).toContain(error);
    expect(attempt).toMatchObject({ response_status: null, address: null, next_attempt_at: expect.any(Number) });
    expect(world.shop.received).toEqual([]);
    expect(world.server.received).toHaveLength(1);
    const healthy = { active: true, held_until: null, failing_since: null, failing_with: null };
    expect(await harness.store.get('endpoints', { id })).toMatchObject(healthy);
    expect(await harness.store.list('notices')).toEqual([]);

    world.state.answer = issue();
    await harness.clock.advance(3_700_000);
    await settled(harness, 30, 'delivered');
    expect(world.server.received).toHaveLength(2);
    expect(await harness.store.get('receiver_tokens', { endpoint_id: id })).toMatchObject({ failing_since: null, error: null });
  },
);

test.each(['resend', 'test', 'recovery'])('a %s by hand asks a token server that rests again', async (kind) => {
  const harness = startHarness({ settings: { scheduleSeconds: [0, 3600] } });
  const world = await tokenWorld();
  world.state.answer = json({}, 500);
  const { id } = await endpointAt(harness, world);
  await harness.emit();
  await until(async () => expect(await reasons(harness)).toEqual(['token']));
  await harness.emit();
  await until(async () => expect(await reasons(harness)).toEqual(['token', 'token']));
  expect(world.server.received).toHaveLength(1);
  world.state.answer = issue();
  const [{ id: delivery = '' } = {}] = await harness.deliveries();
  const byHand = {
    resend: (one: Change) => resendDelivery(one, delivery),
    test: (one: Change) => sendTestEvent(one, { endpointId: id, eventType: sold.type }, rules.catalogue),
    recovery: (one: Change) => createRecovery(one, { owner: 'operator', statuses: ['pending'], pace: 10 }),
  }[kind];
  await harness.change(async (one) => void (await byHand?.(one)));
  await settled(harness, kind === 'recovery' ? 2 : 1, 'delivered');
  expect(world.server.received).toHaveLength(2);
});

test('a store that is away is not the fault of a token server: the attempt is put off and not counted', async () => {
  const memory = new MemoryStore();
  const away = new Set(['receiver_tokens']);
  const store = watched(memory, ({ table }) => {
    if (away.delete(table)) throw new StoreUnavailable('broken by the test');
  });
  const harness = startHarness({ store });
  const world = await tokenWorld();
  await endpointAt(harness, world);
  await harness.emit();
  await until(async () => expect(await harness.deliveries({ next_attempt_at: startMs + 5000 })).toHaveLength(1));
  await harness.clock.advance(5000);
  const [delivery] = await settled(harness, 1, 'delivered');
  expect(delivery).toMatchObject({ attempts: 1, delays: { ms: expect.not.objectContaining({ hold: expect.anything() }) } });
  expect(await reasons(harness)).toEqual(['success']);
});

test('a token server that fails ends no token before its time, and one that was refused is not sent again', async () => {
  const harness = startHarness({ settings: { scheduleSeconds: [0, 3600] } });
  const world = await tokenWorld();
  await endpointAt(harness, world);
  await harness.emit();
  await settled(harness, 1, 'delivered');
  world.state.answer = json({}, 500);
  await harness.clock.advance(3_550_000);
  await harness.emit();
  await settled(harness, 2, 'delivered');
  expect(world.server.received).toHaveLength(2);

  world.state.accepts = () => false;
  await harness.clock.advance(5000);
  await harness.emit();
  await until(async () => expect(await reasons(harness)).toEqual(['success', 'success', 'token']));
  expect(world.sent()).toHaveLength(3);
  await harness.emit();
  await until(async () => expect(await reasons(harness)).toEqual(['success', 'success', 'token', 'token']));
  expect(world.sent()).toHaveLength(3);
});

test('the guard covers the token URL: when it is saved, and when its name is looked up', async () => {
  const harness = startHarness();
  const world = await tokenWorld();
  const at = (token_url: string) => endpointAt(harness, { ...world, oauth2: { ...world.oauth2, token_url } });
  for (const url of ['https://10.0.0.1/token', 'http://example.com/token', 'https://me:pw@example.com/', 'nowhere'])
    await expect(at(url), url).rejects.toMatchObject({ details: [{ field: 'credentials.oauth2.token_url' }] });
  await expect(at('https://10.0.0.1/token')).rejects.toMatchObject({
    details: [{ message: expect.stringContaining('at the token URL "https://10.0.0.1/token"') }],
  });
  // This machine's name, in the hosts file of every machine, is loopback, where only names that say so may be.
  await at('https://ip6-localhost/token');
  await harness.emit();
  await until(async () => expect(await reasons(harness)).toEqual(['token']));
  expect(world.shop.received).toEqual([]);
});

test('a token is for the client that it was asked for, and a secret stays with its token server', async () => {
  const harness = startHarness();
  const world = await tokenWorld();
  const { id } = await endpointAt(harness, world);
  await harness.emit();
  await settled(harness, 1, 'delivered');
  const change = (oauth2: object) =>
    harness.change((one) =>
      updateEndpoint(
        one,
        { id, credentials: { headers: {}, basic: null, oauth2: { ...world.oauth2, client_secret: null, ...oauth2 } } },
        rules,
      ),
    );
  await change({ scope: 'other' });
  expect(await harness.store.count('receiver_tokens')).toBe(0);
  await harness.emit();
  await settled(harness, 2, 'delivered');
  expect(world.sent()[1]).toContain('token-other');
  await expect(change({ token_url: 'https://example.com/token' })).rejects.toMatchObject({
    details: [{ field: 'credentials.oauth2.client_secret', rule: 'value_missing' }],
  });
});
