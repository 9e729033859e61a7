import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { newSigningSecret } from '../../gateway/webhooks/sending/sign.ts';
import { verifySignature } from '../../receivers/verify-signature.ts';
import { gaps } from '../../spec/gaps/gaps.ts';
import { checks } from '../../stubs/receiver-check/checks.ts';
import { checkJunit, checkText } from '../../stubs/receiver-check/report.ts';
import { type CheckInput, checkReceiver } from '../../stubs/receiver-check/run.ts';
import { freePort } from '../free-port.ts';
import { byDocument, type ReceiverProgram, startProgram } from '../receivers/programs.ts';
import { type Received, receiver } from '../webhooks/receiver.ts';
import { readXml } from './xml.ts';

const [secret, rotatedSecret] = [newSigningSecret(), newSigningSecret()];

/** The ids of the checks with this outcome. */
async function outcomes(url: string, given: Partial<CheckInput> = {}) {
  const { results } = await checkReceiver({ url, secret, rotatedSecret, slowAfterMs: 15_000, ...given });
  const of = (wanted: string) => results.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);
  return { failed: of('failed'), warned: of('warned'), skipped: of('skipped'), results };
}

async function start(program: ReceiverProgram, secrets: readonly string[]): Promise<string> {
  const { url, stop } = await startProgram(program, secrets);
  onTestFinished(stop);
  return url;
}

test.for(byDocument)('a receiver that does what the document says passes: $title', async (program, { skip }) => {
  if (!program.present) skip(`There is no ${program.command} on this machine.`);
  const checked = await checkReceiver({ url: await start(program, [secret]), secret });
  const failed = checked.results.filter(({ outcome }) => outcome === 'failed');
  expect(checked.passed).toBe(true);
  expect(failed.map(({ id, level }) => `${id} ${level}`)).toEqual(['stale_timestamp recommended', 'forged_id recommended']);
  const text = checkText(checked, { width: 100, colors: false });
  expect(text).toMatch(/✗ forged_id[\s\S]*gap +cohesion\.webhook-standard-headers[\s\S]*our choice/);
  expect(text).toMatch(/Documented: 6 of 6 passed[\s\S]*Recommended: /);
});

type Answer = (response: ServerResponse, received: Received) => void;
const end = (response: ServerResponse, status: number) => response.writeHead(status).end();
const genuine = (received: Received, secrets = [rotatedSecret, secret], body = received.body) =>
  verifySignature(body, received.headers, secrets).valid;
const answering = (status: (received: Received) => number): Answer => {
  return (response, received) => end(response, status(received));
};
const forged = ['wrong_signature', 'changed_body', 'missing_signature', 'stale_timestamp', 'forged_id'];

test('one that knows a single event gets that event in every documented check', async () => {
  const event = { type: '"order/shipped"', data: { 'a/b': ['"', { total: 1.5 }] } };
  const { url, received } = await receiver(
    answering((one) => {
      if (!genuine(one)) return 401;
      const { event: type, data } = JSON.parse(one.body) as { event: unknown; data: unknown };
      return type === event.type && isDeepStrictEqual(data, event.data) ? 204 : 422;
    }),
  );
  const documented = checks.filter(({ level }) => level === 'documented').map(({ id }) => id);
  const { failed } = await outcomes(url, { event, only: documented });
  expect(failed).toEqual([]);
  expect(received.some(({ body }) => body !== JSON.stringify(JSON.parse(body)))).toBe(true);
});

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
    expect(failed).toEqual(['valid_event', 'raw_body']);
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

describe('the cause of the failures is named first', () => {
  const hmac = (key: string | Buffer, text: string | Buffer) => `sha256=${createHmac('sha256', key).update(text).digest('hex')}`;
  /** Verifies as the API document says, with one mistake: another key, or another text. */
  const documented = (key: string | Buffer, text: (body: string) => string | Buffer = (body) => body) =>
    answering(({ headers, body }) => (headers['x-service-signature'] === hmac(key, text(body)) ? 200 : 401));
  const written = (write: (parsed: unknown) => string) => (body: string) => {
    try {
      return write(JSON.parse(body));
    } catch {
      return body;
    }
  };
  const likePython = (parsed: unknown) =>
    JSON.stringify(parsed, null, 1)
      .replaceAll(/\n */g, ' ')
      .replaceAll(/([{[]) | ([}\]])/g, '$1$2');
  const ofData = (body: string) => JSON.stringify((JSON.parse(body) as { data: unknown }).data);
  const causes: [cause: string | null, what: string, answer: Answer][] = [
    ['another_secret', 'has the secret of another endpoint', documented(newSigningSecret())],
    ['another_secret', 'has the rotated secret only', documented(rotatedSecret)],
    ['secret_empty', 'has no secret', documented('')],
    ['secret_prefix_cut', 'cuts whsec_ off', documented(secret.slice(6))],
    ['secret_decoded', 'decodes the secret', documented(Buffer.from(secret.slice(6), 'base64'))],
    ['secret_newline_signed', 'reads a newline with the secret', documented(`${secret}\n`)],
    ['body_rewritten', 'parses bodies, as Express does', documented(secret, written(JSON.stringify))],
    ['body_spaced', 'parses bodies, as Flask does', documented(secret, written(likePython))],
    ['body_data_only', 'signs only data', documented(secret, ofData)],
    ['encoding', 'reads Latin-1', documented(secret, (body) => Buffer.from(body, 'latin1'))],
    ['verifies_nothing', 'accepts everything', answering(() => 200)],
    ['wrong_address', 'has another path', answering(() => 404)],
    ['always_broken', 'fails always', answering(() => 500)],
    ['redirects', 'redirects', (response) => response.writeHead(308, { location: '/' }).end()],
    [null, 'has no mistake', documented(secret)],
    [null, 'refuses big bodies', answering((one) => (one.body.length > 100_000 ? 413 : genuine(one) ? 204 : 401))],
  ];
  test.each(causes)('%s: one that %s', async (cause, _what, answer) => {
    const checked = await checkReceiver({ url: (await receiver(answer)).url, secret, rotatedSecret });
    expect(checked.cause?.id ?? null).toBe(cause);
    const text = checkText(checked, { width: 100, colors: false });
    if (cause !== null) expect(text.indexOf(`The cause: ${cause}`)).toBeLessThan(text.indexOf('Documented: '));
    else expect(text).not.toContain('The cause');
    expect(JSON.stringify(checked)).not.toContain(secret);
  });
});

test('a failed recommendation fails neither the run nor the JUnit file, unless it is strict', async () => {
  const { url } = await receiver(answering((one) => (one.body.includes('new_field') ? 422 : genuine(one) ? 204 : 401)));
  for (const strict of [false, true]) {
    const checked = await checkReceiver({ url, secret, rotatedSecret, strict });
    expect(checked.passed).toBe(!strict);
    const junit = readXml(checkJunit(checked));
    expect(junit[0]?.attributes.failures).toBe(strict ? '1' : '0');
    expect(junit.filter(({ name }) => name === 'failure')).toHaveLength(strict ? 1 : 0);
  }
});

test('every gap that a check names is in the register, and no documented check rests on one', () => {
  const known = new Set(gaps.map(({ id }) => id));
  expect(checks.flatMap((check) => check.gaps).filter((id) => !known.has(id))).toEqual([]);
  expect(checks.filter(({ level, gaps: named }) => level === 'documented' && named.length > 0)).toEqual([]);
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
