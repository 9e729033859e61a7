import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Coverage } from '../../contracts/tools/coverage/coverage.ts';
import { fileWith, newFolder, passerelle, runHere } from '../program.ts';

const node = process.execPath;
const examples = join(import.meta.dirname, '../../examples');

/** A suite that calls both stubs as far as their addresses are there, and ends with this exit code. */
const suite = (code = 0) =>
  fileWith(
    `const { PASSERELLE_POS_URL: pos, PASSERELLE_COHESION_URL: cohesion, PASSERELLE_COHESION_TOKEN: all, PASSERELLE_COHESION_TOKEN_READ_STATS: stats } = process.env;
const get = (path, token) => fetch(cohesion + path, { headers: { authorization: 'Bearer ' + token } });
if (cohesion) {
  for (const year of [2024, 2025, 2026]) await get('/api/v1/stats?annee=' + year, all);
  await get('/api/v1/me', stats);
  await get('/api/v1/stats', stats);
  await get('/api/v1/indicateurs?per_pag=5', stats);
  await get('/stats', all);
  await get('/api/v1/stats', 'no-token');
}
if (pos) {
  const post = (path, body, token) => fetch(pos + path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...(token && { authorization: 'Bearer ' + token }) } });
  const { token } = await (await post('/api/auth', { api_key: process.env.PASSERELLE_POS_API_KEY, api_secret: process.env.PASSERELLE_POS_API_SECRET })).json();
  await fetch(pos + '/_stub/reset', { method: 'POST' });
  await post('/api/v1/sales', { store_id: 'STORE-ABJ-01', items: [{ product_id: 'PRD-0001', quantity: 1, price: 4500 }], payment_method: 'cash', total: 4500 }, token);
}
console.log('output');
process.exit(${code});`,
    'suite.mjs',
  );

async function covered(apis: string[], options: string[] = []) {
  const { code, stdout, stderr } = await passerelle(['coverage', ...apis, ...options, '--json', '--', node, await suite()]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'output\n' });
  const found = JSON.parse(stdout) as Coverage[];
  const used = (list: readonly { name?: string; id?: string; by: string[] }[] = []) =>
    list.filter(({ by }) => by.length > 0).map(({ name, id }) => name ?? id);
  return { found, used };
}

test('says what the calls of a suite use, which questions they meet, and which abilities their tokens need', async () => {
  const { found, used } = await covered(['cohesion']);
  const [{ operations, behaviours, questions, tokens, unknown } = {} as Coverage] = found;
  const of = (path: string) => operations.find((one) => one.path === path);
  expect(operations.filter(({ by }) => by.length > 0).map(({ path, times }) => [path, times])).toEqual([
    ['/api/v1/me', 1],
    ['/api/v1/indicateurs', 1],
    ['/api/v1/stats', 5],
  ]);
  expect(used(of('/api/v1/stats')?.statuses)).toEqual(['200', '401']);
  expect(used(of('/api/v1/stats')?.query)).toEqual(['annee']);
  expect(questions?.find(({ name }) => name === 'cohesion.stats-fields')?.by).toEqual(['GET /api/v1/stats']);
  expect(used(behaviours)).toEqual(
    expect.arrayContaining(['cohesion/stats-year', 'cohesion/me-user-role', 'cohesion/ability-missing', 'cohesion/status-401']),
  );
  for (const id of ['cohesion/https-only', 'cohesion/indicator-code', 'cohesion/status-422', 'cohesion/write-throttle'])
    expect(used(behaviours)).not.toContain(id);
  expect(used(questions)).toEqual(
    expect.arrayContaining(['cohesion.error-body', 'cohesion.stats-fields', 'cohesion.timestamps']),
  );
  expect(used(questions)).not.toContain('cohesion.financing-bounds');
  expect(unknown.map(({ what }) => what)).toEqual(['GET /api/v1/indicateurs: query parameter per_pag', 'GET /stats']);
  const abilities = ['read:indicators', 'read:interventions', 'read:structures', 'read:stats', 'write:financements'];
  expect(tokens).toEqual(
    expect.arrayContaining([
      { name: 'demo read:stats', abilities: ['read:stats'], needs: ['read:stats'] },
      { name: 'demo all abilities', abilities, needs: ['read:stats'] },
    ]),
  );
});

test('a reset between two tests clears nothing, events count if a receiver accepted them, and https shows', async () => {
  const receiver = createServer((_, response) => void response.writeHead(204).end()).listen(0);
  onTestFinished(() => void receiver.close());
  const { port } = receiver.address() as { port: number };
  const hook = ['--webhook', `http://127.0.0.1:${port}/hook`];
  const { found, used } = await covered(['pos'], [...hook, '--tls']);
  const [{ operations, behaviours, events } = {} as Coverage] = found;
  expect(operations.filter(({ by }) => by.length > 0).map(({ path }) => path)).toEqual(['/api/auth', '/api/v1/sales']);
  expect(used(events)).toEqual(['sale.completed']);
  expect(used(behaviours)).toEqual(
    expect.arrayContaining(['pos/https-only', 'pos/sale-completed', 'pos/status-201', 'pos/token-lifetime']),
  );
  expect(used(behaviours)).not.toContain('pos/sale-customer-phone');
});

test('a webhook that is lost meets no question about webhooks', async () => {
  const hook = ['--webhook', 'http://127.0.0.1:9/hook', '--fault', 'sale.completed:lost'];
  const { found } = await covered(['pos'], hook);
  const met = found[0]?.questions?.find(({ name }) => name === 'pos.sale-completed-payload');
  expect(met?.by).toEqual([]);
});

test('a status that a fault answers is not unknown to the provider', async () => {
  const { found } = await covered(['cohesion'], ['--fault', 'readMe:status=418']);
  const [{ operations, unknown } = {} as Coverage] = found;
  expect(operations.find(({ path }) => path === '/api/v1/me')?.by).toEqual(['GET /api/v1/me 418']);
  expect(unknown).toHaveLength(2);
});

test('a stub that plays another choice answers as it does unwatched', async () => {
  const { found } = await covered(['pos'], ['--assume', 'pos.token-transport=own-header,pos.error-body=problem-details']);
  expect(found[0]?.operations.find(({ path }) => path === '/api/auth')?.by).toEqual(['POST /api/auth 200']);
});

test('the report has tokens, figures and no secret', async () => {
  const file = join(await newFolder(), 'coverage.md');
  const { code, stdout } = await passerelle(['coverage', 'cohesion', '--output', file, '--', node, await suite()]);
  expect({ code, output: stdout.split('\n')[0] }).toEqual({ code: 0, output: 'output' });
  expect(stdout).toMatch(/~ demo all abilities {2}needs read:stats only, and has 5 abilities: read:indicators, /);
  expect(stdout).toMatch(/^cohesion: 3 of 8 operations \(37 %\), .*, \d+ of \d+ open questions \(\d+ %\)\.$/m);
  expect(stdout).not.toContain('|demo');
});

/** How the command ended. */
const covering = async (code: number, options: string[] = []) =>
  passerelle(['coverage', 'pos', ...options, '--', node, await suite(code)]);

test('the exit code of a command that fails wins over a limit, and the report says that it failed', async () => {
  const limit = ['--at-least', 'operations=100, statuses=1'];
  const failed = await covering(3, limit);
  expect(failed).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('✗ The command failed with exit code 3'),
  });
  const short = await covering(0, limit);
  expect(short).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('pos: 2 of 5 operations (40 %). --at-least asks for 100 %. Missing: '),
  });
  expect(await covering(0)).toMatchObject({ code: 0 });
});

test('a suite that calls one of two stubs is told where the other is', async () => {
  const args = ['coverage', 'pos', 'cohesion', '--', node, '--test', join(examples, 'pact/till.test.ts')];
  const { code, stdout, stderr } = await passerelle(args);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^passerelle: .* did not call the stub of cohesion\. /),
  });
  expect(stdout).toMatch(/did\s+not\s+call\s+the\s+stub\s+of\s+cohesion/);
});

test.each([
  [['pos', '--', node, '--version'], 2, /did not call the stub of pos\. Its address is in PASSERELLE_POS_URL; --env NAME/],
  [['pos', '--', node, '-e', 'process.exit(4)'], 4, /did not call the stub of pos/],
  [['pos', '--', 'no-such-program'], 127, /there is no such program in PATH/],
  [['pos', '--pact', 'x', '--', 'x'], 2, /--pact has no effect with a command after --/],
  [['pos', '--output', 'o.txt', '--', 'x'], 2, /ends in .*\.md \(Markdown\), or has no extension, such as \$GITHUB_STEP_SUMMARY/],
  [['pos', '--'], 2, /Write the command that runs your tests after --: passerelle coverage pos -- npm test/],
  [['--', 'npm', 'test'], 2, /Which API does the command call\?/],
])('coverage %j ends with %i', async (args, code, message) => {
  expect(await runHere(['coverage', ...args])).toMatchObject({ code, stderr: expect.stringMatching(message) });
});
