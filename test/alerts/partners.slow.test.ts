import { expect, test } from 'vitest';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { eventually } from '../eventually.ts';
import { makeAccount, makeLink, makeToken, makeUser, refusalOf, signedIn } from '../profile/harness.ts';
import { sharedPglite } from '../shared-pglite.ts';
import { receiver } from '../webhooks/receiver.ts';
import { issue, tokenWorld } from '../webhooks/token-server.ts';
import { watched } from '../webhooks/watched-store.ts';
import { type Alerted, alertedGateway, emailChannel } from './harness.ts';
import { mailServer } from './mail-server.ts';

const pglite = sharedPglite();
const tiers = [
  ['memory', async () => new MemoryStore()],
  ['embedded', pglite],
] as const;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** A gateway whose e-mail channel also serves partners. Operators' own rules are off, so that every mail is a partner's. */
async function openPartners(options: Parameters<typeof alertedGateway>[0] = {}): Promise<Alerted> {
  const gateway = await alertedGateway(options);
  for (const rule of ['endpoint_held', 'endpoint_failing', 'dead_letters'])
    await gateway.manage('PUT', `/alerts/rules/${rule}`, { enabled: false });
  const marked = await gateway.manage('PATCH', `/alerts/channels/${gateway.channels.email}`, { for_partners: true });
  expect(marked.body.data.for_partners, marked.text).toBe(true);
  return gateway;
}

/** A verified endpoint whose receiver answers with `answer.status`. */
async function ownEndpoint(gateway: Alerted, call: Awaited<ReturnType<typeof signedIn>>, fields: object = {}) {
  const answer = { status: 200 };
  const to = await receiver((response) => response.writeHead(answer.status).end());
  const made = await call('POST', '/endpoints', { url: to.url, ...fields });
  expect(made.status, made.text).toBe(201);
  const { id } = made.body.data;
  const verified = await call('POST', `/endpoints/${id}/verify`);
  expect(verified.body.data.verified, verified.text).toBe(true);
  const test = async () => {
    const { body } = await call('GET', '/events/catalogue');
    await call('POST', `/endpoints/${id}/test`, { event_type: body.data[0].type });
    await gateway.settled();
  };
  return { id: id as string, answer, to, test };
}

const codeIn = (body: string) => /\b([2-9A-HJKMNP-Z]{8})\b/.exec(body)?.[1] ?? 'none';

/** Adds an address and confirms it with the code that its mail has. */
async function confirmedAddress(gateway: Alerted, call: Awaited<ReturnType<typeof signedIn>>, address: string): Promise<string> {
  const added = await call('POST', '/alerts/addresses', { address });
  expect(added.status, added.text).toBe(201);
  const { id } = added.body.data;
  const secret_code = codeIn(gateway.mails.at(-1)?.body ?? '');
  const confirmed = await call('POST', `/alerts/addresses/${id}/confirm`, { secret_code });
  expect(confirmed.status, confirmed.text).toBe(200);
  gateway.mails.length = 0;
  return id;
}

/** An account with a session. It has no address. */
async function withAccount(gateway: Alerted, fields: object = {}) {
  const account = await makeAccount(gateway, fields);
  return { gateway, account, call: await signedIn(gateway, account.keys) };
}

/** A gateway and a user with a session, who has an own address. */
async function openUser(options?: Parameters<typeof openPartners>[0], token: object = {}) {
  const gateway = await openPartners(options);
  const user = await makeUser(gateway, token);
  return { gateway, user, call: await signedIn(gateway, { token: user.token }) };
}

const openAccount = async (options?: Parameters<typeof openPartners>[0], fields: object = {}) =>
  withAccount(await openPartners(options), fields);

/** Text of the time `ms` from now. */
const inMs = ({ clock }: Alerted, ms: number) => new Date(clock.now() + ms).toISOString();

const rounds = async (gateway: Alerted, count: number) => {
  for (let round = 0; round < count; round++) await gateway.rounds(() => {});
};

test.each(tiers)('%s: a user is told that an endpoint is held and that it recovers, at the own address', async (_, openStore) => {
  const { gateway, user, call } = await openUser({ store: await openStore() });
  const { id, answer, test: send } = await ownEndpoint(gateway, call, { description: 'Caisse' });
  answer.status = 503;
  await send();
  await rounds(gateway, 2);
  expect(gateway.mails).toEqual([]);
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  const [mail] = gateway.mails;
  expect(mail?.to).toEqual([(await call('GET', '/me')).body.data.user.email]);
  expect(mail?.from).toBe('gateway@example.org');
  expect(mail?.subject).toMatch(
    /^\[Passerelle\] Your endpoint “Caisse” at 127\.0\.0\.1:\d+ has answered 503 since .* UTC \(\d+ of \d+\)\./,
  );
  expect(mail?.body).toContain(`https://gateway.example.org/profile/endpoints/${id}`);
  expect(mail?.body).toContain('https://gateway.example.org/profile/alerts');
  expect(mail?.body).not.toContain('/hook');

  answer.status = 200;
  await gateway.rounds(async () => {
    await send();
    expect(gateway.mails).toHaveLength(2);
  }, minuteMs);
  expect(gateway.mails[1]?.subject).toMatch(/ receives again since 2026-.* UTC, after \d+ (s|min)\.$/);

  // A message is recorded after its server has answered.
  await eventually(async () =>
    expect((await call('GET', '/alerts/messages')).body.data).toMatchObject([
      {
        alert: 'own_endpoint_held',
        subject: id,
        state: 'resolved',
        messages: [
          { kind: 'opened', status: 'sent', attempts: 1, answer: expect.stringMatching(/^250 /), address: mail?.to[0] },
          { kind: 'resolved', status: 'sent' },
        ],
      },
    ]),
  );
  // The operator sees whom it was told.
  const seen = (await gateway.manage('GET', `/alerts?owner=user:${user.id}`)).body.data;
  expect(seen).toMatchObject([{ owner: { id: `user:${user.id}`, name: user.name }, messages: [{ channel: mail?.to[0] }, {}] }]);
});

test('a partner is told once that a token server gives no token, and that its endpoint receives again', async () => {
  const { gateway, call } = await openUser();
  const { id, to, test: send } = await ownEndpoint(gateway, call);
  const { state, oauth2 } = await tokenWorld();
  state.answer = (response) => response.writeHead(500).end();
  expect((await call('PATCH', `/endpoints/${id}`, { credentials: { oauth2 } })).status).toBe(200);
  const before = to.received.length;
  await send();
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  await send();
  await rounds(gateway, 3);
  expect(gateway.mails.map(({ subject }) => subject)).toEqual([
    expect.stringMatching(
      /\] The token server of your endpoint .* has given no access token since .* UTC, so nothing is sent\. Its deliv/,
    ),
  ]);
  expect(to.received).toHaveLength(before);
  state.answer = issue();
  await gateway.rounds(async () => {
    await send();
    expect(gateway.mails).toHaveLength(2);
  }, minuteMs);
  expect(gateway.mails[1]?.subject).toMatch(/ receives again since /);
});

test('a partner is told once that a dead letter blocks deliveries, in its language, and can switch that off', async () => {
  const { gateway, call } = await openUser();
  const order = { ordered: true, on_dead_letter: 'block' };
  const { id } = await ownEndpoint(gateway, call, order);
  const [test] = await gateway.store.list('deliveries', { where: { endpoint_id: id }, order: [['id', 'desc']], limit: 1 });
  const dead = { id: test?.id ?? '', status: 'failed', order_key: id, updated_at: gateway.clock.now() } as const;
  await gateway.store.revise('deliveries', [dead]);
  await call('PATCH', '/alerts', { language: 'fr' });
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  await rounds(gateway, 3);
  expect(gateway.mails[0]?.body.replaceAll(/\s+/g, ' ')).toMatch(
    /Les livraisons vers votre endpoint 127\.0\.0\.1:\d+ attendent une personne depuis .* UTC : 1 échec définitif les bloque\. Renvoyez ce qui bloque, ou passez-le\./,
  );
  expect((await call('GET', '/alerts/messages')).body.data).toMatchObject([{ alert: 'own_deliveries_blocked', subject: id }]);

  // Whoever skips it knows that it is over.
  expect((await call('POST', `/deliveries/${dead.id}/skip`)).status).toBe(200);
  await rounds(gateway, 3);
  expect((await call('GET', '/alerts/messages')).body.data).toMatchObject([{ state: 'resolved' }]);
  expect(gateway.mails).toHaveLength(1);
  expect((await call('PATCH', '/alerts', { kinds: { deliveries_blocked: false } })).body.data.kinds.deliveries_blocked).toBe(
    false,
  );
});

test('an endpoint that was disabled is told once; pausing, an unverified endpoint and the end of a disabled one are no news', async () => {
  const { gateway, call } = await openUser();
  const [gone, stopped, paused, deleted] = [
    await ownEndpoint(gateway, call),
    await ownEndpoint(gateway, call),
    await ownEndpoint(gateway, call),
    await ownEndpoint(gateway, call),
  ];
  await call('POST', '/endpoints', { url: gone.to.url });
  gone.answer.status = 410;
  await gone.test();
  await gateway.manage('PATCH', `/endpoints/${stopped.id}`, { active: false });
  await gateway.manage('PATCH', `/endpoints/${deleted.id}`, { active: false });
  await call('POST', `/endpoints/${paused.id}/pause`);
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  await rounds(gateway, 4);
  expect(gateway.mails).toHaveLength(1);
  expect(gateway.mails[0]?.subject).toBe('[Passerelle] 3 messages about your webhooks and credentials');
  const { body } = gateway.mails[0] ?? { body: '' };
  expect(body.match(/answered 410 Gone, so it was disabled/g)).toHaveLength(1);
  expect(body.match(/The operator of the gateway disabled/g)).toHaveLength(2);
  expect(body).not.toContain(paused.id);

  // It is deleted while it is disabled, so it did not recover; the other one is active again.
  expect((await call('DELETE', `/endpoints/${deleted.id}`)).status).toBeLessThan(300);
  await gateway.manage('PATCH', `/endpoints/${stopped.id}`, { active: true });
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(2));
  await rounds(gateway, 4);
  expect(gateway.mails).toHaveLength(2);
  expect(gateway.mails[1]?.subject).toMatch(/ receives again since 2026-.* UTC, after \d+ (s|min)\.$/);
  expect(await gateway.store.count('alerts', { resolved_at: null })).toBe(1);
});

test('a held endpoint that comes and goes is told once in the quiet time, and again if it lasts', async () => {
  const { gateway, call } = await openUser();
  const { id } = await ownEndpoint(gateway, call);
  const hold = (since: number | null) =>
    gateway.store.update(
      'endpoints',
      { id },
      { held_until: since && since + minuteMs, holds: since ? 1 : 0, failing_since: since },
    );
  const began = gateway.clock.now() - 2 * minuteMs;
  await hold(began);
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  await hold(null);
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(2));
  const ended = gateway.clock.now();
  await hold(began);
  await rounds(gateway, 6);
  expect(gateway.mails).toHaveLength(2);
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(3), minuteMs);
  expect(gateway.clock.now() - ended).toBeGreaterThanOrEqual(29 * minuteMs);
});

test('another cause is told at once, also in the quiet time of the one before', async () => {
  const { gateway, call } = await openUser();
  const { id, answer, test: attempt } = await ownEndpoint(gateway, call);
  const isActive = (active: boolean) => gateway.manage('PATCH', `/endpoints/${id}`, { active });
  const bodies = () => gateway.mails.map(({ body }) => body);
  answer.status = 410;
  await attempt();
  await gateway.rounds(() => expect(bodies()).toEqual([expect.stringContaining('answered 410 Gone')]));
  const changed = gateway.clock.now();
  // Between two rounds, so that nobody hears that it was active.
  await isActive(true);
  await isActive(false);
  await gateway.rounds(() => expect(bodies()[1]).toContain('The operator of the gateway disabled'));
  await isActive(true);
  await gateway.rounds(() => expect(bodies()[2]).toContain('receives again'));
  await attempt();
  await rounds(gateway, 6);
  expect(bodies()).toHaveLength(3);
  await gateway.rounds(() => expect(bodies()[3]).toContain('answered 410 Gone'), minuteMs);
  expect(gateway.clock.now() - changed).toBeGreaterThanOrEqual(30 * minuteMs);
});

test.each(tiers)(
  '%s: tokens are warned of 7 days and 1 day before they expire, each once, also after a restart',
  async (_, openStore) => {
    const store = await openStore();
    const gateway = await openPartners({ store });
    const user = await makeUser(gateway);
    const token = (name: string, ms: number) => makeToken(gateway, user.id, { name, expires_at: inMs(gateway, ms) });
    await token('Far', 30 * dayMs);
    await token('Short', 12 * 60 * minuteMs);
    const { tokenId } = await token('Revoked', 3 * dayMs);
    expect((await gateway.manage('DELETE', `/cohesion/tokens/${tokenId}`)).status).toBe(200);
    await token('Week', 8 * dayMs);
    await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
    expect(gateway.mails[0]?.subject).toMatch(/^\[Passerelle\] Your access token “Short” expires at 2026-11-23 04:1/);
    expect(gateway.mails[0]?.body).toContain('https://gateway.example.org/profile/tokens');
    await rounds(gateway, 4);
    expect(gateway.mails).toHaveLength(1);

    gateway.clock.leap(dayMs + minuteMs);
    await gateway.rounds(() => expect(gateway.mails).toHaveLength(2));
    expect(gateway.mails[1]?.subject).toMatch(/“Week” expires at 2026-11-30 16:1/);
    await gateway.close();

    // Another process takes over: nothing is repeated.
    const second = await openPartners({ store, clock: gateway.clock });
    // A round that began before the second server replaced the first one still sends through the first.
    const mails = () => [...gateway.mails, ...second.mails];
    await rounds(second, 4);
    expect(mails()).toHaveLength(2);
    second.clock.leap(6 * dayMs);
    await second.rounds(() => expect(mails()).toHaveLength(3));
    expect(mails()[2]?.subject).toMatch(/“Week” expires at/);
    await rounds(second, 4);
    expect(mails()).toHaveLength(3);
  },
);

test('an inactive user and an account without an address are told nothing; a key that was replaced ends with a warning', async () => {
  const gateway = await openPartners();
  const gone = await makeUser(gateway);
  const [{ account, call }, silent] = [await withAccount(gateway), await withAccount(gateway)];
  const expires_at = inMs(gateway, 60 * minuteMs);
  await makeToken(gateway, gone.id, { expires_at });
  await gateway.manage('PATCH', `/cohesion/users/${gone.id}`, { active: false });
  await confirmedAddress(gateway, call, 'caisse@example.org');
  for (const one of [{ account, call }, silent])
    expect((await one.call('POST', `/keys/${one.account.keys.api_key}/rotate`, { overlap_hours: 24 })).status).toBe(201);
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  expect(gateway.mails[0]?.to).toEqual(['caisse@example.org']);
  expect(gateway.mails[0]?.subject).toMatch(new RegExp(`Your API key ${account.keys.api_key} was replaced and ends at`));
  gateway.clock.leap(12 * 60 * minuteMs);
  await rounds(gateway, 3);
  expect(gateway.mails).toHaveLength(1);
});

test.each(tiers)('%s: a rotation that nobody confirms is warned of, and one that is confirmed is not', async (_, openStore) => {
  const { gateway, call } = await openAccount({ store: await openStore() });
  await confirmedAddress(gateway, call, 'caisse@example.org');
  const [forgotten, confirmed] = [await ownEndpoint(gateway, call), await ownEndpoint(gateway, call)];
  await call('POST', `/endpoints/${confirmed.id}/rotate-secret`, { overlap_hours: 72 });
  await call('POST', `/endpoints/${confirmed.id}/confirm-secret`);
  await call('POST', `/endpoints/${forgotten.id}/rotate-secret`, { overlap_hours: 72 });
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  expect(gateway.mails[0]?.subject).toMatch(
    /^\[Passerelle\] The new signing secret of your endpoint 127\.0\.0\.1:\d+ is not confirmed\. At 2026-11-25/,
  );
  expect(gateway.mails[0]?.body).toContain(`/profile/endpoints/${forgotten.id}`);
  gateway.clock.leap(dayMs);
  await rounds(gateway, 3);
  expect(gateway.mails).toHaveLength(1);
  gateway.clock.leap(dayMs + minuteMs);
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(2));
  gateway.clock.leap(dayMs);
  await rounds(gateway, 3);
  expect(gateway.mails).toHaveLength(2);
});

test('kinds that are off and an own address that is off are not told; the language is the one that was chosen', async () => {
  const { gateway, user, call } = await openUser();
  const changed = await call('PATCH', '/alerts', { language: 'fr', kinds: { credential_expires: false } });
  expect(changed.body.data).toMatchObject({ language: 'fr', kinds: { credential_expires: false, endpoint_disabled: true } });
  const expires_at = inMs(gateway, 60 * minuteMs);
  await makeToken(gateway, user.id, { expires_at });
  const { id } = await ownEndpoint(gateway, call, { description: 'Caisse' });
  await gateway.manage('PATCH', `/endpoints/${id}`, { active: false });
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  expect(gateway.mails[0]?.subject).toMatch(/^\[Passerelle\] L'opérateur de la passerelle a désactivé votre endpoint « Caisse »/);
  expect(gateway.mails[0]?.body).toContain(`le profil de ${user.name}`);

  const off = await call('PATCH', '/alerts', { own_address: false });
  expect(off.body.data.own_address).toMatchObject({ on: false });
  await gateway.manage('PATCH', `/endpoints/${id}`, { active: true });
  await rounds(gateway, 4);
  expect(gateway.mails).toHaveLength(1);
  expect(await gateway.store.count('alert_messages', { status: 'pending' })).toBe(0);
});

test.each(tiers)('%s: who adds an address after a warning was due is warned once all the same', async (_, openStore) => {
  const { gateway, user, call } = await openUser({ store: await openStore() });
  await call('PATCH', '/alerts', { own_address: false });
  const expires_at = inMs(gateway, 60 * minuteMs);
  await makeToken(gateway, user.id, { name: 'Caisse', expires_at });
  const { id } = await ownEndpoint(gateway, call);
  expect((await call('POST', `/endpoints/${id}/rotate-secret`, { overlap_hours: 1 })).status).toBe(200);
  await rounds(gateway, 3);
  expect(gateway.mails).toEqual([]);

  await confirmedAddress(gateway, call, 'late@example.org');
  await gateway.rounds(() => {
    const texts = gateway.mails.map(({ body }) => body).join();
    expect(texts).toMatch(/“Caisse” expires at/);
    expect(texts).toContain('is not confirmed');
  });
  await call('PATCH', '/alerts', { own_address: true, kinds: { credential_expires: true } });
  await confirmedAddress(gateway, call, 'later@example.org');
  await rounds(gateway, 3);
  expect(gateway.mails).toEqual([]);
});

test('an account that adds an address late is warned of a key that ends', async () => {
  const { gateway, account, call } = await openAccount();
  const { api_key } = account.keys;
  expect((await call('POST', `/keys/${api_key}/rotate`, { overlap_hours: 1 })).status).toBe(201);
  await rounds(gateway, 3);
  await confirmedAddress(gateway, call, 'late@example.org');
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  expect(gateway.mails[0]?.subject).toContain(`Your API key ${api_key}`);
});

test('a code confirms an address once, before it expires, within a few tries', async () => {
  const { gateway, call } = await openAccount({}, { name: 'Chez\r\nBcc: all@example.org' });
  const add = async (address: string) => (await call('POST', '/alerts/addresses', { address })).body.data;
  const confirm = (id: string, secret_code: string) => call('POST', `/alerts/addresses/${id}/confirm`, { secret_code });
  const sent = await add('caisse@example.org');
  expect(sent).toMatchObject({ confirmed_at: null, sent: { ok: true, answer: expect.stringMatching(/^250 /) } });
  const [mail] = gateway.mails;
  expect(mail).toMatchObject({ to: ['caisse@example.org'], subject: '[Passerelle] Confirm this address' });
  const code = codeIn(mail?.body ?? '');
  // Nothing else goes there before.
  expect(refusalOf(await call('POST', '/alerts/test'))).toEqual([409, 'no_address']);
  expect(refusalOf(await confirm(sent.id, 'AAAAAAAA'))).toEqual([400, 'wrong_code']);
  const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`;
  expect((await confirm(sent.id, typed)).body.data.confirmed_at).toMatch(/^2026/);
  expect(refusalOf(await confirm(sent.id, code))).toEqual([409, 'address_known']);
  expect(refusalOf(await call('POST', '/alerts/addresses', { address: 'caisse@example.org' }))).toEqual([409, 'address_known']);

  // A new code replaces the one before; too many tries or an hour end it.
  const second = await add('siege@example.org');
  const first = codeIn(gateway.mails.at(-1)?.body ?? '');
  await add('siege@example.org');
  const newest = codeIn(gateway.mails.at(-1)?.body ?? '');
  for (let tries = 0; tries < 5; tries++) expect(refusalOf(await confirm(second.id, first))).toEqual([400, 'wrong_code']);
  expect(refusalOf(await confirm(second.id, newest))).toEqual([409, 'code_ended']);
  await add('siege@example.org');
  gateway.clock.leap(60 * minuteMs);
  expect(refusalOf(await confirm(second.id, codeIn(gateway.mails.at(-1)?.body ?? '')))).toEqual([409, 'code_ended']);

  const test = await call('POST', '/alerts/test');
  expect(test.body.data).toMatchObject([{ address: 'caisse@example.org', ok: true }]);
  expect(gateway.mails.at(-1)?.headers.filter((line) => /^bcc:/i.test(line))).toEqual([]);
  expect(gateway.mails.at(-1)?.body).toContain('alerts of Chez Bcc: all@example.org, sent');

  // Neither records nor the trail have the codes.
  await gateway.close();
  const records = JSON.stringify([await gateway.store.list('calls'), await gateway.store.list('audit')]);
  expect(records).toContain('confirmProfileAlertAddress');
  for (const one of [code, first, newest]) expect(records).not.toContain(one);
});

test('an address that the mail server refuses keeps no place; the same mailbox in other letters is no second one', async () => {
  const answers = new Map([
    ['nobody', 550],
    ['later', 450],
  ]);
  const { port, mails } = await mailServer({
    onRcptTo({ address }, _session, callback) {
      const responseCode = answers.get(address.split('@')[0] ?? '');
      callback(responseCode ? Object.assign(new Error('Not now'), { responseCode }) : null);
    },
  });
  const { gateway, call } = await openUser();
  await gateway.manage('POST', '/alerts/channels', { ...emailChannel(port), for_partners: true });
  const add = (address: string) => call('POST', '/alerts/addresses', { address });
  const shown = async () => {
    const { own_address, addresses } = (await call('GET', '/alerts')).body.data;
    return { own: own_address.address as string, addresses: addresses.map((one: { address: string }) => one.address) };
  };
  const refused = await add('nobody@example.org');
  expect(refusalOf(refused)).toEqual([409, 'address_refused']);
  expect(refused.body.error.message).toMatch(/takes no messages to nobody@example\.org: 550 .*Not now.* It was not added\./);
  expect((await add('later@example.org')).body.data.sent).toMatchObject({ ok: false, answer: expect.stringMatching(/^450 /) });
  expect((await shown()).addresses).toEqual(['later@example.org']);

  const first = await add('Caisse@example.org');
  const second = await add('caisse@Example.org');
  expect(second.body.data.id).toBe(first.body.data.id);
  const secret_code = codeIn(mails.at(-1)?.body ?? '');
  expect((await call('POST', `/alerts/addresses/${second.body.data.id}/confirm`, { secret_code })).status).toBe(200);
  expect(refusalOf(await add('CAISSE@example.org'))).toEqual([409, 'address_known']);
  const { own, addresses } = await shown();
  expect(addresses).toHaveLength(2);
  expect(refusalOf(await add(own.toUpperCase()))).toEqual([409, 'address_known']);
});

test('codes are limited for each partner, and so are addresses', async () => {
  const gateway = await openPartners();
  const [{ call }, { call: other }] = [await withAccount(gateway), await withAccount(gateway)];
  const add = (number: number) => call('POST', '/alerts/addresses', { address: `stranger-${number}@example.org` });
  const statuses: unknown[] = [];
  for (let number = 0; number < 11; number++) statuses.push(refusalOf(await add(number))[1] ?? 'sent');
  expect(statuses).toEqual([...Array(5).fill('sent'), ...Array(5).fill('too_many_addresses'), 'rate_limited']);
  expect(gateway.mails).toHaveLength(5);
  expect((await other('POST', '/alerts/addresses', { address: 'own@example.org' })).status).toBe(201);
});

test('without a server for partners nothing is sent, and the profile says so; what is still so is told when there is one', async () => {
  const { gateway, call } = await openUser();
  const mark = (for_partners: boolean) => gateway.manage('PATCH', `/alerts/channels/${gateway.channels.email}`, { for_partners });
  await mark(false);
  expect((await call('GET', '/alerts')).body.data).toMatchObject({ available: false, own_address: { on: true }, addresses: [] });
  for (const path of ['/alerts/test', '/alerts/addresses'])
    expect(refusalOf(await call('POST', path, path === '/alerts/test' ? undefined : { address: 'a@example.org' }))).toEqual([
      409,
      'no_mail_server',
    ]);
  const { id } = await ownEndpoint(gateway, call);
  await gateway.manage('PATCH', `/endpoints/${id}`, { active: false });
  await rounds(gateway, 4);
  expect(gateway.mails).toEqual([]);
  await mark(true);
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
});

test('one channel serves partners: another one takes its place, and a chat cannot', async () => {
  const gateway = await openPartners();
  const second = await gateway.manage('POST', '/alerts/channels', { ...emailChannel(9), for_partners: true });
  expect(second.body.data.replaces).toEqual({ id: gateway.channels.email, name: 'On call' });
  const again = await gateway.manage('PATCH', `/alerts/channels/${second.body.data.id}`, { for_partners: true });
  expect(again.body.data.replaces).toBeNull();
  const shown = (await gateway.manage('GET', '/alerts/channels')).body.data;
  expect(shown.flatMap((one: { id: string; for_partners: boolean }) => (one.for_partners ? [one.id] : []))).toEqual([
    second.body.data.id,
  ]);
  const refused = await gateway.manage('PATCH', `/alerts/channels/${gateway.channels.slack}`, { for_partners: true });
  expect(refusalOf(refused)).toEqual([400, 'other_kind']);
});

test('a message that the server refuses is tried again, then has failed with the answer; others arrive meanwhile', async () => {
  let isFull = false;
  const refusing = await mailServer({
    onRcptTo({ address }, _session, callback) {
      callback(isFull && address.startsWith('full') ? new Error('Mailbox is full') : null);
    },
  });
  const { gateway, account, call } = await openAccount();
  await gateway.manage('POST', '/alerts/channels', { ...emailChannel(refusing.port), for_partners: true });
  await call('POST', '/alerts/addresses', { address: 'full@example.org' });
  await gateway.store.update('partner_alert_addresses', { owner: `account:${account.id}` }, { confirmed_at: 1 });
  await call('POST', '/alerts/addresses', { address: 'works@example.org' });
  await gateway.store.update('partner_alert_addresses', { address: 'works@example.org' }, { confirmed_at: 1 });
  refusing.mails.length = 0;
  isFull = true;
  await call('POST', `/keys/${account.keys.api_key}/rotate`, { overlap_hours: 24 });
  await gateway.rounds(() => expect(refusing.mails).toHaveLength(1));
  await gateway.rounds(
    async () => expect(await gateway.store.count('alert_messages', { status: 'failed' })).toBe(1),
    5 * minuteMs,
  );
  expect(refusing.mails).toHaveLength(1);
  const again = await signedIn(gateway, { link_secret: await makeLink(gateway, `account:${account.id}`) });
  const [{ messages }] = (await again('GET', '/alerts/messages')).body.data;
  expect(messages).toMatchObject([
    { address: 'full@example.org', status: 'failed', attempts: 6, answer: expect.stringMatching(/^550 /), due_at: null },
    { address: 'works@example.org', status: 'sent', attempts: 1 },
  ]);
});

test('a server that is away is the operator’s matter: partners read that it was not reached, and nothing is lost', async () => {
  const { gateway, call } = await openUser();
  await gateway.manage('PATCH', `/alerts/channels/${gateway.channels.email}`, { port: 9 });
  const [sent] = (await call('POST', '/alerts/test')).body.data;
  expect(sent).toMatchObject({ ok: false, answer: 'The mail server of the operator could not be reached.' });
  const { id } = await ownEndpoint(gateway, call);
  await gateway.manage('PATCH', `/endpoints/${id}`, { active: false });
  await gateway.rounds(async () => expect(await gateway.store.count('alert_messages', { attempts: 2 })).toBe(1));
  const working = await mailServer();
  await gateway.manage('POST', '/alerts/channels', { ...emailChannel(working.port), for_partners: true });
  await gateway.rounds(() => expect(working.mails).toHaveLength(1), minuteMs);
});

test('a token that may not read everything neither reads nor changes where alerts go', async () => {
  const { call } = await openUser({}, { abilities: ['read:stats'] });
  expect(refusalOf(await call('GET', '/alerts'))).toEqual([403, 'abilities_missing']);
  expect(refusalOf(await call('POST', '/alerts/addresses', { address: 'a@example.org' }))).toEqual([403, 'abilities_missing']);
});

test('many tokens that expire on one day are a few statements for each page, and one message for each address', async () => {
  const noted: string[] = [];
  const store = new MemoryStore();
  const gateway = await openPartners({ store: watched(store, ({ name, table }) => noted.push(`${name} ${table}`)) });
  const users = await Promise.all(Array.from({ length: 3 }, () => makeUser(gateway)));
  const expires_at = gateway.clock.now() + dayMs;
  noted.length = 0;
  const { id: _, ...token } = (await store.list('tokens'))[0] as Row<'tokens'>;
  await store.insert(
    'tokens',
    Array.from({ length: 3000 }, (__, index) => {
      const user_id = users[index % 3]?.id ?? 0;
      return { ...token, user_id, name: `Program ${index}`, token_hash: `hash-${index}`, expires_at };
    }),
  );
  await gateway.rounds(async () => expect(await store.count('alert_messages', { status: 'sent' })).toBe(3000));
  expect(gateway.mails.length).toBeLessThan(30);
  for (const statement of ['update tokens', 'insert alerts', 'append alert_messages'])
    expect([statement, noted.filter((one) => one === statement).length]).toEqual([statement, 3000 / 500]);
  // Each mail claims its messages and notes the answer; no statement is about a single token.
  expect(noted.filter((one) => one === 'advance alert_messages').length).toBe(gateway.mails.length);
  expect(gateway.mails[0]?.body).toMatch(/\d+ more are on the page “Alerts” of your profile\./);
});

test('partners with endpoints are told of addresses before they change, once for each change, in their language', async () => {
  const store = new MemoryStore();
  const settings = { WEBHOOK_SOURCE_ADDRESSES: '203.0.113.7@..2026-12-20,198.51.100.0/24@2026-11-23,192.0.2.1' };
  const { gateway, account, call } = await openAccount({ store, settings });
  await confirmedAddress(gateway, call, 'erp@example.org');
  expect((await call('PATCH', '/alerts', { language: 'fr' })).status).toBe(200);
  await rounds(gateway, 2);
  expect(gateway.mails, 'nothing is sent to a partner without endpoints').toEqual([]);
  await ownEndpoint(gateway, call);
  await ownEndpoint(gateway, call);
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  const [mail] = gateway.mails;
  expect(mail?.to).toEqual(['erp@example.org']);
  const begins =
    "À partir du 2026-11-23 00:00:00 UTC, des webhooks peuvent aussi venir de 198.51.100.0/24. Si votre pare-feu n'admet que";
  const ends = 'À partir du 2026-12-20 00:00:00 UTC, plus aucun webhook ne vient de 203.0.113.7.';
  expect(mail?.body.replace(/\s+/g, ' ')).toContain(begins);
  expect(mail?.body.replace(/\s+/g, ' ')).toContain(ends);
  expect(mail?.body).not.toContain('192.0.2.1');
  const told = async () =>
    (await call('GET', '/alerts/messages')).body.data.map((one: { alert: string; subject: string; state: string }) => [
      one.alert,
      one.subject,
      one.state,
    ]);
  const one = ['source_address_changes', `account:${account.id}`];
  expect(await told()).toEqual([
    [...one, 'open'],
    [...one, 'open'],
  ]);

  const begun = () => expect(gateway.clock.now()).toBeGreaterThan(Date.UTC(2026, 10, 23));
  await gateway.rounds(begun, 60 * minuteMs);
  await gateway.rounds(async () =>
    expect(await told()).toEqual([
      [...one, 'resolved'],
      [...one, 'open'],
    ]),
  );
  expect(gateway.mails, 'a change that has come is not told').toHaveLength(1);
});

test('everybody reads the addresses that webhooks come from, with their days', async () => {
  const { gateway, call } = await openAccount({ settings: { WEBHOOK_SOURCE_ADDRESSES: '203.0.113.7@2027-01-15..2027-02-01' } });
  const data = [{ address: '203.0.113.7', valid_from: '2027-01-15T00:00:00.000Z', valid_until: '2027-02-01T00:00:00.000Z' }];
  const published = await gateway.call('GET', '/.well-known/passerelle-webhook-sources');
  expect([published.status, published.body]).toEqual([200, { data }]);
  expect(published.headers['cache-control']).toBe('public, max-age=300');
  expect((await call('GET', '/source-addresses')).body).toEqual({ data });
  expect((await gateway.manage('GET', '/source-addresses')).body).toEqual({ data });
});
