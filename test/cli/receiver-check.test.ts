import { spawn, spawnSync } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { newSigningSecret } from '../../gateway/webhooks/sending/sign.ts';
import { verifySignature } from '../../receivers/verify-signature.ts';
import { checks } from '../../stubs/receiver-check/checks.ts';
import { checkJunit, checkText } from '../../stubs/receiver-check/report.ts';
import { type CheckInput, checkReceiver } from '../../stubs/receiver-check/run.ts';
import { freePort } from '../free-port.ts';
import { type Received, receiver } from '../webhooks/receiver.ts';
import { readXml } from './xml.ts';

const [secret, rotatedSecret] = [newSigningSecret(), newSigningSecret()];

/** The ids of the checks with this outcome. */
async function outcomes(url: string, given: Partial<CheckInput> = {}) {
  const { results } = await checkReceiver({ url, secret, rotatedSecret, slowAfterMs: 15_000, ...given });
  const of = (wanted: string) => results.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);
  return { failed: of('failed'), warned: of('warned'), skipped: of('skipped'), results };
}

const samples = join(import.meta.dirname, '../../receivers/samples');
const receivers = [
  { name: 'http.ts', command: process.execPath, args: () => [join(samples, 'http.ts')] },
  { name: 'fastify.ts', command: process.execPath, args: () => [join(samples, 'fastify.ts')] },
  { name: 'receiver.py', command: 'python3', args: (port: number) => [join(samples, 'receiver.py'), String(port)] },
  { name: 'receiver.php', command: 'php', args: (port: number) => ['-S', `127.0.0.1:${port}`, join(samples, 'receiver.php')] },
].map((one) => {
  const present = spawnSync(one.command, ['--version']).status === 0;
  return { ...one, present, title: `${one.name}${present ? '' : ` (skipped: no ${one.command} here)`}` };
});

async function startSample({ command, args }: (typeof receivers)[number]): Promise<string> {
  const port = await freePort();
  const env = { ...process.env, SECRET: `${rotatedSecret} ${secret}`, PORT: String(port) };
  const child = spawn(command, args(port), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise<void>((resolve, reject) => {
    let printed = '';
    const read = (chunk: Buffer) => {
      printed += chunk;
      if (/listening|started/.test(printed)) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`It ended with ${code}: ${printed}`)));
  });
  return `http://127.0.0.1:${port}/hook`;
}

test.for(receivers)('the sample $title passes every check', async (sample, { skip }) => {
  if (!sample.present) skip(`There is no ${sample.command} on this machine.`);
  const { failed, skipped, results } = await outcomes(await startSample(sample));
  expect({ failed, skipped }, JSON.stringify(results.filter(({ outcome }) => outcome !== 'passed'))).toEqual({
    failed: [],
    skipped: [],
  });
});

type Answer = (response: ServerResponse, received: Received) => void;
const end = (response: ServerResponse, status: number) => response.writeHead(status).end();
const genuine = (received: Received, secrets = [rotatedSecret, secret], body = received.body) =>
  verifySignature(body, received.headers, secrets).valid;
const answering = (status: (received: Received) => number): Answer => {
  return (response, received) => end(response, status(received));
};
const forged = ['wrong_signature', 'changed_body', 'missing_signature', 'stale_timestamp', 'forged_id'];

describe('a receiver with one mistake fails the check of that mistake', () => {
  const seen = new Set<string>();
  const bad: [what: string, answer: Answer, failed: string[], warned?: string[]][] = [
    ['accepts everything', answering(() => 204), forged],
    [
      'parses the body before it verifies',
      answering((one) => (genuine(one, undefined, parsed(one)) ? 204 : 401)),
      ['raw_body', 'changed_body'],
    ],
    [
      'fails at unknown events',
      answering((one) => (!genuine(one) ? 401 : one.body.includes('unknown_event') ? 500 : 204)),
      ['unknown_event'],
    ],
    [
      'refuses unknown fields',
      answering((one) => (!genuine(one) ? 401 : one.body.includes('new_field') ? 422 : 204)),
      ['extra_fields'],
    ],
    ['refuses big bodies', answering((one) => (one.body.length > 100_000 ? 413 : genuine(one) ? 204 : 401)), ['big_body']],
    [
      'reads bytes as Latin-1',
      answering((one) => (genuine(one, undefined, Buffer.from(one.body).toString('latin1')) ? 204 : 401)),
      ['non_ascii'],
    ],
    ['refuses a duplicate', answering((one) => (!genuine(one) ? 401 : again(seen, one) ? 409 : 204)), ['duplicate_id']],
    ['knows the old secret only', answering((one) => (genuine(one, [secret]) ? 204 : 401)), ['rotation_done']],
    [
      'checks the first signature only',
      answering((one) => (genuine(first(one), [secret]) ? 204 : 401)),
      ['rotation_overlap', 'rotation_done'],
    ],
    [
      'ignores the timestamp',
      answering((one) =>
        verifySignature(one.body, one.headers, [rotatedSecret, secret], { toleranceSeconds: 1e9 }).valid ? 204 : 401,
      ),
      ['stale_timestamp'],
    ],
    [
      'accepts unsigned requests',
      answering((one) => (one.headers['webhook-signature'] === undefined || genuine(one) ? 204 : 401)),
      ['missing_signature'],
    ],
    ['fails with 500 at forged requests', answering((one) => (genuine(one) ? 204 : 500)), [], forged],
    ['answers 410 to forged requests', answering((one) => (genuine(one) ? 204 : 410)), forged],
    [
      'closes each connection',
      (response, one) => response.writeHead(genuine(one) ? 204 : 401, { connection: 'close' }).end(),
      [],
      ['keep_alive'],
    ],
  ];

  test.each(bad)('one that %s', async (_what, answer, failed, warned = []) => {
    const found = await outcomes((await receiver(answer)).url);
    expect(found.failed.toSorted()).toEqual(failed.toSorted());
    expect(found.warned.toSorted()).toEqual(warned.toSorted());
  });

  const parsed = ({ body }: Received) => {
    try {
      return JSON.stringify(JSON.parse(body));
    } catch {
      return body;
    }
  };
  const again = (ids: Set<string>, { headers }: Received) => ids.size === ids.add(String(headers['webhook-id'])).size;
  const first = (one: Received): Received => {
    const [signature] = String(one.headers['webhook-signature'] ?? '').split(' ');
    return { ...one, headers: { ...one.headers, 'webhook-signature': signature } };
  };

  test('one that redirects', async () => {
    const { url, received } = await receiver((response) => response.writeHead(302, { location: '/elsewhere' }).end());
    const { failed, results } = await outcomes(url);
    expect(failed).toEqual(expect.arrayContaining(['valid_event', 'redirect']));
    expect(results.find(({ id }) => id === 'redirect')?.says).toContain('/elsewhere (302)');
    expect(received.every(({ path }) => path === '/hook')).toBe(true);
  });

  test('one that never answers is skipped after a few checks', async () => {
    const { url, received } = await receiver(() => {});
    const { failed, skipped } = await outcomes(url, { timeoutMs: 300 });
    expect(failed).toEqual(['valid_event', 'slow_acknowledgement']);
    expect(skipped).toHaveLength(checks.length - 2);
    expect(received.length).toBeLessThanOrEqual(2);
  });

  test('one that is slow causes a warning', async () => {
    const { url } = await receiver(answering((one) => (genuine(one) ? 204 : 401)));
    expect((await outcomes(url, { slowAfterMs: 0 })).warned).toEqual(['slow_acknowledgement']);
  });

  test('one that breaks the connection in a later check fails that check', async () => {
    const { url } = await receiver((response, one) =>
      one.body.length > 100_000 ? response.destroy() : end(response, genuine(one) ? 204 : 401),
    );
    expect((await outcomes(url)).failed).toEqual(['big_body']);
  });
});

test('without a rotated secret, the checks that need it are skipped with the reason', async () => {
  const { url } = await receiver(answering((one) => (genuine(one, [secret]) ? 204 : 401)));
  const { failed, skipped, results } = await outcomes(url, { rotatedSecret: undefined });
  expect({ failed, skipped }).toEqual({ failed: [], skipped: ['rotation_done'] });
  expect(results.find(({ id }) => id === 'rotation_done')?.says).toContain('--rotated-secret');
});

test('if nothing listens at the URL, nothing is checked', async () => {
  const url = `http://127.0.0.1:${await freePort()}/hook`;
  await expect(checkReceiver({ url, secret })).rejects.toThrow(CouldNotRun);
});

test('the reports show the expected and the received response, and control no terminal', async () => {
  const { url } = await receiver((response) => response.writeHead(500).end('\u001b[2Jboom <&> \u202e\u0000'));
  const checked = await checkReceiver({ url, secret });
  const text = checkText(checked, { width: 100, colors: false });
  expect(text).toMatch(/✗ valid_event +accepts a genuine event/);
  expect(text).toMatch(/expected +a 2xx response\n +received +event: 500 in \d+ ms, \\u\{1b\}\[2Jboom/);
  expect(text).not.toContain('\u001b');
  expect(text).not.toContain(secret);
  const cases = readXml(checkJunit(checked)).filter(({ name }) => name === 'testcase');
  expect(cases).toHaveLength(checks.length);
  expect(JSON.stringify(checked)).not.toContain(secret);
});

test('every check says what it sends, what it expects and why', () => {
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
  for (const { title, sends, expects, why } of checks)
    for (const said of [title, sends, expects, why]) expect(said.length).toBeGreaterThan(5);
});
