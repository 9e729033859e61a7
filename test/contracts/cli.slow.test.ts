import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareCommand } from '../../cli/compare.ts';
import { coverageCommand } from '../../cli/coverage.ts';
import { newFolder, passerelle, runCommand } from '../program.ts';
import { pactFile, v4 } from './pact-files.ts';

const right = {
  description: 'the inventory',
  providerStates: [{ name: 'an access token' }, { name: 'a store', params: { store_id: 'S-9' } }],
  request: { method: 'GET', path: '/inventory', query: { store_id: ['S-9'] }, headers: { Authorization: ['Bearer anything'] } },
  response: { status: 200 },
};
const wrong = {
  ...right,
  description: 'a token',
  providerStates: [],
  request: { method: 'POST', path: '/api/auth', headers: { 'Content-Type': ['application/json'] }, body: { content: {} } },
};

test('mismatches exit with 1: the report shows them side by side, and is written as JSON, JUnit and Markdown', async () => {
  const file = await pactFile(v4([right, wrong, { ...wrong, description: 'later', pending: true }]));
  const folder = await newFolder();
  const [json, junit, markdown] = ['results.json', 'junit.xml', 'summary.md'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const run = await passerelle(['verify', '--pact', file, '--output', json, '--output', junit, '--output', markdown]);
  expect(run).toMatchObject({ code: 1, stderr: 'pos: 3 interactions\n' });
  expect(run.stdout).toContain('✓ the inventory');
  expect(run.stdout).toMatch(/expected +│ actual\s+[─┼]+\s+200 +│ 400/);
  expect(run.stdout).toContain('spec/point-of-sale.md');
  expect(run.stdout).toMatch(/3 interactions in .*: 1 verified, 1 failed, 1 pending/);
  expect(run.stdout).not.toContain('\u001b');
  expect(run.stdout).toContain('POST /api/auth {}');
  expect(JSON.parse(await readFile(json, 'utf8')).verifications[0].interactions).toHaveLength(3);
  expect(await readFile(junit, 'utf8')).toContain('<testsuite name="partner with pos" tests="3" failures="1"');
  expect(await readFile(markdown, 'utf8')).toContain('## Verification of pos');
});

test.each([
  [['verify', '--pact', '/nowhere'], 'passerelle: There is no pact at /nowhere'],
  [['verfy'], 'Did you mean verify?'],
  [['verfy', '--version', '1'], "unknown command 'verfy'"],
  // Pact's own command line asks the broker. An answer with 0 would open the gate of a deployment.
  [['broker', 'can-i-deploy', '--version', '1'], "unknown command 'broker'"],
])('%j exits with 2 and says what to do', async (args, message) => {
  const { code, stdout, stderr } = await passerelle(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('at async');
});

test('coverage and comparison of pacts, without a run', async () => {
  const file = await pactFile(v4([{ ...right, response: { status: 200, body: { content: { success: 1 } } } }]));
  const coverage = await runCommand(coverageCommand(), ['--pact', file, '--json']);
  expect(JSON.parse(coverage.stdout)[0]).toMatchObject({ provider: 'pos', consumers: ['partner'] });
  const compared = await runCommand(compareCommand(), ['--pact', file]);
  expect(compared).toMatchObject({ code: 1, stdout: expect.stringContaining('1 interaction compared with pos') });
});
