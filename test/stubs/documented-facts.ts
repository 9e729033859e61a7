import { behaviours } from '../../spec/documents/behaviours.ts';
import { isOfKind, valuesAt } from '../../spec/documents/fields.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import { findOperation } from '../../spec/openapi/operations.ts';
import type { Stub } from '../../stubs/types.ts';
import { financing } from './dashboard.ts';
import { call, type openReceiver, type Reply, signatureOf } from './partner.ts';
import { phone } from './till.ts';

/** What contradicts a document, one text each. */
export type Contradictions = string[];

type Receiver = Awaited<ReturnType<typeof openReceiver>>;
type Options = Parameters<typeof call>[3];

const isSuccess = ({ status }: Reply) => status >= 200 && status < 300;
const says = (isTrue: boolean, text: string): Contradictions => (isTrue ? [] : [text]);

/** Values that the documents show for a field. */
const shownValues: Readonly<Record<string, (value: unknown) => boolean>> = {
  'cohesion/validated-delivered-at': (value) => /T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(String(value)),
  'pos/token-success': (value) => value === true,
  'pos/token-type': (value) => value === 'Bearer',
};

/** `on`: an operation, such as `GET /api/v1/me`, or an event. */
const wrongIn = (api: ServiceName, on: string, body: unknown): Contradictions =>
  behaviours[api].flatMap(({ id, says: line, field, on: places }) => {
    if (field === undefined || !places.includes(on)) return [];
    const isRight = shownValues[id] ?? isOfKind(line);
    const wrong = valuesAt(body, field.split('.')).filter((value) => !isRight(value));
    return wrong.length === 0 ? [] : [`${on}: ${line}: ${field} is ${JSON.stringify(wrong[0])}`];
  });

/** Makes calls, and notes which of their replies contradict the document. */
function calling(stub: Stub, found: Contradictions) {
  /** Returns the first success of calls with these bodies, or the last reply. `expected` is a status, or the first digit of some. */
  async function anyOf(expected: number, [method, path]: [string, string], all: Options[]): Promise<Reply> {
    let reply: Reply | undefined;
    for (const options of all) if (reply === undefined || !isSuccess(reply)) reply = await call(stub, method, path, options);
    const { status, headers, body } = reply as Reply;
    const isExpected = status === expected || Math.floor(status / 100) === expected;
    found.push(...says(isExpected, `${method} ${path}: ${status} ${JSON.stringify(body)}`));
    found.push(...says(body === '' || /json/.test(headers.get('content-type') ?? ''), `${method} ${path}: not JSON`));
    const on = `${method} ${findOperation(stub.api, method, path)?.path}`;
    if (Math.floor(status / 100) === 2 && body !== '') found.push(...wrongIn(stub.api, on, body));
    return reply as Reply;
  }
  const ask = (expected: number, method: string, path: string, options: Options = {}) =>
    anyOf(expected, [method, path], [options]);
  return { ask, anyOf };
}

/** Makes the calls that the point-of-sale document shows, and those that it says are refused. */
async function posFacts(stub: Stub<'pos'>): Promise<Contradictions> {
  const found: Contradictions = [];
  const { ask, anyOf } = calling(stub, found);
  const { apiKey: api_key, apiSecret: api_secret } = stub.credentials;
  const { token } = (await ask(200, 'POST', '/api/auth', { body: { api_key, api_secret } })).body;
  found.push(...says(String(token).split('.').length === 3, 'POST /api/auth: not a JWT-style string'));
  // How a token is sent is not shown, so it is sent in both ways.
  const known = { token, headers: { 'x-api-token': token } };
  const inventory = await ask(2, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01', known);
  const price = named(inventory.body, /^price$/i);
  const line = { product_id: 'PRD-0001', quantity: 1, price };
  const sale = { store_id: 'STORE-ABJ-01', items: [line], customer_phone: phone, total: price };
  // The sample "uses a mobile-money method", and no value is shown.
  const methods = ['mobile_money', 'orange_money'].map((one) => ({ ...known, body: { ...sale, payment_method: one } }));
  const sold = (await anyOf(2, ['POST', '/api/v1/sales'], methods)).body;
  const payment = { amount: price, phone, reference: named(sold, /^reference$/i) ?? named(sold, /^id$/i) };
  const providers = ['orange_money', 'orange', 'wave'].map((one) => ({ ...known, body: { ...payment, provider: one } }));
  await anyOf(2, ['POST', '/api/v1/payment/mobile'], providers);
  const report = '/api/v1/reports/sales?store_id=STORE-ABJ-01';
  await ask(2, 'GET', `${report}&start_date=2026-11-01&end_date=2026-11-21`, known);

  await ask(4, 'POST', '/api/v1/sales', { ...known, body: { ...sale, items: [] } });
  await ask(4, 'POST', '/api/v1/payment/mobile', { ...known, body: { ...payment, amount: 'much' } });
  await ask(4, 'GET', '/api/v1/inventory?store_id=STORE-NOWHERE', known);
  await ask(4, 'GET', '/api/v1/nowhere', known);
  await ask(4, 'POST', '/api/auth', { body: { api_key, api_secret: 'wrong' } });
  await ask(401, 'POST', '/api/v1/sales', { body: sale });
  await ask(401, 'GET', report);
  await ask(401, 'POST', '/api/v1/payment/mobile', { token: 'no.such.token', body: payment });
  return found;
}

/** The first value of such a name, wherever the reply has it: neither its place nor its name is shown. */
function named(value: unknown, name: RegExp): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value);
  return (
    entries.find(([one]) => name.test(one))?.[1] ?? entries.map(([, held]) => named(held, name)).find((one) => one !== undefined)
  );
}

/** The parameters of lists, as the document shows them. */
const lists: Readonly<Record<string, readonly string[]>> = {
  indicateurs: ['', 'per_page=2', 'per_page=100', 'type=resultat', 'kpi=true', 'kpi=false', 'kpi=1', 'q=dialogue'],
  interventions: ['', 'statut=en_cours', 'statut=termine', 'statut=approuve', 'region=Poro', 'annee=2026', 'q=dialogue'],
  structures: ['', 'type=ong', 'type=ministere', 'type=partenaire', 'region=Poro', 'q=Paix'],
};

/** Makes the calls that the social-cohesion document shows, and those that it says are refused. */
async function cohesionFacts(stub: Stub<'cohesion'>): Promise<Contradictions> {
  const found: Contradictions = [];
  const { ask: askAs } = calling(stub, found);
  const { tokens, token: widest } = stub.credentials;
  const narrow = tokens[0]?.token ?? '';
  const ask = (expected: number, method: string, path: string, body?: object, token = widest) =>
    askAs(expected, method, `/api/v1${path}`, { token, body, headers: { accept: 'application/json' } });
  const id = (await ask(2, 'POST', '/financements', financing)).body?.data?.id;
  await ask(2, 'PUT', `/financements/${id}`, { ...financing, statut: 'obtenu' });
  for (const path of ['/me', '/indicateurs/1', '/stats?annee=2026', '/stats']) await ask(200, 'GET', path);
  for (const [list, queries] of Object.entries(lists))
    for (const query of queries) {
      const { data, meta } = (await ask(200, 'GET', `/${list}?${query}`)).body;
      found.push(...says(Array.isArray(data) && data.length <= (meta?.per_page ?? 0), `${list}?${query}: longer than per_page`));
    }
  await askAs(401, 'GET', '/api/v1/me');
  await ask(401, 'POST', '/financements', financing, '1|wrong');
  await ask(403, 'GET', '/stats', undefined, narrow);
  await ask(403, 'POST', '/financements', financing, narrow);
  await ask(403, 'POST', '/financements', { ...financing, structure_id: 20 });
  await ask(403, 'PUT', `/financements/${id}`, { ...financing, structure_id: 20, statut: 'obtenu' });
  await ask(404, 'GET', '/indicateurs/999999');
  await ask(404, 'PUT', '/financements/999999', { ...financing, statut: 'obtenu' });
  await ask(422, 'POST', '/financements', { ...financing, montant: 'much' });
  await ask(422, 'GET', '/indicateurs?type=unknown');
  await ask(422, 'GET', '/stats?annee=soon');
  return found;
}

/** Causes every event of the API, and checks what a receiver gets. */
async function eventFacts(stub: Stub, receiver: Receiver, types: readonly string[]): Promise<Contradictions> {
  receiver.received.length = 0;
  const sent = await stub.triggerAll(types.map((event) => ({ event })));
  // Webhooks may be late.
  await stub.clock.advance('1m');
  const made = await stub.deliveries();
  const isDelivered = (id: string) => made.some(({ event_id, status }) => event_id === id && status === 'delivered');
  const found = sent.flatMap(({ event, id }) => says(isDelivered(id), `${event}: not sent`));
  if (stub.api === 'pos') return found;
  const bodies = receiver.received.map(({ body }) => JSON.parse(body));
  const validated = bodies.filter(({ event }) => event === 'intervention.validated');
  const keys = [stub.secret, Buffer.from(stub.secret.slice('whsec_'.length), 'base64')];
  return [
    ...found,
    ...receiver.received.flatMap(({ headers, body }) => {
      const signatures = keys.map((one) => signatureOf(one, body));
      return says(signatures.includes(String(headers['x-service-signature']).toLowerCase()), `the signature of ${body}`);
    }),
    ...validated.flatMap((body) => wrongIn('cohesion', 'intervention.validated', body)),
    ...says(validated.length > 0, 'intervention.validated: not sent'),
  ];
}

/** Everything that contradicts the API's document, in the replies to its operations and in its webhooks. */
export async function contradictionsOf(stub: Stub, receiver: Receiver, types: readonly string[]): Promise<Contradictions> {
  const facts = stub.api === 'pos' ? posFacts(stub as Stub<'pos'>) : cohesionFacts(stub as Stub<'cohesion'>);
  return [...(await facts), ...(await eventFacts(stub, receiver, types))];
}
