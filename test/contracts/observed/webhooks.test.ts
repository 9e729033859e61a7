import { expect, onTestFinished, test } from 'vitest';
import { noted } from '../../../contracts/tools/observed/notes.ts';
import { openReceiver } from '../../../contracts/tools/observed/upstream.ts';
import { openReceiving } from '../../../contracts/tools/observed/webhooks/receive.ts';
import { keyOf } from '../../../contracts/tools/observed/webhooks/signature.ts';
import type { Received } from '../../../contracts/tools/observed/webhooks/webhook.ts';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { signatureOf } from '../../stubs/partner.ts';
import { receiver } from '../../webhooks/receiver.ts';
import { observedOf, type Sent } from './samples.ts';

/** The verdict on one entry: `choice`, an alternative, or what remains of it. */
function verdictOn(gap: string, ...sent: Sent[]): string {
  const [api = ''] = gap.split('.');
  const entry = observedOf(api as ServiceName, ...sent).entries.find((one) => one.gap === gap);
  const { verdict, alternatives = [], open = [] } = entry ?? {};
  if (verdict === 'confirmed') return `confirmed, open: ${open.join()}`;
  return verdict === 'refuted' ? alternatives.join('|') || 'something else' : String(verdict);
}

const failed = { answer: { status: 500, headers: {} } };
const first = { headers: { 'webhook-id': 'evt-1' } };
const second = { headers: { 'webhook-id': 'evt-2' } };
const retries = 'cohesion.webhook-retries';
const timeouts = 'cohesion.webhook-timeouts';
const sale = { event: 'sale.completed', delivered_at: '2026-11-23T12:00:00+00:00' };
const givenUp = (took: number) => [{ isGivenUp: true, answer: undefined, took }];
/** A failed attempt, and what arrives after so many seconds. */
const after = (seconds: number, next: Sent, answer: Sent['answer'] = failed.answer) => [
  { ...first, answer },
  { ...next, seconds },
];
const askedFor = { status: 503, headers: { 'retry-after': '60' } };

test.each<[what: string, gap: string, sent: Sent[], verdict: string]>([
  ['a retry at once', retries, after(1, first), 'three'],
  ['a retry that was asked for', retries, after(60, first, askedFor), 'confirmed, open: three'],
  ['no retry after 410', retries, after(300, second, { status: 410, headers: {} }), 'not-seen'],
  ['an attempt given up after 5 s', timeouts, givenUp(5.2), '5-s'],
  ['an attempt given up after 15 s', timeouts, givenUp(15), 'confirmed, open: '],
  ['an attempt given up at once', timeouts, givenUp(0.2), 'not-seen'],
  ['a slow answer', timeouts, [{ took: 20 }], '30-s'],
  [
    'another signature',
    'pos.webhook-signing',
    [{ body: sale, headers: { 'x-hub-signature-256': 'sha256=ab' } }],
    'something else',
  ],
  [
    'our signature alone',
    'pos.webhook-signing',
    [{ body: sale, headers: { 'x-service-signature': `sha256=${'ab'.repeat(32)}` } }],
    'something else',
  ],
  ['another envelope', 'pos.webhook-envelope', [{ body: { topic: 'sale.completed', payload: {} } }], 'something else'],
  ['some standard headers', 'cohesion.webhook-standard-headers', [{ headers: { 'webhook-id': 'a' } }], 'something else'],
  ['the whole secret', 'cohesion.webhook-secret', [{ keyedWith: 'secret' }], 'confirmed, open: '],
])('%s: %s', (_what, gap, sent, verdict) => {
  expect(verdictOn(gap, ...sent)).toBe(verdict);
});

test('what is no event of the document shows nothing', () => {
  for (const sent of [{ body: 'hello' }, { body: { event: 'club.founded' } }, { body: undefined }]) {
    const { entries, webhooks } = observedOf('cohesion', sent);
    expect(entries.filter(({ evidence }) => evidence.length > 0)).toEqual([]);
    expect(webhooks).toBe(1);
  }
});

test('only attempts of one event say what delivered_at is: not two events with equal data', () => {
  const gap = 'cohesion.delivered-at';
  const event = (delivered_at: string, headers = {}) => ({
    body: { event: 'intervention.validated', delivered_at, data: { intervention_id: 7, region: 'Gbêkê' } },
    headers,
  });
  const [at, later] = ['2026-11-23T12:00:00+00:00', '2026-11-23T12:05:00+00:00'];
  expect(verdictOn(gap, event(at), { ...event(later), seconds: 300 })).toBe('not-seen');
  expect(verdictOn(gap, event(at, { 'webhook-id': 'a' }), event(later, { 'webhook-id': 'b' }))).toBe('not-seen');
  const id = { 'webhook-id': 'a' };
  expect(verdictOn(gap, { ...event(at, id), ...failed }, { ...event(later, id), seconds: 5 })).toBe('attempt');
});

test('two events of equal data are not one that arrives twice', () => {
  const event = (type: string, delivered_at: string) => ({ body: { event: type, delivered_at, data: { intervention_id: 7 } } });
  const at = (minute: number) => `2026-11-23T12:0${minute}:00+00:00`;
  const pair = (type: string, one: number, other: number) => [
    { ...event(type, at(one)), seconds: one * 60 },
    { ...event(type, at(other)), seconds: other * 60 },
  ];
  const both = (apart: number) => [...pair('intervention.validated', 0, apart), ...pair('intervention.terminated', 3, 3 + apart)];
  expect(verdictOn('cohesion.event-order', ...both(1))).toBe('not-seen');
  expect(verdictOn('cohesion.event-order', ...both(0))).toBe('twice');
});

test('what one reply says of each of its records counts once', () => {
  const finding = { gap: 'cohesion.attainment-rate', excludes: ['fraction'], because: 'the rate is a percentage' };
  const said = { findings: [finding, { ...finding }, { ...finding }], contradictions: [] };
  const calls = ['run 1, call 1', 'run 1, call 2'].map((id) => ({ id, ...said }));
  const notes = calls.reduce(noted, { findings: [], contradictions: [] });
  expect(notes.findings).toMatchObject([{ times: 2, calls: ['run 1, call 1', 'run 1, call 2'] }]);
});

test('a webhook that lacks what the document shows contradicts it', () => {
  const body = { event: 'intervention.validated', delivered_at: 'yesterday', data: { intervention_id: '7' } };
  const { contradictions } = observedOf('cohesion', { body, headers: {} });
  expect(contradictions.map(({ saw }) => saw)).toEqual(
    expect.arrayContaining([
      'a webhook has no such header',
      'delivered_at is another string',
      'data.intervention_id is another string',
      'data.region is missing',
    ]),
  );
});

test('which key a signature was made with is found, whatever the case of its digits', () => {
  const [secret, bytes] = ['whsec_c2VjcmV0LW9mLXRoZS1wYXJ0bmVy', Buffer.from('{ "a": 1.0 }')];
  const signed = (key: string | Buffer) => signatureOf(key, String(bytes));
  const key = (value: string, given: string | undefined = secret) => keyOf(given, { 'x-service-signature': value }, bytes);
  expect(key(signed(secret))).toBe('secret');
  expect(key(signed(secret).toUpperCase().replace('SHA256', 'sha256'))).toBe('secret');
  expect(key(signed(Buffer.from('secret-of-the-partner')))).toBe('decoded-bytes');
  expect(key(signed('x'))).toBe('another');
  expect(keyOf(undefined, { 'x-service-signature': signed(secret) }, bytes)).toBeUndefined();
  expect(keyOf(secret, {}, bytes)).toBeUndefined();
});

async function receiving(address: string, secret?: string) {
  const receiver = openReceiver(address);
  const seen: Received[] = [];
  const refused: string[] = [];
  const opened = await openReceiving({
    receiver,
    secret,
    onWebhook: (one) => void seen.push(one),
    onRefusal: (reason) => void refused.push(reason),
  });
  onTestFinished(opened.close);
  return { url: opened.url, seen, refused };
}

test('a webhook is passed on unchanged, so that its signature stays valid, and so is its answer', async () => {
  const { url: partner, received } = await receiver((response) => response.writeHead(207).end('noted'));
  const secret = 'whsec_c2VjcmV0LW9mLXRoZS1wYXJ0bmVy';
  const { url, seen, refused } = await receiving(`${partner}?of=passerelle`, secret);
  const body = '{ "event" : "plan.closed", "total": 1.0 }\n';
  const signature = signatureOf(secret, body);
  const reply = await fetch(url, { method: 'POST', headers: { 'X-SERVICE-Signature': signature }, body });
  expect([reply.status, await reply.text()]).toEqual([207, 'noted']);
  expect(received).toMatchObject([{ headers: { 'x-service-signature': signature }, body, path: '/hook?of=passerelle' }]);
  expect(seen).toMatchObject([{ keyedWith: 'secret', isGivenUp: false, answer: { status: 207 } }]);
  expect(refused).toEqual([]);
});

test('only the path of the receiver is passed on, and a receiver that is away is a failed attempt', async () => {
  const { url, seen, refused } = await receiving('http://127.0.0.1:9/hook?key=geheim');
  const other = await fetch(new URL('/admin', url), { method: 'POST' });
  expect([other.status, other.headers.get('x-passerelle-observe')]).toEqual([404, 'not_the_receiver']);
  expect(seen).toEqual([]);
  const reply = await fetch(url, { method: 'POST', body: '{"event":"plan.closed"}' });
  expect([reply.status, reply.headers.get('x-passerelle-observe')]).toEqual([502, 'receiver_unreachable']);
  expect(await reply.json()).toEqual({
    message: expect.stringContaining('the receiver at http://127.0.0.1:9/hook did not answer'),
  });
  expect(seen).toMatchObject([{ isGivenUp: false, body: { event: 'plan.closed' } }]);
  expect(seen[0]?.answer).toBeUndefined();
  expect(refused).toHaveLength(2);
});

test('a service that ends an attempt ends that of the receiver too', async () => {
  const arrived = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const { url: partner } = await receiver((response) => {
    response.once('close', ended.resolve);
    arrived.resolve();
  });
  const { url, seen } = await receiving(partner);
  const over = new AbortController();
  const sent = fetch(url, { method: 'POST', body: '{"event":"plan.closed"}', signal: over.signal }).catch(() => 'ended');
  await arrived.promise;
  over.abort();
  expect(await sent).toBe('ended');
  await ended.promise;
  await expect.poll(() => seen).toMatchObject([{ isGivenUp: true }]);
});
