import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileWith, newFolder, passerelle } from '../program.ts';

/** Asks for a token, and looks at nothing. `after`: what the program does then. */
const signingIn = (after = '') =>
  fileWith(
    `const { PASSERELLE_POS_URL: url, PASSERELLE_POS_API_KEY: api_key, PASSERELLE_POS_API_SECRET: api_secret } = process.env;
await fetch(url + '/api/auth', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ api_key, api_secret }) }).catch(() => {});
${after}`,
    'program.mjs',
  );

async function examine(options: readonly string[], ...command: string[]) {
  const folder = await newFolder();
  const files = ['json', 'xml', 'md', 'html'].map((form) => join(folder, `report.${form}`));
  const outputs = files.flatMap((file) => ['--output', file]);
  const { code, stdout, stderr } = await passerelle([
    'examine',
    'pos',
    ...options,
    ...outputs,
    '--',
    process.execPath,
    ...command,
  ]);
  const [json = '{}', xml = '', md = '', html = ''] = await Promise.all(
    files.map((file) => readFile(file, 'utf8').catch(() => undefined)),
  );
  return { code, stdout, stderr, json: JSON.parse(json), xml, md, html };
}

test('four questions are asked in one report, in each form', async () => {
  const { code, stdout, json, xml, md, html } = await examine([], await signingIn());
  expect(code).toBe(1);
  expect(Object.keys(json.answers)).toEqual(['coverage', 'probe', 'stress', 'mutate']);
  const columns = ['not covered', 'depends on our choices', 'too fragile', 'too weak'];
  for (const text of [stdout, md, html]) for (const column of columns) expect(text).toContain(column);
  expect(stdout).toMatch(/not covered: see below, depends on our choices: 0, too fragile: 0, too weak: \d; [\d.]+ s\.\n$/);
  for (const suite of ['probe pos', 'stress pos', 'mutate pos']) expect(xml).toContain(`<testsuite name="passerelle ${suite}"`);
  expect(xml).toContain('<testsuites name="passerelle examine"');
});

test('questions without a finding end with 0, and an unknown one is refused', async () => {
  const { code, json } = await examine(['--only', 'stress,coverage'], await signingIn());
  expect([code, Object.keys(json.answers)]).toEqual([0, ['coverage', 'stress']]);
  const wrong = await examine(['--only', 'mutat'], 'x');
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('--only: "mutat" is not a question. Did you mean mutate?'),
  ]);
});

test('a question that cannot be asked leaves the others, and the exit code is 2', async () => {
  const counter = join(await newFolder(), 'runs');
  const failsLater = `const { appendFileSync, readFileSync } = await import('node:fs');
appendFileSync(${JSON.stringify(counter)}, '.');
process.exit(readFileSync(${JSON.stringify(counter)}).length > 1 ? 1 : 0);`;
  const { code, json, md } = await examine(['--only', 'coverage,mutate'], await signingIn(failsLater));
  expect([code, Object.keys(json.answers)]).toEqual([2, ['coverage']]);
  expect(md).toContain('mutate could not be asked');
});
