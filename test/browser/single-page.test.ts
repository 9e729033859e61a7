import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Credentials } from '../../stubs/credentials.ts';
import type { StubDelivery } from '../../stubs/webhook-types.ts';
import { blocksUnder } from '../docs/guide.ts';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import { passerelle, start } from '../program.ts';
import { inBrowser, newPage } from './console.ts';

const root = join(import.meta.dirname, '../..');

/** A folder with the files of the guide, and the package that is tested. */
function partnersFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-spa-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const { language, mark, code } of blocksUnder('docs/partners/single-page-application.md'))
    if (language !== 'sh') writeFileSync(join(folder, mark), code);
  mkdirSync(join(folder, 'node_modules'));
  const place = join(folder, 'node_modules/passerelle');
  if (process.env.PASSERELLE_PACKAGE) symlinkSync(process.env.PASSERELLE_PACKAGE, place);
  else {
    // Node does not run TypeScript below node_modules, so the package lies beside it.
    mkdirSync(join(folder, 'package'));
    writeFileSync(
      join(folder, 'package/receiver.ts'),
      `export * from ${JSON.stringify(join(root, 'receivers/verify-signature.ts'))};\n`,
    );
    writeFileSync(join(folder, 'package/package.json'), '{"type": "module", "exports": {"./receiver": "./receiver.ts"}}');
    symlinkSync(join(folder, 'package'), place);
  }
  return folder;
}

interface Data {
  // biome-ignore lint/suspicious/noExplicitAny: replies have any shape
  data: any;
}

interface Started {
  url: string;
  secret: string;
  operatorToken: string;
  credentials: Credentials['pos'];
}

/** Starts the stub as the guide does, on a free port. */
async function stubFor(hook: string, ...args: string[]): Promise<Started> {
  const running = start(['stub', 'pos', '--port', '0', '--json', '--webhook', hook, ...args]);
  return eventually(() => JSON.parse(running.stdout.split('\n')[0] || running.stderr) as Started);
}

/** Starts `server.mjs`. It is killed when the test ends. */
async function application(folder: string, port: number, { url, secret, credentials }: Started): Promise<ChildProcess> {
  const env = {
    PATH: process.env.PATH,
    PORT: String(port),
    PASSERELLE_URL: url,
    PASSERELLE_SIGNING_SECRET: secret,
    API_KEY: credentials.apiKey,
    API_SECRET: credentials.apiSecret,
  };
  const child = spawn(process.execPath, ['server.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

inBrowser('a person with a single-page application', () => {
  test('a token, a sale, a genuine webhook, a 503, a lost reply, a duplicate, and the receiver check', async () => {
    const port = await freePort();
    const hook = `http://127.0.0.1:${port}/hook`;
    // The reply of the third attempt is lost after the sale was stored.
    const faults = ['--fault', 'createSale:status=503,times=2,retry=1s', '--fault', 'createSale:reset,stage=reply,times=1'];
    const stub = await stubFor(hook, ...faults);
    const read = async (path: string) => ((await (await fetch(`${stub.url}/_stub${path}`)).json()) as Data).data;
    await application(partnersFolder(), port, stub);

    const page = await newPage();
    await page.goto(`http://127.0.0.1:${port}`);
    await page.getByRole('button', { name: 'Sell', exact: true }).click();
    await page.getByText(/^sale_\w+ completed$/).waitFor();
    const calls: { status: number }[] = await read('/calls?operation=createSale');
    expect(calls.map(({ status }) => status)).toEqual([503, 503, 0, 201]);

    await page.getByText('sale.completed 1500').waitFor();
    const manage = async (method: string, path: string) => {
      const headers = { authorization: `Bearer ${stub.operatorToken}` };
      return ((await (await fetch(`${stub.url}/manage/v1${path}`, { method, headers })).json()) as Data).data;
    };
    const [sold]: StubDelivery[] = await manage('GET', '/deliveries');
    expect(sold).toMatchObject({ event_type: 'sale.completed', status: 'delivered', response_status: 204 });
    await manage('POST', `/deliveries/${sold?.id}/resend`);
    await eventually(async () =>
      expect(await manage('GET', '/deliveries')).toMatchObject([{ status: 'delivered', attempts: 2 }]),
    );
    // The next answer to the page comes after the duplicate.
    await page.waitForResponse((response) => response.url().endsWith('/events'));
    expect(await page.getByRole('listitem').allTextContents()).toEqual(['sale.completed 1500']);

    const checked = await passerelle(['receiver', 'check', hook, '--secret', stub.secret, '--slow-after', '15']);
    expect(checked).toMatchObject({ code: 0, stderr: '' });
  });

  test('a forged webhook does not reach the page', async () => {
    const port = await freePort();
    const hook = `http://127.0.0.1:${port}/hook`;
    const stub = await stubFor(hook);
    await application(partnersFolder(), port, { ...stub, secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` });
    const sent = await fetch(`${stub.url}/_stub/trigger`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"event": "sale.completed"}',
    });
    expect(((await sent.json()) as Data).data[0].deliveries).toMatchObject([{ status: 'pending', response_status: 401 }]);
    expect(await (await fetch(`http://127.0.0.1:${port}/events`)).json()).toEqual([]);
  });
});
