import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openReceiving } from '../../../contracts/tools/observed/forward.ts';
import { receiverAt } from '../../../contracts/tools/observed/upstream.ts';
import type { Webhook } from '../../../contracts/tools/observed/webhook.ts';
import { eventually } from '../../eventually.ts';
import { passerelle } from '../../program.ts';
import { openStub } from '../../stubs/partner.ts';
import { receiver } from '../../webhooks/receiver.ts';
import { fileOf, newPath, observe } from './running.ts';

async function receiving(address: string) {
  const seen: Webhook[] = [];
  const refused: string[] = [];
  const opened = await openReceiving({
    receiver: receiverAt(address),
    onWebhook: (one) => void seen.push(one),
    onRefusal: (reason) => void refused.push(reason),
  });
  onTestFinished(opened.close);
  return { url: opened.url, seen, refused };
}

test('webhooks are passed on and judged beside calls, and neither the secret nor the signature enters the file', async () => {
  const { url: partner, received } = await receiver((response) => response.writeHead(204).end());
  const stub = await openStub('pos', { assume: 'pos.signature-hex=upper-case' });
  const out = await newPath();
  const { running, stop } = await observe(stub.url, out, ['--webhooks-to', partner, '--webhooks-port', '0'], 'pos');
  await eventually(() => expect(running.stdout).toContain(` passes webhooks on to ${partner}.`));
  const [, hook = ''] = /^(\S+) passes webhooks/m.exec(running.stdout) ?? [];
  const { secret } = await stub.endpoints.add({ url: hook });
  await stub.trigger('sale.completed');
  await eventually(async () => expect((await fileOf(out)).webhooks).toBeGreaterThan(0));
  await stop();
  expect(received[0]?.body).toContain('sale.completed');
  const { entries } = await fileOf(out);
  const refuted = entries.filter(({ verdict }) => verdict === 'refuted');
  expect(refuted).toMatchObject([
    { gap: 'pos.signature-hex', alternatives: ['upper-case'], evidence: [{ calls: ['webhook 1: sale.completed'] }] },
  ]);
  const shown = (await readFile(out, 'utf8')) + running.stdout + running.stderr;
  for (const hidden of [secret ?? stub.secret, 'sha256=']) expect(shown).not.toContain(hidden);
});

test('a port of webhooks that is taken is named by its own option', async () => {
  const { url: taken } = await receiver();
  const args = ['pos', '--upstream', 'http://127.0.0.1:9', '--output', await newPath(), '--port', '0'];
  const webhooks = ['--webhooks-to', 'http://127.0.0.1:9/hook', '--webhooks-port', new URL(taken).port];
  const { code, stderr } = await passerelle(['observe', ...args, ...webhooks]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('it is in use: choose another with --webhooks-port')]);
});

test('the bytes of a webhook and its answer are passed on unchanged, so that its signature stays valid', async () => {
  const { url: partner, received } = await receiver((response) => response.writeHead(207).end('noted'));
  const { url, seen, refused } = await receiving(`${partner}?of=passerelle`);
  const body = '{ "event" : "plan.closed", "total": 1.0 }\n';
  const reply = await fetch(url, { method: 'POST', headers: { 'X-SERVICE-Signature': 'sha256=ab' }, body });
  expect([reply.status, await reply.text()]).toEqual([207, 'noted']);
  expect(received).toMatchObject([{ headers: { 'x-service-signature': 'sha256=ab' }, body, path: '/hook?of=passerelle' }]);
  expect([seen.length, refused]).toEqual([1, []]);
});

test('only the path of the receiver is passed on, and a receiver that is away is named', async () => {
  const { url, seen, refused } = await receiving('http://127.0.0.1:9/hook?key=geheim');
  const other = await fetch(new URL('/admin', url), { method: 'POST' });
  expect([other.status, other.headers.get('x-passerelle-observe')]).toEqual([404, 'not_the_receiver']);
  const reply = await fetch(url, { method: 'POST', body: '{"event":"plan.closed"}' });
  expect([reply.status, reply.headers.get('x-passerelle-observe')]).toEqual([502, 'no_answer']);
  expect(((await reply.json()) as { message: string }).message).toContain('http://127.0.0.1:9 did not answer');
  expect([seen, refused.length, refused.join().includes('geheim')]).toEqual([[], 2, false]);
});

test('a service that ends an attempt ends that of the receiver too', async () => {
  const arrived = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const { url: partner } = await receiver((response) => {
    response.once('close', ended.resolve);
    arrived.resolve();
  });
  const { url } = await receiving(partner);
  const over = new AbortController();
  const sent = fetch(url, { method: 'POST', body: '{"event":"plan.closed"}', signal: over.signal }).catch(() => 'ended');
  await arrived.promise;
  over.abort();
  expect(await sent).toBe('ended');
  await ended.promise;
});
