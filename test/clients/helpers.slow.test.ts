import { join } from 'node:path';
import { expect, test } from 'vitest';
import { helperLanguages } from './helper-languages.ts';
import cases from './helpers/cases.json' with { type: 'json' };
import { play, skipped } from './play.ts';

const root = join(import.meta.dirname, '../..');

/** The worlds that the cases start on the stub that runs: each case has one before its first step. */
const worlds =
  cases.length +
  cases.flatMap(({ steps }): { do: string }[] => steps).filter((step) => step.do === 'stub.world' && !('fails' in step)).length;

test('there are 25 cases', () => expect(new Set(cases.map(({ name }) => name)).size).toBe(25));

const languages = test.for(Object.entries(helperLanguages));
languages('the helper for %s passes every case, in the language’s own test runner', async ([, language], { skip }) => {
  skip(...skipped(language));
  const command = `${process.execPath} ${join(root, 'cli/bin.js')}`;
  const { stub, stdout } = await play(language, cases, { PASSERELLE_COMMAND: command });
  expect(stdout).toContain(language.passed);
  // Each step was played on this stub, and each world has ended.
  expect(stub.worlds()).toEqual([]);
  expect((await stub.world()).name).toBe(`world-${worlds + 1}`);
});
