import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { eventually } from '../../eventually.ts';
import { passerelle } from '../../program.ts';
import { openStub } from '../../stubs/partner.ts';
import { receiver } from '../../webhooks/receiver.ts';
import { fileOf, newPath, observe } from './running.ts';

/** Passes webhooks on to a partner. Returns the address that takes them, too. */
async function passing(api: ServiceName, upstream: string, to: string, secret: string) {
  const out = await newPath();
  const more = ['--webhooks-to', to, '--webhooks-port', '0', '--secret', secret];
  const observed = await observe(upstream, out, more, api);
  const { running } = observed;
  await eventually(() => expect(running.stdout).toContain(` passes webhooks on to ${to}.`));
  const [, hook = ''] = /^(\S+) passes webhooks/m.exec(running.stdout) ?? [];
  return { ...observed, out, hook };
}

test('webhooks are passed on and judged beside calls, and neither the secret nor the signature enters the file', async () => {
  const { url: partner, received } = await receiver((response) => response.writeHead(204).end());
  const stub = await openStub('pos', { assume: 'pos.signature-hex=upper-case' });
  const { running, stop, out, hook } = await passing('pos', stub.url, partner, stub.secret);
  const { secret } = await stub.endpoints.add({ url: hook });
  await stub.trigger('sale.completed');
  await eventually(async () => expect((await fileOf(out)).webhooks).toBeGreaterThan(0));
  await stop();
  expect(received[0]?.body).toContain('sale.completed');
  const { entries, evidence } = await fileOf(out);
  const refuted = entries.filter(({ verdict }) => verdict === 'refuted').map(({ gap, alternatives }) => [gap, alternatives]);
  expect(refuted).toEqual([['pos.signature-hex', ['upper-case']]]);
  expect(Object.values(evidence)).toMatchObject([{ operation: 'webhook sale.completed', status: 204 }]);
  const shown = (await readFile(out, 'utf8')) + running.stdout + running.stderr;
  for (const hidden of [secret ?? stub.secret, 'sha256=']) expect(shown).not.toContain(hidden);
  const both = await passerelle(['observe', 'pos', '--upstream', stub.url, '--ask', '--webhooks-to', partner, '--output', out]);
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--ask ends before a webhook could arrive')]);
});

test('a port of webhooks that is taken is named by its own option', async () => {
  const { url: taken } = await receiver();
  const args = ['pos', '--upstream', 'http://127.0.0.1:9', '--output', await newPath(), '--port', '0'];
  const webhooks = ['--webhooks-to', 'http://127.0.0.1:9/hook', '--webhooks-port', new URL(taken).port];
  const { code, stderr } = await passerelle(['observe', ...args, ...webhooks]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('it is in use: choose another with --webhooks-port')]);
});

test('a wrong secret is named at once and at the end, and enters the file as no contradiction', async () => {
  const { url: partner } = await receiver((response) => response.writeHead(204).end());
  const stub = await openStub('cohesion');
  const wrong = 'whsec_b2Ygc29tZXRoaW5nIGVsc2U=';
  const { running, stop, out, hook } = await passing('cohesion', stub.url, partner, wrong);
  await stub.endpoints.add({ url: hook });
  await stub.trigger('plan.closed');
  const times = () => running.stderr.split('No signature fits: check PASSERELLE_SIGNING_SECRET (or --secret).').length - 1;
  await eventually(() => expect(times()).toBe(1));
  await stop();
  expect(times()).toBe(2);
  expect(running.stdout).not.toContain('contradict the document');
  expect((await fileOf(out)).contradictions).toEqual([]);
});
