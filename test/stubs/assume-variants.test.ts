import { describe, expect, test } from 'vitest';
import type { Assumed } from '../../stubs/assume/chosen.ts';
import { aSale, call, openReceiver, openStub, signIn } from './partner.ts';
import { clock, mobileSale, phone, till } from './till.ts';

async function dashboard(assume: Assumed, now = clock) {
  const stub = await openStub('cohesion', { assume, clock: now });
  const { token } = stub.credentials;
  const ask = (method: string, path: string, body?: unknown) =>
    call(stub, method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }) });
  return { stub, ask };
}

const financing = {
  ...{ structure_id: 1, exercice: 2026, bailleur: 'UE', type: 'bailleur', intitule: 'Appui', montant: 50, statut: 'promis' },
};

describe('the variants that issue 18 names', () => {
  test('total optional', async () => {
    const { ask } = await till({ 'pos.sale-fields-required': 'total-optional' });
    const { total: _total, ...sale } = aSale(2);
    expect(await ask('POST', '/sales', sale)).toMatchObject({ status: 201, body: { data: { total: 9000 } } });
  });

  test('stock moved at completion', async () => {
    const { ask, pay, stock } = await till({ 'pos.stock-at-creation': 'at-completion' });
    const before = await stock();
    const { body } = await ask('POST', '/sales', mobileSale);
    expect(await stock()).toBe(before);
    await pay(body.data.reference, 9000);
    expect(await stock()).toBe(before - 2);
  });

  test('mobile money is pending first', async () => {
    const { ask, pay, stub, receiver } = await till({ 'pos.payment-states': 'pending' });
    const { body } = await ask('POST', '/sales', mobileSale);
    expect((await pay(body.data.reference, 9000)).body.data).toMatchObject({ status: 'pending', sale: { status: 'pending' } });
    expect(receiver.received).toEqual([]);
    await stub.clock.advance('30s');
    expect(receiver.received.map(({ body: sent }) => JSON.parse(sent).event).toSorted()).toEqual([
      'payment.received',
      'sale.completed',
    ]);
  });

  test('unknown query parameters are ignored, by both APIs', async () => {
    const { ask } = await till({ 'pos.strict-queries': 'ignored' });
    expect((await ask('GET', '/inventory?store_id=STORE-ABJ-01&colour=red')).status).toBe(200);
    const { ask: read } = await dashboard({ 'cohesion.strict-queries': 'ignored' });
    expect((await read('GET', '/structures?colour=red')).status).toBe(200);
  });
});

describe('point of sale', () => {
  test('a method of payment is the one that was sent, in replies, events, reports and refusals', async () => {
    const { ask, pay, report, sent } = await till({ 'pos.payment-methods': 'one-per-operator' });
    const before = await report();
    const { body } = await ask('POST', '/sales', { ...mobileSale, payment_method: 'mtn_momo' });
    expect(body.data).toMatchObject({ payment_method: 'mtn_momo', status: 'pending' });
    await pay(body.data.reference, 9000);
    const completed = (await sent()).find(({ event }) => event === 'sale.completed');
    expect(completed.data).toMatchObject({ id: body.data.id, payment_method: 'mtn_momo' });
    const { totals, by_payment_method: methods } = await report();
    const sum = methods.reduce((all: number, { amount }: { amount: number }) => all + amount, 0);
    expect(sum).toBe(totals.amount);
    expect(totals.amount).toBe(before.totals.amount + 9000);
    expect(methods.map((one: { payment_method: string }) => one.payment_method)).toEqual(
      expect.arrayContaining(['cash', 'mtn_momo', 'orange_money']),
    );
    expect(JSON.stringify(methods)).not.toContain('mobile_money');
    const refused = await ask('POST', '/sales', mobileSale);
    expect(refused.body.error.message).toBe(
      'payment_method: must be one of cash, card, orange_money, mtn_momo, moov_money, not "mobile_money"',
    );
  });

  test('a cheque completes a sale at once, and its event says so', async () => {
    const { ask, pay, sent } = await till({ 'pos.payment-methods': 'further' });
    const { body } = await ask('POST', '/sales', { ...mobileSale, payment_method: 'cheque' });
    expect(body.data).toMatchObject({ payment_method: 'cheque', status: 'completed' });
    expect(await sent()).toMatchObject([{ data: { payment_method: 'cheque' } }]);
    expect((await pay(body.data.reference, 1)).body.error.message).toContain('is paid by cheque, not by mobile money');
  });

  test('a report lists the sales that its totals counted, and counts pending ones by creation', async () => {
    const { stub, ask, report } = await till({});
    const plain = await report();
    await stub.assumptions.replace({ 'pos.report-response': 'single-sales' });
    const sales = await report();
    expect(sales).toHaveLength(plain.totals.sales);
    expect(sales.reduce((sum: number, { total }: { total: number }) => sum + total, 0)).toBe(plain.totals.amount);
    await ask('POST', '/sales', mobileSale);
    expect(await report()).toHaveLength(plain.totals.sales);
    await stub.assumptions.add({ 'pos.report-sales': 'by-creation' });
    await ask('POST', '/sales', mobileSale);
    const created = await report();
    expect(created.at(-1)).toMatchObject({ status: 'pending', total: 9000 });
    await stub.assumptions.replace({ 'pos.report-sales': 'by-creation' });
    const counted = await report();
    expect(counted.totals.sales).toBe(created.length);
    expect(counted.by_day.at(-1)).toMatchObject({ date: '2026-11-21', amount: 9000 });
  });

  test('a store one hour ahead books a sale before midnight on the next day', async () => {
    const receiver = await openReceiver(204);
    const stub = await openStub('pos', {
      ...{ clock: '2026-11-21T23:30:00Z', webhooks: [{ url: receiver.url }] },
      assume: { 'pos.report-sales': 'store-time-zone' },
    });
    const token = await signIn(stub);
    await call(stub, 'POST', '/api/v1/sales', { token, body: aSale(1) });
    const { body } = await call(stub, 'GET', '/api/v1/reports/sales?store_id=STORE-ABJ-01', { token });
    expect(body.data.period.end_date).toBe('2026-11-22');
    expect(body.data.by_day.at(-1)).toMatchObject({ date: '2026-11-22', amount: 4500 });
  });

  test('amounts in cents: requests, replies, events, bounds and the words of refusals', async () => {
    const { ask, pay, sent } = await till({ 'pos.currency': 'smallest-unit', 'pos.partial-payments': 'exact-amount' });
    const [item] = aSale(2).items;
    const sale = { ...mobileSale, items: [{ ...item, price: 450_000 }], total: 900_000 };
    const { body } = await ask('POST', '/sales', sale);
    expect(body.data).toMatchObject({ total: 900_000, items: [{ quantity: 2, price: 450_000, amount: 900_000 }] });
    expect((await ask('POST', '/sales', { ...sale, total: 5 })).body.error.message).toBe(
      'The total is 5, but the lines add up to 900000.',
    );
    const { reference } = body.data;
    expect((await pay(reference, 0.5)).body.error.message).toBe('amount: must be a whole number');
    expect((await pay(reference, 100)).body.error.message).toBe(
      `The amount is 100, but the total of sale ${reference} is 900000.`,
    );
    expect((await pay(reference, 900_000)).body.data).toMatchObject({ amount: 900_000, sale: { paid: 900_000, remaining: 0 } });
    const amounts = (await sent()).map(({ data: { amount, total } }) => amount ?? total);
    expect(amounts).toEqual([900_000, 900_000]);
  });

  test('a sale that is completed at once is paid afterwards, once', async () => {
    const { ask, pay, sent } = await till({ 'pos.sale-states': 'completed-at-once' });
    const { body } = await ask('POST', '/sales', mobileSale);
    expect(body.data).toMatchObject({ status: 'completed', paid: 0, completed_at: '2026-11-21T08:00:00.000Z' });
    expect((await pay(body.data.reference, 4000)).body.data.sale).toMatchObject({ status: 'completed', remaining: 5000 });
    expect((await pay(body.data.reference, 5000)).body.data.sale).toMatchObject({ status: 'completed', remaining: 0 });
    expect((await pay(body.data.reference, 1)).body.error.code).toBe('already_paid');
    expect((await sent()).map(({ event }) => event).toSorted()).toEqual([
      'payment.received',
      'payment.received',
      'sale.completed',
    ]);
  });

  test('a token of 24 hours lives so long', async () => {
    const { stub, ask } = await till({ 'pos.token-lifetime': '24-hours' });
    await stub.clock.advance('23h');
    expect((await ask('GET', '/inventory?store_id=STORE-ABJ-01')).status).toBe(200);
    await stub.clock.advance('2h');
    expect((await ask('GET', '/inventory?store_id=STORE-ABJ-01')).status).toBe(401);
  });

  test('a repeat is refused within a minute', async () => {
    const { stub, ask } = await till({ 'pos.repeated-post': 'refused' });
    expect((await ask('POST', '/sales', aSale(2))).status).toBe(201);
    expect((await ask('POST', '/sales', aSale(2))).body.error.message).toMatch(/^The lines equal those of sale S-/);
    await stub.clock.advance('61s');
    expect((await ask('POST', '/sales', aSale(2))).status).toBe(201);
  });

  test('lines are merged', async () => {
    const { ask } = await till({ 'pos.repeated-products': 'merged' });
    const [item] = aSale(1).items;
    const twice = await ask('POST', '/sales', { ...aSale(2), items: [item, item] });
    expect(twice.body.data.items).toMatchObject([{ quantity: 2, amount: 9000 }]);
  });

  test('an Accept without JSON is refused, with help', async () => {
    const { ask } = await till({ 'pos.accept-header': '406' });
    const html = await ask('GET', '/inventory?store_id=STORE-ABJ-01', undefined, { accept: 'text/html' });
    expect(html).toMatchObject({ status: 406, body: { help: { operation: 'GET /api/v1/inventory' } } });
  });

  test('times have another form, also in webhooks', async () => {
    const { stub, ask, sent } = await till({ 'pos.timestamps': 'unix-seconds' });
    const { body } = await ask('POST', '/sales', aSale(1));
    expect(body.data.created_at).toBe(Date.parse(clock) / 1000);
    expect((await sent())[0]).toMatchObject({ delivered_at: Date.parse(clock) / 1000 });
    await stub.assumptions.replace({ 'pos.timestamps': 'no-milliseconds' });
    expect((await ask('POST', '/sales', aSale(1))).body.data.created_at).toBe('2026-11-21T08:00:00Z');
  });

  test('the signature has capital digits, and headers are others', async () => {
    const { stub, ask, receiver } = await till({
      'pos.signature-hex': 'upper-case',
      'pos.cache-control': 'no-cache-private',
      'pos.reply-charset': 'none',
      'pos.www-authenticate': 'with-error',
    });
    const sold = await ask('POST', '/sales', aSale(1));
    await stub.settled();
    expect(receiver.received[0]?.headers['x-service-signature']).toMatch(/^sha256=[0-9A-F]{64}$/);
    expect([sold.headers.get('cache-control'), sold.headers.get('content-type')]).toEqual([
      'no-cache, private',
      'application/json',
    ]);
    const unknown = await call(stub, 'GET', '/api/v1/inventory', { token: 'no.such.token' });
    expect(unknown.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect((await call(stub, 'GET', '/api/v1/inventory')).headers.get('www-authenticate')).toBe('Bearer');
  });
});

describe('social cohesion', () => {
  const idsOf = async (ask: Awaited<ReturnType<typeof dashboard>>['ask'], path: string): Promise<number[]> =>
    (await ask('GET', path)).body.data.map(({ id }: { id: number }) => id);

  test('lists have another order, over all pages', async () => {
    const { stub, ask } = await dashboard({});
    const plain = await idsOf(ask, '/structures?per_page=100');
    await stub.assumptions.replace({ 'cohesion.list-order': 'newest-first' });
    const pages = await Promise.all([1, 2].map((page) => idsOf(ask, `/structures?per_page=50&page=${page}`)));
    expect(pages.flat()).toEqual(plain.toReversed());
    await stub.assumptions.replace({ 'cohesion.list-order': 'by-name' });
    const names = (await ask('GET', '/structures?per_page=100')).body.data.map(({ nom }: { nom: string }) => nom);
    expect(names).toEqual(names.toSorted());
    expect(names).toHaveLength(plain.length);
  });

  test('types and statuses of financings are those that were sent, also later and in statistics', async () => {
    const { stub, ask } = await dashboard({ 'cohesion.financing-types': 'kinds', 'cohesion.financing-statuses': 'further' });
    const before = (await ask('GET', '/stats')).body.data.financements;
    const { body } = await ask('POST', '/financements', { ...financing, type: 'don', statut: 'cloture' });
    expect(body.data).toMatchObject({ type: 'don', statut: 'cloture' });
    const changed = await ask('PUT', `/financements/${body.data.id}`, { montant: 70 });
    expect(changed.body.data).toMatchObject({ type: 'don', statut: 'cloture', montant: 70 });
    const { total, par_statut: byStatus } = (await ask('GET', '/stats')).body.data.financements;
    expect(total).toBe(before.total + 1);
    expect(byStatus).toContainEqual({ statut: 'cloture', devise: 'XOF', nombre: 1, montant: 70 });
    expect(byStatus).toHaveLength(before.par_statut.length + 1);
    expect((await ask('POST', '/financements', { ...financing, type: 'etat' })).body.errors.type).toEqual([
      'must be one of bailleur, don, pret, subvention',
    ]);
    await stub.assumptions.replace({ 'cohesion.financing-types': 'any-text' });
    expect((await ask('POST', '/financements', { ...financing, type: 'mécénat' })).body.data.type).toBe('mécénat');
    expect((await ask('POST', '/financements', { ...financing, type: '' })).body.errors.type).toEqual([
      'must be a text of 1 to 200 characters',
    ]);
  });

  test('a repeat is refused', async () => {
    const { ask } = await dashboard({ 'cohesion.repeated-post': 'refused' });
    expect((await ask('POST', '/financements', financing)).status).toBe(201);
    expect(await ask('POST', '/financements', financing)).toMatchObject({
      status: 422,
      body: { help: { hint: expect.any(String) } },
    });
    expect(await ask('POST', '/financements', { ...financing, montant: 51 })).toMatchObject({ status: 201 });
  });

  test('the current year, and the years that may be asked for', async () => {
    const { stub, ask } = await dashboard({ 'cohesion.current-year': 'hour-ahead' }, '2026-12-31T23:30:00Z');
    expect((await ask('GET', '/stats')).body.data.annee).toBe(2027);
    await stub.assumptions.replace({ 'cohesion.annee-values': 'past-or-current' });
    expect((await ask('GET', '/stats?annee=2026')).status).toBe(200);
    expect((await ask('GET', '/interventions?annee=2027')).body.errors.annee).toEqual(['2027 is after 2026, the current year.']);
    await stub.assumptions.replace({ 'cohesion.annee-values': 'unknown-404' });
    expect((await ask('GET', '/stats?annee=1900')).status).toBe(404);
    expect((await ask('GET', '/stats?annee=2026')).status).toBe(200);
  });

  test('further fields, regions and names come from the data, and an empty list has no last page', async () => {
    const { stub, ask } = await dashboard({
      'cohesion.intervention-fields': 'structure-object',
      'cohesion.stats-fields': 'by-region',
      'cohesion.indicator-detail': 'further',
      'cohesion.empty-last-page': '0',
      'cohesion.timestamps': 'microseconds',
    });
    const [intervention] = (await ask('GET', '/interventions?per_page=1')).body.data;
    const structures = (await ask('GET', '/structures?per_page=100')).body.data;
    const { nom } = structures.find(({ id }: { id: number }) => id === intervention.structure.id);
    expect(intervention.structure.nom).toBe(nom);
    const { interventions } = (await ask('GET', '/stats')).body.data;
    const sums = Object.values(interventions.par_region as Record<string, number>);
    expect(sums.reduce((sum, one) => sum + one)).toBe(interventions.total);
    expect((await ask('GET', '/indicateurs/1')).body.data).toMatchObject({ description: null, historique: [] });
    expect((await ask('GET', '/structures?q=zzzz')).body.meta).toMatchObject({ total: 0, last_page: 0 });
    expect((await ask('GET', '/me')).body.data.token.last_used_at).toMatch(/\.\d{6}Z$/);
    await stub.assumptions.clear();
  });

  test('an indicator that never had a value is not listed or counted', async () => {
    const { stub, ask } = await dashboard({ 'cohesion.indicator-without-value': 'not-listed' });
    const totals = async () => [
      (await ask('GET', '/indicateurs')).body.meta.total,
      (await ask('GET', '/stats')).body.data.indicateurs.total,
    ];
    const [before = 0] = await totals();
    const manage = (method: string, path: string, body: unknown) =>
      call(stub, method, `/manage/v1/cohesion${path}`, { token: stub.operatorToken, body });
    const { body } = await manage('POST', '/indicators', {
      ...{ code: 'IND-900', intitule: 'Veille', type: 'impact', unite: '%', cible_annuelle: 10, is_kpi: false },
    });
    expect(await totals()).toEqual([before, before]);
    await stub.clock.advance('1s');
    await manage('PUT', `/indicators/${body.data.id}/value`, { valeur_courante: 5 });
    expect(await totals()).toEqual([before + 1, before + 1]);
  });
});

test('help does not contradict an active alternative', async () => {
  const { stub, ask } = await till({});
  const refuse = async () => (await ask('GET', '/inventory?store_id=STORE-ABJ-01&colour=red')).body.help;
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
