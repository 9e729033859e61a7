import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { coverageCommand } from '../../cli/coverage.ts';
import { verifyCommand } from '../../cli/verify.ts';
import { readPacts } from '../../contracts/tools/verification/sources.ts';
import { runCommand } from '../program.ts';

const pact = (provider: string, description: string, more: object = {}) => ({
  consumer: { name: 'caisse-python' },
  provider: { name: provider },
  interactions: [{ description, request: { method: 'POST', path: '/api/auth' }, response: { status: 400 }, ...more }],
  metadata: { pactSpecification: { version: '2.0.0' } },
});

async function folderOf(files: Record<string, string | Buffer | object>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const isText = typeof content === 'string' || Buffer.isBuffer(content);
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), isText ? content : JSON.stringify(content));
  }
  return folder;
}

test('a file that cannot be used is named with exit code 2, and the others are verified', async () => {
  const folder = await folderOf({
    'a-cut.json': JSON.stringify(pact('pos', 'cut')).slice(0, -20),
    'b-package.json': { name: 'caisse', version: '1.0.0' },
    'c-plugin.json': { ...pact('pos', 'x', { type: 'Synchronous/Messages' }) },
    'd-good.json': pact('pos', 'a refusal'),
    'e-empty.json': '',
  });
  const { code, stdout } = await runCommand(verifyCommand(), ['--pact', folder]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringContaining('1 verified, 0 failed, 0 pending') });
  const text = stdout.replaceAll(/\s+/g, ' ');
  for (const [name, why] of [
    ['a-cut.json', ' is not valid JSON'],
    ['b-package.json', ', consumer: is required. Expected a Pact file'],
    ['c-plugin.json', ', interactions[0].type: "Synchronous/Messages" is not supported'],
    ['e-empty.json', ' is not valid JSON'],
  ] as const)
    expect(text).toContain(`Not done: ${join(folder, name)}${why}`);
  // Several files, as a shell's pattern passes them.
  const named = [join(folder, 'a-cut.json'), join(folder, 'd-good.json')];
  expect(await runCommand(verifyCommand(), ['--pact', ...named])).toMatchObject({ code: 2, stdout: stdoutWith('1 verified') });
  // A mismatch beside it is still 1.
  await writeFile(join(folder, 'g-wrong.json'), JSON.stringify(pact('pos', 'wrong', { response: { status: 200 } })));
  expect(await runCommand(verifyCommand(), ['--pact', folder])).toMatchObject({ code: 1, stdout: stdoutWith('Not done: ') });
});

const stdoutWith = (text: string) => expect.stringContaining(text);

test('the pacts of a linked folder are read, once, and a link back is not followed', async () => {
  const elsewhere = await folderOf({ 'deep/b.json': pact('pos', 'a refusal') });
  const folder = await folderOf({ 'a.json': pact('pos', 'a refusal') });
  await symlink(elsewhere, join(folder, 'linked'), 'dir');
  await symlink(elsewhere, join(folder, 'linked-again'), 'dir');
  await symlink(folder, join(folder, 'to-itself'), 'dir');
  await symlink(folder, join(elsewhere, 'back'), 'dir');
  const { pacts } = await readPacts([folder]);
  expect(pacts.map(({ source }) => relative(folder, source))).toEqual(['a.json', join('linked', 'deep', 'b.json')]);
});

test('the pacts of a folder are those of its folders too, whatever the case of their ending', async () => {
  const one = pact('pos', 'a refusal');
  const folder = await folderOf({
    'b.JSON': one,
    'a.json': one,
    'web/caisse.json/c.Json': one,
    'node_modules/other/package.json': {},
    '.git/d.json': one,
    'web/readme.md': '',
    'web/passerelle.assumptions.json': {},
  });
  const { pacts, unusable, close } = await readPacts([folder]);
  onTestFinished(close);
  expect(pacts.map(({ file }) => relative(folder, file))).toEqual(['a.json', 'b.JSON', 'web/caisse.json/c.Json']);
  expect(unusable).toEqual([]);
});

test('a folder without a pact says how many other files it has', async () => {
  const folder = await folderOf({ 'a.jsonc': '', 'web/b.yaml': '', 'node_modules/c.txt': '' });
  const { code, stderr } = await runCommand(verifyCommand(), ['--pact', folder]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining(`${folder} contains no .json file. Other files in it: 2.`),
  });
  const empty = await folderOf({});
  expect((await runCommand(verifyCommand(), ['--pact', empty])).stderr).toMatch(/contains no \.json file\.$/);
});

test('nothing is verified if no file can be used, and commands that judge the whole folder stop', async () => {
  const folder = await folderOf({ 'a.json': '{', 'b.json': '[]' });
  expect(await runCommand(verifyCommand(), ['--pact', folder])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('a.json is not valid JSON'),
  });
  const mixed = await folderOf({ 'a.json': '{', 'b.json': pact('pos', 'a refusal') });
  expect(await runCommand(coverageCommand(), ['--pact', mixed])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('a.json is not valid JSON'),
  });
});

test('a pact whose provider has a name of its own is verified as the API that is named, and the command says so', async () => {
  const folder = await folderOf({ 'a.json': pact('Caisse API', 'a refusal') });
  const args = ['pos', '--pact', folder];
  const taken = await runCommand(verifyCommand(), args);
  expect(taken).toMatchObject({ code: 0, stdout: stdoutWith('1 verified') });
  expect(taken.stderr).toContain(`Read as pacts of pos, which the command names: ${join(folder, 'a.json')} (with Caisse API).`);
  const named = await runCommand(verifyCommand(), [...args, '--provider-name', 'Caisse API']);
  expect(named).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Read as') });
  const own = await folderOf({ 'a.json': pact('Point-of-Sale Integration API', 'a refusal') });
  const known = await runCommand(verifyCommand(), ['pos', '--pact', own]);
  expect(known).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Read as') });
});

test.each(['utf8', 'utf16le'] as const)(
  'a byte order mark is removed from the pact and the file beside it (%s)',
  async (encoding) => {
    const write = (content: object) => Buffer.from(`\uFEFF${JSON.stringify(content)}`, encoding);
    const states = { 'rien du tout': { state: 'no store' } };
    const folder = await folderOf({ 'a.json': write(pact('pos', 'é')), 'passerelle.assumptions.json': write({ states }) });
    const { pacts } = await readPacts([folder]);
    expect(pacts).toMatchObject([
      { interactions: [{ description: 'é' }], beside: { states: { 'rien du tout': [{ name: 'no store' }] } } },
    ]);
  },
);
