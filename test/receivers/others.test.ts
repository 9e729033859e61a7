import { execFileSync, spawnSync } from 'node:child_process';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { newSigningSecret, signatureHeaders } from '../../gateway/webhooks/sending/sign.ts';

const body = '{"event":"sale.completed","ville":"Bouaké"}';
const nowMs = Date.UTC(2026, 1, 28, 23, 59, 50);
/** The packages compare with the machine's clock. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: nowMs }));
afterEach(() => void vi.useRealTimers());

const sign = (secrets: string[], atMs = nowMs) =>
  signatureHeaders({ eventId: 'evt_1', body, atMs, secrets, headerName: 'X-SERVICE-Signature' });

describe.each([
  ['standardwebhooks', StandardWebhook],
  ['svix', SvixWebhook],
])('npm %s verifies our signatures', (_name, Webhook) => {
  const [newest, old] = [newSigningSecret(), newSigningSecret()];

  test('accepts the body, by either secret of a rotation', () => {
    const headers = sign([newest, old]);
    for (const secret of [newest, old]) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
  });

  test('refuses a wrong byte, an old or future timestamp, and a secret rotated out', () => {
    const verifier = new Webhook(newest);
    expect(() => verifier.verify(body.replace('é', 'e'), sign([newest]))).toThrow(/signature/i);
    expect(() => verifier.verify(body, sign([newest], nowMs - 600_000))).toThrow(/too old/i);
    expect(() => verifier.verify(body, sign([newest], nowMs + 600_000))).toThrow(/too new/i);
    expect(() => new Webhook(old).verify(body, sign([newest]))).toThrow(/signature/i);
  });
});

const openssl = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!openssl)(`openssl dgst verifies X-SERVICE-Signature${openssl ? '' : ' (skipped: no openssl here)'}`, () => {
  const digest = (secret: string, input: string) =>
    `sha256=${execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret], { input, encoding: 'utf8' }).trim().split(' ').at(-1)}`;

  test('the same for the body; different for a wrong byte, an extra newline, or a rotated-out secret', () => {
    const [newest, old] = [newSigningSecret(), newSigningSecret()];
    const given = sign([newest, old])['X-SERVICE-Signature'];
    expect(digest(newest, body)).toBe(given);
    expect(digest(newest, body.replace('é', 'e'))).not.toBe(given);
    expect(digest(newest, `${body}\n`)).not.toBe(given);
    expect(digest(old, body)).not.toBe(given);
  });
});
