import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newSigningSecret, signatureHeaders } from '../../gateway/webhooks/sending/sign.ts';
import { forAll } from '../for-all.ts';
import { startMs } from './harness.ts';
import { verifyAsPublished } from './standard-webhooks.ts';

const headerName = 'X-SERVICE-Signature';
const sign = (body: string, secrets: string[], atMs = startMs) =>
  signatureHeaders({ eventId: 'evt_1', body, atMs, secrets, headerName });

test("an independent implementation accepts any body's Standard Webhooks signature, and no other body's", () => {
  const secret = newSigningSecret();
  forAll(50, [fc.string({ unit: 'grapheme' })], (text) => {
    const body = JSON.stringify({ text });
    const headers = sign(body, [secret]);
    expect(verifyAsPublished(secret, body, headers)).toEqual({ text });
    expect(() => verifyAsPublished(secret, `${body} `, headers)).toThrow();
    expect(() => verifyAsPublished(newSigningSecret(), body, headers)).toThrow();
  });
});

test('during a rotation every valid secret verifies; the documents’ header uses the one it is told, or the newest', () => {
  const [newest, old] = [newSigningSecret(), newSigningSecret()];
  const headers = sign('{"a":1}', [newest, old]);
  const documented = signatureHeaders({
    eventId: 'evt_1',
    body: '{}',
    atMs: 0,
    secrets: [newest, old],
    documented: old,
    headerName,
  });
  expect(documented[headerName]).toBe(`sha256=${createHmac('sha256', old).update('{}').digest('hex')}`);
  expect(verifyAsPublished(newest, '{"a":1}', headers)).toEqual({ a: 1 });
  expect(verifyAsPublished(old, '{"a":1}', headers)).toEqual({ a: 1 });
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
  expect(headers[headerName]).toBe(`sha256=${createHmac('sha256', newest).update('{"a":1}').digest('hex')}`);
});

test('openssl computes the same X-SERVICE-Signature from the full text of the secret', () => {
  const secret = newSigningSecret();
  const body = '{"event":"sale.completed","ville":"Bouaké"}';
  const output = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret], { input: body, encoding: 'utf8' });
  expect(sign(body, [secret])[headerName]).toBe(`sha256=${output.trim().split(' ').at(-1)}`);
});

test('the header name is a setting, and the timestamp is the attempt’s time in whole seconds', () => {
  const headers = signatureHeaders({
    eventId: 'evt_1',
    body: '{}',
    atMs: 1_700_000_000_999,
    secrets: [newSigningSecret()],
    headerName: 'X-Other',
  });
  expect(Object.keys(headers)).toEqual(['X-Other', 'webhook-id', 'webhook-timestamp', 'webhook-signature']);
  expect(headers['webhook-timestamp']).toBe('1700000000');
});

test('a secret is whsec_ and the base64 of 32 bytes', () => {
  const secret = newSigningSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSigningSecret()).not.toBe(secret);
});

test('without a secret nothing is signed', () => {
  expect(() => sign('{}', [])).toThrow('no signing secret');
});
