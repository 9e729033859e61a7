import { expect, test } from 'vitest';
import { type Finding, judge } from '../../../contracts/tools/observed/finding.ts';
import { Observation } from '../../../contracts/tools/observed/observation.ts';
import { findGap, type Gap } from '../../../spec/gaps/gaps.ts';
import type { Exchange } from '../../../spec/gaps/is/is.ts';

const own = findGap('pos.error-conditions') as Gap;
const gap = (severalAtOnce?: true): Gap => {
  const { severalAtOnce: _, ...others } = own;
  const alternatives = own.alternatives.slice(0, 2).map((one, at) => ({ ...one, id: ['a', 'b'][at] ?? '' }));
  return { ...others, ...(severalAtOnce && { severalAtOnce }), alternatives };
};

test.each<[what: string, severalAtOnce: true | undefined, said: Pick<Finding, 'shows' | 'excludes'>[], verdict: object]>([
  ['nothing', undefined, [], { verdict: 'not-seen' }],
  ['an alternative excluded', undefined, [{ excludes: ['a'] }], { verdict: 'confirmed', open: ['b'] }],
  ['one shown', undefined, [{ shows: 'a' }], { verdict: 'refuted', alternatives: ['a'] }],
  ['one shown and excluded', undefined, [{ shows: 'a' }, { excludes: ['a'] }], { verdict: 'contradictory', alternatives: ['a'] }],
  ['two shown', undefined, [{ shows: 'a' }, { shows: 'b' }], { verdict: 'contradictory' }],
  ['all excluded', undefined, [{ excludes: ['a', 'b'] }], { verdict: 'confirmed', open: [] }],
  [
    'one shown and the other excluded',
    undefined,
    [{ shows: 'a' }, { excludes: ['b'] }],
    { verdict: 'refuted', alternatives: ['a'] },
  ],
  ['two of independent ones shown', true, [{ shows: 'a' }, { shows: 'b' }], { verdict: 'refuted', alternatives: ['a', 'b'] }],
  ['one of them shown, one excluded', true, [{ shows: 'a' }, { excludes: ['b'] }], { verdict: 'refuted', alternatives: ['a'] }],
])('the verdict on %s', (_, severalAtOnce, said, verdict) => {
  expect(judge(gap(severalAtOnce), said)).toMatchObject(verdict);
});

const token = { authorization: 'Bearer t' };
const call = (operation: string, status: number, body: unknown, more: Partial<Exchange['request']> = {}): Exchange => ({
  request: {
    operation,
    path: `/api/v1${operation.split(' ')[1]}`,
    methods: ['GET'],
    query: {},
    headers: token,
    body: undefined,
    ...more,
  },
  reply: { status, headers: { 'content-type': 'application/json' }, body },
});

/** The entries that one call says something about, with the alternative that it shows, if it shows one. */
const saidBy = (api: 'pos' | 'cohesion', exchange: Exchange) =>
  Object.fromEntries(new Observation(api, 'https://sandbox.example').add(exchange).map(({ gap: id, shows }) => [id, shows]));

test('a success that lacks what the document shows says nothing', () => {
  for (const body of ['<html>', undefined, { data: [] }])
    expect(saidBy('cohesion', call('GET /indicateurs', 200, body))).toEqual({});
});

test('a refusal that repeats a value, or is of a proxy, says nothing about fields', () => {
  const query = { store_id: 'limit', limit: '1' };
  const repeated = call('GET /inventory', 400, { error: 'There is no store "limit"' }, { query });
  expect(Object.keys(saidBy('pos', repeated))).not.toContain('pos.strict-queries');
  expect(saidBy('pos', call('GET /inventory', 502, { error: 'Bad gateway' }))).toEqual({});
});

test("a problem's own type is not the field type of a request", () => {
  const problem = { type: 'about:blank', title: 'x', status: 422, detail: 'statut: must not follow obtenu' };
  const sent = { path: '/api/v1/financements/1', body: { statut: 'promis' } };
  expect(saidBy('cohesion', call('PUT /financements/{id}', 422, problem, sent))).toEqual({
    'cohesion.error-body': 'problem-details',
  });
});

test('evidence has no text of a call, also if an alternative repeats one of the request', () => {
  const sent = { amount: 1, phone: '+2250701020304', provider: 'orange_money', reference: 'SECRET' };
  const reply = { success: true, data: { id: 'pay_1', reference: 'SECRET', amount: 1, status: 'received' } };
  const observation = new Observation('pos', 'https://sandbox.example');
  observation.add(call('POST /payment/mobile', 201, reply, { methods: ['POST'], body: sent }));
  expect(observation.observed.entries.filter(({ evidence }) => evidence.length > 0)).not.toEqual([]);
  expect(JSON.stringify(observation.observed)).not.toContain('SECRET');
});
