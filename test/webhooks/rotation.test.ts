import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { rotateSecret } from '../../gateway/webhooks/endpoints/rotation.ts';
import { sendTestEvent } from '../../gateway/webhooks/operator/manual.ts';
import { storedSecret } from '../store/rows.ts';
import { rules, settled, sold, startHarness, until } from './harness.ts';
import { receiver } from './receiver.ts';

const hourMs = 3_600_000;
const hmac = (secret: string, body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** A receiver that checks only the header of the API documents, against the secrets that it knows. */
async function documentedReceiver() {
  const known = new Set<string>();
  const rejected: string[] = [];
  const { url, received } = await receiver((response, { headers, body }) => {
    const genuine = [...known].some((secret) => hmac(secret, body) === headers['x-service-signature']);
    if (!genuine) rejected.push(String(headers['webhook-id']));
    response.writeHead(genuine ? 204 : 401).end();
  });
  const signer = (secrets: Record<string, string>, at = received.length - 1) =>
    Object.entries(secrets).find(
      ([, secret]) => hmac(secret, received[at]?.body ?? '') === received[at]?.headers['x-service-signature'],
    )?.[0];
  return { url, received, known, rejected, signer };
}

async function rotating() {
  const to = await documentedReceiver();
  const harness = startHarness();
  const { id, secret: old } = await harness.endpoint({ url: to.url });
  to.known.add(old);
  let delivered = 0;
  const sends = async () => {
    await harness.emit();
    delivered += 1;
    await settled(harness, delivered, 'delivered');
  };
  const testsNewSecret = () =>
    harness.change((one) => sendTestEvent(one, { endpointId: id, eventType: sold.type, newSecret: true }, rules.catalogue));
  const rotate = (overlapHours = 24) => harness.change((one) => rotateSecret(one, { id, overlapHours }, harness.keys));
  return { harness, to, id, old, sends, testsNewSecret, rotate, counted: () => (delivered += 1) };
}

test('a receiver that checks only the documented header rejects nothing before, during and after a rotation', async () => {
  const { harness, to, old, sends, testsNewSecret, rotate, counted } = await rotating();
  await sends();
  const { secret } = await rotate();
  await sends();
  expect(to.signer({ old, secret })).toBe('old');
  to.known.add(secret);
  await testsNewSecret();
  await settled(harness, counted(), 'delivered');
  expect([to.signer({ old, secret }), to.received.at(-1)?.headers['webhook-signature']]).toEqual([
    'secret',
    expect.stringMatching(/^v1,\S+$/),
  ]);
  await sends();
  expect([to.signer({ old, secret }), String(to.received.at(-1)?.headers['webhook-signature']).split(' ').length]).toEqual([
    'old',
    2,
  ]);
  await harness.clock.advance(24 * hourMs);
  to.known.delete(old);
  await sends();
  expect(to.signer({ old, secret })).toBe('secret');
  expect(to.rejected).toEqual([]);
});

test('a retry of an older event is signed by the secrets that are valid when it is made', async () => {
  const { harness, to, old, rotate } = await rotating();
  const { secret } = await rotate();
  to.known.delete(old);
  await harness.emit();
  await until(async () => expect((await harness.deliveries())[0]).toMatchObject({ attempts: 1, reason: 'status' }));
  expect(to.signer({ old, secret })).toBe('old');
  to.known.add(secret);
  await rotate(0);
  to.known.add(old);
  await harness.clock.advance(5000);
  await until(() => expect(to.received).toHaveLength(2));
  expect(to.signer({ old, secret })).toBeUndefined();
});

test('a receiver that does not know the new secret rejects its test, which is not retried', async () => {
  const { harness, to, testsNewSecret, rotate } = await rotating();
  await rotate();
  await testsNewSecret();
  await settled(harness, 1, 'failed');
  expect(to.rejected).toHaveLength(1);
});

test('if the old secret cannot be decrypted, the new one signs at once', async () => {
  const { harness, to, id, old, rotate } = await rotating();
  await harness.store.update('endpoints', { id }, { secrets: [storedSecret('v1.AAAA.AAAA.AAAA')] });
  const { secret, endpoint } = await rotate(24);
  expect(endpoint.secrets).toHaveLength(1);
  to.known.add(secret);
  await harness.emit();
  await settled(harness, 1, 'delivered');
  expect(to.signer({ old, secret })).toBe('secret');
});
