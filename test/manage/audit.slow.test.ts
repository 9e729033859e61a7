import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listAudit } from '../../gateway/manage/audit/queries.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { forAllAsync } from '../for-all.ts';
import { operatorToken, type Reply, type TestGateway } from '../helper.ts';
import { memoryAndPglite } from '../shared-pglite.ts';
import { idAt } from '../store/rows.ts';
import { makeOperator, openGateway, signedIn, signIn } from './harness.ts';

const trail = async (app: TestGateway, query = '') => (await app.manage('GET', `/audit${query}`)).body.data;
const made = (reply: Reply) => reply.body.data.id as string;

test('a change is told with its operator, address, target, and the values before and after', async () => {
  const app = await openGateway();
  const awa = await makeOperator(app, 'Awa', 'operator');
  const asAwa = (method: 'POST' | 'PATCH', path: string, body: object) =>
    app.call(method, `/manage/v1${path}`, { token: awa.credential, body, headers: { 'x-forwarded-for': '203.0.113.7' } });
  const id = made(await asAwa('POST', '/endpoints', { service: 'pos', url: 'https://example.com/a' }));
  const changed = await asAwa('PATCH', `/endpoints/${id}`, { url: 'https://example.com/b', max_in_flight: null });
  await asAwa('POST', `/endpoints/${id}/rotate-secret`, {});
  const [rotation, change, creation] = await trail(app, '?operator=operator%3AAwa');
  expect(change).toMatchObject({
    operator: 'operator:Awa',
    action: 'updateEndpoint',
    ok: true,
    target: id,
    ip: '203.0.113.7',
    more: 0,
    call_id: changed.headers['x-request-id'],
    changes: [
      {
        table: 'endpoints',
        id,
        did: 'changed',
        fields: { url: { before: 'https://example.com/a', after: 'https://example.com/b' } },
      },
    ],
  });
  expect(Object.keys(change.changes[0].fields)).toEqual(['url']);
  expect(creation).toMatchObject({ action: 'createEndpoint', target: id, changes: [{ did: 'created' }] });
  expect(rotation.changes[0].fields.secrets).toEqual({ before: '[secret]', after: '[secret]' });
});

test('a refused change leaves no entry, and a change is stored only with its entry', async () => {
  const app = await openGateway();
  expect(
    (await app.manage('POST', '/endpoints', { service: 'pos', url: 'https://example.com/', events: ['no.event'] })).status,
  ).toBe(400);
  expect((await app.manage('POST', '/endpoints/ep_1/rotate-secret', {})).status).toBe(404);
  expect(await trail(app)).toEqual([]);
  const before = await app.store.count('endpoints');
  const { transaction } = app.store;
  app.store.transaction = (work, options) =>
    transaction.call(
      app.store,
      (tx) => {
        const twice = (table: string, rows: unknown[], ...rest: unknown[]) =>
          tx.append(table as never, (table === 'audit' ? [...rows, ...rows] : rows) as never, ...(rest as [never]));
        const refusing = new Proxy(tx, {
          get: (target, name) => (name === 'append' ? twice : (Reflect.get(target, name) as () => unknown).bind(target)),
        });
        return work(refusing);
      },
      options,
    ) as never;
  expect((await app.manage('POST', '/endpoints', { service: 'pos', url: 'https://example.com/' })).status).toBe(500);
  expect(await app.store.count('endpoints')).toBe(before);
});

test('sign-ins, failed ones, sign-outs and exports have an entry; reading has none', async () => {
  const app = await openGateway();
  const awa = await makeOperator(app, 'Awa', 'operator');
  const session = await signedIn(app, awa.credential);
  expect((await signIn(app, 'wrong', { 'x-forwarded-for': '203.0.113.9' })).status).toBe(401);
  expect((await app.call('GET', '/manage/v1/endpoints', { token: 'wrong-too' })).status).toBe(401);
  await app.call('GET', '/manage/v1/endpoints');
  await session('GET', '/endpoints');
  await session('GET', '/calls/export?format=har');
  await session('GET', '/audit/export?format=json');
  expect((await session('DELETE', '/session')).status).toBe(204);
  const told = (await trail(app)).map(({ action, operator, ok, ip }: Row<'audit'>) => [action, operator, ok, ip]);
  expect(told).toEqual([
    ['closeSession', 'operator:Awa', true, '127.0.0.1'],
    ['exportAudit', 'operator:Awa', true, '127.0.0.1'],
    ['exportCalls', 'operator:Awa', true, '127.0.0.1'],
    ['openSession', null, false, '127.0.0.1'],
    ['openSession', null, false, '203.0.113.9'],
    ['openSession', 'operator:Awa', true, '127.0.0.1'],
    ['createOperator', 'operator', true, '127.0.0.1'],
  ]);
  expect((await trail(app, '?ok=false')).length).toBe(2);
  expect(JSON.stringify(await app.store.list('audit'))).not.toContain('wrong');
});

test('the export has every matching entry, as JSON and as CSV that no spreadsheet runs', async () => {
  const app = await openGateway();
  const names = ['=1+1', '@x', 'a,"b"'];
  for (const name of names) await makeOperator(app, name, 'viewer');
  const json = await app.manage('GET', '/audit/export?format=json&action=createOperator');
  expect(JSON.parse(json.text).map((one: { action: string }) => one.action)).toEqual(Array(3).fill('createOperator'));
  expect((await app.manage('GET', '/audit/export?format=json&action=nothing')).text).toBe('[]\n');
  const target = '=cmd';
  const entry: Row<'audit'> = { ...empty, id: idAt('aud', app.clock.now() + 1000), target, ip: 'a,"b"' };
  await app.store.append('audit', [entry]);
  const csv = await app.manage('GET', '/audit/export?format=csv&target=%3Dcmd');
  expect(csv.headers['content-type']).toContain('text/csv');
  expect(csv.text.split('\r\n')[1]).toContain(`,'=cmd,"a,""b""",`);
  expect((await app.manage('GET', '/audit/export?format=xml')).status).toBe(400);
});

test('a viewer may read it, and nobody can change it', async () => {
  const app = await openGateway();
  const { credential } = await makeOperator(app, 'Ibrahim', 'viewer');
  expect((await app.call('GET', '/manage/v1/audit', { token: credential })).status).toBe(200);
  const [{ id }] = await trail(app);
  for (const method of ['DELETE', 'PATCH', 'PUT', 'POST'] as const)
    expect((await app.call(method, `/manage/v1/audit/${id}`, { token: operatorToken, body: {} })).status).toBe(404);
});

const empty: Row<'audit'> = {
  id: '',
  at: 0,
  operator: 'operator',
  action: 'createStore',
  ok: true,
  target: null,
  ip: '127.0.0.1',
  call_id: 'call_1',
  changes: [],
  more: 0,
};

describe.each(memoryAndPglite())('%s', (_, open) => {
  test('the pages of any filter together are the matching entries, newest first', async () => {
    const startMs = Date.UTC(2026, 10, 20);
    const entry = fc.record({
      operator: fc.constantFrom(null, 'operator', 'operator:Awa'),
      action: fc.constantFrom('openSession', 'createStore'),
      target: fc.constantFrom(null, 'a', 'b"c'),
      ok: fc.boolean(),
    });
    const filter = fc.record(
      {
        operator: fc.constantFrom('operator', 'operator:Awa', 'none'),
        action: fc.constantFrom('openSession', 'createStore'),
        target: fc.constantFrom('a', 'b"c'),
        ok: fc.boolean(),
        q: fc.constantFrom('b"c', 'price'),
      },
      { requiredKeys: [] },
    );
    await forAllAsync(
      30,
      [fc.array(entry, { minLength: 1, maxLength: 30 }), filter, fc.integer({ min: 1, max: 9 })],
      async (given, asked, limit) => {
        const store = await open();
        const changes = (at: number): Row<'audit'>['changes'] =>
          at % 3 === 0 ? [{ table: 'stock', id: 'x', did: 'changed', fields: { price: { before: 1, after: 2 } } }] : [];
        const rows = given.map((one, at) => ({ ...empty, ...one, id: idAt('aud', startMs + at), changes: changes(at) }));
        await store.append('audit', rows);
        const found: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await listAudit(store, { ...asked, limit, cursor });
          found.push(...page.data.map(({ id }) => id));
          cursor = page.next ?? undefined;
        } while (cursor !== undefined);
        const { q, ...columns } = asked;
        const fits = (row: Row<'audit'>) =>
          Object.entries(columns).every(([name, value]) => row[name as keyof typeof columns] === value) &&
          (q === undefined || `${row.target ?? ''} ${JSON.stringify(row.changes)}`.includes(q));
        expect(found).toEqual(
          rows
            .filter(fits)
            .map(({ id }) => id)
            .reverse(),
        );
      },
    );
  });
});
