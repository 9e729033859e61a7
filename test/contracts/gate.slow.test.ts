import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { behaviours } from '../../spec/documents/behaviours.ts';
import { holdingTests } from '../../spec/documents/held-by-tests.ts';
import { serviceNames } from '../../spec/documents/services.ts';
import { cohesionMutations } from './mutants/cohesion.ts';
import { posMutations } from './mutants/pos.ts';

/** The run takes a minute or two of CPU; other programs may share the machine. */
const deadlineMs = 3_000_000;

test(
  'every mutation is noticed by an interaction that names the lost behaviour',
  async () => {
    const run = join(import.meta.dirname, 'mutants/run.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [run], { timeout: deadlineMs });
    expect(JSON.parse(stdout)).toEqual([]);
  },
  deadlineMs,
);

test.each(serviceNames)('%s: every behaviour has a mutation, unless a test holds it', (provider) => {
  const taken = [...posMutations, ...cohesionMutations].flatMap(({ breaks }) => breaks);
  const inTests = holdingTests.map(({ behaviour }) => behaviour);
  const ids = behaviours[provider].map(({ id }) => id);
  expect(ids.filter((id) => !taken.includes(id) && !inTests.includes(id))).toEqual([]);
});
