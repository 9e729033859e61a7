import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { serviceNames } from '../../contracts/documents/services.ts';
import type { viewGap } from '../../contracts/gaps/gap.ts';
import { entriesOf, playable } from '../../stubs/assume/live.ts';
import { aSale, call, openReceiver, openStub, signIn } from './partner.ts';

const hexOf = (secret: string | Buffer, body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const mobileSale = { ...aSale(), payment_method: 'mobile_money' };

test('an alternative changes replies from the start, while the stub runs, and until a reset', async () => {
  const stub = await openStub('pos', { assume: { 'pos.sale-status': '200' } });
  const token = await signIn(stub);
  const statusOfSale = async () => (await call(stub, 'POST', '/api/v1/sales', { token, body: aSale(1) })).status;
  expect(await statusOfSale()).toBe(200);
  await stub.assumptions.clear();
  expect(await statusOfSale()).toBe(201);
  await stub.assumptions.add({ 'pos.payment-status': '202', 'pos.success-envelope': 'bare' });
  expect(await call(stub, 'POST', '/api/v1/sales', { token, body: aSale(1) })).toMatchObject({
    status: 201,
    body: { status: 'completed', total: 4500 },
  });
  await stub.reset();
  expect(stub.assumptions.list()).toEqual([{ gap: 'pos.sale-status', alternative: '200', text: '200.' }]);
  expect(await statusOfSale()).toBe(200);
});

test('the journal shows what was sent, and the reply does not show what is assumed', async () => {
  const stub = await openStub('pos', { assume: 'pos.sale-status=200,pos.sale-response=id-only' });
  const sold = await call(stub, 'POST', '/api/v1/sales', { token: await signIn(stub), body: aSale() });
  expect(sold).toMatchObject({ status: 200, body: { success: true, data: { id: expect.stringMatching(/^sale_/) } } });
  const [recorded] = stub.calls({ operation: 'createSale' });
  expect(recorded).toMatchObject({ status: 200, responseBody: JSON.stringify(sold.body) });
  expect([...sold.headers.keys()].toSorted()).toEqual(
    [...(await call(await openStub('pos'), 'GET', '/api/v1/nowhere')).headers.keys()].toSorted(),
  );
  expect(JSON.stringify([...sold.headers])).not.toMatch(/assum|sale-status/i);
});

test('errors of the framework are changed too: a body that is not JSON, a wrong type, a missing token', async () => {
  const stub = await openStub('cohesion', {
    assume: { 'cohesion.malformed-json': '400', 'cohesion.transport-statuses': '422', 'cohesion.error-body': 'problem-details' },
  });
  const { token } = stub.credentials;
  const post = (type: string, authorization = `Bearer ${token}`) =>
    fetch(`${stub.url}/api/v1/financements`, { method: 'POST', headers: { 'content-type': type, authorization }, body: '{"a":' });
  const replies = [await post('application/json'), await post('text/plain'), await post('application/json', 'Bearer no')];
  expect(replies.map(({ status }) => status)).toEqual([400, 422, 401]);
  for (const reply of replies) {
    expect(reply.headers.get('content-type')).toBe('application/problem+json');
    expect(await reply.json()).toMatchObject({ type: 'about:blank', status: reply.status });
  }
});

test('prepared replies, examples and faults have the same alternatives, and a reply of before is not given again', async () => {
  const stub = await openStub('pos');
  const token = await signIn(stub);
  const inventory = () => call(stub, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { token });
  expect(Array.isArray((await inventory()).body.data.items)).toBe(true);
  await inventory();
  await stub.assumptions.add({ 'pos.inventory-response': 'bare-array', 'pos.error-body': 'error-text' });
  expect(Array.isArray((await inventory()).body.data)).toBe(true);
  expect(Array.isArray((await inventory()).body.data)).toBe(true);
  const headers = { prefer: 'example=insufficient_stock' };
  const simulated = await call(stub, 'POST', '/api/v1/sales', { token, body: aSale(), headers });
  expect(simulated).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  stub.faults.add('readInventory:malformed');
  const broken = await call(stub, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { token }).catch(({ name }) => name);
  expect(broken).toBe('SyntaxError');
  expect(stub.calls({ operation: 'readInventory' }).at(-1)?.responseBody).toMatch(/^\{"success":true,"data":\[/);
  stub.faults.clear();
  await stub.assumptions.clear();
  expect(Array.isArray((await inventory()).body.data.items)).toBe(true);
});

test('a refused write changes nothing', async () => {
  const stub = await openStub('pos', { assume: { 'pos.repeated-products': 'refused', 'pos.phone-format': 'e164-only' } });
  const token = await signIn(stub);
  const before = await stub.state();
  const [item] = aSale(1).items;
  const twice = await call(stub, 'POST', '/api/v1/sales', { token, body: { ...aSale(2), items: [item, item] } });
  const local = await call(stub, 'POST', '/api/v1/sales', { token, body: { ...aSale(1), customer_phone: '0700000000' } });
  expect([twice.status, local.status]).toEqual([400, 400]);
  expect(twice.body.help).toMatchObject({ operation: 'POST /api/v1/sales', fields: [{ field: 'items.1.product_id' }] });
  expect(await stub.state()).toEqual(before);
});

test('what an alternative accepts really happens', async () => {
  const stub = await openStub('pos', { assume: ['pos.sale-fields-required=total-optional', 'pos.strict-bodies=ignored'] });
  const token = await signIn(stub);
  const { total: _total, ...body } = aSale(2);
  const sold = await call(stub, 'POST', '/api/v1/sales', { token, body: { ...body, colour: 'red' } });
  expect(sold).toMatchObject({ status: 201, body: { data: { total: 9000 } } });
  const withoutPrice = { ...body, items: [{ product_id: 'PRD-0001', quantity: 2 }] };
  // No sale is made of it, so no success is pretended.
  expect((await call(stub, 'POST', '/api/v1/sales', { token, body: withoutPrice })).status).toBe(400);
  expect(
    (await stub.state()).sales?.some((sale) => (sale as { reference?: string }).reference === sold.body.data.reference),
  ).toBe(true);
});

test('webhooks are changed before they are signed; a resend sends the same bytes', async () => {
  const receiver = await openReceiver(204);
  const stub = await openStub('pos', {
    assume: { 'pos.webhook-envelope': 'bare', 'pos.sale-completed-payload': 'reference-only' },
    webhooks: [{ url: receiver.url }],
  });
  const { deliveries } = await stub.trigger('sale.completed');
  await stub.resend(deliveries[0]?.id ?? '');
  const [first, again] = receiver.received;
  expect(JSON.parse(first?.body ?? '')).toEqual({ reference: expect.stringMatching(/^S-/) });
  expect(first?.headers['x-event']).toBe('sale.completed');
  expect(first?.headers['x-service-signature']).toBe(hexOf(stub.secret, first?.body ?? ''));
  expect(again?.body).toBe(first?.body);
  expect((await stub.deliveries())[0]).toMatchObject({
    body: first?.body,
    attempts_made: [{ request_headers: { 'X-Event': 'sale.completed' } }, {}],
  });
});

test('tests of an endpoint and reordered events are changed too', async () => {
  const receiver = await openReceiver(204);
  const stub = await openStub('pos', { assume: { 'pos.webhook-envelope': 'bare' }, webhooks: [{ url: receiver.url }] });
  const path = `/manage/v1/endpoints/${stub.endpoints.list()[0]?.id}/test`;
  await call(stub, 'POST', path, { token: stub.operatorToken, body: { event_type: 'sale.completed' } });
  await stub.settled();
  await stub.triggerAll([{ event: 'sync.completed' }, { event: 'inventory.low' }], { reorder: true });
  expect(receiver.received.map(({ headers }) => headers['x-event'])).toEqual([
    'sale.completed',
    'inventory.low',
    'sync.completed',
  ]);
  for (const { body } of receiver.received) expect(JSON.parse(body)).not.toHaveProperty('data');
});

test('signatures and headers of webhooks follow the alternatives', async () => {
  const receiver = await openReceiver(204);
  const stub = await openStub('pos', { assume: { 'pos.webhook-signing': 'token-header' }, webhooks: [{ url: receiver.url }] });
  await stub.trigger('inventory.low');
  const headers = receiver.received[0]?.headers ?? {};
  expect(headers['x-webhook-token']).toBe(createHmac('sha256', stub.secret).update('X-Webhook-Token').digest('hex'));
  const records = JSON.stringify([await stub.deliveries(), await stub.state(), stub.calls()]);
  expect(records).toContain(headers['x-webhook-token']);
  expect(records).not.toContain(stub.secret.slice('whsec_'.length));
  expect(Object.keys(headers).filter((name) => name.startsWith('webhook-') || name.includes('signature'))).toEqual([]);

  const other = await openReceiver(204);
  const cohesion = await openStub('cohesion', {
    assume: { 'cohesion.webhook-secret': 'decoded-bytes', 'cohesion.webhook-standard-headers': 'none' },
    webhooks: [{ url: other.url }],
  });
  await cohesion.trigger('plan.closed');
  const [sent] = other.received;
  const key = Buffer.from(cohesion.secret.slice('whsec_'.length), 'base64');
  expect(sent?.headers['x-service-signature']).toBe(hexOf(key, sent?.body ?? ''));
  expect(sent?.headers['webhook-id']).toBeUndefined();
});

test('a refusal of an alternative has the shape, the code and the fields of the reference, whatever shape errors have', async () => {
  const stub = await openStub('pos', {
    help: false,
    assume: {
      'pos.repeated-products': 'refused',
      'pos.phone-format': 'e164-only',
      'pos.providers': 'short-names',
      'pos.unknown-method': '405',
    },
  });
  const token = await signIn(stub);
  const [item] = aSale(1).items;
  const sell = (more: object) => call(stub, 'POST', '/api/v1/sales', { token, body: { ...aSale(1), ...more } });
  const pay = (provider: string) =>
    call(stub, 'POST', '/api/v1/payment/mobile', {
      token,
      body: { amount: 1, phone: '+2250700000001', reference: 'S-20261121-7K3M9Q', provider },
    });
  const cases = [
    [await sell({ items: [item, item], total: 9000 }), 'items.1.product_id', 'must not be that of another line'],
    [await sell({ customer_phone: '0700000000' }), 'customer_phone', 'must be a telephone number with + and the country code'],
    [await pay('orange_money'), 'provider', 'must be one of orange, mtn, moov, not "orange_money"'],
    [await pay('wave'), 'provider', 'must be one of orange, mtn, moov, not "wave"'],
  ] as const;
  for (const [{ status, body }, field, message] of cases) {
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, error: { code: 'invalid_request', details: [{ field }] } });
    expect(body.error.message).toContain(`${field}: ${message}`);
  }
  const method = await call(stub, 'PUT', '/api/v1/sales', { token, body: {} });
  expect([method.status, method.headers.get('allow')]).toEqual([405, 'POST']);
  await stub.assumptions.add({ 'pos.error-body': 'error-text' });
  expect((await pay('wave')).body).toEqual({ error: 'provider: must be one of orange, mtn, moov, not "wave"' });
  await stub.assumptions.add({ 'pos.error-body': 'problem-details' });
  expect((await pay('wave')).body).toMatchObject({ title: 'Bad Request', detail: expect.stringContaining('not "wave"') });
});

test('refusals of cohesion name the field too, and 405 names the methods of its path', async () => {
  const stub = await openStub('cohesion', {
    assume: {
      'cohesion.devise-sent': 'refused',
      'cohesion.financing-bounds': 'open-year-only',
      'cohesion.unknown-method': '405',
      'cohesion.page-parameter': '404-past-last',
    },
  });
  const { token } = stub.credentials;
  const financing = { structure_id: 1, bailleur: 'UE', type: 'bailleur', intitule: 'Appui', montant: 5, statut: 'promis' };
  const post = (more: object) => call(stub, 'POST', '/api/v1/financements', { token, body: { ...financing, ...more } });
  expect(await post({ exercice: 2026, devise: 'XOF' })).toMatchObject({
    status: 422,
    body: { errors: { devise: ['is not a field of this request'] } },
  });
  expect(await post({ exercice: 1950 })).toMatchObject({
    status: 422,
    body: { errors: { exercice: ['1950 is neither the current year nor one with an open plan.'] } },
  });
  const method = await call(stub, 'PUT', '/api/v1/indicateurs/1', { token, body: {} });
  expect([method.status, method.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  const page = await call(stub, 'GET', '/api/v1/indicateurs?page=999', { token });
  expect(page).toMatchObject({ status: 404, body: { message: 'There is no page 999.' } });
  await stub.assumptions.add({ 'cohesion.error-body': 'error-object' });
  expect((await post({ exercice: 1950 })).body.error).toEqual({
    code: 'unprocessable_entity',
    message: '1950 is neither the current year nor one with an open plan.',
  });
});

test('what pacts know from provider states, a stub looks up', async () => {
  const stub = await openStub('cohesion', {
    assume: { 'cohesion.financing-moves': 'annule-final' },
  });
  const { token } = stub.credentials;
  const financing = { exercice: 2026, bailleur: 'UE', type: 'bailleur', intitule: 'Appui', montant: 5, statut: 'annule' };
  const perimeter = stub.credentials.tokens.find((one) => one.token === token);
  expect(perimeter).toBeDefined();
  const { body } = await call(stub, 'GET', '/api/v1/structures', { token });
  const created = await Promise.all(
    body.data.map(({ id }: { id: number }) =>
      call(stub, 'POST', '/api/v1/financements', { token, body: { ...financing, structure_id: id } }),
    ),
  );
  const mine = created.find(({ status }) => status === 201);
  const moved = await call(stub, 'PUT', `/api/v1/financements/${mine?.body.data.id}`, { token, body: { statut: 'promis' } });
  expect(moved.status).toBe(422);
});

test('other words for alert states change no count, and an event of its own shape keeps its name beside the type', async () => {
  const receiver = await openReceiver(204);
  const stub = await openStub('cohesion', { webhooks: [{ url: receiver.url }] });
  const { token } = stub.credentials;
  const read = async (path: string) => (await call(stub, 'GET', `/api/v1${path}`, { token })).body.data;
  const statesOf = async (): Promise<string[]> =>
    (await read('/indicateurs')).map(({ alert_state }: { alert_state: string }) => alert_state);
  const words: Record<string, string> = { none: 'none', under: 'warning', over: 'critical' };
  const before = await statesOf();
  const counted = await read('/stats');
  await stub.assumptions.replace({
    'cohesion.alert-states': 'degrees',
    'cohesion.webhook-envelope': 'own-shapes',
  });
  expect(before).toContain('none');
  expect(await statesOf()).toEqual(before.map((state) => words[state]));
  expect(await read('/stats')).toEqual(counted);
  await stub.assumptions.add({ 'cohesion.attainment-rate': 'fraction' });
  await stub.trigger('indicator.alert');
  const sent = JSON.parse(receiver.received[0]?.body ?? '');
  expect(sent).toMatchObject({ event_type: 'indicator.alert', alert_state: expect.stringMatching(/^(warning|critical)$/) });
  expect(sent.taux_atteinte).toBeCloseTo(sent.valeur_courante / sent.cible_annuelle, 3);
  expect(sent.type).not.toBe('indicator.alert');
  expect(sent).not.toHaveProperty('data');
});

test.each([
  ['a misspelt gap', { 'pos.sale-statuss': '200' }, /"pos\.sale-statuss" is not a gap of pos\. Did you mean pos\.sale-status\?/],
  [
    'a misspelt alternative',
    { 'pos.payment-status': '203' },
    /no alternative "203"\. Did you mean 200 or 202\? It has 200 \(200\.\), 202 \(/,
  ],
  [
    'a gap of the other API',
    { 'cohesion.list-order': 'newest-first' },
    /cohesion\.list-order is a gap of cohesion, and this stub serves pos/,
  ],
  ['one that is not played', { 'pos.back-office': 'in-this-api' }, /does not play pos\.back-office=in-this-api\. \S/],
  [
    'a contradiction',
    { 'pos.sale-response': 'reference-only', 'pos.payment-reference': 'sale-id' },
    /pos\.sale-response=reference-only contradicts pos\.payment-reference=sale-id: a client would never learn/,
  ],
  ['two of one gap', 'pos.payment-status=200,pos.payment-status=202', /pos\.payment-status is given twice, as 200 and as 202/],
  ['another form', 'pos.sale-status', /"pos\.sale-status" is not GAP=ALTERNATIVE/],
])('%s is refused', async (_, assume, message) => {
  await expect(openStub('pos', { assume: assume as string })).rejects.toThrow(message);
});

test('the control API lists, adds, replaces and removes alternatives; a refused change changes nothing', async () => {
  const stub = await openStub('pos');
  const ask = async (method: string, path: string, body?: unknown) => {
    const reply = await call(stub, method, `/_stub/assume${path}`, body === undefined ? {} : { body });
    return reply.status === 200
      ? reply.body.data.map((one: { gap: string; alternative: string }) => `${one.gap}=${one.alternative}`)
      : reply;
  };
  expect(await ask('POST', '', { 'pos.sale-status': '200' })).toEqual(['pos.sale-status=200']);
  expect(await ask('POST', '', { 'pos.payment-status': '202' })).toEqual(['pos.sale-status=200', 'pos.payment-status=202']);
  expect(await ask('POST', '', { 'pos.payment-status': '200' })).toEqual(['pos.sale-status=200', 'pos.payment-status=200']);
  expect(await ask('POST', '', { 'pos.sale-status': '204', 'pos.success-envelope': 'bare' })).toMatchObject({ status: 400 });
  expect(await ask('DELETE', '/pos.sale-status')).toEqual(['pos.payment-status=200']);
  expect(await ask('DELETE', '/pos.sale-status')).toMatchObject({ status: 404 });
  expect((await call(stub, 'GET', '/_stub')).body.data.assumptions).toMatchObject([
    { gap: 'pos.payment-status', alternative: '200' },
  ]);
  expect(await ask('PUT', '', { 'pos.success-envelope': 'bare' })).toEqual(['pos.success-envelope=bare']);
  expect(await ask('PUT', '', 'harmless.gzip, pos.sale-status=200')).toEqual(['pos.sale-status=200', 'harmless.gzip=on']);
  const unknown = { status: 400, body: { error: { message: expect.stringMatching(/Did you mean pos\.sale-status\?/) } } };
  expect(await ask('POST', '', 'pos.sale-statuss=200')).toMatchObject(unknown);
  expect(await ask('POST', '', 7)).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringMatching(/or a text such as/) } },
  });
  expect(await ask('DELETE', '')).toEqual([]);
  expect(await ask('GET', '')).toEqual([]);
});

test.each(serviceNames)(
  'the control API lists the register of %s and the harmless changes, and plays what it says is played',
  async (api) => {
    const stub = await openStub(api);
    const { data } = (await call(stub, 'GET', '/_stub/gaps')).body as { data: ReturnType<typeof viewGap>[] };
    expect(data.map(({ id }) => id)).toEqual(entriesOf(api).map(({ id }) => id));
    expect(data.some(({ id }) => id === 'harmless.gzip')).toBe(true);
    const named = data.flatMap(({ id, named_alternatives: all }) => all.map((one) => ({ ...one, name: `${id}=${one.id}` })));
    expect(named.filter(({ played }) => played).map(({ name }) => name)).toEqual(playable(api));
    for (const { played, not_played_because: reason } of named) expect(reason === undefined).toBe(played);
  },
);

test.each([
  [
    'a misspelt gap',
    'pos.sale-statuss',
    /^"pos\.sale-statuss" is neither a gap of pos nor a harmless change\. Did you mean pos\.sale-status\?$/,
  ],
  ['a misspelt harmless change', 'harmless.gzipp', /^"harmless\.gzipp" is neither .*Did you mean harmless\.gzip\?$/],
  ['a gap that has none', 'pos.sale-status', /^pos\.sale-status has no active alternative\. These have one: pos\.error-body\.$/],
  ['what resembles nothing', 'banana', /nor a harmless change\.$/],
  ['harmless changes, of which none is made', 'harmless', /^harmless has no active alternative\. These have one/],
])('what cannot be removed is named: %s', async (_, gap, message) => {
  const stub = await openStub('pos', { assume: 'pos.error-body=problem-details' });
  const refused = await call(stub, 'DELETE', `/_stub/assume/${gap}`);
  expect(refused).toMatchObject({ status: 404, body: { error: { message: expect.stringMatching(message) } } });
  expect(stub.assumptions.list()).toHaveLength(1);
});

test('the library refuses to remove what is no entry, and says false for an entry that has no alternative', async () => {
  const stub = await openStub('pos');
  await expect(stub.assumptions.remove('pos.sale-stats')).rejects.toThrow(
    /^assume: "pos\.sale-stats" is neither .*Did you mean pos\.sale-states or pos\.sale-status\?$/,
  );
  await expect(stub.assumptions.remove('cohesion.error-body')).rejects.toThrow('nor a harmless change');
  expect(await stub.assumptions.remove('pos.sale-status')).toBe(false);
  expect(await stub.assumptions.remove('harmless')).toBe(false);
});

test.each([
  ['a number', { 'pos.sale-status': 200 }, 'pos.sale-status', 'must be text: "200", not 200'],
  ['true', { 'pos.sale-status': '200', 'harmless.gzip': true }, 'harmless.gzip', 'must be text: "on", not true'],
  ['a list', { 'pos.sale-status': ['200'] }, 'pos.sale-status', 'must be the id of an alternative as text, not a list'],
])('an alternative that is not text is refused with its place: %s', async (_, body, field, message) => {
  const stub = await openStub('pos');
  for (const method of ['POST', 'PUT']) {
    const refused = await call(stub, method, '/_stub/assume', { body });
    expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ field, message }] } } });
  }
  expect(stub.assumptions.list()).toEqual([]);
});

test('the help of a refusal that an alternative alone makes names no choice of its field: under that choice it is no mistake', async () => {
  const sale = { ...aSale(), items: [{ product_id: 'PRD-0001', quantity: 2, price: 1.5 }], total: 3 };
  const stub = await openStub('pos', { assume: { 'pos.item-price': 'catalogue-only' } });
  const token = await signIn(stub);
  const { status, body } = await call(stub, 'POST', '/api/v1/sales', { token, body: sale });
  expect([status, body.error.code, body.help.fields.length]).toEqual([400, 'catalogue_price', 1]);
  expect(body.help.fields[0]).toMatchObject({ field: 'items.0.price', documented: { says: 'Sale item | price | number' } });
  expect(body.help.fields[0]).not.toHaveProperty('gap');
  // A refusal that the register's choice makes still names it.
  const own = await call(stub, 'POST', '/api/v1/sales', { token, body: { ...aSale(), payment_method: 'shells' } });
  expect(own.body.help.fields[0].gap.id).toBe('pos.payment-methods');
});

test('a sale in parts that is not allowed stores no payment', async () => {
  const stub = await openStub('pos', { assume: { 'pos.partial-payments': 'exact-amount' } });
  const token = await signIn(stub);
  const sold = await call(stub, 'POST', '/api/v1/sales', { token, body: mobileSale });
  const before = await stub.payments.list();
  const payment = { phone: '+2250700000001', provider: 'orange_money', reference: sold.body.data.reference };
  const pay = (amount: number) => call(stub, 'POST', '/api/v1/payment/mobile', { token, body: { ...payment, amount } });
  expect((await pay(100)).status).toBe(400);
  expect(await stub.payments.list()).toEqual(before);
  expect((await pay(9000)).status).toBe(201);
});

test('a verb that chooses otherwise: totals, stock, and the end of a sale', async () => {
  const stub = await openStub('pos', { assume: { 'pos.sale-total': 'discount', 'pos.stock-at-creation': 'at-completion' } });
  const token = await signIn(stub);
  const stock = async () => {
    const { body } = await call(stub, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { token });
    return body.data.items.find((item: { product_id: string }) => item.product_id === 'PRD-0001').quantity;
  };
  const before = await stock();
  const sold = await call(stub, 'POST', '/api/v1/sales', { token, body: { ...mobileSale, total: 8000 } });
  expect(sold).toMatchObject({ status: 201, body: { data: { status: 'pending', total: 8000 } } });
  expect(await stock()).toBe(before);
  const payment = { amount: 8000, phone: '+2250700000001', provider: 'orange_money', reference: sold.body.data.reference };
  const paid = await call(stub, 'POST', '/api/v1/payment/mobile', { token, body: payment });
  expect(paid.body.data.sale).toMatchObject({ status: 'completed', remaining: 0 });
  expect(await stock()).toBe(before - 2);
  const higher = await call(stub, 'POST', '/api/v1/sales', { token, body: { ...aSale(1), total: 5000 } });
  expect(higher.status).toBe(400);

  await stub.assumptions.replace({ 'pos.insufficient-stock': 'negative-stock' });
  expect((await call(stub, 'POST', '/api/v1/sales', { token, body: aSale(before) })).status).toBe(201);
  expect(await stock()).toBe(-2);
});

test('of changes at once none is lost', async () => {
  const stub = await openStub('pos');
  await Promise.all([
    stub.assumptions.add({ 'pos.sale-status': '200' }),
    stub.assumptions.add({ 'pos.sale-total': 'discount' }),
    stub.assumptions.add({ 'pos.stock-at-creation': 'at-completion' }),
  ]);
  const gaps = () => stub.assumptions.list().map(({ gap }) => gap);
  expect(gaps().toSorted()).toEqual(['pos.sale-status', 'pos.sale-total', 'pos.stock-at-creation']);
  const removed = [stub.assumptions.remove('pos.sale-status'), stub.assumptions.remove('pos.sale-total')];
  expect(await Promise.all(removed)).toEqual([true, true]);
  expect(gaps()).toEqual(['pos.stock-at-creation']);
});

test('a payment that a trigger ends follows the alternatives and the stub’s payments', async () => {
  const assume = { 'pos.stock-at-creation': 'at-completion' } as const;
  const stub = await openStub('pos', { assume, mobileMoney: 'pending:10m', clock: '2026-11-21T08:00:00Z' });
  const token = await signIn(stub);
  const stock = async () => {
    const { body } = await call(stub, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { token });
    return body.data.items.find((item: { product_id: string }) => item.product_id === 'PRD-0001').quantity;
  };
  const before = await stock();
  const sold = await call(stub, 'POST', '/api/v1/sales', { token, body: mobileSale });
  const { reference } = sold.body.data;
  const payment = { amount: 9000, phone: '+2250700000001', provider: 'orange_money', reference };
  await call(stub, 'POST', '/api/v1/payment/mobile', { token, body: payment });
  await stub.clock.advance('1m');
  expect(await stub.trigger('payment.received', undefined, { on: reference })).toMatchObject({ example: false });
  expect(await stock()).toBe(before - 2);
  const ended = { reference, status: 'received', settles_at: null, settled_at: '2026-11-21T08:01:00.000Z' };
  expect(await stub.payments.list()).toContainEqual(expect.objectContaining(ended));
});

test('what a trigger sells and pays has the ids of the active changes', async () => {
  const receiver = await openReceiver(204);
  const stub = await openStub('pos', { assume: 'harmless.longer-ids', webhooks: [{ url: receiver.url }] });
  const [token, body] = [await signIn(stub), mobileSale];
  const sold = await call(stub, 'POST', '/api/v1/sales', { token, body });
  const suffix = sold.body.data.id.slice(-10);
  await stub.trigger('sale.completed');
  await stub.trigger('payment.received');
  const made = receiver.received.map((webhook) => JSON.parse(webhook.body).data);
  expect(made.map(({ id }) => id.slice(-10))).toEqual([suffix, suffix]);
});

test.each(['pos.stock-at-creation=at-completion', 'pos.inventory-low-condition=at-zero'])(
  'a trigger of inventory.low makes a change that causes it under %s',
  async (assume) => {
    const stub = await openStub('pos', { assume });
    expect(await stub.trigger('inventory.low')).toMatchObject({ example: false });
  },
);

test.each([
  ['at-zero', [{ quantity: 0 }]],
  ['every-change', [{ quantity: 2 }, { quantity: 1 }, { quantity: 0 }]],
  [undefined, [{ quantity: 2 }]],
])('inventory.low under pos.inventory-low-condition=%s: of sales that leave 3, 2, 1 and 0', async (assumed, announced) => {
  const { url, received } = await openReceiver(204);
  const products = [{ product_id: 'PRD-0001', name: 'Riz', price: 4500, quantity: 4, low_threshold: 2 }];
  const stub = await openStub('pos', {
    seed: { stores: [{ id: 'STORE-ABJ-01', name: 'S', products }] },
    webhooks: [{ url, events: ['inventory.low'] }],
    ...(assumed && { assume: { 'pos.inventory-low-condition': assumed } }),
  });
  const token = await signIn(stub);
  for (let sale = 0; sale < 4; sale++) await call(stub, 'POST', '/api/v1/sales', { token, body: aSale(1) });
  await stub.settled();
  expect(received.map(({ body }) => JSON.parse(body).data)).toMatchObject(announced);
});

test('a change of stock-at-creation while a sale is pending takes its goods twice, as the guide warns', async () => {
  const stub = await openStub('pos');
  const token = await signIn(stub);
  const stock = async () => {
    const { body } = await call(stub, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { token });
    return body.data.items.find((item: { product_id: string }) => item.product_id === 'PRD-0001').quantity;
  };
  const before = await stock();
  const sold = await call(stub, 'POST', '/api/v1/sales', { token, body: mobileSale });
  await stub.assumptions.add({ 'pos.stock-at-creation': 'at-completion' });
  const payment = { amount: 9000, phone: '+2250700000001', provider: 'orange_money', reference: sold.body.data.reference };
  expect((await call(stub, 'POST', '/api/v1/payment/mobile', { token, body: payment })).status).toBe(201);
  expect(await stock()).toBe(before - 4);
});

test('the profile takes tokens as the reference issues them, as the guide says', async () => {
  const stub = await openStub('pos', { console: true, assume: 'pos.token-format=random' });
  const me = async (token: string) => (await call(stub, 'GET', '/profile/v1/me', { token })).status;
  expect(await me(await signIn(stub))).toBe(401);
  await stub.assumptions.clear();
  expect(await me(await signIn(stub))).toBe(200);
});

test('a payment is pending first, and is received when the clock says so', async () => {
  const receiver = await openReceiver(204);
  const stub = await openStub('pos', {
    assume: { 'pos.payment-states': 'pending' },
    clock: '2026-11-21T08:00:00Z',
    webhooks: [{ url: receiver.url, events: ['payment.received'] }],
  });
  const token = await signIn(stub);
  const sold = await call(stub, 'POST', '/api/v1/sales', { token, body: mobileSale });
  const payment = { amount: 9000, phone: '+2250700000001', provider: 'orange_money', reference: sold.body.data.reference };
  const paid = await call(stub, 'POST', '/api/v1/payment/mobile', { token, body: payment });
  expect(paid).toMatchObject({ status: 201, body: { data: { status: 'pending' } } });
  expect(receiver.received).toEqual([]);
  await stub.clock.advance('30s');
  expect(receiver.received).toHaveLength(1);
});

test('without retries, a delivery that fails once is lost', async () => {
  const receiver = await openReceiver(500, 204);
  const stub = await openStub('cohesion', {
    assume: { 'cohesion.webhook-retries': 'none' },
    clock: '2026-11-21T08:00:00Z',
    webhooks: [{ url: receiver.url }],
  });
  await stub.trigger('plan.closed');
  await stub.clock.advance('27h');
  expect(receiver.received).toHaveLength(1);
  await stub.assumptions.clear();
  await stub.trigger('rapport.ready');
  await stub.clock.advance('27h');
  expect(receiver.received.length).toBeGreaterThanOrEqual(2);
  expect((await stub.deliveries()).map(({ status }) => status)).toEqual(['failed', 'delivered']);
});

test('without idempotency keys every POST is a new one, and the journal shows the key', async () => {
  const stub = await openStub('pos', { assume: { 'pos.idempotency-keys': 'none' } });
  const token = await signIn(stub);
  const headers = { 'idempotency-key': 'till-1' };
  const [one, other] = [
    await call(stub, 'POST', '/api/v1/sales', { token, body: aSale(1), headers }),
    await call(stub, 'POST', '/api/v1/sales', { token, body: aSale(1), headers }),
  ];
  expect(other.body.data.id).not.toBe(one.body.data.id);
  expect(stub.calls({ operation: 'createSale' }).map(({ requestHeaders }) => requestHeaders['idempotency-key'])).toEqual([
    'till-1',
    'till-1',
  ]);
});

test('tokens of another form are taken back, also in a header of their own', async () => {
  const stub = await openStub('pos', { assume: { 'pos.token-format': 'random', 'pos.token-transport': 'own-header' } });
  const token = await signIn(stub);
  expect(token).not.toMatch(/^eyJ/);
  const path = '/api/v1/inventory?store_id=STORE-ABJ-01';
  expect((await call(stub, 'GET', path, { headers: { 'x-api-token': token } })).status).toBe(200);
  const refused = await call(stub, 'GET', path, { token });
  expect(refused).toMatchObject({
    status: 401,
    body: { error: { code: 'token_missing', message: expect.stringMatching(/^The token is missing\./) } },
  });
  expect(JSON.stringify(refused.body)).not.toMatch(/Authorization|Bearer/);
  expect(JSON.stringify((await call(stub, 'GET', path, { headers: { 'x-api-token': 'two words' } })).body)).not.toContain(
    'Bearer',
  );
  expect(stub.calls({ status: 401 })[0]?.requestHeaders.authorization).toBe(`Bearer ${token}`);
});
