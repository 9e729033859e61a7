import { expect, test } from 'vitest';
import type { ServiceName } from '../../../contracts/documents/services.ts';
import { findingsOf } from '../../../contracts/tools/observed/recognisers.ts';
import { type Seen, seen } from './samples.ts';

const create = 'POST /financements';
const update = 'PUT /financements/{id}';
const sell = 'POST /sales';
const inventory = 'GET /inventory';
const stored: Seen = { on: create, status: 201, sent: { structure_id: 1, montant: 5 }, reply: { data: { id: 1 } } };
const outside: Seen = { on: create, status: 403, sent: { structure_id: 9, montant: 5 }, reply: { message: 'No access' } };
const refused = (status: number, sent: object, message: string): Seen => ({ on: create, status, sent, reply: { message } });
const page = (on: string, ...rows: object[]): Seen => ({
  ...{ on, status: 200, query: {}, reply: { data: rows, meta: { total: rows.length } } },
});
const date = 'Mon, 23 Nov 2026 12:00:00 GMT';
const remaining = (call: Seen, left: number): Seen => ({
  ...call,
  headers: { 'ratelimit-limit': '30', 'ratelimit-remaining': `${left}`, 'ratelimit-reset': '11', date },
});
const put: Seen = { ...stored, on: update };
const wrongAmount = refused(422, { montant: 'x' }, 'montant must be a number');
const indicator = (...rows: object[]) => page('GET /indicateurs', ...rows);
const overTarget = { valeur_courante: 200, cible_annuelle: 100, alert_state: 'over' };
const store = (status: number, id: string): Seen => ({ on: inventory, status, query: { store_id: id }, reply: { items: [] } });
const unlined = (status: number, error: string): Seen => ({
  on: sell,
  status,
  sent: { store_id: 'S-9', items: [] },
  reply: { error },
});
const large = (status: number, sentBytes: number): Seen => ({ ...stored, status, sentBytes });

test.each<[what: string, gap: string, calls: Seen[], said: string[]]>([
  ['a token that fails for one store', 'pos.store-access', [store(200, 'A'), store(401, 'B'), store(200, 'A')], ['401']],
  ['a token that ends', 'pos.store-access', [store(200, 'A'), store(401, 'B'), { ...store(200, 'A'), token: 'new' }], []],
  ['lines after the store', 'pos.check-order', [unlined(404, 'There is no such store')], ['store-first']],
  [
    'lines before the store',
    'pos.check-order',
    [{ ...store(404, 'S-9'), reply: { error: 'unknown store' } }, unlined(400, 'items: none')],
    ['not store-first'],
  ],
  ['an unknown path', 'pos.check-order', [unlined(404, 'Not Found')], []],
  ['too many attempts', 'pos.token-guard', [{ on: 'POST /auth', status: 429 }], ['not none']],
  [
    'the perimeter before the amount',
    'cohesion.check-order',
    [stored, refused(403, { structure_id: 9, montant: 'x' }, 'No')],
    ['perimeter-first'],
  ],
  ['a token that may not write', 'cohesion.check-order', [refused(403, { structure_id: 9, montant: 'x' }, 'No')], []],
  [
    'the amount before the perimeter',
    'cohesion.check-order',
    [stored, outside, refused(422, { structure_id: 9, montant: 'x' }, 'montant')],
    ['not perimeter-first'],
  ],
  ['POST and PUT together', 'cohesion.write-throttle-scope', [remaining(stored, 9), remaining(put, 8)], ['not per-method']],
  ['replies in another order', 'cohesion.write-throttle-scope', [remaining(stored, 8), remaining(put, 9)], []],
  ['POST and PUT apart', 'cohesion.write-throttle-scope', [remaining(stored, 29), remaining(put, 29)], ['per-method']],
  [
    'POST and PUT in turn, together',
    'cohesion.write-throttle-scope',
    [remaining(put, 10), remaining(stored, 9), remaining(put, 8)],
    ['not per-method'],
  ],
  [
    'POST and PUT in turn that seem to be counted together',
    'cohesion.write-throttle-scope',
    [remaining(put, 29), remaining(stored, 29), remaining(put, 28)],
    [],
  ],
  [
    'PUT after a POST that may not count',
    'cohesion.write-throttle-scope',
    [remaining(put, 29), remaining(wrongAmount, 29), remaining(put, 28)],
    [],
  ],
  [
    'a read with a limit',
    'cohesion.read-throttle',
    [{ ...page('GET /structures'), headers: { 'x-ratelimit-limit': '60' } }],
    ['60-per-minute'],
  ],
  ['a read with another limit', 'cohesion.read-throttle', [{ on: 'GET /structures', status: 429 }], ['other']],
  ['a read without a limit', 'cohesion.read-throttle', [page('GET /structures')], []],
  ['a body that is too large', 'cohesion.body-size', [large(413, 300_000)], ['not unlimited']],
  ['a large body', 'cohesion.body-size', [large(201, 300_000)], ['not choice']],
  ['another type of content', 'cohesion.transport-statuses', [{ ...stored, status: 415 }], ['not 422']],
  ['no such structure', 'cohesion.unknown-structure', [refused(404, { structure_id: 9 }, 'No')], ['404']],
  [
    'no such structure, as a wrong value',
    'cohesion.unknown-structure',
    [refused(422, { structure_id: 9 }, 'structure_id: unknown')],
    ['not 403', 'not 404'],
  ],
  ['a structure of another form', 'cohesion.unknown-structure', [refused(422, { structure_id: 9 }, 'structure_id: form')], []],
  [
    'a sale that failed',
    'pos.sale-states',
    [{ on: 'POST /payment/mobile', status: 201, sent: {}, reply: { status: 'refused', sale: { status: 'failed' } } }],
    ['further'],
  ],
  [
    'a payment for no sale',
    'pos.payment-response',
    [
      {
        ...{ on: 'POST /payment/mobile', status: 201, sent: { amount: 5 } },
        reply: { id: 'a', amount: 5, phone: '1', provider: 'x', status: 'received', created_at: 'x', sale: null },
      },
    ],
    ['choice'],
  ],
  [
    'a payment that failed',
    'pos.sale-states',
    [{ on: 'POST /payment/mobile', status: 201, sent: {}, reply: { status: 'failed', sale: { status: 'pending' } } }],
    [],
  ],
  [
    'a report of single sales',
    'pos.sale-states',
    [{ on: 'GET /reports/sales', status: 200, reply: [{ status: 'completed' }, { status: 'Cancelled' }] }],
    ['further'],
  ],
  [
    'a closed year',
    'cohesion.plan-closed-condition',
    [refused(422, { exercice: 2025 }, 'exercice: the plan is closed')],
    ['writes-refused'],
  ],
  [
    'a field that must be closed',
    'cohesion.plan-closed-condition',
    [refused(422, { exercice: 1 }, 'exercice must be a year')],
    [],
  ],
  [
    'a token without abilities',
    'cohesion.me-ability',
    [{ on: 'GET /me', status: 200, reply: { data: { token: { abilities: [] } } } }],
    ['not any-ability'],
  ],
  ['a further status', 'cohesion.intervention-statuses', [page('GET /interventions', { statut: 'planifie' })], ['further']],
  [
    'two further statuses',
    'cohesion.intervention-statuses',
    [page('GET /interventions', { statut: 'soumis' }, { statut: 'valide' })],
    ['further'],
  ],
  [
    'one that a validation may start from',
    'cohesion.intervention-statuses',
    [page('GET /interventions', { statut: 'soumis' }, { statut: 'soumis' })],
    [],
  ],
  [
    'an alert within the thresholds',
    'cohesion.indicator-alert-condition',
    [indicator({ valeur_courante: 60, cible_annuelle: 100, alert_state: 'under' })],
    ['not choice'],
  ],
  [
    'no alert below the thresholds',
    'cohesion.indicator-alert-condition',
    [indicator(overTarget, { valeur_courante: 45, cible_annuelle: 100, alert_state: 'none' })],
    ['not choice'],
  ],
  [
    'no alert and no value',
    'cohesion.indicator-alert-condition',
    [indicator(overTarget, { valeur_courante: 0, cible_annuelle: 100, alert_state: 'none' })],
    [],
  ],
  [
    'a degree of alert',
    'cohesion.indicator-alert-condition',
    [indicator({ valeur_courante: 60, cible_annuelle: 100, alert_state: 'warning' })],
    [],
  ],
  [
    'a value at a threshold',
    'cohesion.indicator-alert-condition',
    [indicator(overTarget, { valeur_courante: 49.999, cible_annuelle: 100, alert_state: 'none' })],
    [],
  ],
  ['known statuses', 'cohesion.intervention-statuses', [page('GET /interventions', { statut: 'suspendu' })], []],
])('%s: %s', (_what, gap, calls, said) => {
  const all = calls.map((call, at) => seen(call, at + 1));
  const [api = ''] = gap.split('.');
  const last = all.at(-1);
  const found = last ? findingsOf(api as ServiceName, last, all.slice(0, -1)) : [];
  const words = found
    .filter((one) => one.gap === gap)
    .flatMap(({ shows, excludes = [] }) => [...(shows ? [shows] : []), ...excludes.map((one) => `not ${one}`)]);
  expect(words).toEqual(said);
});
