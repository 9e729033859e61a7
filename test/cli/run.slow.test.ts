import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { fileWith, newFolder, passerelle, runHere, start } from '../program.ts';

const examples = join(import.meta.dirname, '../../examples');
const node = process.execPath;

/** A program for Node. */
const program = (text: string) => fileWith(text, 'suite.mjs');

/** Programs in other languages call a stub, and pass. */
const clients: [api: string, command: [string, ...string[]]][] = [
  ['pos', ['php', join(examples, 'probe/till.php')]],
  ['cohesion', ['python3', '-B', '-m', 'unittest', join(examples, 'probe/dashboard.py')]],
  ['cohesion', [node, '--test', join(examples, 'pact/dashboard.test.ts')]],
];

test.for(clients)('%s: %j finds its stub, and its exit code is the end', async ([api, [name, ...args]], { skip }) => {
  skip(spawnSync(name, ['--version']).error !== undefined);
  expect(await passerelle(['run', api, '--', name, ...args])).toMatchObject({ code: 0 });
});

test("the command's output and input are its own, and its stubs have gone when it has ended", async () => {
  const file = await program(`
const urls = [process.env.PASSERELLE_POS_URL, process.env.DASHBOARD];
for (const url of urls) if ((await fetch(url + '/healthz')).status !== 200) process.exit(9);
if (process.env.PASSERELLE_URL !== urls[0]) process.exit(8);
console.log(...urls, (await process.stdin.toArray()).join(''));
console.error('told');
process.exit(7);`);
  const args = ['run', 'pos', 'cohesion', '--env', 'cohesion=DASHBOARD', '--', node, file];
  const { code, stdout, stderr } = await passerelle(args, { input: 'given' });
  expect({ code, stderr }).toEqual({ code: 7, stderr: 'told\n' });
  const [, pos = '', cohesion = ''] = /^(\S+) (\S+) given\n$/.exec(stdout) ?? [];
  for (const url of [pos, cohesion]) await expect(fetch(url)).rejects.toThrow('fetch failed');
});

test('each of two stubs gets the options that it knows', async () => {
  const file = await program(`
const shown = async (api) => {
  const { data } = await (await fetch(process.env['PASSERELLE_' + api + '_URL'] + '/_stub')).json();
  return [...data.faults.map(({ rule }) => rule), ...data.assumptions.map(({ gap }) => gap), ...data.endpoints.flatMap(({ events, owner }) => events ?? owner)];
};
console.log(JSON.stringify([await shown('POS'), await shown('COHESION'), process.env.PASSERELLE_POS_API_KEY]));`);
  const { code, stdout } = await passerelle([
    ...['run', 'pos', 'cohesion', '--plan', 'pro', '--mobile-money', 'pending:30s'],
    ...['--fault', 'createSale:status=503', '--fault', 'GET /api/v1/me:reset', '--fault', '*:delay=1ms'],
    ...['--assume', 'pos.sale-status=200,cohesion.page-parameter=404-past-last,harmless.gzip'],
    ...['--webhook', 'http://127.0.0.1:9/x=sale.completed,plan.closed', '--webhook', 'http://127.0.0.1:9/y=owner=user:1'],
    ...['--', node, file],
  ]);
  expect({ code, shown: JSON.parse(stdout) }).toEqual({
    code: 0,
    shown: [
      ['createSale:status=503', '*:delay=1ms', 'pos.sale-status', 'harmless.gzip', 'sale.completed'],
      ['GET /api/v1/me:reset', '*:delay=1ms', 'cohesion.page-parameter', 'harmless.gzip', 'plan.closed', 'user:1'],
      'pk_demo_pro',
    ],
  });
});

test('over https the command trusts both stubs, also under names of its own', async () => {
  const file = await program(`
for (const api of ['POS', 'COHESION']) console.log((await fetch(process.env['PASSERELLE_' + api + '_URL'] + '/healthz')).status);
console.log(process.env.TRUSTED === process.env.PASSERELLE_POS_CA_FILE);`);
  const env = { XDG_CACHE_HOME: await newFolder() };
  const args = ['run', 'pos', 'cohesion', '--tls', '--env', 'pos=TRUSTED={ca_file}', '--', node, file];
  expect(await passerelle(args, { env })).toEqual({ code: 0, stdout: '200\n200\ntrue\n', stderr: '' });
});

/** Counts the signals that it gets, and ends with 40 and more. */
const counting = `let signals = 0;
const on = (code) => () => { signals += 1; setTimeout(() => process.exit(code + signals), 200); };
process.on('SIGINT', on(40)).on('SIGTERM', on(50)).on('SIGHUP', on(60));
console.log('ready');
setInterval(() => {}, 1000);`;

test.each([
  ['SIGINT', 41],
  ['SIGTERM', 51],
  ['SIGHUP', 61],
] as const)('%s is passed on, and the command says how it ends', async (signal, code) => {
  const running = start(['run', 'pos', '--', node, await program(counting)]);
  await eventually(() => expect(running.stdout).toContain('ready'));
  running.child.kill(signal);
  expect(await running.ended).toBe(code);
});

test('Ctrl-C at a terminal reaches the command once', async ({ skip }) => {
  skip(spawnSync('python3', ['--version']).error !== undefined);
  const bin = join(import.meta.dirname, '../../cli/bin.js');
  const terminal = `import os, pty, sys
pid, fd = pty.fork()
if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
out = b''
while b'ready' not in out: out += os.read(fd, 1000)
os.write(fd, b'\\x03')
try:
  while os.read(fd, 1000): pass
except OSError: pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))`;
  const file = await program(counting);
  const { status } = spawnSync('python3', ['-c', terminal, node, bin, 'run', 'pos', '--', node, file]);
  expect(status).toBe(41);
});

test('a command that a signal ends has the exit code of a shell', async () => {
  const file = await program("process.kill(process.pid, 'SIGKILL')");
  expect(await passerelle(['run', 'pos', '--', node, file])).toEqual({ code: 137, stdout: '', stderr: '' });
});

const folder = dirname(examples);
test.each([
  [['pos', '--', 'no-such-program'], 127, /no-such-program could not be started: there is no such program in PATH/],
  [['pos', '--', './none/suite.sh'], 127, /there is no file \/.*\/none\/suite\.sh\./],
  [['pos', '--', 'npm test'], 127, /Leave out the quotes, or write sh -c 'npm test'/],
  [['pos', '--', join(folder, 'README.md')], 126, /it is not an executable file/],
  [['pos', '--', ''], 126, /The empty word after -- could not be started: it names no program/],
  [['pos', '--'], 2, /Write the command that runs your tests after --: passerelle run pos -- npm test/],
  [['pos'], 2, /Write the command/],
  [['poss', '--', 'x'], 2, /"poss" is not an API. Did you mean pos\?/],
  [['pos', 'npm', 'test'], 2, /"npm" is not an API.*the command follows after --/],
  [['--', 'npm', 'test'], 2, /Which API does the command call\?/],
  [['pos', '--sed', 'x', '--', 'x'], 2, /unknown option '--sed'\n\(Did you mean --seed\?\)\n/],
  [['pos', 'npm', 'test', '--reporter', 'x'], 2, /unknown option '--reporter' The command to run follows after --\./],
  [['pos', 'cohesion', '--port', '4010', '--', 'x'], 2, /pos and cohesion cannot share port 4010/],
  [['pos', 'cohesion', '--fault', 'createSal:reset', '--', 'x'], 2, /"createSal" is not an operation/],
  [['pos', 'cohesion', '--fault', 'listIndicatrs:empty', '--', 'x'], 2, /Did you mean listIndicators\?.* createSale, /],
  [['pos', '--seed', 'dmo', '--', 'x'], 2, /dmo cannot be read: there is no such file\. Did you mean demo\?/],
  [['pos', '--env', 'F={ca_file}', '--', 'x'], 2, /\{ca_file\} needs --tls/],
  [['cohesion', '--plan', 'pro', '--', 'x'], 2, /only accounts of pos have a plan/],
])('run %j ends with %i', async (args, code, message) => {
  expect(await runHere(['run', ...args])).toEqual({ code, stdout: '', stderr: expect.stringMatching(message) });
});
