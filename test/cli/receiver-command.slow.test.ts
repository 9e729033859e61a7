import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { receiverCommand } from '../../cli/receiver.ts';
import { newSigningSecret } from '../../gateway/webhooks/sending/sign.ts';
import { verifySignature } from '../../receivers/verify-signature.ts';
import { freePort } from '../free-port.ts';
import { fileWith, runCommand } from '../program.ts';
import { receiver } from '../webhooks/receiver.ts';
import { readXml } from './xml.ts';

const secret = newSigningSecret();
const check = (args: string[]) => runCommand(receiverCommand(), ['check', ...args]);
const verifying = () =>
  receiver((response, { body, headers }) => response.writeHead(verifySignature(body, headers, secret).valid ? 204 : 401).end());

test('a correct receiver exits with 0, a wrong one with 1, with reports as text, JSON and JUnit', async () => {
  const { url } = await verifying();
  const junit = await fileWith('', 'receiver.xml');
  const good = await check([url, '--secret', secret, '--output', junit]);
  expect(good).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/15 passed, 0 failed, 0 warned, 1 skipped/) });
  expect(readXml(await readFile(junit, 'utf8'))[0]?.attributes).toMatchObject({ tests: '16', failures: '0', skipped: '1' });

  const { url: trusting } = await receiver((response) => response.writeHead(204).end());
  const bad = await check([trusting, '--secret', secret, '--json']);
  expect(bad.code).toBe(1);
  const { results } = JSON.parse(bad.stdout);
  expect(results.find(({ id }: { id: string }) => id === 'wrong_signature')).toMatchObject({
    outcome: 'failed',
    evidence: [{ status: 204 }],
    why: expect.stringContaining('anyone'),
  });
});

test('a check that cannot run exits with 2', async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}/hook`;
  expect(await check([nowhere, '--secret', secret])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('cannot be reached'),
  });
  expect(await check([nowhere])).toMatchObject({ code: 2, stderr: expect.stringContaining('--secret') });
  const cut = await check([nowhere, '--secret', 'not one']);
  expect(cut).toMatchObject({ code: 2, stderr: expect.stringContaining('whsec_') });
  expect(cut.stderr).not.toContain('not one');
});

test('--header adds what the receiver asks for beside the signature', async () => {
  const { url } = await receiver((response, { body, headers }) => {
    const isKnown = headers['x-api-key'] === 'k1' && headers.authorization === 'Basic dGlsbDpnZWhlaW0=';
    response.writeHead(isKnown && verifySignature(body, headers, secret).valid ? 204 : 401).end();
  });
  const own = ['--header', 'X-Api-Key: k1', '--header', 'Authorization: Basic dGlsbDpnZWhlaW0='];
  expect(await check([url, '--secret', secret, ...own])).toMatchObject({ code: 0 });
  expect(await check([url, '--secret', secret])).toMatchObject({ code: 1 });
  expect(await check([url, '--secret', secret, '--header', 'geheim'])).toMatchObject({
    code: 2,
    stderr: expect.not.stringContaining('geheim'),
  });
});

test('--event takes the name of an event, and refuses a misspelt one with the nearest', async () => {
  const { url, received } = await verifying();
  expect(await check([url, '--secret', secret, '--event', 'intervention.validated'])).toMatchObject({ code: 0 });
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ event: 'intervention.validated', data: { validated_by: {} } });
  const misspelt = await check([url, '--secret', secret, '--event', 'intervention.validatd']);
  expect(misspelt).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean intervention.validated?') });
});

test('a receiver that ignores our headers exits with 0, and with 1 if --strict is given', async () => {
  const { url } = await receiver((response, { body, headers }) => {
    const documented = { 'x-service-signature': headers['x-service-signature'] };
    response.writeHead(verifySignature(body, documented, secret).valid ? 204 : 401).end();
  });
  const run = await check([url, '--secret', secret]);
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('It does what the documents require.') });
  expect(run.stdout).toContain('cohesion.webhook-standard-headers');
  expect(await check([url, '--secret', secret, '--strict'])).toMatchObject({ code: 1 });
});
