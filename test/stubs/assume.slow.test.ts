import { expect, test } from 'vitest';
import { aSale, call, openStub, signatureOf, signIn } from './partner.ts';
import { inventory, phone, till } from './till.ts';

const [item] = aSale(1).items;

test('an alternative changes replies from the start, while the stub runs, and until a reset', async () => {
  const { stub, ask } = await till({ 'pos.sale-status': '200' });
  const statusOfSale = async () => (await ask('POST', '/sales', aSale(1))).status;
  expect(await statusOfSale()).toBe(200);
  await stub.assumptions.clear();
  expect(await statusOfSale()).toBe(201);
  await stub.assumptions.add({ 'pos.payment-status': '202', 'pos.success-envelope': 'bare' });
  const bare = { status: 'completed', total: 4500 };
  expect(await ask('POST', '/sales', aSale(1))).toMatchObject({ status: 201, body: bare });
  await stub.reset();
  expect(stub.assumptions.list()).toEqual([{ gap: 'pos.sale-status', alternative: '200', text: '200.' }]);
  expect(await statusOfSale()).toBe(200);
});

test('the journal shows what was sent, and the reply does not show what is assumed', async () => {
  const { stub, ask } = await till({ 'pos.sale-status': '200', 'pos.sale-response': 'id-only' });
  const sold = await ask('POST', '/sales', aSale());
  expect(sold).toMatchObject({ status: 200, body: { success: true, data: { id: expect.stringMatching(/^sale_/) } } });
  expect(stub.calls({ operation: 'createSale' })).toMatchObject([{ status: 200, responseBody: JSON.stringify(sold.body) }]);
  expect(JSON.stringify([...sold.headers])).not.toMatch(/assum|sale-status/i);
});

test('prepared replies, examples and faults have the same alternatives, and a reply of before is not given again', async () => {
  const { stub, ask } = await till({});
  const data = async () => (await ask('GET', inventory)).body.data;
  for (let time = 0; time < 2; time++) expect(await data()).toHaveProperty('items');
  await stub.assumptions.add({ 'pos.inventory-response': 'bare-array', 'pos.error-body': 'error-text' });
  for (let time = 0; time < 2; time++) expect(await data()).toBeInstanceOf(Array);
  const simulated = await ask('POST', '/sales', aSale(), { prefer: 'example=insufficient_stock' });
  expect(simulated).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  stub.faults.add('readInventory:malformed');
  await expect(data()).rejects.toThrow(SyntaxError);
  expect(stub.calls({ operation: 'readInventory' }).at(-1)?.responseBody).toMatch(/^\{"success":true,"data":\[/);
  stub.faults.clear();
  await stub.assumptions.clear();
  expect(await data()).toHaveProperty('items');
});

test('a refusal of an alternative is like one of the reference, and nothing is stored', async () => {
  const { stub, ask } = await till({
    'pos.repeated-products': 'refused',
    'pos.phone-format': 'e164-only',
    'pos.providers': 'short-names',
    'pos.unknown-method': '405',
  });
  const before = await stub.state();
  const wave = { amount: 1, phone, reference: 'S-20261121-7K3M9Q', provider: 'wave' };
  const local = { ...aSale(1), customer_phone: '0700000000' };
  for (const [path, body, field, message] of [
    ['/sales', { ...aSale(2), items: [item, item] }, 'items.1.product_id', 'must not be that of another line'],
    ['/sales', local, 'customer_phone', 'must be a telephone number with + and the country code'],
    [
      '/payment/mobile',
      { ...wave, provider: 'orange_money' },
      'provider',
      'must be one of orange, mtn, moov, not "orange_money"',
    ],
    ['/payment/mobile', wave, 'provider', 'must be one of orange, mtn, moov, not "wave"'],
  ] as const) {
    const error = { code: 'invalid_request', details: [{ field }], message: expect.stringContaining(`${field}: ${message}`) };
    const help = { operation: `POST /api/v1${path}`, fields: [{ field }] };
    expect(await ask('POST', path, body)).toMatchObject({ status: 400, body: { success: false, error, help } });
  }
  const method = await ask('PUT', '/sales', {});
  expect([method.status, method.headers.get('allow')]).toEqual([405, 'POST']);
  expect(await stub.state()).toEqual(before);
});

test('help does not contradict an active alternative', async () => {
  const { stub, ask } = await till({});
  const refuse = async () => (await ask('GET', `${inventory}&colour=red`)).body.help;
  expect(await refuse()).toMatchObject({ fields: [{ gap: { id: 'pos.strict-queries' } }], example: { method: 'GET' } });
  await stub.assumptions.replace({ 'pos.error-conditions': '422-validation' });
  const help = await refuse();
  expect(JSON.stringify(help)).not.toContain('pos.error-conditions');
  expect(help.example).toMatchObject({ method: 'GET' });
  await stub.assumptions.replace({ 'pos.providers': 'short-names' });
  const paid = await ask('POST', '/payment/mobile', { amount: 1, phone, provider: 'orange_money', reference: 'S-1' });
  expect(paid.body.help).not.toHaveProperty('example');
  expect(JSON.stringify(paid.body.help)).not.toMatch(/pos\.providers|The example/);
});

test('the help of a refusal that an alternative alone makes names no choice of its field: under that choice it is no mistake', async () => {
  const { ask } = await till({ 'pos.repeated-products': 'refused' });
  const sale = { ...aSale(2), items: [item, item] };
  const { status, body } = await ask('POST', '/sales', sale);
  expect([status, body.error.code, body.help.fields.length]).toEqual([400, 'invalid_request', 1]);
  expect(body.help.fields[0]).toMatchObject({ field: 'items.1.product_id' });
  expect(body.help.fields[0]).not.toHaveProperty('gap');
  // A refusal that the register's choice makes still names it.
  const own = await ask('POST', '/sales', { ...aSale(), payment_method: 'shells' });
  expect(own.body.help.fields[0].gap.id).toBe('pos.payment-methods');
});

test('tests of an endpoint and reordered events are changed too', async () => {
  const { stub, receiver } = await till({ 'pos.webhook-envelope': 'bare' });
  const path = `/manage/v1/endpoints/${stub.endpoints.list()[0]?.id}/test`;
  await call(stub, 'POST', path, { token: stub.operatorToken, body: { event_type: 'sale.completed' } });
  await stub.settled();
  await stub.triggerAll([{ event: 'sync.completed' }, { event: 'inventory.low' }], { reorder: true });
  const types = receiver.received.map(({ headers }) => headers['x-event']);
  expect(types).toEqual(['sale.completed', 'inventory.low', 'sync.completed']);
  for (const { body } of receiver.received) expect(JSON.parse(body)).not.toHaveProperty('data');
});

test('signatures and headers of webhooks follow the alternatives, and no record has the secret', async () => {
  const { stub, receiver } = await till({ 'pos.webhook-signing': 'token-header' });
  await stub.trigger('inventory.low');
  const headers = receiver.received[0]?.headers ?? {};
  expect(`sha256=${headers['x-webhook-token']}`).toBe(signatureOf(stub.secret, 'X-Webhook-Token'));
  const records = JSON.stringify([await stub.deliveries(), await stub.state(), stub.calls()]);
  expect(records).toContain(headers['x-webhook-token']);
  expect(records).not.toContain(stub.secret.slice('whsec_'.length));
  expect(Object.keys(headers).filter((name) => name.startsWith('webhook-') || name.includes('signature'))).toEqual([]);
});

test('the profile takes tokens as the reference issues them, as the guide says', async () => {
  const stub = await openStub('pos', { console: true, assume: 'pos.token-format=random' });
  const me = async (token: string) => (await call(stub, 'GET', '/profile/v1/me', { token })).status;
  expect(await me(await signIn(stub))).toBe(401);
  await stub.assumptions.clear();
  expect(await me(await signIn(stub))).toBe(200);
});

test('tokens of another form are taken back, also in a header of their own', async () => {
  const { stub, token, ask } = await till({ 'pos.token-format': 'random', 'pos.token-transport': 'own-header' });
  expect(token).not.toMatch(/^eyJ/);
  const withHeader = (value: string) => call(stub, 'GET', `/api/v1${inventory}`, { headers: { 'x-api-token': value } });
  expect((await withHeader(token)).status).toBe(200);
  const refused = await ask('GET', inventory);
  expect(refused).toMatchObject({
    status: 401,
    body: { error: { code: 'token_missing', message: expect.stringMatching(/^The token is missing\./) } },
  });
  for (const { body } of [refused, await withHeader('two words')])
    expect(JSON.stringify(body)).not.toMatch(/Authorization|Bearer/);
  expect(stub.calls({ status: 401 })[0]?.requestHeaders.authorization).toBe(`Bearer ${token}`);
});
