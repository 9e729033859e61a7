import { expect, test } from 'vitest';
import { readGatewayCalls } from '../../../contracts/tools/recording/gateway-calls.ts';
import { ManageClient } from '../../../stubs/listen/manage.ts';
import { eventually } from '../../eventually.ts';
import { buildTestApp, operatorToken } from '../../helper.ts';
import { openReceiver } from '../../stubs/partner.ts';

/** A gateway with the demo data, its address, and a client of its manage API. */
async function gatewayAt() {
  const gateway = await buildTestApp();
  const at = await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  const manage = new ManageClient({ at, token: operatorToken });
  const read = (options: object = {}) => readGatewayCalls(manage, { service: 'pos', ...options });
  return { gateway, at, manage, read };
}

test("a caller's calls, oldest first, with bodies and without secrets", async () => {
  const { gateway, read } = await gatewayAt();
  const [pro, free] = [await gateway.posToken('pro'), await gateway.posToken('free')];
  const sale = {
    store_id: 'STORE-ABJ-01',
    items: [{ product_id: 'PRD-0001', quantity: 1, price: 4500 }],
    payment_method: 'cash',
    total: 4500,
  };
  const ask = (token: string, path: string) =>
    gateway.call('GET', `/pos/api/v1${path}`, { token, headers: { host: 'pos.example' } });
  await gateway.call('POST', '/pos/api/v1/sales', { token: pro, body: sale });
  await ask(pro, '/inventory?store_id=STORE-ABJ-01&access_token=0123456789abcdef');
  await ask(pro, '/nowhere');
  await ask(free, '/inventory?store_id=STORE-ABJ-02');
  await gateway.call('GET', '/cohesion/api/v1/me', { token: gateway.cohesionToken() });

  const all = await read();
  const shape = ({ method, url, status }: { method: string; url: string; status: number }) => [method, url.split('&')[0], status];
  expect(all.recording.calls.map(shape)).toEqual([
    ['POST', '/api/auth', 200],
    ['POST', '/api/auth', 200],
    ['POST', '/api/v1/sales', 201],
    ['GET', '/api/v1/inventory?store_id=STORE-ABJ-01', 400],
    ['GET', '/api/v1/inventory?store_id=STORE-ABJ-02', expect.any(Number)],
  ]);
  expect(all.notes).toEqual(['Skipped 1 call of no operation of pos or cohesion: GET /api/v1/nowhere.']);
  expect(JSON.parse(all.recording.calls[2]?.requestBody ?? '')).toEqual(sale);
  expect(JSON.parse(all.recording.calls[2]?.responseBody ?? '')).toMatchObject({ data: { total: 4500 } });
  const shown = JSON.stringify(all);
  for (const secret of [pro, free, '0123456789abcdef', ...gateway.demo.pos.accounts.map(({ apiSecret }) => apiSecret)])
    expect(shown).not.toContain(secret);

  const caller = (await gateway.manage('GET', '/calls?operation=createSale')).body.data[0];
  const byPro = await read({ caller: caller.caller });
  expect(byPro.recording.calls.map(shape).slice(-2)).toEqual(all.recording.calls.slice(2, 4).map(shape));
  expect((await read({ caller: caller.caller_name.slice(1, -1).toUpperCase() })).recording).toEqual(byPro.recording);
  expect((await read({ service: 'cohesion' })).recording.calls).toMatchObject([
    { method: 'GET', url: '/api/v1/me', status: 200 },
  ]);
});

test('a period, and what is wrong with one', async () => {
  const { gateway, read } = await gatewayAt();
  await gateway.posToken();
  const never = '2999-01-01';
  expect((await read({ since: '1h' })).recording.calls).toHaveLength(1);
  expect((await read({ since: '2020-01-01', until: never })).recording.calls).toHaveLength(1);
  await expect(read({ until: '1h' })).rejects.toThrow('The gateway has no call of pos in this period.');
  await expect(read({ since: never })).rejects.toThrow('The gateway has no call of pos in this period.');
  await expect(read({ since: '1h', until: '2h' })).rejects.toThrow(/^--since 1h \(.*Z\) must be before --until 2h \(/);
  for (const since of ['yesterday', '2026-02-31', '2026-13-01', '2026-11-21T08:00', '12', ''])
    await expect(read({ since })).rejects.toThrow(`--since ${since} is no time. Write a day (2026-11-21)`);
});

test('a caller that has no calls: the message names those that have', async () => {
  const { gateway, read } = await gatewayAt();
  await gateway.call('GET', '/pos/api/v1/inventory?store_id=S', { token: await gateway.posToken('pro') });
  await expect(read({ caller: 'Nobody' })).rejects.toThrow(
    /^The gateway has no call of pos by Nobody in this period\. The newest calls are by account:\w+ \(.+\)\.$/,
  );
  await expect(read({ caller: 'account:none' })).rejects.toThrow('no call of pos by account:none');
});

test('too many calls are refused before they are read', async () => {
  const manage = {
    count: async () => ({ count: 10_000, more: true }),
    exported: () => Promise.reject(new Error('It was read.')),
  };
  await expect(readGatewayCalls(manage as never, { service: 'pos' })).rejects.toThrow(
    'More than 10000 calls match. Choose a shorter period with --since and --until, or one --caller.',
  );
});

test('the webhooks that an endpoint accepted, one of each event', async () => {
  const { gateway, manage, read } = await gatewayAt();
  const receiver = await openReceiver(204, 204, 204, 500);
  const { id } = await manage.createEndpoint({ service: 'pos', url: receiver.url, events: null });
  await gateway.posToken();
  for (const event_type of ['sale.completed', 'sale.completed', 'sync.completed', 'inventory.low']) {
    await manage.sendTest(id, { event_type, data: undefined });
    await eventually(async () => {
      for await (const [latest] of manage.pages<{ attempts: number }>('/deliveries')) return expect(latest?.attempts).toBe(1);
    });
  }
  expect((await read({ endpointId: id })).recording.deliveries).toEqual([
    { eventType: 'sale.completed', body: '', accepted: true },
    { eventType: 'sync.completed', body: '', accepted: true },
  ]);
  expect((await read()).recording.deliveries).toEqual([]);
  await expect(read({ endpointId: 'ep_none' })).rejects.toThrow('ep_none');
});

test('a program that is no gateway, and a wrong token, are refused in one line', async () => {
  const { at } = await gatewayAt();
  const wrong = new ManageClient({ at, token: 'wrong' });
  await expect(readGatewayCalls(wrong, { service: 'pos' })).rejects.toThrow(/refused the token/);
  const nobody = new ManageClient({ at: 'http://127.0.0.1:1', token: operatorToken });
  await expect(nobody.exported('/calls', 'har', {})).rejects.toThrow(/^Nothing answers at http:\/\/127.0.0.1:1/);
});
