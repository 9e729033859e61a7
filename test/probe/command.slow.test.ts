import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { probeCommand } from '../../cli/probe.ts';
import { eventually } from '../eventually.ts';
import { fileWith, passerelle, runCommand, start } from '../program.ts';
import { probed } from './probed.ts';

const ended = (pid: number) => eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));

/** A program that calls the stub, and then does what it is told with the status of a sale; and probes of it with options. */
async function suite(body: string) {
  const file = await fileWith(
    `const root = process.env.SHOP ?? process.env.PASSERELLE_POS_URL;
const post = (path, body, headers = {}) => fetch(root + path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } });
const { PASSERELLE_POS_API_KEY: api_key, PASSERELLE_POS_API_SECRET: api_secret } = process.env;
const { token } = await (await post('/api/auth', { api_key, api_secret })).json();
const sale = { store_id: 'STORE-ABJ-01', items: [{ product_id: 'PRD-0001', quantity: 1, price: 4500 }], payment_method: 'cash', total: 4500 };
const { status } = await post('/api/v1/sales', sale, { authorization: 'Bearer ' + token });
${body}
`,
    'suite.mjs',
  );
  const folder = dirname(file);
  const args = (options: readonly string[]) => ['probe', 'pos', ...options, '--', process.execPath, file];
  return {
    folder,
    file,
    begin: (...options: string[]) => start(args(options)),
    run: (...options: string[]) => passerelle(args(options)),
  };
}

const only = ['--only', 'pos.sale-status,pos.success-envelope'];

test('reports as JSON, JUnit and Markdown, and none shows a secret', async () => {
  const { folder, run } = await suite(
    `if (status !== 201) { console.log('token: sk_live_0123456789abcdef'); console.log('<b>not ok</b> | @someone'); process.exit(3); }`,
  );
  const files = ['r.json', 'r.xml', 'r.md'].map((name) => join(folder, name));
  const withQuestion = ['--only', 'pos.sale-status,pos.success-envelope,pos.token-transport'];
  const { code, stdout } = await run(...withQuestion, '--env', 'SHOP', ...files.flatMap((file) => ['--output', file]));
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('✗ pos.sale-status=200') });
  expect(stdout).toMatch(/exit code 3/);
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const decoded = [stdout, ...texts].map((text) => text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))));
  for (const text of decoded) {
    expect(text).toContain('pos.sale-status=200');
    expect(text).toContain('In which header is the token sent?');
    expect(text).not.toContain('sk_live_0123456789abcdef');
    expect(text.replaceAll('\n', ' ')).toContain('Accept every status from 200 to 299');
  }
  const [json = '', xml = '', markdown = ''] = texts;
  expect(JSON.parse(json)).toMatchObject({ apis: ['pos'], dependencies: [{ standing: 'new', reason: 'exit code 3' }] });
  expect(JSON.parse(json)).toMatchObject({ questions: [{ alternatives: [{ id: 'pos.token-transport=own-header' }] }] });
  expect(xml).toMatch(/tests="2" failures="1" errors="0" skipped="1"/);
  expect(markdown).not.toContain('@someone');
});

test('two APIs in one run: each gets its address, and a change to both is named once', async () => {
  const { file } = await suite(`const token2 = process.env.PASSERELLE_COHESION_TOKEN;
const me = await fetch(process.env.BOARD + '/api/v1/me', { headers: { authorization: 'Bearer ' + token2 } });
const text = await me.text();
const failed = [
  status !== 201 && 'sells',
  !JSON.parse(text).data.token.last_used_at.includes('.') && 'shows milliseconds',
  text.includes('\\n') && 'reads one line',
].filter(Boolean);
for (const name of failed) console.log('not ok 1 - ' + name);
process.exit(failed.length);`);
  const gaps = 'pos.sale-status,cohesion.timestamps,harmless.whitespace,harmless.gzip';
  const addresses = ['--env', 'pos=SHOP', '--env', 'cohesion=BOARD'];
  const { code, named } = await probed('pos', 'cohesion', '--only', gaps, ...addresses, '--', process.execPath, file);
  expect({ code, named }).toEqual({
    code: 1,
    named: {
      'pos.sale-status=200': 'sells',
      'cohesion.timestamps=no-milliseconds': 'shows milliseconds',
      'harmless.whitespace=on': 'reads one line',
    },
  });
});

test('accepted until a day: exit code 0, then 1', async () => {
  const { folder, run } = await suite('if (status !== 201) process.exit(1);');
  const [beside, json] = [join(folder, 'passerelle.assumptions.json'), join(folder, 'r.json')];
  const runUntil = async (expiry: string) => {
    const accepted = ['pos.sale-status', 'pos.success-envelope'].map((gap) => ({ gap, reason: 'confirmed by mail', expiry }));
    await writeFile(beside, JSON.stringify({ assumptions: accepted }));
    const ended = await run(...only, '--assumptions', beside, '--output', json);
    return { ...ended, report: JSON.parse(await readFile(json, 'utf8')) };
  };
  const current = await runUntil('2999-01-01');
  expect(current).toMatchObject({ code: 0, stdout: expect.stringContaining('accepted until 2999-01-01: confirmed by mail') });
  expect(current.stdout).toMatch(/Depends on 1 choice, 1 of them\s+accepted/);
  expect(current.report.dependencies).toMatchObject([{ standing: 'accepted' }]);
  const expired = await runUntil('2020-01-01');
  expect(expired).toMatchObject({ code: 1, stdout: expect.stringContaining('expired on 2020-01-01') });
  expect(expired.report.dependencies).toMatchObject([{ standing: 'expired' }]);
});

test('a command that hangs is stopped with its children, and that is a failure', async () => {
  const { folder, run } = await suite(`if (status !== 201) {
  const { spawn } = await import('node:child_process');
  const { appendFileSync } = await import('node:fs');
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
  appendFileSync(new URL('pids', import.meta.url), child.pid + '\\n');
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1000);
}`);
  const { code, stdout } = await run('--only', 'pos.sale-status', '--timeout', '30', '--jobs', '1');
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/stopped after \d/) });
  const pids = (await readFile(join(folder, 'pids'), 'utf8')).trim().split('\n').map(Number);
  expect(pids.length).toBeGreaterThan(0);
  for (const pid of pids) await ended(pid);
});

test('Ctrl-C ends the children and shows what is known', async () => {
  const { folder, begin } = await suite(`const { writeFileSync } = await import('node:fs');
if (status !== 201) process.exit(1);
const reply = await post('/api/v1/sales', { ...sale, total: 1 }, { authorization: 'Bearer ' + token });
if (typeof (await reply.json()).error === 'string') {
  writeFileSync(new URL('hanging', import.meta.url), String(process.pid));
  setInterval(() => {}, 1000);
}`);
  const only = 'pos.sale-status,pos.error-body=error-text';
  const running = begin('--only', only, '--jobs', '1', '--timeout', '600');
  const pid = await eventually(async () => Number(await readFile(join(folder, 'hanging'), 'utf8')));
  running.child.kill('SIGINT');
  expect(await running.ended).toBe(2);
  expect(running.stdout).toContain('Stopped before the end');
  await ended(pid);
});

test('a suite that fails beside another run of it is refused, with what to do', async () => {
  // Only a run beside another one has the number 1.
  const { run } = await suite(`if (process.env.PASSERELLE_PROBE_RUN === '1') process.exit(1);`);
  const { code, stderr } = await run('--only', 'pos.sale-status', '--jobs', '2');
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--jobs 1 makes one run at a time') });
});

const failing = (script: string, ...options: string[]) => ['pos', ...options, '--', process.execPath, '-e', script];

test.each([
  [[], /Which API does the command call/],
  [['pos'], /after --: passerelle probe pos -- npm test/],
  [['poss', '--', 'true'], /"poss" is not an API. Did you mean pos\?/],
  [['pos', 'npm', 'test'], /"npm" is not an API/],
  [['pos', '--', '/nowhere/suite'], /\/nowhere\/suite could not be started/],
  [['pos', '--', 'true'], /did not call the stub of pos. Its address is in PASSERELLE_POS_URL/],
  [['pos', '--jobs', '0', '--', 'true'], /whole number above 0/],
  [['pos', '--only', 'pos.sale-statu', '--', 'true'], /Did you mean pos.sale-status/],
  [['pos', '--only', '', '--', 'true'], /--only: name a gap/],
  [['pos', '--only', 'harmles', '--', 'true'], /Did you mean harmless\?/],
  [['pos', '--only', 'cohesion', '--', 'true'], /"cohesion" is no gap or alternative of pos/],
  [['pos', '--env', 'poss=SHOP_URL', '--', 'true'], /"poss" is not an API. Did you mean pos=SHOP_URL\?/],
  [['pos', '--output', '/nowhere/report.json', '--', 'true'], /--output: there is no folder \/nowhere/],
  [['pos', '--output', tmpdir(), '--', 'true'], /is a folder. Name a file/],
  [['pos', '--output', 'report.txt', '--', 'true'], /ends in .json \(JSON\), .xml \(JUnit XML\)/],
  [['pos', '--output', '-', '--', 'true'], /--json prints to standard output/],
  [['pos', '--env', 'cohesion=URL', '--', 'true'], /the command is not said to call cohesion/],
  [['pos', 'cohesion', '--env', 'URL', '--', 'true'], /--env pos=URL or --env cohesion=URL/],
  [['pos', '--env', 'URL={ulr}', '--', 'true'], /Did you mean \{url\}/],
  [['pos', '--seed', '/nowhere.json', '--', 'true'], /nowhere.json/],
  [failing("console.log('no database'); process.exit(4)"), /The first run of [\s\S]*exit code 4[\s\S]*no database/],
  // Nor does the message of a plain run that failed show a secret.
  [
    failing("console.log('token: sk_live_' + '0123456789abcdef'); process.exit(4)"),
    /^(?![\s\S]*live_0123)[\s\S]*token: \[redacted\]/,
  ],
  // A plain run that hangs is ended by --timeout, and nothing has passed.
  [
    failing('setInterval(() => {}, 1000)', '--timeout', '1'),
    /^(?![\s\S]*passed)The first run of [\s\S]* failed \(stopped after \d+\.\d s\)/,
  ],
  [['pos', '--assumption', 'x', '--', 'true'], /--assumptions/],
])('wrong arguments end with 2 and say what is wrong: %j', async (args, message) => {
  const { code, stderr } = await runCommand(probeCommand(), args);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
  expect(stderr).not.toMatch(/\n\s+at /);
});
