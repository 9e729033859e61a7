import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canIDeploy } from '../../contracts/tools/broker/can-i-deploy.ts';
import { publishPacts } from '../../contracts/tools/broker/publish.ts';
import { recordDeployment } from '../../contracts/tools/broker/record-deployment.ts';
import { parseSelectors } from '../../contracts/tools/broker/selectors.ts';
import { brokerSource, resultsNotRecorded } from '../../contracts/tools/broker/verifier-options.ts';
import { freePort } from '../free-port.ts';
import { startBroker, type TestBroker } from './broker.ts';
import { verify } from './verifier.ts';

const credentials = { username: 'ci', password: 'correct horse' };
let stub: TestBroker;
let broker: { url: string; username: string; password: string };
let folder: string;

beforeEach(async () => {
  stub = await startBroker(credentials);
  broker = { url: stub.url, ...credentials };
  folder = await mkdtemp(join(tmpdir(), 'pacts-'));
  await writePact('till-app', '/health');
  await writePact('back office', '/missing');
});

afterEach(async () => {
  await stub.close();
  await rm(folder, { recursive: true });
});

/** One GET that the provider answers with 200 at /health only. */
async function writePact(consumer: string, path: string, description = 'a question'): Promise<string> {
  const file = join(folder, `${consumer}.json`);
  const response = { status: 200, body: { contentType: 'application/json', encoded: false, content: { ok: true } } };
  const interaction = { type: 'Synchronous/HTTP', description, request: { method: 'GET', path }, response };
  const metadata = { pactSpecification: { version: '4.0' } };
  const references = { gap: { id: 'pos.receipt-number' } };
  const interactions = [{ ...interaction, comments: { references } }];
  await writeFile(file, JSON.stringify({ consumer: { name: consumer }, provider: { name: 'pos' }, interactions, metadata }));
  return file;
}

const publish = (version: string, more: Partial<Parameters<typeof publishPacts>[0]> = {}) =>
  publishPacts({ broker, pacts: [folder], version, branch: 'main', ...more });

const verifyFrom = (selectors: string, more: Partial<Parameters<typeof brokerSource>[0]> = {}) =>
  verify(brokerSource({ broker, provider: 'pos', selectors: parseSelectors(selectors), publish: false, ...more }));

const recordAs = (providerVersion: string) => ({ publish: true, providerVersion, providerBranch: 'main' });
const consumersOf = (verified: { interactionResults: { consumer: string }[] }) =>
  verified.interactionResults.map(({ consumer }) => consumer).toSorted();

describe('publishing', () => {
  test('a folder of pacts arrives with its version, branch, tags and build', async () => {
    const { published, output } = await publish('1', { tags: ['prod', 'eu'], buildUrl: 'https://ci.example.com/7' });
    expect(published).toEqual([
      { consumer: 'back office', provider: 'pos', file: join(folder, 'back office.json') },
      { consumer: 'till-app', provider: 'pos', file: join(folder, 'till-app.json') },
    ]);
    expect(output).toContain('Pact successfully published for back office version 1 and provider pos.');
    expect(stub.store.publications.map(({ consumer }) => consumer).toSorted()).toEqual(['back office', 'till-app']);
    for (const pacticipant of ['till-app', 'back office'])
      expect(stub.store.version(pacticipant, '1')).toEqual({
        pacticipant,
        number: '1',
        branches: new Set(['main']),
        tags: new Set(['prod', 'eu']),
        buildUrl: 'https://ci.example.com/7',
      });
  });

  test('references to the gap register survive', async () => {
    await publish('1');
    expect(stub.store.publications[0]?.content.interactions?.[0]?.comments).toEqual({
      references: { gap: { id: 'pos.receipt-number' } },
    });
  });

  test('other content under a version that the broker has is refused', async () => {
    await publish('1');
    const file = await writePact('till-app', '/health', 'another question');
    await expect(publish('1', { pacts: [file] })).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('Cannot change the content of the pact for till-app version 1'),
    });
  });

  test.each([
    ['nowhere', undefined, "'nowhere' is neither a file nor a folder."],
    ['notes.json', '{', 'notes.json is not JSON'],
    ['notes.json', '{"consumer":{}}', 'notes.json is no pact: it needs consumer.name and provider.name.'],
    ['notes.json', 'null', 'notes.json is no pact'],
  ])('%s holding %s is no pact, and nothing is sent', async (name, content, message) => {
    const path = content === undefined ? name : join(folder, name);
    if (content !== undefined) await writeFile(path, content);
    await expect(publish('1', { pacts: [path] })).rejects.toMatchObject({
      code: 'pacts',
      message: expect.stringContaining(message),
    });
    expect(stub.requests).toEqual([]);
  });

  test('an empty folder, no version and a tag with a comma are refused before anything is sent', async () => {
    const empty = await mkdtemp(join(folder, 'empty-'));
    await expect(publish('1', { pacts: [empty] })).rejects.toMatchObject({ code: 'pacts' });
    await expect(publish(' ')).rejects.toMatchObject({ code: 'settings', message: expect.stringContaining('version') });
    await expect(publish('1', { tags: ['a,b'] })).rejects.toMatchObject({ message: expect.stringContaining("'a,b'") });
    expect(stub.requests).toEqual([]);
  });
});

describe('verifying from a broker', () => {
  test('takes what the selectors select and records what came out', async () => {
    await publish('1');
    const verified = await verifyFrom('main', { publish: true, providerVersion: '10', buildUrl: 'https://ci.example.com/8' });
    expect(verified.result).toBe(false);
    expect(stub.store.results).toHaveLength(2);
    const recorded = (consumer: string) => stub.store.results.find((result) => result.consumer === consumer);
    const common = { providerVersion: '10', buildUrl: 'https://ci.example.com/8' };
    expect(recorded('till-app')).toMatchObject({ ...common, success: true, testResults: [{ success: true }] });
    expect(recorded('back office')).toMatchObject({
      ...common,
      success: false,
      testResults: [{ success: false, mismatches: [{ attribute: 'status', description: 'expected 200 but was 404' }] }],
    });
    expect(resultsNotRecorded(verified.printed)).toEqual([]);
  });

  test('results stand under the branch of the provider', async () => {
    await publish('1');
    await verifyFrom('main,consumer=till-app', recordAs('10'));
    expect(stub.store.version('pos', '10')?.branches).toEqual(new Set(['main']));
    expect(stub.store.results.map(({ consumer }) => consumer)).toEqual(['till-app']);
  });

  test.each([
    ['main', ['back office', 'till-app']],
    ['branch:feat/x', ['till-app']],
    ['tag:prod', ['back office']],
    ['deployed', ['back office']],
    ['environment:test', []],
    ['environment:production', ['back office']],
    ['matching', ['till-app']],
    ['latest,consumer=till-app', ['till-app']],
    ['[{"branch":"feat/x"},{"tag":"prod","latest":true}]', ['back office', 'till-app']],
  ])('%s', async (selectors, consumers) => {
    await publish('1', { pacts: [join(folder, 'back office.json')], tags: ['prod'] });
    await publish('1', { pacts: [join(folder, 'till-app.json')] });
    await writePact('till-app', '/health', 'a question of a branch');
    await publish('2', { pacts: [join(folder, 'till-app.json')], branch: 'feat/x' });
    await recordDeployment({ broker, pacticipant: 'back office', version: '1', environment: 'production' });
    const verified = await verifyFrom(selectors, { providerBranch: 'feat/x' });
    expect(consumersOf(verified)).toEqual(consumers);
    expect(stub.store.results).toEqual([]);
  });

  test('a pact that the branch never satisfied is pending and fails nothing, one that it did satisfy fails', async () => {
    await publish('1');
    const first = await verifyFrom('main', recordAs('10'));
    expect(first.result).toBe(true);
    expect(first.interactionResults.map(({ pending }) => pending)).toEqual([true, true]);
    expect(first.printed).toContain('This pact is in pending state for this version of pos.');
    expect(stub.verificationRequests).toMatchObject([{ includePendingStatus: true, providerVersionBranch: 'main' }]);

    const satisfied = stub.store.publications.find(({ consumer }) => consumer === 'back office');
    stub.store.results.push({
      ...{ consumer: 'back office', provider: 'pos', sha: satisfied?.sha ?? '' },
      ...{ providerVersion: '10', success: true, testResults: [] },
    });
    const second = await verifyFrom('main', recordAs('11'));
    expect(second.result).toBe(false);
    const failed = stub.store.results
      .filter(({ success }) => !success)
      .map((result) => [result.consumer, result.providerVersion]);
    expect(failed).toEqual([
      ['back office', '10'],
      ['back office', '11'],
    ]);
  });

  test('work in progress of other branches is taken with includeWipSince', async () => {
    await publish('1', { pacts: [join(folder, 'till-app.json')] });
    await publish('1', { pacts: [join(folder, 'back office.json')], branch: 'feat/y' });
    const wip = await verifyFrom('main', { providerBranch: 'main', includeWipSince: '2020-01-31' });
    expect(consumersOf(wip)).toEqual(['back office', 'till-app']);
    expect(wip.result).toBe(true);
    const later = await verifyFrom('main', { providerBranch: 'main', includeWipSince: '2999-01-31' });
    expect(consumersOf(later)).toEqual(['till-app']);
  });

  test('that results were not recorded is told, since the verifier calls that a success', async () => {
    await publish('1', { pacts: [join(folder, 'till-app.json')] });
    stub.readOnly = true;
    const verified = await verifyFrom('main', recordAs('10'));
    expect(verified.result).toBe(true);
    expect(stub.store.results).toEqual([]);
    expect(resultsNotRecorded(verified.printed)).toEqual([expect.stringContaining('403 Forbidden')]);
  });
});

describe('can I deploy', () => {
  const ask = (pacticipant: string, version: string, more: Partial<Parameters<typeof canIDeploy>[0]> = {}) =>
    canIDeploy({ broker, pacticipant, version, ...more });

  test('yes for what is verified, no for what failed, unknown for what was never verified', async () => {
    await publish('1');
    const row = { consumer: 'till-app', consumerVersion: '1', provider: 'pos', providerVersion: null, success: null };
    expect(await ask('till-app', '1')).toMatchObject({
      deployable: false,
      unknown: true,
      reason: 'There is no verified pact between version 1 of till-app and any version of pos',
      rows: [row],
    });
    await verifyFrom('main', { publish: true, providerVersion: '10' });
    const yes = await ask('till-app', '1');
    expect(yes).toMatchObject({ deployable: true, unknown: false, rows: [{ ...row, providerVersion: '10', success: true }] });
    expect(yes.reason).toBe('All required verification results are published and successful');
    expect(await ask('back office', '1')).toMatchObject({
      deployable: false,
      unknown: false,
      reason: 'The verification for the pact between version 1 of back office and version 10 of pos failed',
    });
    expect(await ask('till-app', '99')).toMatchObject({
      deployable: false,
      reason: 'No pacts or verifications have been published for version 99 of till-app',
    });
  });

  test('an environment counts what is deployed there', async () => {
    await publish('1');
    await verifyFrom('main', { publish: true, providerVersion: '10' });
    const toEnvironment = 'production';
    expect(await ask('till-app', '1', { toEnvironment })).toMatchObject({ deployable: false, unknown: true });
    await recordDeployment({ broker, pacticipant: 'pos', version: '10', environment: 'production' });
    expect(await ask('till-app', '1', { toEnvironment })).toMatchObject({ deployable: true });
    expect(await ask('pos', '10', { toEnvironment })).toMatchObject({ deployable: true });
    await recordDeployment({ broker, pacticipant: 'back office', version: '1', environment: 'production' });
    expect(await ask('pos', '10', { toEnvironment })).toMatchObject({ deployable: false, unknown: false });
  });

  test('names and versions with spaces and slashes are recorded as they are', async () => {
    await publish('release/1 #2');
    const deployment = { broker, pacticipant: 'back office', version: 'release/1 #2' };
    await recordDeployment({ ...deployment, environment: 'production' });
    expect(stub.store.environments.get('production')?.get('back office')).toBe('release/1 #2');
    expect(await ask('back office', 'release/1 #2')).toMatchObject({ rows: [{ consumerVersion: 'release/1 #2' }] });
  });

  test('another application is meant by its version, its branch or its main branch', async () => {
    await publish('1');
    await verifyFrom('main,consumer=till-app', recordAs('10'));
    const counterparts = [{ version: '10' }, { branch: 'main' }, { mainBranch: true }] as const;
    for (const counterpart of counterparts)
      expect(await ask('till-app', '1', { against: [{ pacticipant: 'pos', ...counterpart }] })).toMatchObject({
        deployable: true,
        rows: [{ providerVersion: '10' }],
      });
    expect(await ask('till-app', '1', { against: [{ pacticipant: 'pos', branch: 'feat/z' }] })).toMatchObject({
      deployable: false,
    });
  });

  test('it asks again while results are missing', async () => {
    await publish('1');
    await ask('till-app', '1', { retryWhileUnknown: { times: 2, intervalSeconds: 0 } });
    expect(stub.requests.filter((request) => request.startsWith('GET /matrix'))).toHaveLength(3);
  });

  test('an unknown application, environment or version is no answer', async () => {
    await publish('1');
    await expect(ask('nobody', '1')).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining("'nobody'") });
    await expect(ask('till-app', '1', { toEnvironment: 'moon' })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining("'moon'"),
    });
    const deployment = { broker, pacticipant: 'till-app', version: '1', environment: 'production' };
    await expect(recordDeployment({ ...deployment, environment: 'moon' })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining("'moon'"),
    });
    await expect(recordDeployment({ ...deployment, version: '1/2' })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining("'1/2' of 'till-app'"),
    });
    await expect(ask('--help', '1')).rejects.toMatchObject({ code: 'settings' });
  });
});

describe('a broker that cannot be asked', () => {
  const calls = {
    publish: (given: typeof broker) => publish('1', { broker: given }),
    'can-i-deploy': (given: typeof broker) => canIDeploy({ broker: given, pacticipant: 'till-app', version: '1' }),
    'record-deployment': (given: typeof broker) =>
      recordDeployment({ broker: given, pacticipant: 'till-app', version: '1', environment: 'test' }),
  };

  test.each(Object.entries(calls))('%s: wrong credentials are named, never shown', async (_name, call) => {
    const error = await call({ ...broker, password: 'battery-staple' }).catch((reason: Error) => reason);
    expect(error).toMatchObject({
      code: 'credentials',
      message: `The broker at ${stub.url} refused user 'ci' with the password in PACT_BROKER_PASSWORD (401): check them.`,
    });
    expect(JSON.stringify([error, (error as Error).stack])).not.toContain('battery-staple');
  });

  test('nothing listens', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    await expect(calls.publish({ ...broker, url })).rejects.toMatchObject({
      code: 'away',
      message: expect.stringContaining(`No broker answers at ${url}`),
    });
  });

  test.each([
    ['text/html', '<h1>Welcome</h1>'],
    ['application/json', '{"status":"up"}'],
    ['application/hal+json', '{"_links":{}}'],
  ])('what answers is no broker: %s %s', async (type, body) => {
    const server = createServer((_request, reply) => reply.writeHead(200, { 'content-type': type }).end(body));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    await expect(publish('1', { broker: { ...broker, url } })).rejects.toMatchObject({
      code: 'away',
      message: `What answers at ${url} is no Pact Broker: check PACT_BROKER_BASE_URL.`,
    });
    server.closeAllConnections();
    server.close();
  });

  test('what answers has no broker at this path', async () => {
    await expect(publish('1', { broker: { ...broker, url: `${stub.url}/other` } })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('There is no Pact Broker at'),
    });
  });

  test('a token is taken, and a wrong one refused', async () => {
    const guarded = await startBroker({ token: 'tok-1' });
    const { published } = await publish('1', { broker: { url: guarded.url, token: 'tok-1' } });
    expect(published).toHaveLength(2);
    const refused = publish('2', { broker: { url: guarded.url, token: 'tok-2' } });
    await expect(refused).rejects.toMatchObject({ code: 'credentials', message: expect.not.stringContaining('tok-2') });
    await guarded.close();
  });

  test('it can be stopped, and does not wait for ever', async () => {
    const stopped = publish('1', { signal: AbortSignal.abort() });
    await expect(stopped).rejects.toMatchObject({ code: 'aborted' });
    const url = `http://127.0.0.1:${await freePort()}`;
    const late = publish('1', { broker: { ...broker, url }, timeoutMs: 100 });
    await expect(late).rejects.toMatchObject({ code: 'timed_out', message: expect.stringContaining('within 0.1 s') });
  });
});
