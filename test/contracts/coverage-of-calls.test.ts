import { expect, test } from 'vitest';
import { type SuiteCall, SuiteUse } from '../../contracts/tools/coverage/suite.ts';

type Api = 'pos' | 'cohesion';

const operations = {
  pay: ['POST', '/api/v1/payment/mobile', 'payByMobileMoney'],
  stock: ['GET', '/api/v1/inventory', 'readInventory'],
  report: ['GET', '/api/v1/reports/sales', 'reportSales'],
  interventions: ['GET', '/api/v1/interventions', 'listInterventions'],
  indicators: ['GET', '/api/v1/indicateurs', 'listIndicators'],
  stats: ['GET', '/api/v1/stats', 'readStats'],
  me: ['GET', '/api/v1/me', 'readMe'],
  create: ['POST', '/api/v1/financements', 'createFinancing'],
  update: ['PUT', '/api/v1/financements/{id}', 'updateFinancing'],
} as const;

type Given = Omit<Partial<SuiteCall>, 'url'> & { query?: string; body?: unknown; reply?: unknown };

const callOf = (name: keyof typeof operations, { query = '', body, reply = {}, ...others }: Given = {}): SuiteCall => {
  const [method, url, operation] = operations[name];
  return {
    method,
    url: `${url}${query}`,
    operation,
    requestHeaders: { authorization: 'Bearer t' },
    requestBody: JSON.stringify(body) ?? '',
    status: 200,
    responseHeaders: {},
    responseBody: JSON.stringify(reply),
    ...others,
  };
};

const held = [{ name: 'some', token: 't', abilities: ['read:stats'] }];

function coverageOf(api: Api, calls: readonly SuiteCall[]) {
  const use = new SuiteUse(api);
  for (const call of calls) use.call(call);
  return use.coverage('suite', held);
}

const shownBy = (api: Api, ...calls: SuiteCall[]) =>
  coverageOf(api, calls)
    .behaviours.filter(({ by }) => by.length > 0)
    .map(({ id }) => id.slice(api.length + 1));

const limited = (calls: number) => callOf('stock', { status: 429, responseHeaders: { 'ratelimit-limit': calls } });

test('a limit is shown by the plan whose calls it counts, and no call shows that there is none', () => {
  expect(shownBy('pos', callOf('stock'))).not.toEqual(expect.arrayContaining([expect.stringContaining('limit')]));
  expect(shownBy('pos', limited(100))).toEqual(['limit-minute', 'limit-free']);
  expect(shownBy('pos', limited(1000))).toEqual(['limit-pro']);
});

test('three operators are shown by three', () => {
  const pay = (provider: string, status = 201) => callOf('pay', { body: { provider }, status });
  const two = [pay('orange_money'), pay('mtn_momo'), pay('orange_money'), pay('moov_money', 400)];
  expect(shownBy('pos', ...two)).not.toContain('payment-three-operators');
  expect(shownBy('pos', ...two, pay('moov_money'))).toContain('payment-three-operators');
});

const refused = (status: number, code: string) => ({ status, refusal: { code } });

test.each<[Api, string, SuiteCall, SuiteCall]>([
  ['pos', 'report-of-store', callOf('report'), callOf('report', { query: '?store_id=S' })],
  ['cohesion', 'last-use', callOf('stats'), callOf('me', { reply: { data: { token: { last_used_at: 'now' } } } })],
  ['cohesion', 'indicators-kpi-1', callOf('indicators', { query: '?kpi=true' }), callOf('indicators', { query: '?kpi=1' })],
  ['cohesion', 'stats-current-year', callOf('stats', { query: '?annee=2025' }), callOf('stats')],
  ['cohesion', 'status-given', callOf('update', { body: { montant: 1 } }), callOf('update', { body: { statut: 'obtenu' } })],
  [
    'cohesion',
    'ability-missing',
    callOf('stats', refused(403, 'user_inactive')),
    callOf('stats', refused(403, 'ability_missing')),
  ],
  ['cohesion', 'user-inactive', callOf('me', refused(403, 'ability_missing')), callOf('me', refused(403, 'user_inactive'))],
  ['cohesion', 'ability-stats', callOf('stats'), callOf('stats', refused(403, 'ability_missing'))],
  [
    'cohesion',
    'perimeter-create',
    callOf('create', refused(403, 'ability_missing')),
    callOf('create', refused(403, 'outside_perimeter')),
  ],
  ['cohesion', 'token-missing', callOf('me', { status: 401 }), callOf('me', { status: 401, requestHeaders: {} })],
  ['cohesion', 'token-invalid', callOf('me', { status: 401, requestHeaders: {} }), callOf('me', { status: 401 })],
  [
    'cohesion',
    'intervention-statuses',
    callOf('interventions', { reply: { data: [{ statut: 'en_cours' }, { statut: 'termine' }] } }),
    callOf('interventions', { reply: { data: ['en_cours', 'termine', 'approuve'].map((statut) => ({ statut })) } }),
  ],
])('%s: %s is shown by what it needs', (api, id, without, needed) => {
  expect(shownBy(api, without)).not.toContain(id);
  expect(shownBy(api, needed)).toContain(id);
});

test('no call shows which rows are left out, or what the service keeps for itself', () => {
  const lists = (['interventions', 'indicators', 'stats', 'me', 'update'] as const).map((name) => callOf(name));
  const shown = shownBy('cohesion', ...lists);
  for (const id of ['no-drafts', 'active-indicators', 'validation', 'last-address', 'perimeter-sent', 'per-page', 'utf-8'])
    expect(shown).not.toContain(id);
});

test('a fault shows nothing but a status of the document, and a late call shows all', () => {
  const answered = callOf('stock', { status: 401, fault: 'readInventory:status=401; *:delay=1ms' });
  expect(shownBy('pos', answered)).toEqual(['status-401']);
  expect(shownBy('pos', callOf('stock', { fault: 'readInventory:empty' }))).toEqual(['status-200']);
  expect(shownBy('pos', callOf('stock', { fault: '*:delay=1ms' }))).toContain('inventory-current');
});

test.each<[string, SuiteCall, string[] | undefined]>([
  ['refused for its ability', callOf('stats', refused(403, 'ability_missing')), []],
  ['answered by a fault', callOf('stats', { status: 503, fault: '*:status=503' }), []],
  ['refused for another reason', callOf('create', refused(403, 'outside_perimeter')), ['write:financements']],
  ['let in', callOf('stats'), ['read:stats']],
  ['with no valid token', callOf('stats', { status: 401 }), undefined],
])('a token whose calls were %s needs the abilities that let it in', (_, call, needs) => {
  expect(coverageOf('cohesion', [call]).tokens?.[0]?.needs).toEqual(needs);
});
