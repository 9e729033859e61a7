import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { pactCommand } from '../../cli/pact.ts';
import { assess } from '../../contracts/tools/assumptions/check.ts';
import { type OpenGateway, openReferenceGateway } from '../../contracts/tools/reference-gateway.ts';
import { Hider } from '../../contracts/tools/secrets.ts';
import { verify } from '../../contracts/tools/verification/run.ts';
import { readPacts } from '../../contracts/tools/verification/sources.ts';
import { openRehearsingGateway } from '../../stubs/assume/rehearsing-gateway.ts';
import { blocksUnder } from '../docs/guide.ts';
import { newFolder, passerelle, runCommand } from '../program.ts';
import { samples, startProgram } from '../receivers/programs.ts';
import { aSale, call, openStub, signIn } from '../stubs/partner.ts';

const root = join(import.meta.dirname, '../..');
const environment = { PATH: process.env.PATH ?? '' };

interface Change {
  path: RegExp;
  /** Changes a reply of the provider. */
  change(reply: { status: number; body: string }): { status?: number; body?: string };
  red: string;
}

/** A reference implementation that answers the calls of these paths otherwise. */
const changed =
  (changes: readonly Change[]): OpenGateway =>
  async (name) => {
    const gateway = await openReferenceGateway(name);
    const inject = async (asked: { method: string; url: string }) => {
      const { statusCode, headers, payload } = await gateway.app.inject(asked as never);
      const reply = { status: statusCode, body: payload };
      for (const { path, change } of changes) if (path.test(`${asked.method} ${asked.url}`)) Object.assign(reply, change(reply));
      return { statusCode: reply.status, headers, payload: reply.body };
    };
    return { ...gateway, app: { inject } as unknown as FastifyInstance };
  };

/** Changes of what a till uses: the type of a field, a status, and a sale for a wrong total. */
const ofTill: Change[] = [
  {
    path: /POST \/pos\/api\/auth/,
    change: ({ body }) => ({ body: body.replace(/"expires_in":(\d+)/, '"expires_in":"$1"') }),
    red: 'obtain an access token',
  },
  {
    path: /GET \/pos\/api\/v1\/inventory/,
    change: ({ status }) => (status === 200 ? { status: 202 } : {}),
    red: 'current inventory of a store',
  },
  {
    path: /POST \/pos\/api\/v1\/sales/,
    change: ({ status, body }) => (body.includes('sum_of_lines') ? { status: 201 } : { status }),
    red: 'create a sale with payment_method cash, of which the total is not the sum of the lines, refused with 400',
  },
];

/** The name of a field, the status of what does not exist, and a filter that does nothing. */
const ofDashboard: Change[] = [
  {
    path: /GET \/cohesion\/api\/v1\/indicateurs/,
    change: ({ body }) => ({ body: body.replaceAll('taux_atteinte', 'taux') }),
    red: 'active indicators',
  },
  {
    path: /indicateurs\/\d+/,
    change: ({ status }) => (status === 404 ? { status: 422 } : {}),
    red: 'one active indicator, that does not exist, refused with 404',
  },
  {
    path: /indicateurs\?.*type=/,
    change: ({ body }) => ({ body: body.replaceAll('"type":"impact"', '"type":"activite"') }),
    red: 'active indicators with type impact',
  },
];

const node = [process.execPath, '--test', '--test-reporter=dot'];
const php = samples.find(({ command }) => command === 'php');

test.for([
  // Its suite makes up values, and asks for days before today.
  { provider: 'pos', suite: 'till.test.ts', command: node, least: 20, changes: ofTill, isRepeated: true },
  { provider: 'cohesion', suite: 'dashboard.test.ts', command: node, least: 15, changes: ofDashboard },
  { provider: 'pos', suite: 'suite.php', command: ['php'], least: 20, changes: ofTill },
] as const)(
  '$suite becomes a pact that is green, and red under each change of what it uses',
  { timeout: 900_000 },
  async (one, { skip }) => {
    const { provider, suite, command, least, changes } = one;
    const isPhp = suite === 'suite.php';
    if (isPhp && !php?.present) return skip('There is no php on this machine.');
    const webhook: string[] = [];
    if (isPhp && php) {
      // A stub's secrets are the same at each start, so the receiver can know them before.
      const { secret } = await (await openStub('pos')).endpoints.add({ url: 'http://127.0.0.1:9/' });
      const receiver = await startProgram(php, [secret]);
      onTestFinished(receiver.stop);
      webhook.push('--webhook', receiver.url);
    }
    const file = join(await newFolder(), 'pact.json');
    const args = ['pact', provider, '--consumer', 'one', '--output', file, ...webhook, '--', ...command];
    const run = () => passerelle([...args, join(root, 'examples/pact', suite)], { env: environment });

    const { code, stdout } = await run();
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('all green') });
    const text = await readFile(file, 'utf8');
    if ('isRepeated' in one) await run();
    expect(await readFile(file, 'utf8')).toBe(text);
    expect(text, 'the ids of the demo data').not.toMatch(/STORE-ABJ|PRD-0/);

    const { pacts } = await readPacts([file]);
    const verified = await verify({ provider, from: pacts, reference: openRehearsingGateway });
    const { interactions } = verified.verification;
    expect(interactions.length).toBeGreaterThanOrEqual(least);
    const names = interactions.flatMap(({ description, states }) => [description, ...states.map(({ name }) => name)]);
    expect(names.map(new Hider().text), 'no name looks like a secret to reports').toEqual(names);
    expect(interactions.filter(({ outcome }) => outcome !== 'verified')).toEqual([]);
    const { findings, notJudged } = await assess(provider, verified, '2026-11-21');
    expect([...notJudged, ...findings.filter(({ verdict }) => verdict !== 'rests-on')]).toEqual([]);
    const messages = interactions.filter(({ kind }) => kind === 'message').map(({ description }) => description);
    expect(messages).toEqual(isPhp ? ['the webhook payment.received', 'the webhook sale.completed'] : []);

    const { verification } = await verify({ provider, from: pacts, reference: changed(changes) });
    const red = verification.interactions.filter(({ outcome }) => outcome === 'failed').map(({ description }) => description);
    expect(red).toEqual(expect.arrayContaining(changes.map((change) => change.red)));
  },
);

test('the guide, to the letter', async () => {
  const cwd = await newFolder();
  const blocks = blocksUnder('docs/ci/pact-from-tests.md');
  const [file, shell, text] = ['js', 'sh', 'text'].map((kind) => blocks.find((block) => block.language === kind));
  await writeFile(join(cwd, 'till.test.mjs'), file?.code ?? '');
  // The package itself is tested by `.ci/package`.
  const own = `npm() { :; }; npx() { shift 3; '${process.execPath}' '${join(root, 'cli/bin.js')}' "$@"; }`;
  const { stdout } = await promisify(execFile)('bash', ['-ec', `${own}\n${shell?.code}`], { cwd, env: environment });
  for (const line of text?.code.trim().split('\n') ?? []) if (line !== '[...]') expect(stdout).toContain(line);
});

/** Runs `passerelle pact pos`. `pact`: the text of the file that it wrote. */
async function written(args: readonly string[]) {
  const file = join(await newFolder(), 'pacts', 'till.json');
  const ran = await runCommand(pactCommand(), ['pos', '--consumer', 'till', '--output', file, ...args]);
  return { ...ran, pact: await readFile(file, 'utf8').catch(() => '') };
}

test('the HAR file of a run: a green pact without any of its secrets; what is not in it is listed with its reason', async () => {
  const stub = await openStub('pos');
  const token = await signIn(stub);
  await call(stub, 'POST', '/api/v1/sales', { token, body: aSale() });
  await call(stub, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { token, headers: { 'x-api-token': 'e7c1-in-a-header' } });
  await call(stub, 'GET', '/api/v1/inventory?store_id=STORE-ABJ-01&access_token=e7c2-in-the-query', { token });
  await call(stub, 'POST', '/api/v1/sales', { token, body: { ...aSale(), password: 'e7c3-in-a-body' } });
  const har = JSON.stringify(stub.har({ secrets: true }))
    .replace('\\"status\\":\\"completed\\"', '\\"client_secret\\":\\"e7c4-in-a-reply\\"')
    // The status of another cause.
    .replace(/"status":400(?!.*"status":400)/, '"status":409');
  const secrets = [token, stub.credentials.apiSecret, 'e7c1-in-a-', 'e7c2-in-the-', 'e7c3-in-a-', 'e7c4-in-a-'];
  for (const secret of secrets) expect(har).toContain(secret);
  const file = join(await newFolder(), 'calls.har');
  await writeFile(file, har);

  const { code, stdout, stderr, pact } = await written(['--from', file]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('all green');
  expect(stdout).toContain('its states do not bring its reply about: expected 409, got 400');
  for (const one of ['create a sale with payment_method cash', 'current inventory of a store', 'obtain an access token'])
    expect(pact).toContain(`"description": "${one}"`);
  for (const secret of secrets) expect(pact + stdout).not.toContain(secret);
});

const program = (code: string) => ['--', process.execPath, '-e', code];
const nowhere = "fetch(process.env.PASSERELLE_POS_URL + '/api/v1/nothing?api_key=geheim-12345')";

test.each([
  ['a suite that fails', program('process.exit(3)'), 'failed with exit code 3, so no pact was written'],
  ['a suite that is killed', program('process.kill(process.pid, "SIGKILL")'), 'was ended by SIGKILL'],
  ['a suite that calls nothing', program(''), 'did not call the stub of pos. Its address is in PASSERELLE_POS_URL'],
  ['a command that does not exist', ['--', 'no-such-command'], 'no-such-command could not be started'],
  ['an unknown placeholder', ['--env', 'A={urk}', ...program('')], 'Did you mean {url}?'],
  ['a token of the other API', ['--env', 'A={token}', ...program('')], '--env knows no {token}'],
  ['a variable without a name', ['--env', '=x', ...program('')], 'It must look like SHOP_URL'],
  ['a consumer that is a path', ['--consumer', '../x', ...program('')], 'It must be a name'],
  ['calls that cannot be recreated', program(nowhere), 'GET /api/v1/nothing (404): pos has no such operation'],
  ['no source', [], 'There is nothing to record: name a command after --, or a file with --from.'],
  ['a command and a file', ['--from', 'x.har', '--', 'true'], 'A command and --from exclude each other'],
  ['a file that is not there', ['--from', 'x.har'], 'x.har does not exist.'],
  ['a folder', ['--from', '.'], '. is a folder: name the .har in it.'],
  ['a file that is no archive', ['--from', 'package.json'], 'package.json is no HTTP Archive'],
  ['a seed without a command', ['--from', 'x.har', '--seed', 'x'], '--seed has no effect with --from'],
  ['a misspelt option', ['--form', 'x.har'], '(Did you mean --from?)'],
])('%s writes nothing, exits with 2, and helps', async (_, args, message) => {
  const { code, stdout, stderr, pact } = await written(args);
  expect({ code, stdout, stderr, pact }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message), pact: '' });
  expect(stderr).not.toContain('geheim-12345');
});
