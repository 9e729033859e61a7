import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { blocksUnder } from '../docs/guide.ts';
import { freePort } from '../free-port.ts';
import { installation, onScale, operatorToken, start } from '../scale/services.ts';
import { newDataDir, spawnProcess, until } from './process.ts';

const missing = ['bash', 'curl', 'sed'].filter((tool) => spawnSync(tool, ['--version']).error);
const lacks = `the operators' walk needs ${missing.join(', ')}`;

/**
 * Runs sections of the operators' guide in one shell, until the receiver has got the sale, and returns what they print. Tests run in
 * parallel, so the receiver gets a free port. The script waits until it listens, as a reader would.
 */
async function printedBy(sections: [page: string, heading?: string][], exports: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-walk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const blocks = sections.flatMap(([page, heading]) => blocksUnder(`docs/operators/${page}.md`, heading)).map(({ code }) => code);
  const port = String(await freePort());
  const script = [exports, ...blocks, 'until grep -q sale.completed received; do sleep 0.1; done', 'cat received', 'kill %1']
    .join('\n')
    .replaceAll('9000', port)
    .replace(
      'node receiver.mjs &',
      `node receiver.mjs > received &\nuntil (: > /dev/tcp/127.0.0.1/${port}) 2> /dev/null; do sleep 0.1; done`,
    );
  const shell = spawn('bash', ['-e', '-c', script], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const [code] = await once(shell, 'close');

  expect(code, printed).toBe(0);
  expect(printed).toContain('"status":"completed"');
  expect(printed).toContain('genuine {"event":"sale.completed"');
  expect(printed).toContain('"operation":"createSale"');
  expect(printed).not.toContain('"error":{');
  return printed;
}

const tryIt: [string, string] = ['try-it', 'Try it'];

test("the operators' guide works as written: a sale, a genuine webhook, the records", async ({ skip }) => {
  skip(missing.length > 0, lacks);
  // A first start creates a database, which is slow on a busy machine.
  const gateway = spawnProcess({ DATA_DIR: newDataDir({ empty: true }) });
  const exports = await until(async () => /^\s*(export .*)$/m.exec(gateway.output().stdout)?.[1]);
  const printed = await printedBy([tryIt, ['access'], ['after-an-outage'], ['find']], exports);
  expect(printed).toContain('"name":"Awa"');
  expect(printed).toMatch(/\/profile#link_secret=[\w-]+/);
  expect(printed).toContain('"dry_run":true');
  expect(printed).toContain('"unaccounted":0');
  const [, url, operator] = /PASSERELLE_URL='(.*?)' PASSERELLE_OPERATOR_TOKEN='(.*?)'/.exec(exports) ?? [];
  const deliveries = async () =>
    (
      await fetch(`${url}/manage/v1/deliveries?status=delivered`, { headers: { authorization: `Bearer ${operator}` } })
    ).json() as Promise<{ data: object[] }>;
  await until(async () => (await deliveries()).data.length === 1);
});

onScale("the operators' guide, with an api and a worker", () => {
  test('leads to a first sale and its webhook', async ({ skip }) => {
    skip(missing.length > 0, lacks);
    const shared = await installation();
    const [api] = await Promise.all([start(shared, 'api'), start(shared, 'worker')]);
    const exports = `PASSERELLE_URL='${api.greeting.url}' PASSERELLE_OPERATOR_TOKEN='${operatorToken}'`;
    expect(await printedBy([['try-it', 'First sale on the scale tier'], tryIt], exports)).toContain('"product_id":"PRD-0001"');
  });
});
