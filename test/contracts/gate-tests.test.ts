import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type HoldingTest, holdingTests } from '../../contracts/documents/held-by-tests.ts';
import { cohesionMutations } from './mutants/cohesion.ts';
import type { Edit } from './mutants/mutation.ts';
import { posMutations } from './mutants/pos.ts';

const root = join(import.meta.dirname, '../..');
const deadlineMs = 1_200_000;

/** A copy of the repository, removed when the test ends. */
async function copyOfRepository(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-gate-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const parts = [
    'cli',
    'clients',
    'contracts',
    'fixtures',
    'gateway',
    'receivers',
    'stubs',
    'test',
    'docs',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'vitest.config.ts',
  ];
  for (const part of parts) await cp(join(root, part), join(folder, part), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function edit(folder: string, [file, before, after]: Edit): Promise<() => Promise<void>> {
  const path = join(folder, file);
  const text = await readFile(path, 'utf8');
  const changed = text.replace(before, after);
  expect(changed, `${file} has ${before}`).not.toBe(text);
  await writeFile(path, changed);
  return () => writeFile(path, text);
}

type Named = Pick<HoldingTest, 'file' | 'test'>;

/** Runs tests of the copy. Returns how many passed and failed, by file. */
async function run(folder: string, tests: readonly Named[]): Promise<Map<string, { passed: number; failed: number }>> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const pattern = tests.map(({ test: name }) => name.replaceAll(/[^A-Za-z0-9 ]/g, '.')).join('|');
  const outputFile = join(folder, 'results.json');
  const args = [vitest, 'run', ...new Set(tests.map(({ file }) => file)), '-t', pattern, '--reporter', 'json'];
  const { PATH = '', HOME = '' } = process.env;
  // It exits with 1 if a test fails.
  await promisify(execFile)(process.execPath, [...args, '--outputFile', outputFile, '--root', folder], {
    cwd: folder,
    env: { PATH, HOME },
  }).catch(() => undefined);
  const { testResults } = results.parse(JSON.parse(await readFile(outputFile, 'utf8')));
  await rm(outputFile);
  return new Map(
    testResults.map(({ name, assertionResults }) => {
      const count = (status: string) => assertionResults.filter((one) => one.status === status).length;
      return [relative(folder, name), { passed: count('passed'), failed: count('failed') }];
    }),
  );
}

const results = z.object({
  testResults: z.array(z.object({ name: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

test('each test that holds a behaviour passes, and fails without the behaviour', { timeout: deadlineMs }, async () => {
  const folder = await copyOfRepository();
  const control = await run(folder, holdingTests);
  for (const { file } of holdingTests) {
    expect(control.get(file)?.passed, file).toBeGreaterThan(0);
    expect(control.get(file)?.failed, file).toBe(0);
  }
  const taken = [...posMutations, ...cohesionMutations].flatMap(({ name, breaks, edits }) =>
    holdingTests.filter(({ behaviour }) => breaks.includes(behaviour)).map((holder) => ({ name, edits, holder })),
  );
  expect(new Set(taken.map(({ holder }) => holder))).toEqual(new Set(holdingTests));
  // One change may take a behaviour away from both APIs.
  for (const same of Map.groupBy(taken, ({ edits, holder }) => `${holder.file} ${edits.map(String)}`).values()) {
    const [{ name, edits, holder }] = same as [(typeof taken)[number]];
    const undo = [];
    for (const one of edits) undo.push(await edit(folder, one));
    const changed = await run(folder, [holder]);
    expect(changed.get(holder.file)?.failed, `${holder.file} without ${holder.behaviour}: ${name}`).toBeGreaterThan(0);
    for (const back of undo.toReversed()) await back();
  }
});
