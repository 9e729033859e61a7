import { describe, expect, test } from 'vitest';
import { verifyCommand } from '../../cli/verify.ts';
import { runCommand } from '../program.ts';
import { pactFile, verifyPact } from './pact-files.ts';
import { serve } from './server.ts';

/** As a test of the JVM library writes it. */
const asks = (path: string, more: object = {}) => ({
  description: `a GET of ${path}`,
  request: { method: 'GET', path },
  response: { status: 200, headers: { 'Content-Type': 'application/json' }, body: { ville: 'Bouaké' } },
  ...more,
});
const pact = (...interactions: object[]) => ({
  consumer: { name: 'caisse-jvm' },
  provider: { name: 'pos' },
  interactions,
  metadata: { 'pact-jvm': { version: '4.6.5' }, pactSpecification: { version: '3.0.0' } },
});

describe('a provider that gives no answer', () => {
  test.each([
    ['that refuses the connection', () => 'http://127.0.0.1:1', 'no connection was accepted'],
    [
      'that does not answer in time',
      () => serve((request, response) => (request.url === '/half' ? response.write('{') : undefined)),
      'it timed out; the deadline is 0.2 s',
    ],
    ['that resets the connection', () => serve((_, response) => response.socket?.resetAndDestroy()), 'the connection was reset'],
    ['with an unknown name', () => 'http://no-such-host.invalid', 'its name was not found'],
  ])('%s was not verified: exit code 2', async (_, start, which) => {
    const file = await pactFile(pact(asks('/whole'), asks('/half')));
    // Only where nothing answers at all: a busy machine may take longer to reset a connection.
    const at = ['--base-url', await start(), ...(which.startsWith('it timed out') ? ['--timeout', '0.2'] : [])];
    const { code, stdout } = await runCommand(verifyCommand(), ['pos', '--pact', file, ...at]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringContaining('0 verified, 2 failed') });
    for (const path of ['/whole', '/half']) expect(stdout).toContain(`${path} did not answer: ${which}`);
    expect(stdout).toContain('Next: Not everything could be done');
  });

  test('an answer that is not HTTP is one: exit code 1', async () => {
    const url = await serve((_, response) => response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n'));
    const { verification } = await verifyPact(pact(asks('/')), 'pos', { at: { baseUrl: url } });
    expect(verification.interactions.map(({ couldNotRun }) => couldNotRun)).toEqual([undefined]);
  });
});

test('a redirect is explained alone, with its target', async () => {
  const url = await serve((request, response) => {
    const moved = { location: `https://api.example.org${request.url}`, 'content-type': 'text/html' };
    response.writeHead(request.url === '/nowhere' ? 304 : 302, request.url === '/nowhere' ? {} : moved).end('<html>');
  });
  const interactions = [asks('/api/v1/inventory'), asks('/nowhere'), asks('/moved', { response: { status: 302, body: {} } })];
  const { verification } = await verifyPact(pact(...interactions), 'pos', { at: { baseUrl: url } });
  const [moved, nowhere, expected] = verification.interactions;
  expect(moved?.problems[0]).toMatchObject({
    kind: 'status',
    message:
      'expected 200 but was 302. Redirects are not followed: pass the final address (it redirects to https://api.example.org/api/v1/inventory).',
  });
  expect(moved?.problems.flatMap(({ gap, documented }, index) => (index > 0 ? [gap, documented] : []))).not.toContain(
    expect.anything(),
  );
  expect(moved?.problems[0]?.gap).toBeUndefined();
  expect(nowhere?.problems[0]).toMatchObject({ kind: 'status', message: 'expected 200 but was 304' });
  // A pact that expects the redirect has no other status to follow from.
  expect(expected?.problems.map(({ kind }) => kind)).not.toContain('status');
  const { stdout } = await runCommand(verifyCommand(), [
    ...['pos', '--pact', await pactFile(pact(asks('/api/v1/inventory'))), '--base-url', url],
  ]);
  expect(stdout).toMatch(/\d more problems?, which follows? from the status/);
  expect(stdout).not.toContain("Expected a body of 'application/json'");
  expect(stdout).toContain('Next: The provider redirects: pass its final address with --base-url.');
});
