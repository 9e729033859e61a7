import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { contentOf, openState } from '../../contracts/tools/probe/state.ts';
import type { Outcome } from '../../contracts/tools/probe/types.ts';
import { fileWith, newFolder } from '../program.ts';

const passed: Outcome = { passed: true, failedTests: [], reason: '', lastLines: [], timedOut: false, durationMs: 1 };

test('the runs of a stopped probe are taken up with the same tests, and forgotten with others', async () => {
  const folder = await newFolder();
  const open = () => openState({ suite: ['npm', 'test'] }, '1', { fresh: false, folder });
  const first = open();
  expect(first.forgetOthers(['sells', 'reads'])).toBe(false);
  first.set('a=1 #0', passed);
  const second = open();
  expect(second.forgetOthers(['reads', 'sells'])).toBe(false);
  expect(second.get('a=1 #0')).toEqual(passed);
  const third = open();
  expect(third.forgetOthers(['reads', 'sells', 'sells twice'])).toBe(true);
  expect(third.get('a=1 #0')).toBeUndefined();
});

test('the content of a file that the command names counts, and other words have none', async () => {
  const file = await fileWith('one');
  const before = contentOf(file);
  await writeFile(file, 'two');
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  expect(contentOf(file)).not.toBe(before);
  expect([contentOf(dirname(file)), contentOf('--test'), contentOf('/dev/zero')]).toEqual([undefined, undefined, undefined]);
});
