import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { type BrokerSource, withBrokerPacts } from '../../contracts/tools/broker/pacts.ts';
import { parseSelectors } from '../../contracts/tools/broker/selectors.ts';
import { verify } from '../../contracts/tools/verification/run.ts';
import { listening } from '../listening.ts';
import { runHere } from '../program.ts';
import { startBroker } from './broker.ts';
import { v4 } from './pact-files.ts';

const password = 'correct horse';
const verifyPacts = (source: BrokerSource) =>
  withBrokerPacts(source, async (from) => (await verify({ provider: 'pos', from })).verification);
const request = { method: 'POST', path: '/api/auth', headers: { 'Content-Type': ['application/json'] }, body: { content: {} } };
// A broker gives each interaction an id, which is sent back with the result.
const pact = v4([
  { _id: '1', description: 'a refusal', request, response: { status: 400 } },
  { _id: '2', description: 'a token', request, response: { status: 200 } },
]);

test('verify --broker sends the selectors, records the results with version, branch and build, and prints the reasons', async () => {
  const broker = await startBroker(pact, password);
  const env = { PACT_BROKER_BASE_URL: broker.url, PACT_BROKER_USERNAME: 'ci', PACT_BROKER_PASSWORD: password };
  const args = ['verify', 'pos', '--selectors', 'main,environment:test', '--provider-version', '7', '--publish-reference'];
  const published = await runHere([...args, '--build-url', 'https://ci.example.com/8'], { env });
  expect(published).toMatchObject({ code: 1, stdout: expect.stringContaining('✗ a token') });
  expect(published.stdout).toContain(`The pact at ${broker.url}/pact is being verified`);
  expect(broker.asked.consumerVersionSelectors).toEqual([{ mainBranch: true }, { environment: 'test' }]);
  const result = { providerApplicationVersion: '7', success: false, buildUrl: 'https://ci.example.com/8' };
  expect(broker.results).toMatchObject([{ ...result, testResults: [{ success: true }, { success: false }] }]);

  const pending = await runHere([...args, '--provider-branch', 'feat/x'], { env });
  expect(pending).toMatchObject({ code: 0, stdout: expect.stringContaining('1 verified, 0 failed, 1 pending') });
  expect(pending.stdout).toContain('It is work in progress: no result of it was published from branch feat/x.');
  expect(broker.asked).toMatchObject({ includePendingStatus: true, providerVersionBranch: 'feat/x' });
  expect(broker.marked).toEqual(['PUT /branches/feat%2Fx/versions/7']);

  const refused = await runHere(args, { env: { ...env, PACT_BROKER_PASSWORD: 'wrong horse' } });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('401') });
  expect(refused.stderr).not.toContain('wrong horse');
});

test("states of a broker's pact are set up, and one that fails changes no other interaction", async () => {
  const stated = (_id: string, store: string, ...names: string[]) => ({
    _id,
    description: `reads ${store}`,
    providerStates: [...names.map((name) => ({ name })), { name: 'a store', params: { store_id: store } }],
    request: { method: 'GET', path: '/inventory', query: { store_id: [store] }, headers: { Authorization: ['Bearer x'] } },
    response: { status: 200 },
    comments: { references: { gap: { 'pos.auth-header': 'on purpose' } } },
  });
  const broker = await startBroker(v4([stated('1', 'A', 'an acess token'), stated('2', 'B', 'an access token')]), password);
  const own = { url: broker.url, username: 'ci', password };
  const source = { broker: own, provider: 'pos', publish: true, providerVersion: '7' };
  const verification = await verifyPacts(source);
  expect(verification.interactions).toMatchObject([
    {
      outcome: 'failed',
      states: [{ name: 'an acess token' }, { name: 'a store', params: { store_id: 'A' } }],
      problems: [{ kind: 'state', message: expect.stringContaining('Did you mean "an access token"') }],
    },
    { outcome: 'verified', restsOn: ['pos.auth-header'], exchange: { request: { query: 'store_id=B' } } },
  ]);
  expect(broker.results).toMatchObject([
    {
      testResults: [
        { interactionId: '1', success: false },
        { interactionId: '2', success: true },
      ],
    },
  ]);
  expect(verification.notices).toContainEqual(expect.stringContaining(`The pact at ${broker.url}/pact is being verified`));
  broker.isDown = true;
  const answered = `The broker at ${broker.url} answered 503 Service Unavailable.`;
  await expect(verifyPacts(source)).rejects.toThrow(answered);
  const down = verifyPacts({ ...source, broker: { ...own, url: 'http://127.0.0.1:1' } });
  await expect(down).rejects.toThrow(/^The broker at http:\/\/127\.0\.0\.1:1 did not answer: [^.]+\.$/);
});

test('the report says that results were not recorded', async () => {
  const broker = await startBroker(v4([{ description: 'a refusal', request, response: { status: 400 } }]), password);
  broker.readOnly = true;
  const verification = await verifyPacts({
    broker: { url: broker.url, username: 'ci', password },
    provider: 'pos',
    selectors: parseSelectors('main'),
    publish: true,
    providerVersion: '7',
    providerBranch: 'main',
    includeWipSince: '2026-01-31',
  });
  expect(verification.notices).toContainEqual(expect.stringContaining('403 Forbidden'));
  expect(verification.interactions).toMatchObject([{ outcome: 'verified', source: `${broker.url}/pact` }]);
  expect(broker.asked.includeWipPactsSince).toBe('2026-01-31');
});

test('credentials go only to the host that was named; a pact listed twice counts once, and one that cannot be read is named', async () => {
  const asked: (string | undefined)[] = [];
  const url = await listening((incoming, response) => {
    asked.push(`${incoming.url} ${incoming.headers.authorization}`);
    const self = (path: string) => ({ _links: { self: { href: `http://inside.invalid/pact${path}` } } });
    const documents: Record<string, object> = {
      '/pact/': { _links: { 'pb:provider-pacts-for-verification': { href: '/pacts-of/{provider}' } } },
      '/pact/pacts-of/pos': { _embedded: { pacts: [self('/one?v=1'), self('/one?v=1'), self('/broken')] } },
      '/pact/one?v=1': v4([{ description: 'a refusal', request, response: { status: 400 } }]),
    };
    response.end(JSON.stringify(documents[incoming.url ?? ''] ?? {}));
  });
  const broker = { url: `${url}/pact`, token: 'geheim' };
  const source = { broker, provider: 'pos', publish: false };
  const verification = await withBrokerPacts(source, async (from, unusable) => {
    expect(unusable).toEqual([expect.stringContaining(`${url}/pact/broken, consumer: `)]);
    return (await verify({ provider: 'pos', from })).verification;
  });
  expect(verification.interactions).toMatchObject([{ outcome: 'verified', source: `${url}/pact/one?v=1` }]);
  expect(asked).toEqual(['/pact/', '/pact/pacts-of/pos', '/pact/one?v=1', '/pact/broken'].map((path) => `${path} Bearer geheim`));
});

test.each<[string, string, (response: ServerResponse) => void]>([
  [
    'has a link that is no address',
    'has a link that is no address: http://[.',
    (response) => response.end('{"_links":{"pb:provider-pacts-for-verification":{"href":"http://["}}}'),
  ],
  ['answers without end', 'answered with more than 20000000 bytes.', (response) => response.write(Buffer.alloc(20_000_001))],
  ['breaks off', 'did not answer: ', (response) => response.write('{', () => response.destroy())],
])('a broker that %s is named', async (_, words, answer) => {
  const url = await listening((_, response) => answer(response));
  const refused = verifyPacts({ broker: { url }, provider: 'pos', publish: false });
  await expect(refused).rejects.toThrow(`The broker at ${url} ${words}`);
});
