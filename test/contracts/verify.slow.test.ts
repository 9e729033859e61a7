import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { durationMs, verify } from '../../contracts/tools/verification/run.ts';
import { readPacts } from '../../contracts/tools/verification/sources.ts';
import { newSigningSecret } from '../../gateway/webhooks/sending/sign.ts';
import { listening } from '../listening.ts';
import { pactFile, v4, verifyPact } from './pact-files.ts';

const signature = `sha256=${'a'.repeat(64)}`;
const inventory = {
  description: 'the inventory of a store',
  providerStates: [{ name: 'an access token' }, { name: 'a store', params: { store_id: 'S-9' } }],
  request: {
    method: 'GET',
    path: '/api/v1/inventory',
    query: { store_id: ['S-9'] },
    headers: { Authorization: ['Bearer anything'] },
  },
  response: { status: 200, headers: { 'Content-Type': ['application/json'] } },
};

test("a partner's pact of version 4, written without our helpers, verifies: HTTP and messages in one run", async () => {
  const message = {
    type: 'Asynchronous/Messages',
    description: 'stock is low',
    providerStates: [{ name: 'stock fell to its threshold' }],
    contents: { contentType: 'application/json', encoded: false, content: { event: 'inventory.low' } },
    metadata: { 'X-SERVICE-Signature': signature },
    matchingRules: {
      metadata: { 'X-SERVICE-Signature': { combine: 'AND', matchers: [{ match: 'regex', regex: '^sha256=[0-9a-f]{64}$' }] } },
    },
  };
  const { verification } = await verifyPact(v4([inventory, message]));
  expect(verification.interactions.map(({ kind, outcome, problems }) => ({ kind, outcome, problems }))).toEqual([
    { kind: 'http', outcome: 'verified', problems: [] },
    { kind: 'message', outcome: 'verified', problems: [] },
  ]);
});

test.each([
  ['2.0.0', { providerState: 'an access token', request: { query: 'per_page=5' } }],
  ['3.0.0', { providerStates: [{ name: 'an access token' }], request: { query: { per_page: ['5'] } } }],
])("a partner's pact of version %s verifies, with paths from the base address", async (version, { request, ...states }) => {
  const interaction = {
    description: 'structures',
    ...states,
    request: { method: 'GET', path: '/structures', headers: { Authorization: 'Bearer abc' }, ...request },
    response: { status: 200, body: { data: [], meta: { page: 1, per_page: 5 } }, matchingRules: anyType(version) },
  };
  const pact = {
    consumer: { name: 'partner' },
    provider: { name: 'Social-Cohesion Management API' },
    interactions: [interaction],
    metadata: { pactSpecification: { version } },
  };
  const { verification } = await verifyPact(pact, 'cohesion');
  expect(verification.interactions).toMatchObject([{ outcome: 'verified', problems: [], consumer: 'partner' }]);
});

const anyType = (version: string) =>
  version === '2.0.0' ? { '$.body': { match: 'type' } } : { body: { $: { combine: 'AND', matchers: [{ match: 'type' }] } } };

test('a mismatch has its place, the expected and the actual value', async () => {
  const wrong = {
    ...inventory,
    response: { status: 404, headers: { 'Content-Type': ['text/xml'] }, body: { content: { success: 'yes' } } },
  };
  const { verification } = await verifyPact(v4([wrong]));
  expect(verification.interactions[0]?.outcome).toBe('failed');
  expect(verification.interactions[0]?.problems).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'status', expected: '404', actual: '200' }),
      expect.objectContaining({ kind: 'header', path: 'Content-Type', expected: 'text/xml' }),
    ]),
  );
  expect(verification.interactions[0]?.exchange).toMatchObject({
    request: { method: 'GET', path: '/api/v1/inventory', query: 'store_id=S-9', headers: { authorization: 'Bearer [redacted]' } },
    reply: { status: 200 },
  });
});

const token = [{ name: 'an access token' }];
const headers = { Authorization: ['Bearer x'] };
const rules = (places: Record<string, object>) =>
  Object.fromEntries(Object.entries(places).map(([place, rule]) => [place, { combine: 'AND', matchers: [rule] }]));

test('what a mismatch says: expressions, lists, the token of a state, and descriptions of tokens', async () => {
  const path = '/api/v1/indicateurs';
  const list = (description: string, { body = {}, header = {}, expected = 'Taux de participation' } = {}) => ({
    description,
    providerStates: [...token, { name: 'an indicator' }],
    request: { method: 'GET', path, headers },
    response: {
      status: 200,
      headers: { 'Content-Type': ['application/json; charset=utf-8'] },
      body: { content: { data: [{ intitule: expected }] } },
      matchingRules: { body: rules(body), header: rules(header) },
    },
  });
  const regex = (expression: string) => ({ match: 'regex', regex: expression });
  const me = { data: { token: { name: 'another' } } };
  const { verification } = await verifyPact(
    v4([
      list('a part', { body: { '$.data[0].intitule': regex('^Taux') } }),
      list('no part', { body: { '$.data[0].intitule': regex('^Part') }, expected: 'Part' }),
      list('a part of a header', { header: { 'Content-Type': regex('application/json') } }),
      list('a broken expression', { body: { '$.data[0].intitule': regex('^Taux(') } }),
      list('a list', { body: { '$.data': { match: 'type', min: 2 } } }),
      {
        description: 'a wrong token',
        providerStates: token,
        request: { method: 'GET', path, headers: { Authorization: ['Bearer wrong'] } },
        response: { status: 401 },
      },
      {
        description: 'who am I',
        providerStates: token,
        request: { method: 'GET', path: '/api/v1/me', headers },
        response: { status: 200, body: { content: me } },
      },
    ]),
    'cohesion',
  );
  const problem = (description: string) => verification.interactions.find((one) => one.description === description)?.problems[0];
  expect(problem('a part')).toMatchObject({ expected: 'text that matches ^Taux' });
  expect(problem('a part')?.message).toContain('"^Taux" matches only a part of it');
  expect(problem('no part')?.message).toMatch(/to match '\^Part'$/);
  expect(problem('a part of a header')).toMatchObject({ expected: 'text that matches application/json' });
  expect(problem('a list')?.actual).toMatch(/^\[\{"alert_state":/);
  expect(problem('a wrong token')?.message).toContain("was sent in place of the pact's own");
  expect(problem('who am I')).toMatchObject({ path: '$.data.token.name', expected: '"another"' });
  const broken = verification.interactions.find(({ description }) => description === 'a broken expression');
  expect(broken).toMatchObject({ outcome: 'failed', couldNotRun: true });
});

test('an unknown state, wrong parameters or a failing setup fail only their interaction', async () => {
  const given = (description: string, ...providerStates: object[]) => ({ ...inventory, description, providerStates });
  const { verification } = await verifyPact(
    v4([
      given('unknown', { name: 'an acces token' }, { name: 'a store' }),
      given('parameters', { name: 'a store', params: { shop: 'S-9' } }),
      given('impossible', { name: 'an access token' }, { name: 'a paid sale', params: { total: 7 } }),
      inventory,
    ]),
  );
  const found = verification.interactions.map(({ description, outcome, problems }) => [
    description,
    outcome,
    problems[0]?.message,
  ]);
  expect(found).toEqual([
    ['unknown', 'failed', expect.stringContaining('pos has no provider state "an acces token". Did you mean "an access token"')],
    ['parameters', 'failed', expect.stringMatching(/parameters of the state "a store" are not valid:.*shop/s)],
    ['impossible', 'failed', expect.stringContaining('"a paid sale" could not be set up: total must be a multiple of')],
    ['the inventory of a store', 'verified', undefined],
  ]);
  expect(verification.interactions[0]?.problems).toMatchObject([{ kind: 'state' }]);
});

test('a pact whose only interaction has an unknown state before a known one names the nearest state', async () => {
  const providerStates = [{ name: 'an acces token' }, { name: 'a store' }];
  const { verification } = await verifyPact(v4([{ ...inventory, providerStates }]));
  expect(verification.interactions).toMatchObject([
    { outcome: 'failed', problems: [{ kind: 'state', message: expect.stringContaining('Did you mean "an access token"') }] },
  ]);
});

test('a pending interaction that does not match does not count as a failure', async () => {
  const { verification } = await verifyPact(v4([{ ...inventory, pending: true, response: { status: 404 } }, inventory]));
  expect(verification.interactions.map(({ outcome }) => outcome)).toEqual(['pending', 'verified']);
  expect(verification.interactions[0]?.problems).toMatchObject([{ kind: 'status', actual: '200' }]);
  expect(verification.interactions.map(({ pendingBecause }) => pendingBecause)).toEqual(['pact', undefined]);
});

test('a message needs no state if its description names the event; otherwise an error names the missing state', async () => {
  const message = (description: string) => ({
    type: 'Asynchronous/Messages',
    description,
    contents: { contentType: 'application/json', encoded: false, content: { data: {} } },
    matchingRules: { body: { '$.data': { combine: 'AND', matchers: [{ match: 'type' }] } } },
  });
  const { verification } = await verifyPact(
    v4([message('plan.closed arrives'), message('something')], { provider: 'cohesion' }),
    'cohesion',
  );
  expect(verification.interactions.map(({ outcome }) => outcome)).toEqual(['verified', 'failed']);
  expect(verification.interactions[1]?.problems[0]?.message).toContain(
    'The message "something" does not say which event it is about',
  );
});

test('a provider at a URL is verified, with its states set up and torn down through --state-url', async () => {
  const asked: string[] = [];
  const baseUrl = await listening(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    response.setHeader('content-type', 'application/json');
    if (request.url === '/states') {
      const { action, state } = JSON.parse(body);
      asked.push(`${action} ${state}`);
      return response.end(JSON.stringify({ token: 'of-the-state' }));
    }
    asked.push(`${request.url} ${request.headers.authorization}`);
    return response.end('{}');
  });
  const pact = v4([{ ...inventory, providerStates: [{ name: 'their own state' }] }]);

  const { verification } = await verifyPact(pact, 'pos', {
    at: { baseUrl: `${baseUrl}/base/`, stateUrl: `${baseUrl}/states` },
  });
  expect(verification).toMatchObject({ target: { kind: 'address' }, interactions: [{ outcome: 'verified' }] });
  expect(asked).toEqual([
    'setup their own state',
    '/base/api/v1/inventory?store_id=S-9 Bearer of-the-state',
    'teardown their own state',
  ]);

  const without = await verifyPact(pact, 'pos', { at: { baseUrl } });
  expect(without.verification.interactions[0]?.problems[0]?.message).toContain('cannot be set up');
  const nobody = await verifyPact(v4([{ ...inventory, providerStates: [] }]), 'pos', {
    at: { baseUrl: 'http://127.0.0.1:1' },
  });
  expect(nobody.verification.interactions[0]?.problems[0]?.message).toContain('http://127.0.0.1:1/api/v1/inventory');
});

test('the pact of a receiver verifies with one of the samples: every request is signed anew', async () => {
  const secret = newSigningSecret();
  const sample = fileURLToPath(new URL('../../receivers/samples/http.ts', import.meta.url));
  const child = spawn(process.execPath, [sample], { env: { ...process.env, SECRET: secret, PORT: '0' } });
  onTestFinished(() => void child.kill());
  const [output] = (await once(child.stdout, 'data')) as [Buffer];
  const { port } = JSON.parse(output.toString().replace('listening ', ''));
  const { pacts, close } = await readPacts(['contracts/pacts/passerelle-webhook-receiver.json']);
  onTestFinished(close);
  const url = `http://127.0.0.1:${port}/hook`;
  const input = { provider: 'webhook-receiver', from: pacts } as const;
  const { verification } = await verify({ ...input, at: { url, secret } });
  expect(verification.interactions.map(({ outcome }) => outcome)).toEqual(['verified', 'verified']);
  const foreign = await verify({ ...input, at: { url, secret: newSigningSecret() } });
  expect(foreign.verification.interactions.map(({ problems }) => problems[0]?.actual)).toEqual(['401', '401']);
});

test('pacts are downloaded with the credentials of the URL, and deleted afterwards', async () => {
  const asked: (string | undefined)[] = [];
  const url = await listening((request, response) => {
    asked.push(request.headers.authorization);
    response.end(JSON.stringify(v4([inventory])));
  });
  const { port } = new URL(url);
  const { pacts, close } = await readPacts([`http://ci:secret@127.0.0.1:${port}/till.json`]);
  expect(pacts).toMatchObject([{ source: `http://127.0.0.1:${port}/till.json`, consumer: 'partner' }]);
  expect(asked).toEqual([`Basic ${Buffer.from('ci:secret').toString('base64')}`]);
  const { verification } = await verify({ provider: 'pos', from: pacts });
  expect(verification.interactions.map(({ outcome }) => outcome)).toEqual(['verified']);
  await close();
  expect(existsSync(pacts[0]?.file ?? '')).toBe(false);
});

test('a download is aborted at the size limit', async () => {
  const url = await listening((_, response) => {
    const chunk = Buffer.alloc(1_000_000, ' ');
    const more = () => {
      while (response.write(chunk));
    };
    response.on('drain', more);
    more();
  });
  await expect(readPacts([`${url}/endless.json`])).rejects.toThrow('is larger than 20000000 bytes');
});

test.each([
  ['a missing file', async () => '/nowhere/pact.json', 'There is no pact at /nowhere/pact.json'],
  ['a file that is not a pact', () => pactFile({ consumer: 'x' }), 'Expected a Pact file of version 2, 3 or 4'],
  [
    'an address that does not answer',
    async () => 'http://user:secret@127.0.0.1:1/p.json',
    'http://127.0.0.1:1/p.json did not answer',
  ],
])('%s is named, and nothing runs', async (_, place, message) => {
  const reading = readPacts([await place()]);
  await expect(reading).rejects.toThrow(CouldNotRun);
  await expect(reading).rejects.toThrow(message);
  await expect(reading).rejects.not.toThrow('secret');
});

test.each([
  ['797ms', 797],
  ['1.34s', 1340],
  ['75.3s', 75_300],
  ['1m 3s 42ms', 63_042],
  ['', 0],
])('the duration %j of Pact is %d ms', (text, ms) => {
  expect(durationMs(text)).toBe(ms);
});
