import { expect, test } from 'vitest';
import { operationsOf, type ProviderOperation } from '../../contracts/openapi/operations.ts';
import { markdownReport } from '../../contracts/tools/reports/markdown.ts';
import type { Ended, Runner } from '../../probe/runs.ts';
import type { CallFailureName } from '../../stress/failures.ts';
import { judge } from '../../stress/judge.ts';
import { inOrder, Plain } from '../../stress/plain.ts';
import { stressReport } from '../../stress/report.ts';
import { runStress } from '../../stress/stress.ts';
import type { StressFinding, StressReport, Verdict } from '../../stress/types.ts';
import type { RecordedCall } from '../../stubs/journal/call.ts';

const createSale = operationsOf('pos').find(({ operation }) => operation.operationId === 'createSale') as ProviderOperation;
const sale = {
  store_id: 'STORE-ABJ-01',
  items: [{ product_id: 'PRD-0001', quantity: 1, price: 4500 }],
  payment_method: 'cash',
  total: 4500,
};

let calls = 0;
/** A call as the stub records it. Each began after the one that was made before. */
function called(
  path: string,
  { key, atMs = 0, ...more }: Partial<RecordedCall> & { key?: string; atMs?: number } = {},
): RecordedCall {
  calls += 1;
  return {
    id: `call_${String(calls).padStart(4, '0')}`,
    at: new Date(1_790_000_000_000 + atMs).toISOString(),
    method: 'POST',
    path,
    url: path,
    query: {},
    requestHeaders: { authorization: 'Bearer same', ...(key && { 'idempotency-key': key }) },
    requestBody: '{}',
    status: 201,
    responseHeaders: {},
    responseBody: '',
    durationMs: 1,
    ...more,
  };
}
type Of = Parameters<typeof called>[1];
const login = (of: Of = {}) => called('/api/auth', { operation: 'issueToken', status: 200, ...of });
const sold = (of: Of = {}) => called('/api/v1/sales', { operation: 'createSale', ...of });
const refused = (of: Of = {}) => sold({ status: 401, fault: 'createSale:token-expired', ...of });

/** The damages that are found in the calls of a run whose tests pass. `plainly`: the calls of the plain run. */
const damagesIn = (plainly: RecordedCall[], made: RecordedCall[], failure: CallFailureName) =>
  judge({
    plain: new Plain('pos', [{ calls: plainly, events: [] }]),
    operation: createSale,
    failure,
    calls: inOrder(made),
    passed: true,
    failedTests: 0,
  }).flatMap(({ damages }) => damages.map(({ damage, what }) => `${damage}: ${what}`));

test('a login between a 401 and the repeat excuses it, whatever the times say and if the tokens are alike', () => {
  const [failed, again, repeat] = [
    refused({ key: 'one', atMs: 3, durationMs: 9 }),
    login({ atMs: 2 }),
    sold({ key: 'one', atMs: 1 }),
  ];
  expect(damagesIn([login(), sold()], [repeat, failed, again], 'token-expired')).toEqual([]);
  expect(damagesIn([login(), sold()], [repeat, failed], 'token-expired')).toEqual([
    'refused-again: The client sent the same request again with the same token.',
  ]);
});

test('the repeat of a request has its key: a like request of another test is none', () => {
  const made = [refused({ key: 'one' }), sold({ key: 'other' }), login(), sold({ key: 'one' })];
  expect(damagesIn([login(), sold(), sold()], made, 'token-expired')).toEqual([]);
});

test('a reply that is recorded late accuses nobody who waited', () => {
  const failed = { status: 429, fault: 'createSale:rate-limit', durationMs: 300, key: 'one' };
  const after = (atMs: number) => damagesIn([sold()], [sold(failed), sold({ key: 'one', atMs })], 'rate-limited');
  expect(after(1005)).toEqual([]);
  expect(after(40)).toEqual(['too-soon: The client sent the request again after 40 ms.']);
});

/** A report of two failures at sales, of which the first led to a finding. */
function reportOf(verdict: Verdict, isAccepted: boolean): StressReport {
  const about = { api: 'pos' as const, where: 'POST /sales', tests: 'pass' };
  const finding: StressFinding = {
    ...about,
    id: 'pos.createSale.refused-again',
    damage: 'refused-again',
    failures: ['token-expired'],
    what: '',
    request: '',
    advice: '',
    document: '',
    isAccepted,
  };
  return {
    apis: ['pos'],
    command: 'npm test',
    runs: 1,
    durationMs: 1,
    findings: [finding],
    judgements: [
      { ...about, failure: 'error', verdict: 'survived', calls: 1 },
      { ...about, failure: 'token-expired', verdict, calls: 1 },
    ],
    noLongerNeeded: [],
    notUsed: [],
    notes: [],
    stopped: false,
  };
}

test.each<[Verdict, boolean, string, string]>([
  ['survived', false, 'failed', 'survived, with a finding: token-expired; survived 1 of 2'],
  ['survived', true, 'pending', 'survived, with a finding (accepted): token-expired; survived 1 of 2'],
  ['silent damage', false, 'failed', 'silent damage: token-expired; survived 1 of 2'],
  ['silent damage', true, 'pending', 'silent damage (accepted): token-expired; survived 1 of 2'],
])('the table agrees with the findings: %s, accepted %s', (verdict, isAccepted, outcome, about) => {
  const report = stressReport(reportOf(verdict, isAccepted));
  expect(report.groups[0]?.findings).toEqual([expect.objectContaining({ outcome, about })]);
  expect(report.summary).toMatch(isAccepted ? /^1 finding, 1 accepted;/ : /^1 finding;/);
  expect(markdownReport(report)).not.toMatch(/(silent damage|survived, with a finding|accepted)( &#\d+;accepted&#\d+;)? · \1/);
});

const stressed = (
  run: (url: string, env: Record<string, string>) => Promise<Partial<Ended>>,
  accepted: string[],
  only: string[],
) => {
  const runner: Runner = {
    name: 'the tests',
    run: async ({ env }) => ({
      passed: true,
      failedTests: [],
      reason: '',
      lastLines: [],
      ...(await run(env.PASSERELLE_POS_URL ?? '', env)),
    }),
  };
  return runStress({
    apis: ['pos'],
    only,
    runner,
    accepted: accepted.map((finding) => ({ finding, reason: 'waits', expiry: '2999-01-01' })),
    today: '2026-01-01',
    jobs: 1,
    atMost: 10,
    stubs: {},
    variables: {},
    onProgress: () => {},
  });
};

const post = (address: string, body: object, headers: Record<string, string> = {}) =>
  fetch(address, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });

/** Sells, and looks at nothing. */
async function sell(
  url: string,
  { PASSERELLE_POS_API_KEY: api_key, PASSERELLE_POS_API_SECRET: api_secret }: Record<string, string>,
) {
  const { token } = (await (await post(`${url}/api/auth`, { api_key, api_secret })).json()) as { token: string };
  await post(`${url}/api/v1/sales`, sale, { authorization: `Bearer ${token}` });
  return {};
}

test('an entry is no longer needed only if every failure was played that could lead to its finding', async () => {
  const accepted = ['storm', 'refused-again', 'lost'].map((damage) => `pos.createSale.${damage}`);
  const notNeeded = async (...only: string[]) =>
    (
      await stressed(sell, [...accepted, 'pos.readInventory.too-soon', 'cohesion.createFinancing.twice'], only)
    ).noLongerNeeded.map(({ finding }) => finding);
  expect(await notNeeded('createSale', 'refused')).toEqual([]);
  expect(await notNeeded('createSale', 'refused', 'token-expired', 'down')).toEqual(accepted.slice(0, 2));
});

test('tests that start worlds are told that they failed', async () => {
  const start = async (url: string) => {
    const reply = await post(`${url}/_stub/worlds`, {});
    return { passed: reply.ok, reason: 'exit code 1', lastLines: [await reply.text()] };
  };
  await expect(stressed(start, [], [])).rejects.toThrow(/The first run of the tests .* failed.*This stub is watched/s);
});
