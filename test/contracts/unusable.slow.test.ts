import { symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { coverageCommand } from '../../cli/coverage.ts';
import { verifyCommand } from '../../cli/verify.ts';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { readPacts } from '../../contracts/tools/verification/sources.ts';
import { runCommand } from '../program.ts';
import { folderOf, older } from './pact-files.ts';

const pact = (provider: string, description = 'a refusal', more: object = {}) =>
  older([{ description, request: { method: 'POST', path: '/api/auth' }, response: { status: 400 }, ...more }], { provider });
const verified = (...args: string[]) => runCommand(verifyCommand(), args);
const withText = (text: string) => expect.stringContaining(text);

test('a file that cannot be used is named with exit code 2, and the others are verified', async () => {
  const folder = await folderOf({
    'a-cut.json': JSON.stringify(pact('pos', 'cut')).slice(0, -20),
    'b-package.json': { name: 'caisse', version: '1.0.0' },
    'c-plugin.json': pact('pos', 'x', { type: 'Synchronous/Messages' }),
    'd-good.json': pact('pos'),
    'e-empty.json': '',
  });
  const { code, stdout } = await verified('--pact', folder);
  expect({ code, stdout }).toEqual({ code: 2, stdout: withText('1 verified, 0 failed, 0 pending') });
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
  expect(await verified('--pact', ...named)).toMatchObject({ code: 2, stdout: withText('1 verified') });
  // A mismatch beside it is still 1.
  await writeFile(join(folder, 'g-wrong.json'), JSON.stringify(pact('pos', 'wrong', { response: { status: 200 } })));
  expect(await verified('--pact', folder)).toMatchObject({ code: 1, stdout: withText('Not done: ') });
});

test('a folder has the pacts of its folders and of linked ones, each once, whatever the case of their ending', async () => {
  const one = pact('pos');
  const elsewhere = await folderOf({ 'deep/d.json': one });
  const folder = await folderOf({
    'b.JSON': one,
    'a.json': one,
    'caisse.json/c.Json': one,
    'node_modules/other/package.json': {},
    '.git/d.json': one,
    'web/readme.md': '',
    'web/passerelle.assumptions.json': {},
  });
  for (const name of ['linked', 'linked-again']) await symlink(elsewhere, join(folder, name), 'dir');
  await symlink(folder, join(folder, 'to-itself'), 'dir');
  await symlink(folder, join(elsewhere, 'back'), 'dir');
  const { pacts, unusable } = await readPacts([folder]);
  const files = ['a.json', 'b.JSON', 'caisse.json/c.Json', 'linked/deep/d.json'];
  expect(pacts.map(({ file }) => relative(folder, file))).toEqual(files);
  expect(unusable).toEqual([]);
});

test('nothing is verified if no file can be used, and commands that judge the whole folder stop', async () => {
  const nothing = { code: 2, stdout: '' };
  const others = await folderOf({ 'a.jsonc': '', 'web/b.yaml': '', 'node_modules/c.txt': '' });
  const stderr = withText(`${others} contains no .json file. Other files in it: 2.`);
  expect(await verified('--pact', others)).toMatchObject({ ...nothing, stderr });
  expect((await verified('--pact', await folderOf({}))).stderr).toMatch(/contains no \.json file\.$/);
  const isNotJson = { ...nothing, stderr: withText('a.json is not valid JSON') };
  expect(await verified('--pact', await folderOf({ 'a.json': '{', 'b.json': '[]' }))).toMatchObject(isNotJson);
  const mixed = await folderOf({ 'a.json': '{', 'b.json': pact('pos') });
  expect(await runCommand(coverageCommand(), ['--pact', mixed])).toMatchObject(isNotJson);
  const down = readPacts(['http://user:secret@127.0.0.1:1/p.json']);
  await expect(down).rejects.toThrow(CouldNotRun);
  await expect(down).rejects.toThrow('http://127.0.0.1:1/p.json did not answer');
});

test('a pact whose provider has a name of its own is verified as the API that is named, and the command says so', async () => {
  const folder = await folderOf({ 'a.json': pact('Caisse API') });
  const taken = await verified('pos', '--pact', folder);
  expect(taken).toMatchObject({ code: 0, stdout: withText('1 verified') });
  expect(taken.stderr).toContain(`Read as pacts of pos, which the command names: ${join(folder, 'a.json')} (with Caisse API).`);
  const own = await folderOf({ 'a.json': pact('Point-of-Sale Integration API') });
  const quiet = { code: 0, stderr: expect.not.stringContaining('Read as') };
  expect(await verified('pos', '--pact', folder, '--provider-name', 'Caisse API')).toMatchObject(quiet);
  expect(await verified('pos', '--pact', own)).toMatchObject(quiet);
});

test('a byte order mark is removed from a pact and the file beside it, in UTF-8 and as PowerShell writes it', async () => {
  const state = { providerState: 'rien du tout', response: { status: 400 } };
  for (const encoding of ['utf8', 'utf16le'] as const) {
    const write = (content: object) => Buffer.from(`\uFEFF${JSON.stringify(content)}`, encoding);
    const states = { 'rien du tout': { state: 'no store' } };
    const folder = await folderOf({ 'a.json': write(pact('pos', 'é', state)), 'passerelle.assumptions.json': write({ states }) });
    expect(await verified('--pact', folder)).toMatchObject({ code: 0, stdout: withText('✓ é') });
  }
});
