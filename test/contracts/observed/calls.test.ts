import { expect, test } from 'vitest';
import type { Finding } from '../../../contracts/tools/observed/finding.ts';
import { Observation } from '../../../contracts/tools/observed/observation.ts';
import { findingsOf } from '../../../contracts/tools/observed/recognisers.ts';
import { judge } from '../../../contracts/tools/observed/verdict.ts';
import { type Seen, seen } from './samples.ts';

/** Calls that the partner's tests do not make. */

test("a problem's own type is not the field type of a request", () => {
  const reply = { type: 'about:blank', title: 'x', status: 422, detail: 'statut: must not follow obtenu' };
  const asked = { on: 'PUT /financements/{id}', status: 422, sent: { statut: 'promis' }, reply };
  const found = findingsOf('cohesion', seen(asked), []).map((one) => one.gap);
  expect(found).toEqual(['cohesion.error-body']);
});

const inventory = 'GET /inventory';
const at = new Date('2026-11-21T08:53:00Z');

test('a success that lacks what the document shows contradicts it, and shows nothing else', () => {
  const observation = new Observation('pos', 'https://sandbox.example');
  const page = { on: 'POST /sales', status: 200, headers: { 'content-type': 'text/html' }, reply: '<html>' };
  for (const call of [page, { ...page, headers: {} }, { ...page, reply: undefined }])
    expect(observation.add(seen(call), at)).toEqual([]);
  const { contradictions, entries } = observation.observed;
  expect(contradictions.map(({ says, saw }) => [says, saw])).toEqual([
    ['All calls use JSON.', 'a body of another content type'],
    ['All calls use JSON.', 'a body that is neither an object nor a list'],
    ['All calls use JSON.', 'a success without a body'],
  ]);
  expect(entries.filter(({ evidence }) => evidence.length > 0)).toEqual([]);
  // What such a reply seems to say is no reason for a later finding either: here, that a token of the header succeeds.
  const refused = observation.add(seen({ on: inventory, status: 401, reply: {} }), at);
  expect(refused.filter(({ gap }) => gap === 'pos.www-authenticate')).toEqual([]);
});

const gap = {
  id: 'pos.any',
  alternatives: [
    { id: 'a', settledBy: 'client', text: '' },
    { id: 'b', settledBy: 'client', text: '' },
  ],
} as const;

test.each<[what: string, said: Pick<Finding, 'shows' | 'excludes'>[], verdict: object]>([
  ['our choice excluded', [{ excludes: ['choice'] }], { verdict: 'refuted', alternatives: ['a', 'b'] }],
  ['shown and excluded', [{ shows: 'a' }, { excludes: ['a'] }], { verdict: 'contradictory', alternatives: ['a'] }],
])('the verdict after %s', (_what, said, verdict) => {
  expect(judge(gap, said)).toMatchObject(verdict);
});

test('alternatives of independent entries are judged by themselves', () => {
  const conditions = { ...gap, severalAtOnce: true as const };
  expect(judge(conditions, [{ shows: 'a' }, { shows: 'b' }])).toMatchObject({ verdict: 'refuted', alternatives: ['a', 'b'] });
  expect(judge(conditions, [{ shows: 'a' }, { excludes: ['b'] }])).toMatchObject({ verdict: 'refuted', alternatives: ['a'] });
  expect(judge(conditions, [{ excludes: ['b'] }])).toMatchObject({ verdict: 'confirmed', open: ['a'] });
  // One part of our choice does not confirm it if another part is contradicted.
  const notOurs = { verdict: 'refuted', alternatives: [] };
  expect(judge(conditions, [{ excludes: ['b'] }, { excludes: ['choice'] }])).toMatchObject(notOurs);
  expect(judge(conditions, [{ excludes: ['b'] }, { shows: 'other' }])).toMatchObject(notOurs);
  expect(judge(conditions, [{ shows: 'choice' }, { shows: 'other' }])).toMatchObject({ verdict: 'contradictory' });
});

const line = { product_id: 'RICE-5', quantity: 1, price: 4000 };
const sale = { store_id: 'SHOP-1', items: [line], payment_method: 'cash', total: 4000 };
const detailOf = (detail: string) => ({ title: 'Unprocessable Content', status: 422, detail });
const refusedSale = (detail: string, sent: object = {}): Seen => ({
  on: 'POST /sales',
  status: 422,
  sent: { ...sale, ...sent },
  reply: detailOf(detail),
});

test.each<[what: string, call: Seen, alternatives: string[]]>([
  [
    'one product twice',
    refusedSale('items: the same product must not be on two lines', { items: [line, line] }),
    ['422-validation'],
  ],
  [
    'a report without dates',
    { on: 'GET /reports/sales', status: 422, query: { store_id: 'SHOP-1' }, reply: detailOf('start_date must be a date') },
    ['422-validation'],
  ],
  ['an unknown store', refusedSale('This store does not exist'), []],
  [
    'a paid sale',
    {
      on: 'POST /payment/mobile',
      status: 422,
      reply: detailOf('This sale is paid already'),
      sent: { amount: 5, phone: '+2250701020304', provider: 'orange', reference: 'S-1' },
    },
    [],
  ],
])('422 for %s refutes the statuses of our choice, whatever else is as we chose', (_what, call, alternatives) => {
  const observation = new Observation('pos', 'https://sandbox.example');
  const unknown = { on: inventory, status: 404, query: { store_id: 'X' }, reply: { detail: 'This store does not exist' } };
  for (const one of [unknown, call]) observation.add(seen(one), at);
  const found = observation.observed.entries.find((one) => one.gap === 'pos.error-conditions');
  expect(found).toMatchObject({ verdict: 'refuted', alternatives });
});
