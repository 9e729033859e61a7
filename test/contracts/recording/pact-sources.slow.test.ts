import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pactCommand } from '../../../cli/pact.ts';
import { ManageClient } from '../../../stubs/listen/manage.ts';
import { eventually } from '../../eventually.ts';
import { buildTestApp, operatorToken } from '../../helper.ts';
import { runCommand } from '../../program.ts';
import { aSale, call, openReceiver, openStub, signIn } from '../../stubs/partner.ts';

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

test("a gateway's calls by caller and period, with the webhooks that an endpoint accepted", async () => {
  const gateway = await buildTestApp();
  const at = await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  const manage = new ManageClient({ at, token: operatorToken });
  const receiver = await openReceiver(204);
  const { id } = await manage.createEndpoint({ service: 'pos', url: receiver.url, events: ['sale.completed'] });
  const token = await gateway.posToken('enterprise');
  await gateway.call('POST', '/pos/api/v1/sales', { token, body: aSale() });
  await gateway.call('GET', '/pos/api/v1/inventory?store_id=STORE-ABJ-01', { token: await gateway.posToken('free') });
  await eventually(async () => {
    for await (const page of manage.pages('/deliveries', { status: 'delivered' })) return expect(page).toHaveLength(1);
  });
  const caller = (await gateway.manage('GET', '/calls?operation=createSale')).body.data[0].caller;

  const args = ['--gateway', at, '--token', operatorToken, '--caller', caller, '--since', '1h', '--endpoint-id', id];
  const { code, stdout, stderr, pact } = await written(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('all green');
  expect(descriptions(pact)).toContain('create a sale with payment_method cash');
  expect(descriptions(pact)).toContain('the webhook sale.completed');
  expect(descriptions(pact)).not.toContain('current inventory of a store');
  expect(pact).not.toContain(token);
});

test.for([
  ['no source', [], 'There is nothing to record: name a command after --, a file with --from, or a gateway with --gateway.'],
  ['a command and a file', ['--from', 'x.har', '--', 'true'], 'a command and --from exclude each other'],
  ['a file and a gateway', ['--from', 'x.har', '--gateway', 'http://localhost:1'], '--from and --gateway exclude each other'],
  ['a file that is not there', ['--from', 'x.har'], 'x.har does not exist.'],
  ['a folder', ['--from', '.'], '. is a folder: name the .har in it.'],
  ['a file that is no archive', ['--from', 'package.json'], 'package.json is no HTTP Archive'],
  [
    'a host without a file',
    ['--from-host', 'pos.example', '--', 'true'],
    '--from-host has no effect with a command: it needs --from.',
  ],
  ['a period without a gateway', ['--from', 'x.har', '--since', '2h'], '--since has no effect with --from: it needs --gateway.'],
  [
    'a seed without a command',
    ['--from', 'x.har', '--seed', 'x'],
    '--seed has no effect with --from: it needs a command after --.',
  ],
  ['a gateway without its token', ['--gateway', 'http://localhost:1'], "needs the operator's token"],
  ['a gateway that is down', ['--gateway', 'http://127.0.0.1:9', '--token', 'x'], 'give its URL with --gateway.'],
  ['a misspelt option', ['--form', 'x.har'], '(Did you mean --from?)'],
] as const)('%s: exit code 2, and one line that helps', async ([, args, line]) => {
  const { code, stderr, pact } = await written(args);
  expect({ code, stderr, pact }).toEqual({ code: 2, stderr: expect.stringContaining(line), pact: '' });
});
