import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Received } from '../../contracts/tools/history/line.ts';
import { brokenRules } from './history.ts';
import { planted } from './planted.ts';
import { simulate } from './simulate.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

test('one seed gives one trace, and another one another', async () => {
  const [one, again, other] = [await simulate(7), await simulate(7), await simulate(8)];
  expect(again.trace).toBe(one.trace);
  expect(other.trace).not.toBe(one.trace);
});

test('a request that is left out of a history is missed', async () => {
  const { history } = await simulate(7);
  const taken = history.find((line) => line.kind === 'received' && line.status === 200);
  const others = history.filter((line) => line.kind !== 'received' || line.event !== (taken as Received).event);
  expect(brokenRules(history)).toEqual([]);
  expect(brokenRules(others).map(({ invariant }) => invariant)).toContain('the history has nothing that is lost');
});

// `npm run simulate -- --seeds 300` has more of them, and fails if something never happens.
test('nothing is lost, doubled, reordered or stuck', { timeout: 120_000 }, async () => {
  for (let seed = 1; seed <= 20; seed++) expect({ seed, broken: (await simulate(seed)).broken }).toEqual({ seed, broken: [] });
});

/** What the simulator needs of the sources. */
const needed = [
  ...['base', 'store', 'queue', 'figures', 'webhooks'].map((name) => `gateway/${name}`),
  ...['contracts/documents', 'contracts/tools', 'test/simulation', 'package.json'],
];

/** Runs the simulator on a copy of the sources with a mistake in it, until it finds something. */
async function runWith({ file, from, to }: (typeof planted)[number]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-planted-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const part of needed) await cp(join(root, part), join(folder, part), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const source = await readFile(join(folder, file), 'utf8');
  expect(source.split(from), `${file} has "${from}" once`).toHaveLength(2);
  await writeFile(
    join(folder, file),
    source.replace(from, () => to),
  );
  const args = ['test/simulation/run.ts', '--seeds', '300', '--first'];
  return run(process.execPath, args, { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: Error & { stdout: string }) => error.stdout,
  );
}

test.each(planted)('the simulator finds that $mistake', { timeout: 300_000 }, async (one) => {
  expect(await runWith(one)).toContain('Repeat it: npm run simulate -- --seed');
});
