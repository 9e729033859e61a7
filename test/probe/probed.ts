import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newFolder, passerelle } from '../program.ts';

interface Found {
  alternatives: { id: string }[];
  failedTests: string[];
}

interface Report {
  dependencies: Found[];
  questions: Found[];
  runs: number;
  coverage: number;
}

/** The dependencies and questions that a probe names, each with the tests that fail. */
export async function probed(...words: string[]) {
  const json = join(await newFolder(), 'report.json');
  const { code, stderr } = await passerelle(['probe', '--output', json, ...words]);
  const { dependencies, questions, runs, coverage } = JSON.parse(await readFile(json, 'utf8')) as Report;
  const byName = (found: readonly Found[]) =>
    Object.fromEntries(found.map((one) => [one.alternatives.map(({ id }) => id).join(' with '), one.failedTests.join(', ')]));
  return { code, stderr, runs, coverage, named: byName(dependencies), asked: byName(questions) };
}
