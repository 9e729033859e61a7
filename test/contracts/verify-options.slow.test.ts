import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { verifyCommand } from '../../cli/verify.ts';
import { newSigningSecret, signatureHeaders } from '../../gateway/webhooks/sending/sign.ts';
import { runCommand } from '../program.ts';
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

const pact = (provider: string, interactions: object[], consumer = 'caisse') => ({
  consumer: { name: consumer },
  provider: { name: provider },
  interactions,
  metadata: { pactSpecification: { version: '2.0.0' } },
});
const refusal = { description: 'a refusal', request: { method: 'POST', path: '/api/auth' }, response: { status: 400 } };

async function folderOf(pacts: Record<string, object>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(pacts)) await writeFile(join(folder, name), JSON.stringify(content));
  return folder;
}

describe("a folder with other providers' pacts", () => {
  // A plugin's interaction, which only its own verifier understands.
  const foreign = pact('payments-service', [{ type: 'Synchronous/Messages', description: 'x' }]);

  test('skips them, and says so', async () => {
    const folder = await folderOf({
      'a.json': foreign,
      'b.json': pact('pos', [refusal]),
      'c.json': pact('Stock API', [refusal]),
    });
    for (const args of [[], ['pos']]) {
      const { code, stdout, stderr } = await runCommand(verifyCommand(), [...args, '--pact', folder]);
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('1 interaction in') });
      expect(stderr).toContain(
        `Skipped: ${join(folder, 'a.json')} (with payments-service), ${join(folder, 'c.json')} (with Stock API).`,
      );
    }
  });

  test('takes an unknown name as the requested provider if nothing else can be meant, or if it is named', async () => {
    const only = await folderOf({ 'a.json': pact('Caisse API', [refusal]), 'b.json': pact('Caisse API', [refusal], 'kiosk') });
    const one = await runCommand(verifyCommand(), ['pos', '--pact', only]);
    expect(one).toMatchObject({ code: 0, stdout: expect.stringContaining('2 interactions in') });
    const two = await folderOf({ 'a.json': foreign, 'b.json': pact('Caisse API', [refusal]) });
    const named = await runCommand(verifyCommand(), ['pos', '--pact', two, '--provider-name', 'Caisse API']);
    expect(named).toMatchObject({ code: 0, stdout: expect.stringContaining('1 interaction in') });
  });

  test.each([
    [[], 'none of which is pos or cohesion: name the API, such as passerelle verify pos, and --provider-name'],
    [['pos'], 'none of which is pos or cohesion: name the API, such as passerelle verify pos, and --provider-name'],
    [['pos', '--provider-name', 'caisse api'], 'Did you mean "Caisse API"? The pacts name payments-service, Caisse API.'],
  ])('is refused if none of them is meant: %j', async (args, message) => {
    const folder = await folderOf({ 'a.json': foreign, 'b.json': pact('Caisse API', [refusal]) });
    const { code, stderr } = await runCommand(verifyCommand(), [...args, '--pact', folder]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});

test('filters select interactions by consumer, description and state', async () => {
  const named = (description: string, more: object = {}) => ({ ...refusal, description, ...more });
  const folder = await folderOf({
    'a.json': pact('pos', [named('no body'), named('a refusal', { providerState: 'a store' })]),
    'b.json': pact('pos', [named('no body')], 'kiosk'),
    'c.json': pact('cohesion', [named('no body')], 'kiosk'),
  });
  const run = async (...args: string[]) => {
    const { stdout } = await runCommand(verifyCommand(), [...args, '--pact', folder, '--json']);
    const { verifications } = JSON.parse(stdout) as {
      verifications: { provider: string; interactions: { consumer: string }[] }[];
    };
    return verifications.map(({ provider, interactions }) => [provider, interactions.map(({ consumer }) => consumer)]);
  };
  const stateless = await folderOf({ 'a.json': pact('pos', [named('no body')]) });
  expect(await runCommand(verifyCommand(), ['--pact', stateless, '--state', 'store'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('No interaction has --state "store" and the other filters. No interaction has a state.'),
  });
  expect(await run('--state', 'STORE')).toEqual([['pos', ['caisse']]]);
  expect(await run('--description', 'body', 'pos')).toEqual([['pos', ['caisse', 'kiosk']]]);
  expect(await run('--consumer', 'kiosk', '--description', 'no')).toEqual([
    ['pos', ['kiosk']],
    ['cohesion', ['kiosk']],
  ]);
});

test('extra headers replace those of the pact', async () => {
  const asked: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    asked.push(request.headers['x-tenant'] as string, request.headers.authorization);
    // A provider may repeat a header in its reply.
    response.end(JSON.stringify({ echo: request.headers['x-tenant'] }));
  });
  const asks = (path: string) => ({
    description: path,
    request: { method: 'GET', path, headers: { Authorization: 'Bearer a' } },
    response: { status: 200 },
  });
  const differs = { ...asks('/other'), response: { status: 200, body: { echo: 'another' } } };
  const folder = await folderOf({ 'a.json': pact('pos', [asks('/'), differs]) });
  const headers = ['--header', 'X-Tenant: one: two partners', '--header', 'authorization: Basic b'];
  const { code, stdout } = await runCommand(verifyCommand(), ['pos', '--pact', folder, '--base-url', url, ...headers]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/1 verified, 1 failed/) });
  expect(asked).toEqual(Array(2).fill(['one: two partners', 'Basic b']).flat());
  // The value of a partner's header may be a secret under any name.
  expect(stdout).toContain("'another'");
  expect(stdout).not.toContain('two partners');
});

describe('exit codes', () => {
  test.each([
    ['an unreachable provider', ['pos', '--base-url', nowhere], pact('pos', [refusal])],
    [
      'an unreachable receiver',
      ['webhook-receiver', '--base-url', nowhere, '--secret', secret],
      pact('webhook-receiver', [refusal]),
    ],
  ])('%s is 2, and the report says why', async (_, args, content) => {
    const folder = await folderOf({ 'a.json': content });
    const { code, stdout } = await runCommand(verifyCommand(), [...args, '--pact', folder]);
    expect({ code, stdout }).toEqual({
      code: 2,
      stdout: expect.stringMatching(/did not answer: no connection was accepted \(connect ECONNREFUSED/),
    });
    expect(stdout).toContain('Next: Not everything could be done');
  });

  test('a teardown that fails is 2, but a mismatch beside it is 1', async () => {
    const url = await serve((request, response, body) => {
      response
        .writeHead(request.url === '/states' && body.includes('teardown') ? 500 : request.url === '/states' ? 200 : 400)
        .end();
    });
    const stated = { ...refusal, providerState: 'un magasin' };
    const run = async (...interactions: object[]) => {
      const folder = await folderOf({ 'a.json': pact('pos', interactions) });
      return runCommand(verifyCommand(), ['pos', '--pact', folder, '--base-url', url, '--state-url', `${url}/states`]);
    };
    expect(await run(stated)).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('Not done: a refusal – The teardown of "un'),
    });
    expect(await run(stated, { ...stated, description: 'wrong', response: { status: 200 } })).toMatchObject({ code: 1 });
  });
});

describe('a receiver', () => {
  const event = { event: 'sale.completed', delivered_at: '2026-11-21T08:53:00+00:00', data: { total: 1 } };
  const hook = pact('webhook-receiver', [
    {
      description: 'sale.completed',
      request: { method: 'POST', path: '/hook', headers: { 'Content-Type': 'application/json' }, body: event },
      response: { status: 204 },
    },
  ]);
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
  const check = async (accepts: Accepts, refusal: number | null = 401) => {
    const url = await serve((request, response, body) => {
      if (accepts(request.headers as Record<string, string>, body)) response.writeHead(204).end();
      else if (refusal === null) response.socket?.resetAndDestroy();
      else response.writeHead(refusal, { location: '/login' }).end();
    });
    // The time in a signature is that of this process.
    vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
    onTestFinished(() => void vi.useRealTimers());
    const folder = await folderOf({ 'a.json': hook });
    const args = ['webhook-receiver', '--base-url', `${url}/hook`, '--secret', secret];
    return runCommand(verifyCommand(), [...args, '--pact', folder]);
  };

  test('that checks signatures and times is verified', async () => {
    const { code, stdout } = await check(isFresh);
    expect(stdout).toContain('5 interactions in');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('✓ it refuses a request without a signature') });
  });

  test('that never checks signatures fails: forged and unsigned requests must be rejected', async () => {
    const { code, stdout } = await check(() => true);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('1 verified, 3 failed, 1 pending') });
    for (const title of ['wrong signature', 'changed body', 'request without a signature'])
      expect(stdout).toContain(`✗ it refuses a ${title}`);
    expect(stdout).toContain('~ it refuses an old timestamp');
  });

  test('that checks the documented signature only is told about old requests, as by receiver check', async () => {
    const { code, stdout } = await check(isSigned);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('4 verified, 0 failed, 1 pending') });
    expect(stdout).toContain('pos.webhook-signing');
    expect(stdout).toContain('pending     the API documents do not require it');
  });

  test.each([
    [302, 'A redirect, such as to a login, does not refuse'],
    [500, 'An error of its own does not refuse'],
  ])('that answers forged events with %d neither accepts nor refuses them: pending', async (status, says) => {
    const { code, stdout } = await check(isFresh, status);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('1 verified, 0 failed, 4 pending') });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(says);
    expect(stdout).toContain('pending     the receiver neither accepted nor refused it');
  });

  test('that gives forged events no answer could not be judged', async () => {
    const { code, stdout } = await check(isFresh, null);
    expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringContaining('1 verified, 0 failed, 0 pending') });
    expect(stdout).toContain('Not done: it refuses a wrong signature: No response (reset)');
  });

  test.each([401, 403])('that answers every event with %d probably has another secret', async (status) => {
    const { code, stdout } = await check(() => false, status);
    const text = stdout.replaceAll(/\s+/g, ' ');
    expect({ code, text }).toEqual({
      code: 1,
      text: expect.stringContaining('The usual reason is that the receiver has another secret'),
    });
    expect(text).toContain("Next: The receiver refuses genuine events: compare --secret with the receiver's own secret.");
  });

  test('that rejects every event proves nothing about forged ones, and the report says so', async () => {
    const { code, stdout } = await check(() => false);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining('Not checked, because the receiver accepted no'),
    });
    expect(stdout).toContain('passerelle receiver check http://127.0.0.1');
  });
});
