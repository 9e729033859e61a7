import { expect, test } from 'vitest';
import { newId } from '../../gateway/base/ids.ts';
import type { TestGateway } from '../helper.ts';
import { clockAt9, type Keys, makeAccount, makeToken, makeUser, openGateway, refusalOf, signedIn } from './harness.ts';

const issue = async (gateway: TestGateway, body: Keys) =>
  (await gateway.call('POST', '/pos/api/auth', { body })).body.token as string;
const idsOf = (reply: { body: { data: { id: string }[] } }) => reply.body.data.map(({ id }) => id);

test('an account sees its own calls, with request, reply, the reason of a refusal, and as curl', async () => {
  const gateway = await openGateway();
  const [mine, theirs] = [await makeAccount(gateway), await makeAccount(gateway)];
  const call = await signedIn(gateway, mine.keys);
  const path = '/pos/api/v1/inventory?store_id=';
  const made = await gateway.call('GET', `${path}MINE`, { token: await issue(gateway, mine.keys) });
  const other = await gateway.call('GET', `${path}THEIRS`, { token: await issue(gateway, theirs.keys) });
  const [id, foreign] = [made, other].map(({ headers }) => String(headers['x-request-id'])) as [string, string];
  expect(idsOf(await call('GET', '/calls'))).toEqual([id]);
  for (const query of ['q=THEIRS', `id=${foreign}`, 'from=2020-01-01T00:00:00Z&q=inventory&until=2021-01-01T00:00:00Z'])
    expect([query, idsOf(await call('GET', `/calls?${query}`))]).toEqual([query, []]);
  for (const query of ['q=MINE', 'status=4xx', 'error_code=not_found', 'method=get', 'operation=readInventory'])
    expect([query, idsOf(await call('GET', `/calls?${query}`))]).toEqual([query, [id]]);
  for (const query of ['caller=operator', 'partner=x', 'api=manage'])
    expect((await call('GET', `/calls?${query}`)).status).toBe(400);

  const misspelt = await call('GET', '/calls?operation=createSal');
  expect(misspelt.status).toBe(400);
  expect(misspelt.body.error).toMatchObject({
    message: expect.stringMatching(/nearest is createSale\.$/),
    details: [{ field: 'operation' }],
  });

  const detail = (await call('GET', `/calls/${id}`)).body.data;
  expect(detail).toMatchObject({
    id,
    status: 404,
    caller: `account:${mine.id}`,
    request_headers: { authorization: 'Bearer [redacted]' },
  });
  expect(detail.refusal).toMatchObject({
    code: 'not_found',
    message: made.body.error.message,
    document: { says: expect.any(String) },
    example: {
      method: 'GET',
      curl: expect.stringMatching(
        /^curl -H "Authorization: Bearer \$TOKEN" 'http:\/\/localhost(:\d+)?\/pos\/api\/v1\/inventory\?store_id=/,
      ),
    },
  });
  const curl = await call('GET', `/calls/export?format=curl&id=${id}`);
  expect([curl.status, curl.text]).toEqual([200, expect.stringContaining("/pos/api/v1/inventory?store_id=MINE'")]);
  expect(curl.headers['content-type']).toMatch(/^text\/plain/);
  const [one, none] = [await call('GET', `/calls/${foreign}`), await call('GET', '/calls/call_none')];
  expect(one.status).toBe(404);
  expect(one.text.replaceAll(foreign, 'ID')).toBe(none.text.replaceAll('call_none', 'ID'));
});

test("a user sees the calls of all own tokens in pages, newest first; a token's session not those of stronger tokens", async () => {
  const gateway = await openGateway();
  const user = await makeUser(gateway);
  const weak = await makeToken(gateway, user.id, { abilities: ['read:stats'] });
  const stranger = await makeUser(gateway);
  const ids: [string, string][] = [];
  for (let count = 0; count < 12; count++) {
    const who = [user.token, weak.token, stranger.token][count % 3] as string;
    const reply = await gateway.call('GET', '/cohesion/api/v1/me', { token: who });
    ids.unshift([who, String(reply.headers['x-request-id'])]);
  }
  const own = ids.filter(([who]) => who !== stranger.token);
  const call = await signedIn(gateway, { token: user.token });
  for (const limit of [1, 3, 8, 100]) {
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await call('GET', `/calls?limit=${limit}${cursor}`);
      seen.push(...idsOf({ body }));
      cursor = body.next === null ? '' : `&cursor=${body.next}`;
    } while (cursor !== '');
    expect([limit, seen]).toEqual([limit, own.map(([, id]) => id)]);
  }
  expect(idsOf(await call('GET', `/calls?token_id=${weak.tokenId}`))).toEqual(
    own.filter(([who]) => who === weak.token).map(([, id]) => id),
  );
  expect(idsOf(await call('GET', `/calls?token_id=${stranger.tokenId}`))).toEqual([]);
  const bounded = await signedIn(gateway, { token: weak.token });
  expect(idsOf(await bounded('GET', '/calls'))).toEqual(own.filter(([who]) => who === weak.token).map(([, id]) => id));
  const strong = own.find(([who]) => who === user.token)?.[1];
  expect((await bounded('GET', `/calls/${strong}`)).status).toBe(404);
});

/** The calls of an export in JSON lines. */
const linesOf = (text: string) => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

test('an export and a count have the calls of the list, in every format and with its filters, and no others', async () => {
  const gateway = await openGateway();
  const [user, stranger] = [await makeUser(gateway), await makeUser(gateway)];
  const weak = await makeToken(gateway, user.id, { abilities: ['read:stats'] });
  const paths = ['/me', '/indicateurs?per_page=1', '/indicateurs/999999'];
  for (let count = 0; count < 30; count++) {
    const token = [user.token, weak.token, stranger.token][count % 3] as string;
    await gateway.call('GET', `/cohesion/api/v1${paths[Math.floor(count / 3) % 3]}`, { token });
  }
  const everything = await signedIn(gateway, { token: user.token });
  const bounded = await signedIn(gateway, { token: weak.token });
  for (const [call, calls] of [
    [everything, 20],
    [bounded, 10],
  ] as const) {
    for (const query of [
      '',
      '&status=4xx',
      '&status=2xx',
      '&operation=listIndicators',
      '&q=999999',
      `&token_id=${user.tokenId}`,
    ]) {
      const { data } = (await call('GET', `/calls?limit=100${query}`)).body;
      if (query === '') expect(data.length).toBe(calls);
      const file = await call('GET', `/calls/export?format=jsonl${query}`);
      expect([query, linesOf(file.text).map(({ id }) => id)]).toEqual([query, idsOf({ body: { data } })]);
      const csv = await call('GET', `/calls/export?format=csv${query}`);
      expect([query, csv.text.split('\r\n').length - 2]).toEqual([query, data.length]);
      const { data: counted } = (await call('GET', `/calls/count?${query.slice(1)}`)).body;
      expect([query, counted.count, counted.more, counted.searched_to]).toEqual([query, data.length, false, null]);
      for (const [groups, column] of [
        [counted.statuses, 'status'],
        [counted.operations, 'operation'],
      ] as const) {
        const sums = Map.groupBy(data as Record<string, unknown>[], (one) => one[column]);
        const found = new Map((groups as Record<string, number>[]).map((group) => [group[column], group.count]));
        expect([query, found]).toEqual([query, new Map([...sums].map(([value, all]) => [value, all.length]))]);
      }
    }
  }
  const [first] = linesOf((await everything('GET', '/calls/export?format=jsonl')).text);
  expect(first).toEqual({
    ...(await everything('GET', `/calls/${first.id}`)).body.data,
    refusal: undefined,
  });
  expect(first.request_headers.authorization).toBe('Bearer [redacted]');
  const file = await everything('GET', '/calls/export?format=jsonl');
  expect([file.headers['content-type'], file.headers['content-disposition']]).toEqual([
    'application/jsonl; charset=utf-8',
    'attachment; filename="calls.jsonl"',
  ]);
  const wrong = [
    await everything('GET', '/calls/export?format=xml'),
    await everything('GET', '/calls/export?format=csv&operation=listIndicator'),
    await everything('GET', '/calls/count?caller=operator'),
  ];
  expect(wrong.map(({ status }) => status)).toEqual([400, 400, 400]);
});

test('an export reads more calls than a page has, each once, and a count says when it stops', async () => {
  const gateway = await openGateway();
  const mine = await makeAccount(gateway);
  const made = await gateway.call('GET', '/pos/api/v1/inventory?store_id=x', { token: await issue(gateway, mine.keys) });
  const call = await signedIn(gateway, mine.keys);
  expect((await call('GET', '/calls')).body.data.length).toBe(1);
  const row = await gateway.store.get('calls', { id: String(made.headers['x-request-id']) });
  const copies = Array.from({ length: 10_250 }, () => ({ ...(row as NonNullable<typeof row>), id: newId('call') }));
  await gateway.store.append('calls', copies);
  const ids = linesOf((await call('GET', '/calls/export?format=jsonl')).text).map(({ id }) => id);
  expect([ids.length, new Set(ids).size]).toEqual([10_251, 10_251]);
  const { data } = (await call('GET', '/calls/count')).body;
  expect([data.count, data.more, data.operations]).toEqual([10_000, true, [{ operation: 'readInventory', count: 10_000 }]]);
});

test("a search reaches one's own calls, and says nothing of others', however many of those match", async () => {
  const gateway = await openGateway();
  const mine = await makeAccount(gateway);
  const made = await gateway.call('GET', '/pos/api/v1/inventory?store_id=x', { token: await issue(gateway, mine.keys) });
  const call = await signedIn(gateway, mine.keys);
  const id = String(made.headers['x-request-id']);
  expect(idsOf(await call('GET', '/calls'))).toEqual([id]);
  const row = await gateway.store.get('calls', { id });
  // More than a search without an index of its own compares.
  const foreign = Array.from({ length: 2500 }, () => ({
    ...(row as NonNullable<typeof row>),
    id: newId('call'),
    caller: 'account:acc_other',
  }));
  await gateway.store.append('calls', foreign);
  const found = await call('GET', '/calls?error_code=not_found&q=store_id');
  expect([idsOf(found), found.body.next, found.body.searched_to]).toEqual([[id], null, null]);
});

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

test('the profile says who the partner is, and how much of the limits is used', async () => {
  const gateway = await openGateway({ clock: clockAt9() });
  const [account, user] = [await makeAccount(gateway, { plan: 'free', store_ids: [] }), await makeUser(gateway)];
  const token = await issue(gateway, account.keys);
  for (let count = 0; count < 101; count++) await gateway.call('GET', '/pos/api/v1/inventory?store_id=none', { token });
  const shop = await signedIn(gateway, account.keys);
  expect((await shop('GET', '/me')).body.data).toEqual({
    owner: `account:${account.id}`,
    kind: 'account',
    name: account.name,
    credential: 'key',
    read_only: false,
    account: { id: account.id, name: account.name, plan: 'free', store_ids: [] },
    user: null,
    token: null,
  });
  const { data } = (await shop('GET', '/use')).body;
  expect(data).toMatchObject({
    plan_limit: { calls: 100, window_seconds: 60 },
    callers: [{ caller: `account:${account.id}`, calls: 101, refused: 1, limits: [{ name: 'plan', limit: 100, used_now: 100 }] }],
  });
  // A week of hours is part of eight days.
  expect(data.days).toHaveLength(8);
  expect(data.days.at(-1).day).toBe(dayOf(gateway.clock.now()));
  const sum = (name: string) => data.days.reduce((all: number, day: Record<string, number>) => all + (day[name] ?? 0), 0);
  expect([sum('calls'), sum('refused')]).toEqual([101, 1]);

  const person = await signedIn(gateway, { token: user.token });
  expect((await person('GET', '/me')).body.data).toMatchObject({
    owner: `user:${user.id}`,
    account: null,
    token: { id: user.tokenId },
    user: { id: user.id, role: 'gestionnaire', structure_ids: null },
  });
  expect((await person('GET', '/use')).body.data).toMatchObject({
    plan_limit: null,
    callers: [{ caller: `token:${user.tokenId}`, calls: 0 }],
  });
  expect(refusalOf(await gateway.call('GET', '/profile/v1/use'))).toEqual([401, 'token_missing']);
});
