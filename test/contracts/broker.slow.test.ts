import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openBrokerProxy } from '../../contracts/tools/broker/proxy.ts';
import { parseSelectors } from '../../contracts/tools/broker/selectors.ts';
import { brokerSource } from '../../contracts/tools/broker/verifier-options.ts';
import { verify } from '../../contracts/tools/verification/run.ts';
import { blocksUnder } from '../docs/guide.ts';
import { listening } from '../listening.ts';
import { passerelle } from '../program.ts';
import { startBroker } from './broker.ts';
import { v4 } from './pact-files.ts';

const password = 'correct horse';
const request = { method: 'POST', path: '/api/auth', headers: { 'Content-Type': ['application/json'] }, body: { content: {} } };
// A broker gives each interaction an id, which the verifier sends back with the result.
const pact = v4([
  { _id: '1', description: 'a refusal', request, response: { status: 400 } },
  { _id: '2', description: 'a token', request, response: { status: 200 } },
]);

test('verify --broker sends the selectors, records the results with version, branch and build, and prints the reasons', async () => {
  const broker = await startBroker(pact, password);
  const env = { PACT_BROKER_BASE_URL: broker.url, PACT_BROKER_USERNAME: 'ci', PACT_BROKER_PASSWORD: password };
  const args = ['verify', 'pos', '--selectors', 'main,environment:test', '--provider-version', '7', '--publish-reference'];
  const published = await passerelle([...args, '--build-url', 'https://ci.example.com/8'], { env });
  expect(published).toMatchObject({ code: 1, stdout: expect.stringContaining('✗ a token') });
  expect(published.stdout).toContain(`The pact at ${broker.url}/pact is being verified`);
  expect(broker.asked.consumerVersionSelectors).toEqual([{ mainBranch: true }, { environment: 'test' }]);
  const result = { providerApplicationVersion: '7', success: false, buildUrl: 'https://ci.example.com/8' };
  expect(broker.results).toMatchObject([{ ...result, testResults: [{ success: true }, { success: false }] }]);

  const pending = await passerelle([...args, '--provider-branch', 'feat/x'], { env });
  expect(pending).toMatchObject({ code: 0, stdout: expect.stringContaining('1 verified, 0 failed, 1 pending') });
  expect(pending.stdout).toContain('It is work in progress: no result of it was published from branch feat/x.');
  expect(broker.asked).toMatchObject({ includePendingStatus: true, providerVersionBranch: 'feat/x' });
  expect(broker.marked).toEqual(['PUT /branches/feat%2Fx/versions/7']);

  const refused = await passerelle(args, { env: { ...env, PACT_BROKER_PASSWORD: 'wrong horse' } });
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
  const from = brokerSource({
    broker: { url: broker.url, username: 'ci', password },
    provider: 'pos',
    publish: true,
    providerVersion: '7',
  });
  const { verification } = await verify({ provider: 'pos', from });
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
  await expect(verify({ provider: 'pos', from })).rejects.toThrow(answered);
  const down = verify({ provider: 'pos', from: { ...from, pactBrokerUrl: 'http://127.0.0.1:1' } });
  await expect(down).rejects.toThrow(/^The broker at http:\/\/127\.0\.0\.1:1 did not answer: [^.]+\.$/);
});

test('the report says that results were not recorded, because the verifier reports a success', async () => {
  const broker = await startBroker(v4([{ description: 'a refusal', request, response: { status: 400 } }]), password);
  broker.readOnly = true;
  const from = brokerSource({
    broker: { url: broker.url, username: 'ci', password },
    provider: 'pos',
    selectors: parseSelectors('main'),
    publish: true,
    providerVersion: '7',
    providerBranch: 'main',
    includeWipSince: '2026-01-31',
  });
  const { verification } = await verify({ provider: 'pos', from });
  expect(verification.notices).toContainEqual(expect.stringContaining('403 Forbidden'));
  expect(verification.interactions).toMatchObject([{ outcome: 'verified', source: 'broker' }]);
  expect(broker.asked.includeWipPactsSince).toBe('2026-01-31');
});

// The kinds of replies in the pact of the Pact Broker's client.
test.each([
  ['a list', 'GET', 200, '{"pacts":[{"version":"1.3.0"}],"_links":{"curies":[{"name":"pb"}]}}'],
  ['a missing resource', 'GET', 404, '{"error":"No pact"}'],
  ['a rejection', 'POST', 400, '{"errors":{"events":["can\'t be blank"]}}'],
  ['a text', 'PUT', 201, 'created'],
  ['no content', 'DELETE', 204, ''],
])('the proxy passes on %s', async (_, method, status, text) => {
  const asked: string[] = [];
  const url = await listening(async (request, response) => {
    const { authorization, accept } = request.headers;
    asked.push([request.method, request.url, authorization, accept, Buffer.concat(await request.toArray()).toString()].join(' '));
    const headers = { 'content-type': 'application/hal+json;charset=utf-8', 'x-pact-consumer-version': '1.3.0' };
    response.writeHead(status, headers).end(text);
  });
  const proxy = await openBrokerProxy(url, (one) => one);
  onTestFinished(() => void proxy.close());
  const headers = { authorization: 'Bearer t', accept: 'application/hal+json' };
  const body = method === 'GET' ? undefined : '{"a":1}';
  const reply = await fetch(`${proxy.url}/matrix?q[][version]=1%2e2`, { method, headers, ...(body && { body }) });
  expect(asked).toEqual([`${method} /matrix?q[][version]=1%2e2 Bearer t application/hal+json ${body ?? ''}`]);
  expect([reply.status, reply.headers.get('x-pact-consumer-version')]).toEqual([status, '1.3.0']);
  expect(reply.headers.get('content-type')).toBe('application/hal+json;charset=utf-8');
  expect(await reply.text()).toBe(text);
});

/** The commands of the guide that begin with `npx pact broker`, for a version. */
function documented(version: string): Record<'publish' | 'can-i-deploy' | 'record-deployment', string> {
  const lines = blocksUnder('docs/ci/broker.md').flatMap(({ code }) => code.split('\n'));
  const commands = lines.filter((line) => line.startsWith('npx pact broker '));
  const of = (name: string) => {
    const found = commands.find((line) => line.startsWith(`npx pact broker ${name} `));
    if (found === undefined) throw new Error(`docs/ci/broker.md shows no "npx pact broker ${name}".`);
    return found.replace('npx ', '').replace('$(git rev-parse HEAD)', version);
  };
  return { publish: of('publish'), 'can-i-deploy': of('can-i-deploy'), 'record-deployment': of('record-deployment') };
}

test("Pact's own commands, as the guide shows them, open the gate only for a version whose pact was verified", async () => {
  const broker = await startBroker(pact, password);
  const cwd = await mkdtemp(join(tmpdir(), 'passerelle-test-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await mkdir(join(cwd, 'pacts'));
  const till = { ...pact, consumer: { name: 'till' } };
  await writeFile(join(cwd, 'pacts/till-pos.json'), JSON.stringify(till));
  const env = {
    // npm's own settings: it downloads Pact's command line when that is first used (packaging/install/tools.js).
    ...process.env,
    PATH: `${join(import.meta.dirname, '../../node_modules/.bin')}:${process.env.PATH}`,
    PACT_BROKER_BASE_URL: broker.url,
    PACT_BROKER_USERNAME: 'ci',
    PACT_BROKER_PASSWORD: password,
    PACT_DO_NOT_TRACK: 'true',
  };
  const run = (command: string) =>
    new Promise<{ code: number; output: string }>((resolve) => {
      execFile('sh', ['-c', command], { cwd, env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
      );
    });
  const good = documented('4f2a91c');

  expect(await run(good['can-i-deploy'])).toMatchObject({ code: 1, output: expect.stringContaining('till not found') });
  expect(await run(good.publish)).toMatchObject({ code: 0 });
  expect(broker.published).toEqual(['till 4f2a91c']);
  expect(await run(good['can-i-deploy'])).toMatchObject({ code: 1, output: expect.stringContaining('Computer says no') });

  broker.results.push({ success: true });
  expect(await run(good['can-i-deploy'])).toMatchObject({ code: 0, output: expect.stringContaining('Computer says yes') });
  expect(await run(good['record-deployment'])).toMatchObject({ code: 0 });
  expect(broker.deployed).toEqual(['till 4f2a91c production']);

  await run(documented('0badc0d').publish);
  broker.results.push({ success: false });
  expect(await run(documented('0badc0d')['can-i-deploy'])).toMatchObject({ code: 1 });
  // Without a consumer the question is incomplete, so the gate stays closed.
  expect(await run('pact broker can-i-deploy --version 1')).toMatchObject({ code: 2 });
});
