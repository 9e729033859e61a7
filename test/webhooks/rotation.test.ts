import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { Keyring } from '../../gateway/base/keyring.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { createEndpoint } from '../../gateway/webhooks/endpoints/endpoints.ts';
import { cancelRotation, confirmSecret, rotateSecret } from '../../gateway/webhooks/endpoints/rotation.ts';
import { signingAt } from '../../gateway/webhooks/model/secrets.ts';
import { sendTestEvent } from '../../gateway/webhooks/operator/manual.ts';
import { changesOn } from '../../gateway/webhooks/outbox/change.ts';
import { forAllAsync } from '../for-all.ts';
import { buildTestApp } from '../helper.ts';
import { storedSecret } from '../store/rows.ts';
import { rules, settled, sold, startHarness, startMs, until } from './harness.ts';
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
  const stored = async () => (await harness.store.get('endpoints', { id })) as Row<'endpoints'>;
  const rotate = (overlapHours = 24) => harness.change((one) => rotateSecret(one, { id, overlapHours }, harness.keys));
  return { ...harness, harness, to, id, old, sends, testsNewSecret, stored, rotate, counted: () => (delivered += 1) };
}

test('a receiver that checks only the documented header rejects nothing before, during and after a rotation', async () => {
  const { harness, to, old, sends, testsNewSecret, stored, rotate, counted } = await rotating();
  await sends();
  const { secret } = await rotate();
  await sends();
  expect(to.signer({ old, secret })).toBe('old');
  to.known.add(secret);
  await sends();
  expect(to.signer({ old, secret })).toBe('old');
  await testsNewSecret();
  await settled(harness, counted(), 'delivered');
  expect([to.signer({ old, secret }), to.received.at(-1)?.headers['webhook-signature']]).toEqual([
    'secret',
    expect.stringMatching(/^v1,\S+$/),
  ]);
  expect(signingAt((await stored()).secrets, startMs).unconfirmed).toBeUndefined();
  await sends();
  expect([to.signer({ old, secret }), String(to.received.at(-1)?.headers['webhook-signature']).split(' ').length]).toEqual([
    'secret',
    2,
  ]);
  await harness.clock.advance(24 * hourMs);
  to.known.delete(old);
  await sends();
  expect(to.rejected).toEqual([]);
});

test('a retry of an older event is signed by the rule that holds when it is made', async () => {
  const { harness, to, id, old, rotate } = await rotating();
  const { secret } = await rotate();
  to.known.delete(old);
  await harness.emit();
  await until(async () => expect((await harness.deliveries())[0]).toMatchObject({ attempts: 1, reason: 'status' }));
  expect(to.signer({ old, secret })).toBe('old');
  to.known.add(secret);
  await harness.change((one) => confirmSecret(one, { id }));
  await harness.clock.advance(5000);
  await settled(harness, 1, 'delivered');
  expect(to.signer({ old, secret })).toBe('secret');
});

test('a receiver that rejects the test event confirms nothing, and the test is not retried', async () => {
  const { harness, to, testsNewSecret, stored, rotate } = await rotating();
  const { endpoint } = await rotate();
  await testsNewSecret();
  await settled(harness, 1, 'failed');
  expect((await stored()).secrets).toEqual(endpoint.secrets);
  expect(to.rejected).toHaveLength(1);
});

test('a test of a secret that was withdrawn meanwhile confirms nothing', async () => {
  let answer = () => {};
  const { url, received } = await receiver((response) => {
    answer = () => void response.end('ok');
  });
  const harness = startHarness();
  const { id } = await harness.endpoint({ url });
  await harness.change((one) => rotateSecret(one, { id, overlapHours: 24 }, harness.keys));
  await harness.change((one) => sendTestEvent(one, { endpointId: id, eventType: sold.type, newSecret: true }, rules.catalogue));
  await until(async () => expect(received).toHaveLength(1));
  await harness.change((one) => cancelRotation(one, id));
  await harness.change((one) => rotateSecret(one, { id, overlapHours: 24 }, harness.keys));
  answer();
  await settled(harness, 1, 'delivered');
  const endpoint = await harness.store.get('endpoints', { id });
  expect(signingAt(endpoint?.secrets ?? [], startMs).unconfirmed).toBe(endpoint?.secrets[0]);
});

test('an unconfirmed rotation is announced in the last quarter of its overlap, once, and then takes place', async () => {
  const { harness, to, id, old, rotate, stored } = await rotating();
  const { secret } = await rotate(24);
  const { secrets } = await stored();
  await harness.clock.advance(18 * hourMs - 1);
  expect(await harness.store.list('notices')).toEqual([]);
  await harness.clock.advance(20_000);
  const [notice] = await until(async () => {
    const found = await harness.store.list('notices');
    expect(found).toHaveLength(1);
    return found;
  });
  const message = `The new secret ${secrets[0]?.id} is not confirmed. At ${new Date(startMs + 24 * hourMs).toISOString()} it replaces ${secrets[1]?.id} in X-SERVICE-Signature, and ${secrets[1]?.id} stops signing.`;
  expect(notice).toMatchObject({ kind: 'endpoint.secret_unconfirmed', endpoint_id: id, message });
  to.known.add(secret);
  await harness.clock.advance(6 * hourMs);
  await harness.emit();
  await settled(harness, 1, 'delivered');
  expect([to.signer({ old, secret }), await harness.store.count('notices')]).toEqual(['secret', 1]);
});

test('a confirmed rotation is not announced', async () => {
  const { harness, id, rotate, stored } = await rotating();
  await rotate(24);
  await harness.change((one) => confirmSecret(one, { id }));
  expect(await stored()).toMatchObject({ rotation_notice_at: null });
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

test('every order of rotations, confirmations and cancellations has a clear answer', async () => {
  const app = await buildTestApp({ demo: false });
  const created = await app.manage('POST', '/endpoints', { service: 'pos', url: 'https://example.com/hook' });
  const { id } = created.body.data;
  const post = async (path: string, body?: object) => {
    const reply = await app.manage('POST', `/endpoints/${id}/${path}`, body);
    return reply.status === 200
      ? reply.body.data.secrets.map((one: { documented_header: string }) => one.documented_header)
      : [reply.status, reply.body.error.code];
  };
  const refused = (code: string) => [409, code];
  expect(await post('confirm-secret')).toEqual(refused('no_rotation'));
  expect(await post('cancel-rotation')).toEqual(refused('no_rotation'));
  expect(await post('test', { event_type: 'sale.completed', secret: 'new' })).toEqual(refused('no_rotation'));
  expect(await post('rotate-secret', {})).toEqual(['unconfirmed', 'signs']);
  expect(await post('rotate-secret', { overlap_hours: 1 })).toEqual(['unconfirmed', 'ended', 'signs']);
  const { secrets } = (await app.manage('GET', `/endpoints/${id}`)).body.data;
  expect(new Set(secrets.slice(1).map((one: { expires_at: string }) => one.expires_at))).toEqual(
    new Set([secrets[0].documented_from]),
  );
  expect(await post('confirm-secret', { secret_id: secrets[1].id })).toEqual(refused('not_newest'));
  expect(await post('cancel-rotation')).toEqual(['signs']);
  expect(await post('cancel-rotation')).toEqual(refused('no_rotation'));
  expect(await post('rotate-secret', {})).toEqual(['unconfirmed', 'signs']);
  expect(await post('confirm-secret')).toEqual(['signs', 'ended']);
  expect(await post('confirm-secret')).toEqual(['signs', 'ended']);
  expect(await post('cancel-rotation')).toEqual(refused('no_rotation'));
  expect(await post('rotate-secret', {})).toEqual(['unconfirmed', 'signs', 'ended']);
  expect(await post('rotate-secret', { overlap_hours: 0 })).toEqual(['signs']);
  expect(await post('confirm-secret')).toEqual(['signs']);
});

test('a new endpoint keeps its secret in the documented header when a process whose clock is behind rotates it', async () => {
  const [store, keys] = [new MemoryStore(), new Keyring(randomBytes(32))];
  const changeAt = (atMs: number) => changesOn({ store, clock: new ManualClock(atMs), afterCommit: () => {} });
  const { endpoint } = await changeAt(startMs)((one) => createEndpoint(one, endpointInput, { ...rules, keys }));
  const behindMs = startMs - 20_000;
  const rotated = await changeAt(behindMs)((one) => rotateSecret(one, { id: endpoint.id, overlapHours: 1 }, keys));
  expect(signingAt(rotated.endpoint.secrets, behindMs).documented?.id).toBe(endpoint.secrets[0]?.id);
  expect(signingAt(rotated.endpoint.secrets, startMs).documented?.id).toBe(endpoint.secrets[0]?.id);
});

test('the documented header always has one signer, which changes only by a confirmation or at the announced time', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('rotate' as const), hours: fc.integer({ min: 0, max: 48 }) }),
    fc.record({ do: fc.constantFrom('confirm' as const, 'cancel' as const), hours: fc.constant(0) }),
    fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 30 }) }),
  );
  await forAllAsync(100, [fc.array(step, { maxLength: 12 })], async (steps) => {
    const [store, clock, keys] = [new MemoryStore(), new ManualClock(startMs), new Keyring(randomBytes(32))];
    const change = changesOn({ store, clock, afterCommit: () => {} });
    const { id } = (await change((one) => createEndpoint(one, endpointInput, { ...rules, keys }))).endpoint;
    const read = async () => (await store.get('endpoints', { id })) as Row<'endpoints'>;
    for (const { do: verb, hours } of steps) {
      const before = signingAt((await read()).secrets, clock.now());
      const announced = before.unconfirmed?.documented_from;
      if (verb === 'rotate') await change((one) => rotateSecret(one, { id, overlapHours: hours }, keys));
      if (verb === 'confirm') await change((one) => confirmSecret(one, { id })).catch(refusal);
      if (verb === 'cancel') await change((one) => cancelRotation(one, id)).catch(refusal);
      if (verb === 'wait') await clock.advance(hours * hourMs);
      const after = signingAt((await read()).secrets, clock.now());
      const takesOver =
        verb === 'confirm' || (verb === 'rotate' && hours === 0) || (announced !== undefined && announced <= clock.now());
      expect(after.documented?.id === before.documented?.id || takesOver).toBe(true);
      expect(after.inForce.filter(({ expires_at }) => expires_at === null)).toEqual([after.inForce[0]]);
      if (after.unconfirmed) expect(after.unconfirmed.documented_from).toBe(after.documented?.expires_at);
      else expect(after.documented).toBe(after.inForce[0]);
    }
  });
});

const endpointInput = {
  service: 'pos' as const,
  url: 'http://127.0.0.1:9/',
  description: '',
  events: null,
  perimeter: null,
  active: true,
};

function refusal(error: unknown): void {
  expect(error).toMatchObject({ kind: 'conflict', code: 'no_rotation' });
}
