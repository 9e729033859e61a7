import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { pactCommand } from '../../cli/pact.ts';
import { type OpenGateway, openReferenceGateway } from '../../contracts/tools/reference-gateway.ts';
import { verify } from '../../contracts/tools/verification/run.ts';
import { readPacts } from '../../contracts/tools/verification/sources.ts';
import { blocksUnder } from '../docs/guide.ts';
import { passerelle, runCommand } from '../program.ts';

const root = join(import.meta.dirname, '../..');
const suite = join(root, 'examples/pact/till.test.ts');
const dashboard = join(root, 'examples/pact/dashboard.test.ts');
const environment = { PATH: process.env.PATH ?? '' };

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

interface Change {
  what: string;
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
    const app = new Proxy(gateway.app, {
      get: (target, property) => (property === 'inject' ? inject : Reflect.get(target, property)),
    }) as unknown as FastifyInstance;
    return { ...gateway, app };
  };

async function redUnder(file: string, provider: 'pos' | 'cohesion', changes: readonly Change[]): Promise<string[]> {
  const { pacts } = await readPacts([file]);
  const { verification } = await verify({ provider, from: pacts, reference: changed(changes) });
  return verification.interactions.filter(({ outcome }) => outcome === 'failed').map(({ description }) => description);
}

describe.each([
  {
    provider: 'pos',
    consumer: 'till',
    file: suite,
    least: 20,
    // Its suite makes up values, and asks for days before today.
    isRepeated: true,
    changes: [
      {
        what: 'the type of expires_in',
        path: /POST \/pos\/api\/auth/,
        change: ({ body }) => ({ body: body.replace(/"expires_in":(\d+)/, '"expires_in":"$1"') }),
        red: 'obtain an access token',
      },
      {
        what: 'the status of the inventory',
        path: /GET \/pos\/api\/v1\/inventory/,
        change: ({ status }) => (status === 200 ? { status: 202 } : {}),
        red: 'current inventory of a store',
      },
      {
        what: 'a sale for a wrong total',
        path: /POST \/pos\/api\/v1\/sales/,
        change: ({ status, body }) => (body.includes('sum_of_lines') ? { status: 201 } : { status }),
        red: 'create a sale with payment_method cash, of which the total is not the sum of the lines, refused with 400',
      },
    ] satisfies Change[],
  },
  {
    provider: 'cohesion',
    consumer: 'dashboard',
    file: dashboard,
    least: 15,
    isRepeated: false,
    changes: [
      {
        what: 'the name of a field',
        path: /GET \/cohesion\/api\/v1\/indicateurs/,
        change: ({ body }) => ({ body: body.replaceAll('taux_atteinte', 'taux') }),
        red: 'active indicators',
      },
      {
        what: 'the status of what does not exist',
        path: /indicateurs\/\d+/,
        change: ({ status }) => (status === 404 ? { status: 422 } : {}),
        red: 'one active indicator, that does not exist, refused with 404',
      },
      {
        what: 'a filter that does nothing',
        path: /indicateurs\?.*type=/,
        change: ({ body }) => ({ body: body.replaceAll('"type":"impact"', '"type":"activite"') }),
        red: 'active indicators with type impact',
      },
    ] satisfies Change[],
  },
] as const)('the suite of a $consumer', ({ provider, consumer, file, least, isRepeated, changes }) => {
  test('becomes a pact that is green and turns red under each change of what it uses', { timeout: 900_000 }, async () => {
    const folder = await newFolder();
    const pact = join(folder, `${consumer}-${provider}.json`);
    const args = ['pact', provider, '--consumer', consumer, '--output', folder];
    const run = () => passerelle([...args, '--', process.execPath, '--test', '--test-reporter=dot', file], { env: environment });

    const { code, stdout } = await run();
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('all green') });
    const first = await readFile(pact, 'utf8');
    const { interactions } = JSON.parse(first) as { interactions: object[] };
    expect(interactions.length).toBeGreaterThanOrEqual(least);
    if (isRepeated) {
      expect(await run()).toMatchObject({ code: 0 });
      expect(await readFile(pact, 'utf8')).toBe(first);
    }

    expect(await redUnder(pact, provider, changes)).toEqual(expect.arrayContaining(changes.map(({ red }) => red)));
  });
});

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

const node = (program: string) => ['--', process.execPath, '-e', program];

test.each([
  ['a suite that fails', node('process.exit(3)'), 'failed with exit code 3, so no pact was written'],
  ['a suite that is killed', node('process.kill(process.pid, "SIGKILL")'), 'was ended by SIGKILL'],
  ['a suite that calls nothing', node(''), 'did not call the stub of pos. Its address is in PASSERELLE_POS_URL'],
  ['a command that does not exist', ['--', 'no-such-command'], 'no-such-command could not be started'],
  ['an unknown placeholder', ['--env', 'A={urk}', ...node('')], 'Did you mean {url}?'],
  ['a token of the other API', ['--env', 'A={token}', ...node('')], '--env knows no {token}'],
  ['a variable without a name', ['--env', '=x', ...node('')], 'It must look like SHOP_URL'],
  ['a consumer that is a path', ['--consumer', '../x', ...node('')], 'It must be a name'],
  ['no command', [], 'command'],
  [
    'calls that cannot be recreated',
    node("fetch(process.env.PASSERELLE_POS_URL + '/api/v1/nothing?api_key=geheim-12345')"),
    'GET /api/v1/nothing (404): pos has no such operation',
  ],
])('%s writes nothing and exits with 2', async (_, args, message) => {
  const folder = await newFolder();
  const { code, stdout, stderr } = await runCommand(pactCommand(), [
    'pos',
    '--consumer',
    'till',
    '--output',
    join(folder, 'pacts'),
    ...args,
  ]);
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  expect(stderr).not.toContain('geheim-12345');
  await expect(readFile(join(folder, 'pacts/till-pos.json'))).rejects.toThrow();
});
