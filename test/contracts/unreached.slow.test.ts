import { expect, test } from 'vitest';
import { verifyCommand } from '../../cli/verify.ts';
import { runCommand } from '../program.ts';
import { older, outcomesOf, pactFile, verifyPact } from './pact-files.ts';
import { serve } from './server.ts';

const asks = (path: string, status = 200) => ({
  description: `a GET of ${path}`,
  request: { method: 'GET', path },
  response: { status, headers: { 'Content-Type': 'application/json' }, body: { ville: 'Bouaké' } },
});

test.each([
  ['that refuses the connection', () => 'http://127.0.0.1:1', 'no connection was accepted'],
  [
    'that does not answer in time',
    () => serve((request, response) => (request.url === '/half' ? response.write('{') : undefined)),
    'it timed out; the deadline is 0.2 s',
  ],
  ['that resets the connection', () => serve((_, response) => response.socket?.resetAndDestroy()), 'the connection was reset'],
  ['with an unknown name', () => 'http://no-such-host.invalid', 'its name was not found'],
])('a provider %s was not verified: exit code 2', async (_, start, which) => {
  const file = await pactFile(older([asks('/whole'), asks('/half')]));
  // Only where nothing answers at all: a busy machine may take longer to reset a connection.
  const at = ['--base-url', await start(), ...(which.startsWith('it timed out') ? ['--timeout', '0.2'] : [])];
  const { code, stdout } = await runCommand(verifyCommand(), ['pos', '--pact', file, ...at]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringContaining('0 verified, 2 failed') });
  for (const path of ['/whole', '/half']) expect(stdout).toContain(`${path} did not answer: ${which}`);
  expect(stdout).toContain('Next: Not everything could be done');
});

test('an answer that is not HTTP is one: the interaction failed', async () => {
  const url = await serve((_, response) => response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n'));
  const { verification } = await verifyPact(older([asks('/')]), 'pos', { at: { baseUrl: url } });
  expect(outcomesOf(verification)).toEqual(['failed']);
  expect(verification.interactions[0]).not.toHaveProperty('couldNotRun');
});

test('a redirect is not followed, and explained alone, with its target', async () => {
  const url = await serve((request, response) => {
    response.writeHead(302, { location: `https://api.example.org${request.url}`, 'content-type': 'text/html' }).end('<html>');
  });
  const file = await pactFile(older([asks('/api/v1/inventory')]));
  const { code, stdout } = await runCommand(verifyCommand(), ['pos', '--pact', file, '--base-url', url]);
  expect(code).toBe(1);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'expected 200 but was 302. Redirects are not followed: pass the final address (it redirects to https://api.example.org/api/v1/inventory).',
  );
  expect(stdout).toMatch(/\d more problems?, which follows? from the status/);
  expect(stdout).not.toContain("Expected a body of 'application/json'");
  expect(stdout).toContain('Next: The provider redirects: pass its final address with --base-url.');
  // A pact that expects the redirect has no other status to follow from.
  const { verification } = await verifyPact(older([asks('/moved', 302)]), 'pos', { at: { baseUrl: url } });
  expect(verification.interactions[0]?.problems.map(({ kind }) => kind)).not.toContain('status');
});
