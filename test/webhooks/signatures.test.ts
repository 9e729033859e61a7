import { createPrivateKey, createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { publicKeyOf, signatureHeaders } from '../../gateway/webhooks/sending/sign.ts';
import { buildTestApp, type TestGateway } from '../helper.ts';
import { startMs, until } from './harness.ts';
import { type Received, receiver } from './receiver.ts';
import { verifyAsPublished } from './standard-webhooks.ts';

/**
 * The key and the signature that Svix publishes in the tests of its server, and Standard Webhooks in its specification. The
 * libraries `standardwebhooks` 1.1.1 and `svix` 2.5.0 of npm verify `v1` only.
 */
const svix = {
  privateKey: '6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==',
  publicKey: 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=',
  eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  atMs: 1_614_265_330_000,
  body: '{"test": 2432232314}',
  signature: 'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
};

test('a v1a signature is the one that Svix publishes, under the public key that it publishes', () => {
  const bytes = Buffer.from(svix.privateKey, 'base64');
  const [d, x] = [bytes.subarray(0, 32), bytes.subarray(32)].map((part) => part.toString('base64url'));
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
  const { eventId, atMs, body } = svix;
  const signed = signatureHeaders({
    eventId,
    atMs,
    body,
    secrets: [],
    privateKeys: [key],
    documented: 'whsec_x',
    headerName: 'X-SERVICE-Signature',
  });
  expect(signed['webhook-signature']).toBe(svix.signature);
  expect(publicKeyOf(key)).toBe(svix.publicKey);
});

interface Published {
  id: string;
  public_key: string;
  valid_from: string;
  valid_until: string | null;
}

function verifies(publicKey: string, { headers, body }: Received): boolean {
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const text = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
  return made(headers, 'v1a').some((signature) => verify(null, text, key, Buffer.from(signature, 'base64')));
}

const made = (headers: Received['headers'], version: string): string[] =>
  String(headers['webhook-signature'])
    .split(' ')
    .flatMap((one) => (one.startsWith(`${version},`) ? [one.slice(version.length + 1)] : []));

const published = (app: TestGateway, id: string) => app.call('GET', `/.well-known/passerelle-webhook-keys?endpoint=${id}`);

const endMs = startMs + 3_600_000;

async function withEndpoint() {
  const clock = new ManualClock(startMs);
  const app = await buildTestApp({ demo: false, clock });
  const { url, received } = await receiver((response) => response.end());
  const { id, secret } = (await app.manage('POST', '/endpoints', { service: 'pos', url })).body.data;
  const post = async (path: string, body: object) => (await app.manage('POST', `/endpoints/${id}/${path}`, body)).body.data;
  const sends = async (body: object = {}): Promise<Received> => {
    const before = received.length;
    await post('test', { event_type: 'sale.completed', ...body });
    return until(() => {
      expect(received).toHaveLength(before + 1);
      return received[before] as Received;
    });
  };
  const set = (signatures: string) => app.manage('PATCH', `/endpoints/${id}`, { signatures });
  const keys = async (): Promise<Published[]> => (await published(app, id)).body.data;
  return { app, clock, id, secret, post, sends, set, keys };
}

test('an endpoint is signed with its secret, with its private key, or with both, and always with X-SERVICE-Signature', async () => {
  const { app, id, secret, sends, set, keys } = await withEndpoint();
  const [key] = await keys();
  const isSignedWith = (request: Received) => ({
    v1: made(request.headers, 'v1').length,
    v1a: made(request.headers, 'v1a').length,
    documented: /^sha256=/.test(String(request.headers['x-service-signature'])),
  });
  expect((await app.manage('GET', `/endpoints/${id}`)).body.data.signatures).toBe('v1');
  expect(isSignedWith(await sends())).toEqual({ v1: 1, v1a: 0, documented: true });

  expect((await set('both')).body.data.signatures).toBe('both');
  const both = await sends();
  expect(isSignedWith(both)).toEqual({ v1: 1, v1a: 1, documented: true });
  expect(verifies(key?.public_key ?? '', both)).toBe(true);
  expect(verifies(svix.publicKey, both)).toBe(false);
  // The published library ignores a version that it does not know.
  expect(() => verifyAsPublished(secret, both.body, both.headers)).not.toThrow();

  await set('v1a');
  const alone = await sends();
  expect(isSignedWith(alone)).toEqual({ v1: 0, v1a: 1, documented: true });
  expect(verifies(key?.public_key ?? '', alone)).toBe(true);
  expect((await set('v2')).body.error.details).toMatchObject([{ field: 'signatures' }]);
});

test('the public keys rotate with the secrets: a new one is published at once, both sign, and the old one ends', async () => {
  const { clock, post, sends, set, keys } = await withEndpoint();
  await set('v1a');
  const [first] = await keys();
  expect(first).toMatchObject({ valid_from: new Date(startMs).toISOString(), valid_until: null });

  await post('rotate-secret', { overlap_hours: 1 });
  const [newest, old] = await keys();
  expect([old?.id, old?.public_key, old?.valid_until]).toEqual([first?.id, first?.public_key, new Date(endMs).toISOString()]);
  const during = await sends();
  expect([newest, old].map((key) => verifies(key?.public_key ?? '', during))).toEqual([true, true]);
  const tested = await sends({ secret: 'new' });
  expect([newest, old].map((key) => verifies(key?.public_key ?? '', tested))).toEqual([true, false]);

  await clock.advance(3_600_000);
  expect(await keys()).toEqual([newest]);
  const after = await sends();
  expect(made(after.headers, 'v1a')).toHaveLength(1);
  expect(verifies(newest?.public_key ?? '', after)).toBe(true);
});

test('anybody reads the keys of one endpoint, and they are public keys only', async () => {
  const { app, id } = await withEndpoint();
  const reply = await published(app, id);
  expect(reply.headers['cache-control']).toBe('public, max-age=300');
  expect(Object.keys(reply.body.data[0])).toEqual(['id', 'public_key', 'valid_from', 'valid_until']);
  expect(reply.body.data[0].public_key).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
  expect((await app.manage('GET', `/endpoints/${id}/public-keys`)).body).toEqual(reply.body);
  const unknown = await published(app, 'ep_of_nobody');
  expect([unknown.status, JSON.stringify(unknown.body)]).toEqual([404, expect.not.stringContaining('/manage')]);
  expect((await app.call('GET', '/.well-known/passerelle-webhook-keys')).status).toBe(400);
  const misspelt = await published(app, `${id}&endpont=${id}`);
  expect([misspelt.status, JSON.stringify(misspelt.body)]).toEqual([400, expect.stringMatching('endpont.*endpoint')]);

  const other = (await app.manage('POST', '/endpoints', { service: 'pos', url: 'https://example.com/hook' })).body.data;
  expect((await published(app, other.id)).body.data[0].public_key).not.toBe(reply.body.data[0].public_key);
});
