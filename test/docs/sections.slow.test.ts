import { execFile, spawnSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { type HelperLanguage, helperLanguages } from '../clients/helper-languages.ts';
import { newFolder, passerelle } from '../program.ts';
import { blocksUnder } from './guide.ts';

/** Runs a page, or the section below a heading, in an empty folder. `programs`: what its lines find before all others, by name. */
async function walk(page: string, heading = '', programs: Record<string, string> = {}): Promise<string> {
  const folder = await newFolder();
  const bin = join(folder, 'node_modules/.bin');
  await mkdir(bin, { recursive: true });
  const all = { passerelle: join(import.meta.dirname, '../../cli/bin.js'), ...programs };
  for (const [name, path] of Object.entries(all)) await symlink(path, join(bin, name));
  await symlink(join(import.meta.dirname, '../..'), join(folder, 'node_modules/passerelle'));
  const args = [join(import.meta.dirname, 'guide-walk.ts'), page, heading, 'no tarball'];
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  return (await promisify(execFile)(process.execPath, args, { cwd: folder, env })).stdout;
}

test('a suite of PHPUnit runs in parallel worlds, as the guide shows', async ({ skip }) => {
  skip(spawnSync('phpunit', ['--version']).error !== undefined, 'There is no phpunit: apt-get install phpunit.');
  expect(await walk('docs/partners/parallel-suites.md', 'PHPUnit')).toContain('blocks ran as written');
});

test('a suite of pytest runs in parallel worlds, as the guide shows', async ({ skip }) => {
  const python3 = '/usr/bin/python3';
  const reason = 'Debian’s Python has no pytest-xdist: apt-get install python3-pytest-xdist.';
  skip(spawnSync(python3, ['-c', 'import pytest, xdist']).status !== 0, reason);
  expect(await walk('docs/partners/parallel-suites.md', 'pytest', { python3 })).toContain('blocks ran as written');
});

test.for(Object.keys(helperLanguages))('a test in %s runs with its helper, as the guide shows', async (language, { skip }) => {
  const { probe, packages } = helperLanguages[language] as HelperLanguage;
  skip(spawnSync('sh', ['-c', probe]).status !== 0, `These tools are missing: apt-get install ${packages}.`);
  expect(await walk('docs/partners/helpers.md', language)).toContain('blocks ran as written');
});

/** Asks for a token with what the lines of the guide have read. */
const signIns = {
  python: `
import json, urllib.request
request = urllib.request.Request(url + "/api/auth", json.dumps(credentials).encode(), {"Content-Type": "application/json"})
print(json.load(urllib.request.urlopen(request))["success"])`,
  php: `
$http = ['method' => 'POST', 'header' => 'Content-Type: application/json', 'content' => json_encode($credentials)];
echo json_decode(file_get_contents("$url/api/auth", false, stream_context_create(['http' => $http])))->success ? 'True' : 'False', "\\n";`,
};

test.for([
  ['python', 'python3', '-c'],
  ['php', 'php', '-r'],
] as const)(
  'the lines in %s of the guide for partners read the environment of a suite',
  async ([language, command, flag], { skip }) => {
    skip(spawnSync(command, ['--version']).error !== undefined);
    const { code = '' } =
      blocksUnder('docs/partners/tests-in-any-language.md').find((block) => block.language === language) ?? {};
    const program = code.replace('<?php', '') + signIns[language];
    expect(await passerelle(['run', 'pos', '--', command, flag, program])).toMatchObject({ code: 0, stdout: 'True\n' });
  },
);
