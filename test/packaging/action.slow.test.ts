import { readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { blocksUnder, readGuide } from '../docs/guide.ts';
import { newFolder } from '../program.ts';
import { readAction, runComposite } from './composite.ts';

const root = join(import.meta.dirname, '../..');

/** The pact of the guide for CI, with another status. */
async function folderWithPact(status: number) {
  const folder = await newFolder();
  const pact = blocksUnder('docs/ci/verify.md').find(({ code }) => code.includes('"interactions"'))?.code ?? '';
  writeFileSync(join(folder, 'pact.json'), pact.replace('"status": 200', `"status": ${status}`));
  return { folder, line: pact.split('\n').findIndex((line) => line.includes('"description"')) + 1 };
}

test('no input is part of the text of a step, where it would be code', () => {
  for (const { name, run } of readAction(root).runs.steps) expect(run, name).not.toContain('${{');
});

test('verify: a failed interaction is an annotation at its line, and the report is the summary', async () => {
  const { folder, line } = await folderWithPact(404);
  const { status, output, summary } = runComposite(root, { command: 'verify', arguments: 'pos\n--pact\n./pact.json\n' }, folder);
  expect(status).toBe(1);
  expect(output).toContain(`::error file=pact.json,line=${line},title=till – pos%3A the inventory of a store::`);
  expect(summary).toContain('the inventory of a store');
});

test('in a folder of its own, annotations have the path from the root of the repository', async () => {
  const { folder, line } = await folderWithPact(404);
  const inputs = { command: 'verify', arguments: 'pos\n--pact\npact.json', 'working-directory': basename(folder) };
  expect(runComposite(root, inputs, dirname(folder)).output).toContain(
    `::error file=${basename(folder)}/pact.json,line=${line},`,
  );
});

test('probe runs with its arguments', async () => {
  const { folder } = await folderWithPact(200);
  const probe = {
    command: 'probe',
    arguments: ['pos', '--only', 'pos.sale-status', '--', 'node', '-e', 'process.exit(3)'].join('\r\n'),
  };
  expect(runComposite(root, probe, folder)).toMatchObject({ status: 2, output: expect.stringContaining('exit code 3') });
});

test.each(['$(touch pwned)', '`touch pwned`', '; touch pwned', '" && touch pwned "', "' ; touch pwned '"])(
  'inputs are no code: %s',
  async (text) => {
    const { folder } = await folderWithPact(200);
    expect(runComposite(root, { command: `verify ${text}` }, folder)).toMatchObject({
      status: 2,
      output: '::error title=Passerelle::The input "command" must be verify or probe.\n',
    });
    expect(runComposite(root, { command: 'verify', arguments: `${text}\n${text}` }, folder).status).toBe(2);
    expect(readdirSync(folder)).toEqual(['pact.json']);
  },
);

test('the example workflow gives the action only inputs that it has', () => {
  const workflow = readGuide('examples/github/verify-pacts.yml');
  // Also the steps that are commented out.
  const all = workflow.replaceAll(/^( *)# ( *)(?=(?:- |uses:|with:|env:|command:|arguments:|[\w$[{-]))/gm, '$1$2');
  const inputs = Object.keys(readAction(root).inputs);
  const { jobs } = parse(workflow) as { jobs: Record<string, { steps: { uses?: string; with?: object }[] }> };
  const used = Object.values(jobs).flatMap(({ steps }) => steps.filter(({ uses }) => uses?.includes('/passerelle@')));
  expect(used.length).toBe(1);
  for (const { with: given = {} } of used) expect(inputs).toEqual(expect.arrayContaining(Object.keys(given)));
  expect([...all.matchAll(/command: (\w+)/g)].map(([, name]) => name)).toEqual(['verify', 'verify', 'probe']);
});
