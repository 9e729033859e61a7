import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { behaviours } from '../../contracts/documents/behaviours.ts';
import { type ServiceName, serviceNames } from '../../contracts/documents/services.ts';
import { type Mutated, mutated, withoutMutant } from '../../contracts/mutants/mutants.ts';
import { type Exercised, startExercised } from '../../probe/exercised.ts';
import { assumedText } from '../../stubs/assume/chosen.ts';
import type { Stub } from '../../stubs/types.ts';

test.each(serviceNames)('each documented behaviour of %s is taken away once, or it is said why not', (api) => {
  const documented = behaviours[api].map(({ id }) => id);
  const taken = mutated[api].flatMap(({ id, also, isDocumented }) => (isDocumented ? [id, ...also] : []));
  const explained = Object.keys(withoutMutant[api]);
  expect([...taken, ...explained].toSorted()).toEqual(documented.toSorted());
  for (const { id, alternatives } of mutated[api]) {
    expect(new Set(alternatives.map((one) => one.id)).size, id).toBe(alternatives.length);
    for (const one of alternatives) expect(`${one.text} ${one.test}`, id).toMatch(/^\S.*\. [A-Z].*\.$/s);
  }
});

const playedOf = ({ id: gap, api, alternatives }: Mutated) =>
  alternatives.map(({ id: alternative }) => ({ id: assumedText(gap, alternative), api, gap, alternative }));

/** The periods and years of the calls are chosen for the demo data of this day. */
const clock = '2026-11-21T08:00:00Z';

/** Starts a stub that notes which mutants would show in what the calls are answered and the receiver gets. */
async function watched<A extends ServiceName>(api: A, options = {}) {
  const receiver = createServer((request, reply) => request.resume().on('end', () => reply.end())).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const candidates = mutated[api].flatMap(playedOf);
  const exercised: Exercised = new Map();
  const webhooks = [{ url: `http://127.0.0.1:${port}/hook` }];
  const stub = (await startExercised(api, { clock, webhooks, ...options } as object, { candidates, exercised })) as Stub<A>;
  const call =
    (token?: string) =>
    async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
      const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const reply = await fetch(stub.url + path, {
        method,
        headers: { ...authorization, ...(body && { 'content-type': 'application/json' }), ...headers },
        ...(body && { body: JSON.stringify(body) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: the documents show few bodies.
      return (await reply.json()) as any;
    };
  const end = async () => {
    await stub.settled();
    await stub.close();
    receiver.close();
    return candidates.map(({ id }) => id).filter((id) => !exercised.has(id));
  };
  return { stub, call, exercised, end };
}

const store = 'STORE-ABJ-01';
const phone = '+2250700000000';
const line = { product_id: 'PRD-0001', quantity: 1, price: 4500 };
const cash = { store_id: store, items: [line], payment_method: 'cash', customer_phone: phone, total: 4500 };

test('each mutant of pos shows in some call or webhook', async () => {
  const { stub, call, exercised, end } = await watched('pos', { seed: 'demo', plan: 'free' });
  const { apiKey: api_key, apiSecret: api_secret } = stub.credentials;
  const bare = call();
  await bare('POST', '/api/auth', { api_key, api_secret: 'wrong' });
  const { token } = await bare('POST', '/api/auth', { api_key, api_secret });
  const own = call(token);
  await bare('GET', `/api/v1/inventory?store_id=${store}`);
  expect(exercised.has('pos/idempotency-key=ignored')).toBe(false);
  for (const key of ['one', 'one']) await own('POST', '/api/v1/sales', cash, { 'idempotency-key': key });
  const two = [line, { product_id: 'PRD-0003', quantity: 1, price: 800 }];
  await own('POST', '/api/v1/sales', { ...cash, items: two, total: 5300 });
  await own('POST', '/api/v1/sales', { ...cash, items: [] });
  const { data: sale } = await own('POST', '/api/v1/sales', { ...cash, payment_method: 'mobile_money' });
  await own('POST', '/api/v1/payment/mobile', { amount: 4500, phone, provider: 'moov_money', reference: sale.reference });
  await own('GET', `/api/v1/inventory?store_id=${store}`);
  await own('GET', '/api/v1/inventory?store_id=NONE');
  await own('GET', '/api/v1/reports/sales');
  await own('GET', `/api/v1/reports/sales?store_id=${store}&start_date=2026-01-01&end_date=2026-01-31`);
  for (const event of ['inventory.low', 'sync.completed'] as const) await stub.trigger(event);
  for (let calls = 0; calls < 100; calls += 1) await own('GET', `/api/v1/inventory?store_id=${store}`);
  expect(await end()).toEqual([]);
});

const financing = {
  structure_id: 1,
  exercice: 2026,
  bailleur: 'Banque mondiale',
  type: 'bailleur',
  intitule: 'Appui',
  montant: 5,
};

test('each mutant of cohesion shows in some call or webhook', async () => {
  const { stub, call, end } = await watched('cohesion');
  const { tokens } = stub.credentials;
  const [reader, all] = [tokens[0]?.token, stub.credentials.token];
  const own = call(all);
  const api = (path: string) => `/api/v1/${path}`;
  await call()('GET', api('me'));
  await call('1|wrong')('GET', api('me'));
  await call(reader)('GET', api('stats'));
  const lists = ['indicateurs', 'interventions', 'structures'];
  for (const path of ['me', 'stats', 'stats?annee=2024', 'indicateurs/1', 'indicateurs/999999', ...lists])
    await own('GET', api(path));
  for (const path of lists) await own('GET', api(`${path}?per_page=2&page=2`));
  for (const query of ['type=impact', 'kpi=true', 'kpi=1', 'q=dialogue', 'per_page=1000'])
    await own('GET', api(`indicateurs?${query}`));
  for (const query of ['statut=termine', 'region=Bouaké', 'annee=2024', 'q=zzz']) await own('GET', api(`interventions?${query}`));
  for (const query of ['type=ong', 'region=Bouaké', 'q=zzz']) await own('GET', api(`structures?${query}`));
  const writer = call(tokens.find(({ name }) => name.includes('write'))?.token);
  const { data } = await writer('POST', api('financements'), { ...financing, statut: 'promis' });
  await writer('PUT', api(`financements/${data.id}`), { statut: 'obtenu', intitule: 'Appui suivi' });
  await writer('POST', api('financements'), { ...financing, structure_id: 7, statut: 'promis' });
  await writer('PUT', api(`financements/${data.id}`), { structure_id: 7 });
  for (const event of [
    ...['intervention.validated', 'intervention.terminated', 'intervention.suspended'],
    ...['indicator.alert', 'plan.closed', 'rapport.ready'],
  ] as const)
    await stub.trigger(event as 'plan.closed');
  for (let calls = 0; calls < 31; calls += 1) await writer('POST', api('financements'), {});
  // Each user of the demo data is active.
  expect(await end()).toEqual(['cohesion/user-inactive=accepted']);
});
