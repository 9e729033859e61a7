import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pactCommand } from '../../../cli/pact.ts';
import { runCommand } from '../../program.ts';
import { aSale, call, openStub, signIn } from '../../stubs/partner.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Runs `passerelle pact`. `pact`: the text of the file that it wrote. */
async function written(args: readonly string[]) {
  const file = join(await newFolder(), 'till.json');
  const ran = await runCommand(pactCommand(), ['pos', '--consumer', 'till', '--output', file, ...args]);
  return { ...ran, pact: await readFile(file, 'utf8').catch(() => '') };
}

const descriptions = (pact: string) =>
  (JSON.parse(pact) as { interactions: { description: string }[] }).interactions.map(({ description }) => description);

const secrets = {
  header: 'e7c1-in-a-header',
  query: 'e7c2-in-the-query',
  body: 'e7c3-in-a-body',
  reply: 'e7c4-in-a-reply',
};

test('the HAR file of a run: a green pact without any of its secrets', async () => {
  const stub = await openStub('pos');
  const token = await signIn(stub);
  await call(stub, 'POST', '/api/v1/sales', { token, body: aSale() });
  await call(stub, 'GET', `/api/v1/inventory?store_id=STORE-ABJ-01`, { token, headers: { 'x-api-token': secrets.header } });
  await call(stub, 'GET', `/api/v1/inventory?store_id=STORE-ABJ-01&access_token=${secrets.query}`, { token });
  await call(stub, 'POST', '/api/v1/sales', { token, body: { ...aSale(), password: secrets.body } });
  const har = stub.har({ secrets: true });
  const text = JSON.stringify(har).replace('\\"status\\":\\"completed\\"', `\\"client_secret\\":\\"${secrets.reply}\\"`);
  const all = [token, stub.credentials.apiSecret, ...Object.values(secrets)];
  for (const secret of all) expect(text).toContain(secret);
  const file = join(await newFolder(), 'calls.har');
  await writeFile(file, text);

  const { code, stdout, stderr, pact } = await written(['--from', file]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('all green');
  expect(descriptions(pact)).toEqual(
    expect.arrayContaining(['create a sale with payment_method cash', 'current inventory of a store', 'obtain an access token']),
  );
  for (const secret of all) expect(pact + stdout).not.toContain(secret);
});

test.for([
  ['no source', [], 'There is nothing to record: name a command after --, or a file with --from.'],
  ['a command and a file', ['--from', 'x.har', '--', 'true'], 'A command and --from exclude each other'],
  ['a file that is not there', ['--from', 'x.har'], 'x.har does not exist.'],
  ['a folder', ['--from', '.'], '. is a folder: name the .har in it.'],
  ['a file that is no archive', ['--from', 'package.json'], 'package.json is no HTTP Archive'],
  [
    'a host without a file',
    ['--from-host', 'pos.example', '--', 'true'],
    '--from-host has no effect with a command: it needs --from.',
  ],
  [
    'a seed without a command',
    ['--from', 'x.har', '--seed', 'x'],
    '--seed has no effect with --from: it needs a command after --.',
  ],
  ['a misspelt option', ['--form', 'x.har'], '(Did you mean --from?)'],
] as const)('%s: exit code 2, and one line that helps', async ([, args, line]) => {
  const { code, stderr, pact } = await written(args);
  expect({ code, stderr, pact }).toEqual({ code: 2, stderr: expect.stringContaining(line), pact: '' });
});
