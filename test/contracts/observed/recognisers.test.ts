import { expect, test } from 'vitest';
import { findingsOf } from '../../../contracts/tools/observed/recognisers.ts';
import { type Seen, seen } from './samples.ts';

const create = 'POST /financements';
const inventory = 'GET /inventory';
const stored: Seen = { on: create, status: 201, sent: { structure_id: 1, montant: 5 }, reply: { data: { id: 1 } } };
const refused = (status: number, sent: object, message: string): Seen => ({ on: create, status, sent, reply: { message } });
const page = (on: string, ...rows: object[]): Seen => ({
  on,
  status: 200,
  query: {},
  reply: { data: rows, meta: { total: rows.length } },
});

const limited = { 'ratelimit-limit': '1', 'ratelimit-remaining': '0', 'ratelimit-reset': '9', 'retry-after': '9' };
const issued = { success: true, token_type: 'Bearer' };

/** What the last of these calls says, by entry and what was called: ways that it shows, or `not` those that it excludes. */
const cases: Readonly<Record<string, Readonly<Record<string, [calls: Seen[], said: string[]]>>>> = {
  'pos.limit-exceeded': {
    '429 with our headers': [[{ on: inventory, status: 429, headers: limited }], ['choice']],
    '429 with other headers': [[{ on: inventory, status: 429, headers: { 'x-ratelimit-limit': '1' } }], ['429-other-headers']],
    '403 about a limit': [[{ on: inventory, status: 403, reply: { error: 'Rate limit exceeded' } }], ['403']],
    '403 about something else': [[{ on: inventory, status: 403, reply: { error: 'No access' } }], []],
  },
  'pos.cache-control': {
    'no-store among others': [
      [{ on: inventory, status: 200, headers: { 'cache-control': 'No-Store, max-age=0' }, reply: {} }],
      ['choice'],
    ],
  },
  'pos.success-envelope': {
    'an empty object': [[{ on: inventory, status: 200, reply: {} }], []],
    'data without success': [
      [{ on: inventory, status: 200, reply: { data: [] } }],
      ['not choice', 'not bare', 'not beside-success'],
    ],
  },
  'pos.error-body': {
    'an error of a proxy': [[{ on: inventory, status: 502, reply: { error: 'Bad gateway' } }], []],
  },
  'pos.strict-queries': {
    'a field that repeats a value': [
      [{ on: inventory, status: 400, query: { store_id: 'limit', limit: '1' }, reply: { error: 'There is no store "limit"' } }],
      [],
    ],
  },
  'pos.timestamps': {
    'a date without a time': [[{ on: inventory, status: 200, reply: { created_at: '2026-11-23' } }], []],
  },
  'pos.token-lifetime': {
    'a lifetime without a JWT': [[{ on: 'POST /auth', status: 200, reply: { ...issued, token: 'a.b.c', expires_in: 3600 } }], []],
  },
  'pos.token-guard': {
    'too many attempts': [[{ on: 'POST /auth', status: 429 }], ['not none']],
  },
  'cohesion.read-throttle': {
    'a read with a limit': [[{ ...page('GET /structures'), headers: { 'x-ratelimit-limit': '60' } }], ['60-per-minute']],
    'a read with another limit': [[{ on: 'GET /structures', status: 429 }], ['other']],
  },
  'cohesion.transport-statuses': {
    'another type of content': [[{ ...stored, status: 415 }], ['not 422']],
  },
  'cohesion.unknown-structure': {
    'no such structure': [[refused(404, { structure_id: 9 }, 'No')], ['404']],
    'no such structure, as a wrong value': [[refused(422, { structure_id: 9 }, 'structure_id: unknown')], ['not 403', 'not 404']],
  },
  'pos.sale-states': {
    'a sale that failed': [
      [{ on: 'POST /payment/mobile', status: 201, sent: {}, reply: { status: 'refused', sale: { status: 'failed' } } }],
      ['further'],
    ],
    'a report of single sales': [
      [{ on: 'GET /reports/sales', status: 200, reply: [{ status: 'completed' }, { status: 'Cancelled' }] }],
      ['further'],
    ],
  },
  'pos.payment-response': {
    'a payment for no sale': [
      [
        {
          on: 'POST /payment/mobile',
          status: 201,
          sent: { amount: 5 },
          reply: { id: 'a', amount: 5, phone: '1', provider: 'x', status: 'received', created_at: 'x', sale: null },
        },
      ],
      ['not transaction-id', 'not other-names'],
    ],
  },
  'cohesion.plan-closed-condition': {
    'a closed year': [[refused(422, { exercice: 2025 }, 'exercice: the plan is closed')], ['writes-refused']],
  },
  'cohesion.intervention-statuses': {
    'a further status': [[page('GET /interventions', { statut: 'planifie' })], ['further']],
    'two further statuses': [[page('GET /interventions', { statut: 'soumis' }, { statut: 'valide' })], ['further']],
  },
};

const rows = Object.entries(cases).flatMap(([gap, all]) =>
  Object.entries(all).map(([what, one]) => [gap, what, ...one] as const),
);

test.each(rows)('%s: %s', (gap, _what, calls, said) => {
  const all = calls.map((call) => seen(call));
  const api = gap.startsWith('pos.') ? 'pos' : 'cohesion';
  const found = all.slice(-1).flatMap((last) => findingsOf(api, last, all.slice(0, -1)));
  const words = found
    .filter((one) => one.gap === gap)
    .flatMap(({ shows, excludes = [] }) => [...(shows ? [shows] : []), ...excludes.map((one) => `not ${one}`)]);
  expect(words).toEqual(said);
});
