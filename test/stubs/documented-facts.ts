import { behaviours } from '../../contracts/documents/behaviours.ts';
import { isOfKind, valuesAt } from '../../contracts/documents/fields.ts';
import type { ServiceName } from '../../contracts/documents/services.ts';
import type { Stub } from '../../stubs/types.ts';
import { financing } from './dashboard.ts';
import { call, type openReceiver, type Reply, signatureOf } from './partner.ts';
import { phone } from './till.ts';

/** What contradicts a document, one text each. */
export type Contradictions = string[];

type Receiver = Awaited<ReturnType<typeof openReceiver>>;
type Ask = (method: string, path: string, more?: Parameters<typeof call>[3]) => Promise<Reply>;

/** The documented fields of an operation or event that a body lacks, or has with another type. */
function lacking(api: ServiceName, on: string, body: unknown): Contradictions {
  return behaviours[api].flatMap(({ id, says, field, on: places }) => {
    if (field === undefined || !places.includes(on)) return [];
    return valuesAt(body, field.split('.')).every(isOfKind(says)) ? [] : [`${on}: ${id}`];
  });
}

const isSuccess = ({ status }: Reply) => status >= 200 && status < 300;
const says = (isTrue: boolean, text: string): Contradictions => (isTrue ? [] : [text]);
const isJson = ({ headers, body }: Reply) => body === '' || /json/.test(headers.get('content-type') ?? '');

/** Makes the calls that the point-of-sale document shows, and those that it says are refused. */
async function posFacts(stub: Stub<'pos'>): Promise<Contradictions> {
  const { apiKey, apiSecret } = stub.credentials;
  const open: Ask = (...args) => call(stub, ...args);
  const auth = await open('POST', '/api/auth', { body: { api_key: apiKey, api_secret: apiSecret } });
  const { token } = auth.body;
  const ask: Ask = (method, path, more) =>
    call(stub, method, `/api/v1${path}`, { token, ...more, headers: { 'x-api-token': token } });
  // How a token is sent is not shown, so it is sent in both ways.
  const inventory = await ask('GET', '/inventory?store_id=STORE-ABJ-01');
  const price = named(inventory.body, /^price$/i);
  const line = { product_id: 'PRD-0001', quantity: 1, price };
  const sale = { store_id: 'STORE-ABJ-01', items: [line], customer_phone: phone, total: price };
  // The sample "uses a mobile-money method", and no value is shown.
  const methods = ['mobile_money', 'orange_money'];
  const sold = await firstSuccess(methods.map((one) => () => ask('POST', '/sales', { body: { ...sale, payment_method: one } })));
  const payment = { amount: price, phone, reference: named(sold.body, /^reference$/i) ?? named(sold.body, /^id$/i) };
  const providers = ['orange_money', 'orange', 'wave'];
  const paid = await firstSuccess(
    providers.map((one) => () => ask('POST', '/payment/mobile', { body: { ...payment, provider: one } })),
  );
  const days = 'start_date=2026-11-01&end_date=2026-11-21';
  const report = await ask('GET', `/reports/sales?store_id=STORE-ABJ-01&${days}`);
  const wrongs = [
    await ask('POST', '/sales', { body: { ...sale, items: [] } }),
    await ask('POST', '/payment/mobile', { body: { ...payment, amount: 'much' } }),
    await ask('GET', '/inventory?store_id=STORE-NOWHERE'),
    await ask('GET', '/nowhere'),
    await open('POST', '/api/auth', { body: { api_key: apiKey, api_secret: 'wrong' } }),
  ];
  const unauthorized = [
    await call(stub, 'POST', '/api/v1/sales', { body: sale }),
    await call(stub, 'GET', '/api/v1/reports/sales?store_id=STORE-ABJ-01'),
    await call(stub, 'POST', '/api/v1/payment/mobile', { token: 'no.such.token', body: payment }),
  ];
  const all = [auth, sold, paid, inventory, report, ...wrongs, ...unauthorized];
  return [
    ...says(auth.status === 200, `POST /api/auth: ${auth.status}`),
    ...lacking('pos', 'POST /api/auth', auth.body),
    ...says(auth.body.token_type === 'Bearer' && auth.body.success === true, 'POST /api/auth: success or token_type'),
    ...says(String(token).split('.').length === 3, 'POST /api/auth: not a JWT-style string'),
    ...Object.entries({ sold, paid, inventory, report }).flatMap(([name, reply]) =>
      says(isSuccess(reply), `${name}: ${reply.status} ${JSON.stringify(reply.body)}`),
    ),
    ...wrongs.flatMap(({ status }, at) => says(status >= 400 && status < 500, `wrong call ${at}: ${status}`)),
    ...unauthorized.flatMap(({ status }, at) => says(status === 401, `unauthorized call ${at}: ${status}`)),
    ...all.flatMap((reply, at) => says(isJson(reply), `reply ${at}: not JSON`)),
  ];
}

/** The first value of such a name, wherever the reply has it: neither its place nor its name is shown. */
function named(value: unknown, name: RegExp): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value);
  return (
    entries.find(([one]) => name.test(one))?.[1] ?? entries.map(([, held]) => named(held, name)).find((one) => one !== undefined)
  );
}

async function firstSuccess(calls: (() => Promise<Reply>)[]): Promise<Reply> {
  let reply: Reply | undefined;
  for (const make of calls) {
    reply = await make();
    if (isSuccess(reply)) break;
  }
  return reply as Reply;
}

const lists = {
  'GET /api/v1/indicateurs': [
    '',
    '?per_page=2',
    '?per_page=100',
    '?type=resultat',
    '?kpi=true',
    '?kpi=false',
    '?kpi=1',
    '?q=dialogue',
  ],
  'GET /api/v1/interventions': [
    '',
    '?statut=en_cours',
    '?statut=termine',
    '?statut=approuve',
    '?region=Poro',
    '?annee=2026',
    '?q=dialogue',
  ],
  'GET /api/v1/structures': ['', '?type=ong', '?type=ministere', '?type=partenaire', '?region=Poro', '?q=Paix'],
};

/** Makes the calls that the social-cohesion document shows, and those that it says are refused. */
async function cohesionFacts(stub: Stub<'cohesion'>): Promise<Contradictions> {
  const { tokens, token } = stub.credentials;
  const ask: Ask = (method, path, more) =>
    call(stub, method, `/api/v1${path}`, { token, ...more, headers: { accept: 'application/json' } });
  const created = await ask('POST', '/financements', { body: financing });
  const id = created.body?.data?.id;
  const updated = await ask('PUT', `/financements/${id}`, { body: { ...financing, statut: 'obtenu' } });
  const me = await ask('GET', '/me');
  const singles = [await ask('GET', '/indicateurs/1'), await ask('GET', '/stats?annee=2026'), await ask('GET', '/stats')];
  const listed = await Promise.all(
    Object.entries(lists).flatMap(([on, queries]) =>
      queries.map(async (query) => ({ on, query, reply: await ask('GET', `${on.replace('GET /api/v1', '')}${query}`) })),
    ),
  );
  const [narrow] = tokens;
  const outside = { ...financing, structure_id: 20 };
  const refusals: [expected: number, reply: Reply][] = [
    [401, await call(stub, 'GET', '/api/v1/me')],
    [401, await call(stub, 'POST', '/api/v1/financements', { token: '1|wrong', body: financing })],
    [403, await call(stub, 'GET', '/api/v1/stats', { token: narrow?.token ?? '' })],
    [403, await ask('POST', '/financements', { token: narrow?.token ?? '', body: financing })],
    [403, await ask('POST', '/financements', { body: outside })],
    [403, await ask('PUT', `/financements/${id}`, { body: { ...outside, statut: 'obtenu' } })],
    [404, await ask('GET', '/indicateurs/999999')],
    [404, await ask('PUT', '/financements/999999', { body: { ...financing, statut: 'obtenu' } })],
    [422, await ask('POST', '/financements', { body: { ...financing, montant: 'much' } })],
    [422, await ask('GET', '/indicateurs?type=unknown')],
    [422, await ask('GET', '/stats?annee=soon')],
  ];
  return [
    ...says(isSuccess(created), `POST /financements: ${created.status} ${JSON.stringify(created.body)}`),
    ...lacking('cohesion', 'POST /api/v1/financements', created.body),
    ...says(isSuccess(updated), `PUT /financements/{id}: ${updated.status} ${JSON.stringify(updated.body)}`),
    ...says(me.status === 200, `GET /me: ${me.status}`),
    ...lacking('cohesion', 'GET /api/v1/me', me.body),
    ...singles.flatMap(({ status }, at) => says(status === 200, `single ${at}: ${status}`)),
    ...listed.flatMap(({ on, query, reply }) => [
      ...says(reply.status === 200 && Array.isArray(reply.body.data), `${on}${query}: ${reply.status}`),
      ...lacking('cohesion', on, reply.body),
      ...says((reply.body.data?.length ?? 0) <= (reply.body.meta?.per_page ?? 0), `${on}${query}: longer than per_page`),
    ]),
    ...refusals.flatMap(([expected, { status }], at) => says(status === expected, `refusal ${at}: ${status}, not ${expected}`)),
    ...[created, updated, me, ...singles, ...refusals.map(([, reply]) => reply)].flatMap((reply, at) =>
      says(isJson(reply), `reply ${at}: not JSON`),
    ),
  ];
}

/** Causes every event of the API, and checks what a receiver gets. */
async function eventFacts(stub: Stub, receiver: Receiver, types: readonly string[]): Promise<Contradictions> {
  receiver.received.length = 0;
  const sent = await stub.triggerAll(types.map((event) => ({ event })));
  // Webhooks may be late.
  await stub.clock.advance('1m');
  const made = await stub.deliveries();
  const bodies = receiver.received.map(({ body }) => body);
  const found = sent.flatMap(({ event, id }) =>
    says(
      made.some(({ event_id, status }) => event_id === id && status === 'delivered'),
      `${event}: not sent`,
    ),
  );
  if (stub.api === 'pos') return found;
  const key = stub.secret;
  const keys = [key, Buffer.from(key.slice('whsec_'.length), 'base64')];
  return [
    ...found,
    ...receiver.received.flatMap(({ headers, body }) => {
      const signatures = keys.map((one) => signatureOf(one, body));
      return says(signatures.includes(String(headers['x-service-signature']).toLowerCase()), `the signature of ${body}`);
    }),
    ...bodies
      .filter((body) => body.includes('intervention.validated'))
      .flatMap((body) => lacking('cohesion', 'intervention.validated', JSON.parse(body))),
    ...says(
      bodies.some((body) => JSON.parse(body).event === 'intervention.validated'),
      'intervention.validated: not sent',
    ),
  ];
}

/** Everything that contradicts the API's document, in the replies to its operations and in its webhooks. */
export async function contradictionsOf(stub: Stub, receiver: Receiver, types: readonly string[]): Promise<Contradictions> {
  const facts = stub.api === 'pos' ? posFacts(stub as Stub<'pos'>) : cohesionFacts(stub as Stub<'cohesion'>);
  return [...(await facts), ...(await eventFacts(stub, receiver, types))];
}
