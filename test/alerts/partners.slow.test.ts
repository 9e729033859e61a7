import { expect, test } from 'vitest';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { eventually } from '../eventually.ts';
import { makeAccount, makeUser, refusalOf, signedIn } from '../profile/harness.ts';
import { sharedPglite } from '../shared-pglite.ts';
import { receiver } from '../webhooks/receiver.ts';
import { type Alerted, alertedGateway, emailChannel } from './harness.ts';
import { mailServer } from './mail-server.ts';

const pglite = sharedPglite();
const tiers = [
  ['memory', async () => new MemoryStore()],
  ['embedded', pglite],
] as const;

const minuteMs = 60_000;
type Call = Awaited<ReturnType<typeof signedIn>>;

/** A gateway whose e-mail channel sends the mails of partners. It takes only what is critical, so that they are the only ones. */
async function openPartners(options: Parameters<typeof alertedGateway>[0] = {}): Promise<Alerted> {
  const gateway = await alertedGateway(options);
  const change = { for_partners: true, min_severity: 'critical' };
  const marked = await gateway.manage('PATCH', `/alerts/channels/${gateway.channels.email}`, change);
  expect(marked.body.data.for_partners, marked.text).toBe(true);
  return gateway;
}

/** A verified endpoint whose receiver answers with `answer.status`. */
async function ownEndpoint(gateway: Alerted, call: Call, fields: object = {}) {
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
  return { id: id as string, answer, test };
}

const codeIn = (body = '') => /\b([2-9A-HJKMNP-Z]{8})\b/.exec(body)?.[1] ?? 'none';
const set = (call: Call, address: string, language = 'en') => call('PUT', '/alerts/address', { address, language });
const confirm = (call: Call, secret_code: string) => call('POST', '/alerts/address/confirm', { secret_code });

/** Sets an address and confirms it with the code that its mail has. */
async function confirmedAddress(gateway: Alerted, call: Call, address: string, language?: string): Promise<void> {
  const sent = await set(call, address, language);
  expect(sent.status, sent.text).toBe(200);
  const confirmed = await confirm(call, codeIn(gateway.mails.at(-1)?.body));
  expect(confirmed.status, confirmed.text).toBe(200);
  gateway.mails.length = 0;
}

async function withAccount(gateway: Alerted, fields: object = {}) {
  const account = await makeAccount(gateway, fields);
  return { gateway, account, call: await signedIn(gateway, account.keys) };
}

const openAccount = async (options?: Parameters<typeof openPartners>[0], fields: object = {}) =>
  withAccount(await openPartners(options), fields);

const rounds = async (gateway: Alerted, count: number) => {
  for (let round = 0; round < count; round++) await gateway.rounds(() => {});
};

test.each(tiers)('%s: a partner is told that an endpoint fails and that it receives again', async (_, openStore) => {
  const { gateway, account, call } = await openAccount({ store: await openStore() });
  await confirmedAddress(gateway, call, 'caisse@example.org');
  const { id, answer, test: send } = await ownEndpoint(gateway, call, { description: 'Caisse' });
  answer.status = 503;
  await send();
  await rounds(gateway, 4);
  expect(gateway.mails).toEqual([]);
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  const [mail] = gateway.mails;
  expect(mail).toMatchObject({ to: ['caisse@example.org'], from: 'gateway@example.org' });
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
        alert: 'endpoint_failing',
        subject: id,
        state: 'resolved',
        messages: [
          { kind: 'opened', status: 'sent', attempts: 1, answer: expect.stringMatching(/^250 /) },
          { kind: 'resolved', status: 'sent' },
        ],
      },
    ]),
  );
  // The operator sees where it was told.
  const owner = `account:${account.id}`;
  const [seen] = (await gateway.manage('GET', `/alerts?owner=${owner}`)).body.data;
  const channels = seen.messages.map(({ channel }: { channel: string }) => channel);
  expect([seen.about.id, new Set(channels)]).toEqual([owner, new Set(['Chat', 'caisse@example.org'])]);
});

test('an endpoint that is disabled is told in the language of the partner; one that its owner paused is no news', async () => {
  const { gateway, account, call } = await openAccount();
  await confirmedAddress(gateway, call, 'caisse@example.org', 'fr');
  const [gone, stopped, paused] = [
    await ownEndpoint(gateway, call),
    await ownEndpoint(gateway, call, { description: 'Caisse' }),
    await ownEndpoint(gateway, call),
  ];
  gone.answer.status = 410;
  await gone.test();
  await gateway.manage('PATCH', `/endpoints/${stopped.id}`, { active: false });
  await call('PATCH', `/endpoints/${paused.id}`, { active: false });
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  await rounds(gateway, 4);
  expect(gateway.mails).toHaveLength(1);
  expect(gateway.mails[0]?.subject).toBe('[Passerelle] 2 messages sur vos endpoints');
  const body = gateway.mails[0]?.body.replaceAll(/\s+/g, ' ') ?? '';
  expect(body).toContain('a répondu 410 Gone : il a été désactivé');
  expect(body).toContain('Votre endpoint « Caisse » sur 127.0.0.1:');
  expect(body).toContain("a été désactivé par l'opérateur de la passerelle");
  expect(body).toContain(`parce que ${account.name} a confirmé cette adresse`);
  expect(body).not.toContain(paused.id);

  await gateway.manage('PATCH', `/endpoints/${stopped.id}`, { active: true });
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(2));
  expect(gateway.mails[1]?.body.replaceAll(/\s+/g, ' ')).toMatch(/est de nouveau actif depuis 2026-.* UTC, après \d+ (s|min)\./);
});

test('a partner is told of dead letters, and that none is left', async () => {
  const { gateway, call } = await openAccount();
  await confirmedAddress(gateway, call, 'caisse@example.org');
  const { id } = await ownEndpoint(gateway, call, { ordered: true, on_dead_letter: 'block' });
  const [test] = await gateway.store.list('deliveries', { where: { endpoint_id: id }, order: [['id', 'desc']], limit: 1 });
  const dead = { id: test?.id ?? '', status: 'failed', test: false, order_key: id, updated_at: gateway.clock.now() } as const;
  await gateway.store.revise('deliveries', [dead]);
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(1));
  expect(gateway.mails[0]?.body).toContain('Mend your receiver before you resend.');
  expect((await call('POST', `/deliveries/${dead.id}/skip`)).status).toBe(200);
  await gateway.rounds(() => expect(gateway.mails).toHaveLength(2));
  expect(gateway.mails[1]?.subject).toContain('has no delivery left that failed for good');
});

test('who confirms an address late is told of what is still so, once; an inactive partner is told nothing', async () => {
  const { gateway, account, call } = await openAccount();
  const { id } = await ownEndpoint(gateway, call);
  await gateway.manage('PATCH', `/endpoints/${id}`, { active: false });
  const open = async () => (await gateway.manage('GET', '/alerts?state=open')).body.data;
  await gateway.rounds(async () => expect(await open()).toHaveLength(1));
  for (let time = 0; time < 2; time++) {
    await confirmedAddress(gateway, call, 'late@example.org');
    await rounds(gateway, 2);
    await eventually(async () => expect(await gateway.store.count('alert_messages', { status: 'pending' })).toBe(0));
    expect(gateway.mails).toHaveLength(time === 0 ? 1 : 0);
    if (time === 0) expect((await call('DELETE', '/alerts/address')).status).toBe(200);
  }
  gateway.mails.length = 0;
  await gateway.manage('PATCH', `/pos/accounts/${account.id}`, { active: false });
  await gateway.manage('PATCH', `/endpoints/${id}`, { active: true });
  await rounds(gateway, 4);
  expect(gateway.mails).toEqual([]);
});

test('a code confirms an address once, before it expires, within a few tries', async () => {
  const { gateway, call } = await openAccount({}, { name: 'Chez\r\nBcc: all@example.org' });
  const sent = (await set(call, 'caisse@example.org')).body.data;
  expect(sent).toMatchObject({ confirmed_at: null, sent: { ok: true, answer: expect.stringMatching(/^250 /) } });
  const [mail] = gateway.mails;
  expect(mail).toMatchObject({ to: ['caisse@example.org'], subject: '[Passerelle] Confirm this address' });
  expect(mail?.headers.filter((line) => /^bcc:/i.test(line))).toEqual([]);
  expect(mail?.body).toContain('profile of Chez Bcc: all@example.org, so');
  const first = codeIn(mail?.body);
  expect(refusalOf(await confirm(call, 'AAAAAAAA'))).toEqual([400, 'wrong_code']);

  // A new code replaces the one before; too many tries or an hour end it.
  await set(call, 'siege@example.org');
  const newest = codeIn(gateway.mails.at(-1)?.body);
  for (let tries = 0; tries < 5; tries++) expect(refusalOf(await confirm(call, first))).toEqual([400, 'wrong_code']);
  expect(refusalOf(await confirm(call, newest))).toEqual([409, 'code_ended']);
  await set(call, 'siege@example.org');
  gateway.clock.leap(60 * minuteMs);
  expect(refusalOf(await confirm(call, codeIn(gateway.mails.at(-1)?.body)))).toEqual([409, 'code_ended']);

  await set(call, 'Siege@example.org');
  const code = codeIn(gateway.mails.at(-1)?.body);
  expect((await confirm(call, ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`)).body.data.confirmed_at).toMatch(/^2026/);
  expect(refusalOf(await confirm(call, code))).toEqual([409, 'address_known']);
  // The same mailbox keeps its confirmation; another one must wait until it is removed.
  const changed = await set(call, 'SIEGE@example.org', 'fr');
  expect(changed.body.data).toMatchObject({ language: 'fr', confirmed_at: expect.any(String), sent: null });
  expect(refusalOf(await set(call, 'caisse@example.org'))).toEqual([409, 'address_known']);

  // Neither records nor the trail have the codes.
  await gateway.close();
  const records = JSON.stringify([await gateway.store.list('calls'), await gateway.store.list('audit')]);
  expect(records).toContain('confirmProfileAlertAddress');
  for (const one of [code, first, newest]) expect(records).not.toContain(one);
});

test('an address that the mail server refuses is not stored; one that it defers is', async () => {
  const answers = new Map([
    ['nobody', 550],
    ['later', 450],
  ]);
  const { port } = await mailServer({
    onRcptTo({ address }, _session, callback) {
      const responseCode = answers.get(address.split('@')[0] ?? '');
      callback(responseCode ? Object.assign(new Error('Not now'), { responseCode }) : null);
    },
  });
  const { gateway, call } = await openAccount();
  await gateway.manage('POST', '/alerts/channels', { ...emailChannel(port), for_partners: true });
  const refused = await set(call, 'nobody@example.org');
  expect(refusalOf(refused)).toEqual([409, 'address_refused']);
  expect(refused.body.error.message).toMatch(/takes no messages to nobody@example\.org: 550 .*Not now.* It was not stored\./);
  expect((await call('GET', '/alerts')).body.data.address).toBeNull();
  const deferred = (await set(call, 'later@example.org')).body.data;
  expect(deferred.sent).toMatchObject({ ok: false, answer: expect.stringMatching(/^450 /) });
  expect((await call('GET', '/alerts')).body.data.address).toMatchObject({ address: 'later@example.org' });
});

test('codes are limited for each partner', async () => {
  const gateway = await openPartners();
  const [{ call }, { call: other }] = [await withAccount(gateway), await withAccount(gateway)];
  const statuses: unknown[] = [];
  for (let number = 0; number < 11; number++)
    statuses.push(refusalOf(await set(call, `stranger-${number}@example.org`))[1] ?? 'sent');
  expect(statuses).toEqual([...Array(10).fill('sent'), 'rate_limited']);
  expect((await set(other, 'own@example.org')).status).toBe(200);
});

test('without a server for partners nothing is sent, and the profile says so; what is still so is told when there is one', async () => {
  const { gateway, call } = await openAccount();
  await confirmedAddress(gateway, call, 'caisse@example.org');
  const mark = (for_partners: boolean) => gateway.manage('PATCH', `/alerts/channels/${gateway.channels.email}`, { for_partners });
  await mark(false);
  expect((await call('GET', '/alerts')).body.data).toMatchObject({
    available: false,
    address: { address: 'caisse@example.org' },
  });
  expect(refusalOf(await set(call, 'caisse@example.org'))).toEqual([409, 'no_mail_server']);
  const { id } = await ownEndpoint(gateway, call);
  await gateway.manage('PATCH', `/endpoints/${id}`, { active: false });
  await rounds(gateway, 8);
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

test('a server that is away is the operator’s matter: partners read that it was not reached, and nothing is lost', async () => {
  const { gateway, call } = await openAccount();
  await confirmedAddress(gateway, call, 'caisse@example.org');
  await gateway.manage('PATCH', `/alerts/channels/${gateway.channels.email}`, { port: 9 });
  const { id } = await ownEndpoint(gateway, call);
  await gateway.manage('PATCH', `/endpoints/${id}`, { active: false });
  await gateway.rounds(async () => expect(await gateway.store.count('alert_messages', { attempts: 2 })).toBe(1));
  const [{ messages }] = (await call('GET', '/alerts/messages')).body.data;
  expect(messages).toMatchObject([{ status: 'pending', answer: 'The mail server of the operator could not be reached.' }]);
  const working = await mailServer();
  const made = { ...emailChannel(working.port), for_partners: true, min_severity: 'critical' };
  await gateway.manage('POST', '/alerts/channels', made);
  await gateway.rounds(() => expect(working.mails).toHaveLength(1), minuteMs);
});

test('a token that may not read everything neither reads nor changes where alerts go', async () => {
  const gateway = await openPartners();
  const { token } = await makeUser(gateway, { abilities: ['read:stats'] });
  const call = await signedIn(gateway, { token });
  expect(refusalOf(await call('GET', '/alerts'))).toEqual([403, 'abilities_missing']);
  expect(refusalOf(await set(call, 'a@example.org'))).toEqual([403, 'abilities_missing']);
});
