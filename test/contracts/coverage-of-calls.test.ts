import { expect, test } from 'vitest';
import { type SuiteCall, SuiteUse } from '../../contracts/tools/coverage/suite.ts';

type Api = 'pos' | 'cohesion';
type Given = Omit<Partial<SuiteCall>, 'url'> & { query?: string; body?: unknown; reply?: unknown };

/** A call of an operation, such as `readStats GET /stats`. */
const callOf = (operation: string, { query = '', body, reply = {}, ...others }: Given = {}): SuiteCall => {
  const [id = '', method = '', path = ''] = operation.split(' ');
  return {
    method,
    url: `/api/v1${path}${query}`,
    operation: id,
    requestHeaders: { authorization: 'Bearer t' },
    requestBody: JSON.stringify(body) ?? '',
    status: 200,
    responseHeaders: {},
    responseBody: JSON.stringify(reply),
    ...others,
  };
};

const stock = (given?: Given) => callOf('readInventory GET /inventory', given);
const report = (given?: Given) => callOf('reportSales GET /reports/sales', given);
const interventions = (given?: Given) => callOf('listInterventions GET /interventions', given);
const indicators = (given?: Given) => callOf('listIndicators GET /indicateurs', given);
const stats = (given?: Given) => callOf('readStats GET /stats', given);
const me = (given?: Given) => callOf('readMe GET /me', given);
const create = (given?: Given) => callOf('createFinancing POST /financements', given);
const update = (given?: Given) => callOf('updateFinancing PUT /financements/{id}', given);
const pay = (provider: string, status = 201) => callOf('payByMobileMoney POST /payment/mobile', { body: { provider }, status });
const limited = (calls: number) => stock({ status: 429, responseHeaders: { 'ratelimit-limit': calls } });
const refused = (status: number, code: string) => ({ status, refusal: { code } });

function coverageOf(api: Api, calls: readonly SuiteCall[]) {
  const use = new SuiteUse(api);
  for (const call of calls) use.call(call);
  return use.coverage('suite', [{ name: 'some', token: 't', abilities: ['read:stats'] }]);
}

const shownBy = (api: Api, ...calls: SuiteCall[]) =>
  coverageOf(api, calls)
    .behaviours.filter(({ by }) => by.length > 0)
    .map(({ id }) => id.slice(api.length + 1));

const operators = [pay('orange_money'), pay('mtn_momo'), pay('orange_money'), pay('moov_money', 400)];
const lists = [interventions(), indicators(), stats(), me(), update()];
const none: SuiteCall[] = [];

test.each<[Api, string, without: SuiteCall[], needed: SuiteCall[]]>([
  ['pos', 'limit-free', [stock()], [limited(100)]],
  ['pos', 'limit-pro', [limited(100)], [limited(1000)]],
  ['pos', 'payment-three-operators', operators, [...operators, pay('moov_money')]],
  ['pos', 'report-of-store', [report()], [report({ query: '?store_id=S' })]],
  ['cohesion', 'last-use', [stats()], [me({ reply: { data: { token: { last_used_at: 'now' } } } })]],
  ['cohesion', 'indicators-kpi-1', [indicators({ query: '?kpi=true' })], [indicators({ query: '?kpi=1' })]],
  ['cohesion', 'stats-current-year', [stats({ query: '?annee=2025' })], [stats()]],
  ['cohesion', 'status-given', [update({ body: { montant: 1 } })], [update({ body: { statut: 'obtenu' } })]],
  ['cohesion', 'ability-missing', [stats(refused(403, 'user_inactive'))], [stats(refused(403, 'ability_missing'))]],
  ['cohesion', 'user-inactive', [me(refused(403, 'ability_missing'))], [me(refused(403, 'user_inactive'))]],
  ['cohesion', 'ability-stats', [stats()], [stats(refused(403, 'ability_missing'))]],
  ['cohesion', 'perimeter-create', [create(refused(403, 'ability_missing'))], [create(refused(403, 'outside_perimeter'))]],
  ['cohesion', 'token-missing', [me({ status: 401 })], [me({ status: 401, requestHeaders: {} })]],
  ['cohesion', 'token-invalid', [me({ status: 401, requestHeaders: {} })], [me({ status: 401 })]],
  [
    'cohesion',
    'intervention-statuses',
    [interventions({ reply: { data: [{ statut: 'en_cours' }, { statut: 'termine' }] } })],
    [interventions({ reply: { data: ['en_cours', 'termine', 'approuve'].map((statut) => ({ statut })) } })],
  ],
  // No call shows which rows are left out, or what the service keeps for itself.
  ...['no-drafts', 'active-indicators', 'validation', 'last-address', 'perimeter-sent', 'per-page', 'utf-8'].map(
    (id): [Api, string, SuiteCall[], SuiteCall[]] => ['cohesion', id, lists, none],
  ),
])('%s: %s is shown by what it needs', (api, id, without, needed) => {
  expect(shownBy(api, ...without)).not.toContain(id);
  if (needed !== none) expect(shownBy(api, ...needed)).toContain(id);
});

test('a fault shows nothing but a status of the document, and a late call shows all', () => {
  expect(shownBy('pos', stock({ status: 401, fault: 'readInventory:status=401; *:delay=1ms' }))).toEqual(['status-401']);
  expect(shownBy('pos', stock({ fault: 'readInventory:empty' }))).toEqual(['status-200']);
  expect(shownBy('pos', stock({ fault: '*:delay=1ms' }))).toContain('inventory-current');
});

test.each<[string, SuiteCall, string[] | undefined]>([
  ['refused for its ability', stats(refused(403, 'ability_missing')), []],
  ['answered by a fault', stats({ status: 503, fault: '*:status=503' }), []],
  ['refused for another reason', create(refused(403, 'outside_perimeter')), ['write:financements']],
  ['let in', stats(), ['read:stats']],
  ['with no valid token', stats({ status: 401 }), undefined],
])('a token whose calls were %s needs the abilities that let it in', (_, call, needs) => {
  expect(coverageOf('cohesion', [call]).tokens?.[0]?.needs).toEqual(needs);
});
