import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { verifyCommand } from '../../cli/verify.ts';
import type { Verification } from '../../contracts/tools/verification/result.ts';
import { newSigningSecret, signatureHeaders } from '../../gateway/webhooks/sending/sign.ts';
import { runCommand } from '../program.ts';
import { folderOf, older } from './pact-files.ts';
import { serve } from './server.ts';

const nowhere = 'http://127.0.0.1:1';
const secret = newSigningSecret();

describe('an option without effect exits with 2, and says what it needs', () => {
  test.each([
    [['--publish'], '--publish needs --broker'],
    [['--publish', '--provider-version', '7', '--pact', 'pacts'], '--publish needs --broker'],
    [['pos', '--broker', nowhere, '--publish', '--provider-version', '7'], '--publish needs --base-url'],
    [['pos', '--broker', nowhere, '--publish', '--provider-version', '7'], 'pass --publish-reference instead'],
    [['pos', '--broker', nowhere, '--base-url', nowhere, '--publish'], '--publish needs --provider-version'],
    [['pos', '--broker', nowhere, '--base-url', nowhere, '--publish-reference'], '--publish-reference needs'],
    [['--publish-reference'], '--publish-reference needs --broker'],
    [['--provider-version', '7'], '--provider-version needs --publish'],
    [['pos', '--broker', nowhere, '--build-url', nowhere], '--build-url needs --publish'],
    [['--provider-branch', 'main'], '--provider-branch needs --broker'],
    [['--include-wip', '2026-01-31'], '--include-wip needs --broker'],
    [['--state-url', nowhere], '--state-url needs --base-url'],
    [['webhook-receiver', '--base-url', nowhere, '--secret', secret, '--state-url', nowhere], '--state-url needs an API'],
    [['--secret', secret], '--secret needs webhook-receiver as the provider'],
    [['pos', '--base-url', nowhere, '--secret', secret], '--secret needs webhook-receiver as the provider'],
    [['--header', 'x-tenant: a'], '--header needs --base-url'],
    [['--timeout', '5'], '--timeout needs --base-url'],
    [['--header', 'x-tenant', 'pos', '--base-url', nowhere], "It must look like 'Name: value'."],
    [['--timeout', '5m', 'pos', '--base-url', nowhere], 'It must be a number of seconds'],
    [
      ['pos', '--broker', nowhere, '--base-url', nowhere, '--publish', '--provider-version', '7', '--state', 'a'],
      '--state needs a verification that is not recorded',
    ],
    [['--description', 'a tokne', '--consumer', 'till'], 'The nearest is "'],
    [['--consumer', 'tile'], 'No interaction has --consumer "tile" and the other filters. The nearest is "till".'],
    [['--base-url', nowhere], 'name the one: passerelle verify '],
    [['till'], '"till" is not a provider. Did you mean'],
    [['--broker', nowhere], 'Name it first: passerelle verify pos --broker URL'],
    [['pos', '--selectors', 'main'], 'No broker is named'],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await runCommand(verifyCommand(), args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('but a variable of the environment may be unused', async () => {
    vi.stubEnv('PASSERELLE_SIGNING_SECRET', secret);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { stderr } = await runCommand(verifyCommand(), ['--pact', '/nowhere']);
    expect(stderr).toContain('There is no pact at /nowhere');
  });
});

const pact = (provider: string, interactions: object[], consumer = 'caisse') =>
  older(interactions, { provider, consumer, version: '2.0.0' });
const refusal = { description: 'a refusal', request: { method: 'POST', path: '/api/auth' }, response: { status: 400 } };
const verified = async (pacts: Record<string, object>, ...args: string[]) => {
  const folder = await folderOf(pacts);
  return { folder, ...(await runCommand(verifyCommand(), [...args, '--pact', folder])) };
};
const withText = (text: string) => expect.stringContaining(text);

describe("a folder with other providers' pacts", () => {
  // A plugin's interaction, which only its own verifier understands.
  const foreign = pact('payments-service', [{ type: 'Synchronous/Messages', description: 'x' }]);

  test('skips them, and says so', async () => {
    const pacts = { 'a.json': foreign, 'b.json': pact('pos', [refusal]), 'c.json': pact('Stock API', [refusal]) };
    for (const args of [[], ['pos']]) {
      const { folder, code, stdout, stderr } = await verified(pacts, ...args);
      expect({ code, stdout }).toEqual({ code: 0, stdout: withText('1 interaction in') });
      const skipped = `${join(folder, 'a.json')} (with payments-service), ${join(folder, 'c.json')} (with Stock API).`;
      expect(stderr).toContain(`Skipped: ${skipped}`);
    }
  });

  test('takes an unknown name as the requested provider if nothing else can be meant, or if it is named', async () => {
    const own = pact('Caisse API', [refusal]);
    const one = await verified({ 'a.json': own, 'b.json': pact('Caisse API', [refusal], 'kiosk') }, 'pos');
    expect(one).toMatchObject({ code: 0, stdout: withText('2 interactions in') });
    const two = await verified({ 'a.json': foreign, 'b.json': own }, 'pos', '--provider-name', 'Caisse API');
    expect(two).toMatchObject({ code: 0, stdout: withText('1 interaction in') });
  });

  test.each([
    [['pos'], 'none of which is pos or cohesion: name the API, such as passerelle verify pos, and --provider-name'],
    [['pos', '--provider-name', 'caisse api'], 'Did you mean "Caisse API"? The pacts name payments-service, Caisse API.'],
  ])('is refused if none of them is meant: %j', async (args, message) => {
    const { code, stderr } = await verified({ 'a.json': foreign, 'b.json': pact('Caisse API', [refusal]) }, ...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: withText(message) });
  });
});

test('filters select interactions by consumer, description and state', async () => {
  const named = (description: string, more: object = {}) => ({ ...refusal, description, ...more });
  const pacts = {
    'a.json': pact('pos', [named('no body'), named('a refusal', { providerState: 'a store' })]),
    'b.json': pact('pos', [named('no body')], 'kiosk'),
    'c.json': pact('cohesion', [named('no body')], 'kiosk'),
  };
  const run = async (...args: string[]) => {
    const { verifications } = JSON.parse((await verified(pacts, ...args, '--json')).stdout) as {
      verifications: Verification[];
    };
    return verifications.map(({ provider, interactions }) => [provider, ...interactions.map(({ consumer }) => consumer)]);
  };
  expect(await run('--state', 'STORE')).toEqual([['pos', 'caisse']]);
  expect(await run('--description', 'body', 'pos')).toEqual([['pos', 'caisse', 'kiosk']]);
  expect(await run('--consumer', 'kiosk', '--description', 'no')).toEqual([
    ['pos', 'kiosk'],
    ['cohesion', 'kiosk'],
  ]);
  const stderr = withText('No interaction has --state "store" and the other filters. No interaction has a state.');
  expect(await verified({ 'a.json': pact('pos', [refusal]) }, '--state', 'store')).toMatchObject({ code: 2, stdout: '', stderr });
});

test('extra headers replace those of the pact, and no report shows their values', async () => {
  const asked: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    asked.push(request.headers['x-tenant'] as string, request.headers.authorization);
    // A provider may repeat a header in its reply.
    response.end(JSON.stringify({ echo: request.headers['x-tenant'] }));
  });
  const asks = (path: string, response: object) => ({
    description: path,
    request: { method: 'GET', path, headers: { Authorization: 'Bearer a' } },
    response: { status: 200, ...response },
  });
  const pacts = { 'a.json': pact('pos', [asks('/', {}), asks('/other', { body: { echo: 'another' } })]) };
  const headers = ['--header', 'X-Tenant: one: two partners', '--header', 'authorization: Basic b'];
  const { code, stdout } = await verified(pacts, 'pos', '--base-url', url, ...headers);
  expect({ code, stdout }).toEqual({ code: 1, stdout: withText('1 verified, 1 failed') });
  expect(asked).toEqual(Array(2).fill(['one: two partners', 'Basic b']).flat());
  expect(stdout).toContain("'another'");
  expect(stdout).not.toContain('two partners');
});

test('a receiver that does not answer was not verified: exit code 2', async () => {
  const args = ['webhook-receiver', '--base-url', nowhere, '--secret', secret];
  const { code, stdout } = await verified({ 'a.json': pact('webhook-receiver', [refusal]) }, ...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: withText('did not answer: no connection was accepted') });
});

test('a teardown that fails, and a pact without interactions, is 2, but a mismatch beside it is 1', async () => {
  const url = await serve((request, response, body) => {
    const isState = request.url === '/states';
    response.writeHead(isState ? (body.includes('teardown') ? 500 : 200) : 400).end();
  });
  // The end of a description must not make a secret of what follows it.
  const stated = { ...refusal, description: 'obtain a token', providerState: 'un magasin' };
  const run = (...interactions: object[]) => {
    const pacts = { 'a.json': pact('pos', interactions), 'empty.json': pact('pos', []) };
    return verified(pacts, 'pos', '--base-url', url, '--state-url', `${url}/states`);
  };
  const { folder, ...torn } = await run(stated);
  expect(torn).toMatchObject({ code: 2, stdout: withText('1 verified, 0 failed') });
  expect(torn.stdout).toContain('Not done: obtain a token – The teardown of "un magasin"');
  expect(torn.stdout).toContain(`Not done: ${join(folder, 'empty.json')}`);
  expect(await run(stated, { ...stated, description: 'wrong', response: { status: 200 } })).toMatchObject({ code: 1 });
});

describe('a receiver', () => {
  const body = { event: 'sale.completed', delivered_at: '2026-11-21T08:53:00+00:00', data: { total: 1 } };
  const request = { method: 'POST', path: '/hook', headers: { 'Content-Type': 'application/json' }, body };
  const hook = pact('webhook-receiver', [{ description: 'sale.completed', request, response: { status: 204 } }]);
  type Accepts = (headers: Record<string, string>, body: string) => boolean;
  const isSigned: Accepts = (headers, body) => {
    const atMs = Number(headers['webhook-timestamp']) * 1000;
    const eventId = headers['webhook-id'] ?? '';
    const right = signatureHeaders({ eventId, body, atMs, secrets: [secret], headerName: 'x-service-signature' });
    return headers['x-service-signature'] === right['x-service-signature'];
  };
  const nowMs = Date.UTC(2026, 10, 21, 8, 53);
  const isFresh: Accepts = (headers, body) =>
    isSigned(headers, body) && Math.abs(nowMs / 1000 - Number(headers['webhook-timestamp'])) < 300;

  test.each<[string, Accepts, refusal: number | null, code: number, says: string[]]>([
    ['checks signatures and times', isFresh, 401, 0, ['5 verified, 0 failed', '✓ it refuses a request without a signature']],
    [
      'checks nothing',
      () => true,
      401,
      1,
      [
        '1 verified, 3 failed, 1 pending',
        ...['wrong signature', 'changed body', 'request without a signature'].map((what) => `✗ it refuses a ${what}`),
        '~ it refuses an old timestamp',
      ],
    ],
    [
      'checks the documented signature only',
      isSigned,
      401,
      0,
      ['4 verified, 0 failed, 1 pending', 'pos.webhook-signing', 'pending the API documents do not require it'],
    ],
    [
      'redirects forged events',
      isFresh,
      302,
      0,
      ['1 verified, 0 failed, 4 pending', 'A redirect, such as to a login, does not refuse', 'neither accepted nor refused it'],
    ],
    ['fails at forged events', isFresh, 500, 0, ['1 verified, 0 failed, 4 pending', 'An error of its own does not refuse']],
    [
      'gives forged events no answer',
      isFresh,
      null,
      2,
      ['1 verified, 0 failed, 0 pending', 'Not done: it refuses a wrong signature: No response (reset)'],
    ],
    [
      'rejects every event',
      () => false,
      403,
      1,
      [
        'Not checked, because the receiver accepted no event',
        'passerelle receiver check http://127.0.0.1',
        "Next: The receiver refuses genuine events: compare --secret with the receiver's own secret.",
      ],
    ],
  ])('that %s', async (_, accepts, refusal, code, says) => {
    const url = await serve((request, response, body) => {
      if (accepts(request.headers as Record<string, string>, body)) response.writeHead(204).end();
      else if (refusal === null) response.socket?.resetAndDestroy();
      else response.writeHead(refusal, { location: '/login' }).end();
    });
    // The time in a signature is that of this process.
    vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
    onTestFinished(() => void vi.useRealTimers());
    const args = ['webhook-receiver', '--base-url', `${url}/hook`, '--secret', secret];
    const { stdout, ...run } = await verified({ 'a.json': hook }, ...args);
    const text = stdout.replaceAll(/\s+/g, ' ');
    for (const one of says) expect(text).toContain(one);
    expect(run.code).toBe(code);
  });
});
