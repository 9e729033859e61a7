import { describe, expect, test } from 'vitest';
import { type AssumptionFinding, assess } from '../../contracts/tools/assumptions/check.ts';
import { assumptionsReport, overSpecified } from '../../contracts/tools/assumptions/report.ts';
import { textReport } from '../../contracts/tools/reports/text.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import { openRehearsingGateway } from '../../stubs/assume/rehearsing-gateway.ts';
import { v4, verifyPact } from './pact-files.ts';

type Json = Record<string, unknown>;

/** An interaction of a pact file, with the gaps that it declares. */
const resting = (interaction: Json, ...ids: string[]): Json => ({
  ...interaction,
  comments: { references: { gap: Object.fromEntries(ids.map((id) => [id, 'on purpose'])) } },
});
const authorization = { Authorization: ['Bearer example'] };
const json = { 'Content-Type': ['application/json'] };
const content = (value: unknown) => ({ contentType: 'application/json', encoded: false, content: value });
/** A matching rule for each path of a body. */
const matching = (rules: Record<string, Json>) => ({
  body: Object.fromEntries(Object.entries(rules).map(([path, rule]) => [path, { combine: 'AND', matchers: [rule] }])),
});
const anyType = { match: 'type' };

const sale = (response: Json): Json => ({
  description: 'a sale in cash',
  providerStates: [{ name: 'an access token' }, { name: 'a store' }],
  request: {
    method: 'POST',
    path: '/api/v1/sales',
    headers: { ...authorization, ...json },
    body: content({
      store_id: 'STORE-1',
      items: [{ product_id: 'PROD-1', quantity: 1, price: 4500 }],
      payment_method: 'cash',
      customer_phone: '+2250701020304',
      total: 4500,
    }),
  },
  response,
});
const anySuccess = { status: 200, matchingRules: { status: { '': { matchers: [{ match: 'statusCode', status: 'success' }] } } } };
const inventory = (response: Json): Json => ({
  description: 'the inventory of a store',
  providerStates: [{ name: 'an access token' }, { name: 'a store' }],
  request: { method: 'GET', path: '/api/v1/inventory', query: { store_id: ['STORE-1'] }, headers: authorization },
  response,
});
const indicators = (response: Json): Json => ({
  description: 'indicators',
  providerStates: [{ name: 'an access token' }, { name: 'indicators' }],
  request: { method: 'GET', path: '/api/v1/indicateurs', headers: authorization },
  response: { status: 200, headers: {}, ...response },
});
const saleCompleted = (body: unknown, matchingRules: Json = {}): Json => ({
  type: 'Asynchronous/Messages',
  description: 'sale.completed',
  providerStates: [{ name: 'a sale was completed' }],
  contents: content(body),
  matchingRules,
});

async function check(provider: ServiceName, ...interactions: Json[]): Promise<AssumptionFinding[]> {
  const verified = await verifyPact(v4(interactions, { provider }), provider, { reference: openRehearsingGateway });
  const { findings, notJudged } = await assess(provider, verified, '2026-11-21');
  expect(notJudged).toEqual([]);
  return findings;
}

const gapsOf = (findings: readonly AssumptionFinding[]) => [...new Set(findings.map(({ gap }) => gap.id))].sort();

test('a pact that asserts only documented facts depends on no choice', async () => {
  expect(await check('pos', sale(anySuccess), inventory({ status: 200 }))).toEqual([]);

  const shown = { id: 7, code: 'IND-1', intitule: 'Taux', alert_state: 'none', taux_atteinte: 1, is_kpi: true };
  const list = { data: [shown], meta: { page: 1, per_page: 25, total: 3, last_page: 1 } };
  const validated = {
    type: 'Asynchronous/Messages',
    description: 'intervention.validated',
    providerStates: [{ name: 'an intervention was validated' }],
    contents: content({ event: 'intervention.validated', data: { intervention_id: 1, validated_by: { id: 1, name: 'Awa' } } }),
    matchingRules: matching({ '$.data': anyType }),
  };
  const listed = indicators({ body: content(list), matchingRules: matching({ $: anyType }) });
  expect(await check('cohesion', listed, validated)).toEqual([]);
});

describe('a pact is over-specified that asserts', () => {
  test.each<[string, Json, string[], string]>([
    ['the status of a sale as a number', sale({ status: 201 }), ['pos.sale-status'], 'status'],
    [
      'a field of the inventory',
      inventory({
        status: 200,
        body: content({ data: { items: [{ quantity: 1 }] } }),
        matchingRules: matching({ '$.data.items': { ...anyType, min: 1 } }),
      }),
      ['pos.inventory-response', 'pos.success-envelope'],
      '$.data',
    ],
    [
      'the payload of sale.completed',
      saleCompleted({ data: { total: 1 } }, matching({ '$.data': anyType })),
      ['pos.sale-completed-payload', 'pos.webhook-envelope'],
      '$.data',
    ],
  ])('%s', async (_, interaction, gapIds, path) => {
    const undeclared = await check('pos', interaction);
    expect(gapsOf(overSpecified(undeclared))).toEqual(gapIds);
    expect(undeclared.every(({ declared, problems }) => !declared && problems.length > 0)).toBe(true);
    expect(undeclared.flatMap(({ problems }) => problems.map((problem) => problem.path ?? problem.kind))).toContain(path);

    const declared = await check('pos', resting(interaction, ...gapIds));
    expect(gapsOf(declared)).toEqual(gapIds);
    expect(declared.map(({ verdict }) => verdict)).toEqual(declared.map(() => 'rests-on'));
  });
});

test('a reference to a gap that does not exist is noted, with the nearest one', async () => {
  const findings = await check('pos', resting(sale(anySuccess), 'pos.sale-response', 'pos.sale-statuss'));
  expect(findings.map(({ verdict, gap }) => [verdict, gap.id])).toEqual([['unknown-gap', 'pos.sale-statuss']]);
  expect(overSpecified(findings)).toEqual([]);
  const report = textReport(assumptionsReport({ findings, notJudged: [], judged: 1 }), { width: 200, colors: false });
  expect(report).toContain('declares pos.sale-statuss, which is not in the gap register');
  expect(report).toContain('Did you mean pos.sale-status?');
});

test('the report names the failures and the fix, without control characters', async () => {
  const hostile = { ...sale({ status: 201 }), description: 'a sale\u001b[2J\nin\u202e cash' };
  const declaring = resting(
    inventory({ status: 200, body: content({ success: true }) }),
    'pos.success-envelope',
    'pos.sale-status',
  );
  const assessment = { findings: await check('pos', hostile, declaring), notJudged: [], judged: 2 };
  const lines = textReport(assumptionsReport(assessment), { width: 200, colors: false }).split('\n');
  expect(lines[2]).toMatch(/^partner \(.*partner\.json\): a sale\\u\{1b\}\[2J\\u\{a\}in\\u\{202e\} cash$/);
  expect(lines.slice(3)).toEqual([
    '  ✗ over-specified: rests on pos.sale-status, but does not declare it',
    '      Which status does POST /sales answer when it succeeds? Assumed: 201.',
    '      fails if    200.',
    '      because     status: expected 201, actual 200',
    "      instead     Declare it with .reference('gap', 'pos.sale-status', '...') or loosen the matcher.",
    '',
    expect.stringMatching(/: the inventory of a store$/),
    '  ✓ rests on pos.success-envelope (declared)',
    '',
    '1 interaction over-specified; 1 assumption declared.',
    '',
  ]);
});
