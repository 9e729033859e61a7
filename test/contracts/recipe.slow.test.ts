import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The blocks of a recipe in CONTRIBUTING.md, each with the file that its first line names, and what it goes before there, if it is no new file. */
async function stepsOf(recipe: string): Promise<{ file: string; before?: string | undefined; code: string }[]> {
  const text = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8');
  const section = text.split(`### ${recipe}\n`)[1]?.split('\n### ')[0] ?? '';
  const blocks = section.matchAll(/```ts\n\/\/ ([^\s,]+)(?:, before `(.+)`)?\n([\s\S]*?)```/g);
  return [...blocks].map(([, file = '', before, code = '']) => ({ file, before, code }));
}

const unneeded = /^(node_modules|\.git|binary|bench|dist|docs\/console)(\/|$)/;

/** A copy of the sources with the blocks of a recipe in it. */
async function follow(recipe: string) {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-recipe-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const isNeeded = (path: string) => !unneeded.test(relative(root, path));
  await cp(root, folder, { recursive: true, filter: isNeeded });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const steps = await stepsOf(recipe);
  for (const { file, before, code } of steps) {
    const source = before === undefined ? '' : await readFile(join(folder, file), 'utf8');
    expect(source.split(before ?? '\n'), `${file} has "${before}" once`).toHaveLength(before === undefined ? 1 : 2);
    await writeFile(join(folder, file), before === undefined ? code : source.replace(before, () => `${code.trim()}\n${before}`));
  }
  await run(process.execPath, ['contracts/tools/write-openapi.ts'], { cwd: folder });
  return { folder, files: new Set(steps.map(({ file }) => file)) };
}

const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const runTests = (folder: string, ...files: string[]) =>
  run(process.execPath, [vitest, 'run', '--maxWorkers', '1', '--project', 'suite*', '--project', 'slow*', ...files], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', NODE_COMPILE_CACHE: undefined },
  });

test('a new gap with two alternatives takes three files, and its tests pass', async () => {
  const { folder, files } = await follow('A new gap');
  expect([...files]).toEqual(['spec/gaps/pos/calls.ts', 'gateway/api/pos/routes.ts', 'test/stubs/sale-location.test.ts']);
  const { stdout } = await runTests(
    folder,
    'test/stubs/sale-location.test.ts',
    'test/stubs/assume-register.test.ts',
    'test/contracts/gaps.test.ts',
    'test/contracts/alternatives.slow.test.ts',
  );
  expect(stdout).toContain('Test Files  4 passed');
  const { stdout: listed } = await run(process.execPath, ['cli/passerelle.ts', 'gaps', 'pos', '--json'], { cwd: folder });
  expect(JSON.parse(listed)).toContainEqual(expect.objectContaining({ id: 'pos.sale-location' }));
});
