import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { skipReasons } from '../../gateway/base/causes/cause.ts';
import { manualReasonOf } from '../../gateway/webhooks/model/jobs.ts';
import { buildTestApp, type TestGateway } from '../helper.ts';
import { until } from '../webhooks/harness.ts';
import { receiver } from '../webhooks/receiver.ts';

/** Makes a delivery. Returns it with the body and headers that the receiver got. */
async function delivered(fields: object = {}) {
  const app = await buildTestApp({ demo: false });
  const { url, received } = await receiver((response) => response.end());
  const { id: endpointId, secret } = (await app.manage('POST', '/endpoints', { service: 'cohesion', url, ...fields })).body.data;
  const test = { event_type: 'plan.closed' };
  const { id } = (await app.manage('POST', `/endpoints/${endpointId}/test`, test)).body.data;
  await until(async () => expect((await app.manage('GET', `/deliveries/${id}`)).body.data.status).toBe('delivered'));
  const [{ body, headers }] = received as [(typeof received)[number]];
  return { app, id, endpointId, secret: secret as string, body, headers: headers as Record<string, string> };
}

const diagnose = async (app: TestGateway, id: string, seen: object) => {
  const reply = await app.manage('POST', `/deliveries/${id}/diagnose`, seen);
  expect(reply.status, reply.text).toBe(200);
  return { ...reply.body.data, text: reply.text };
};

test('a delivery as it was sent is genuine, with any fields left out, and the reply has no secret', async () => {
  const { app, id, secret, body, headers } = await delivered();
  for (const seen of [{}, { body, headers }, { secret }, { body, headers, secret, attempt: 1 }]) {
    const { text, ...found } = await diagnose(app, id, seen);
    expect(found).toMatchObject({ genuine: true, attempt: 1, finding: { cause: 'none', reason: null, mistakes: [] } });
    expect(found.checked.map(({ what }: { what: string }) => what)).toEqual(['body', 'headers', 'secret']);
    expect(found.checked.map(({ same }: { same: boolean }) => same)).not.toContain(false);
    expect(text).not.toContain(secret.slice(6, 30));
  }
});

test('a mistake of the receiver is proved, and its data is compared with the sent data', async () => {
  const { app, id, secret, body, headers } = await delivered();
  const indented = await diagnose(app, id, { body: JSON.stringify(JSON.parse(body), null, 2) });
  expect(indented).toMatchObject({ genuine: false, finding: { cause: 'proved', reason: 'wrong_signature' } });
  expect(indented.finding.mistakes[0].id).toMatch(/^body_/);
  expect(indented.verdict).toContain(indented.finding.mistakes[0].says);
  expect(indented.checked[0]).toMatchObject({ what: 'body', same: false, says: expect.stringContaining('from byte 1 on') });
  expect(indented.checked[0]).toMatchObject({ case: 'body_other', values: { sent: String(Buffer.byteLength(body)), from: '1' } });
  expect(indented.verdict).toContain(indented.finding.message);

  const { 'webhook-id': _, ...fewer } = headers;
  expect(await diagnose(app, id, { headers: fewer })).toMatchObject({
    finding: { mistakes: [{ id: 'headers_incomplete' }, { id: 'other_delivery' }] },
    checked: [{}, { same: false, says: expect.stringContaining('missing: webhook-id') }, {}],
  });

  const stranger = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const other = await diagnose(app, id, { secret: stranger });
  expect(other).toMatchObject({ genuine: false, finding: { mistakes: [{ id: 'another_secret' }] } });
  expect(other.checked[2]).toMatchObject({ same: false, says: expect.stringContaining("none of the endpoint's") });
  expect(other.text).not.toContain(stranger.slice(6, 30));
  expect(other.text).not.toContain(secret.slice(6, 30));
});

test('after a rotation the attempt is verified with the secret that signed it', async () => {
  const { app, id, endpointId, secret } = await delivered();
  const rotated = (await app.manage('POST', `/endpoints/${endpointId}/rotate-secret`, {})).body.data.secret;
  expect(await diagnose(app, id, {})).toMatchObject({ genuine: true });
  expect(await diagnose(app, id, { secret })).toMatchObject({ genuine: true });
  expect(await diagnose(app, id, { secret: rotated })).toMatchObject({ genuine: false, checked: [{}, {}, { same: false }] });
});

test('during a rotation it says which secret signed which header', async () => {
  const { app, endpointId, secret } = await delivered();
  const { secret: rotated, secrets } = (await app.manage('POST', `/endpoints/${endpointId}/rotate-secret`, {})).body.data;
  const sent = (await app.manage('POST', `/endpoints/${endpointId}/test`, { event_type: 'plan.closed' })).body.data;
  await app.settled();
  const ofOld = await diagnose(app, sent.id, { secret });
  const ofNew = await diagnose(app, sent.id, { secret: rotated });
  expect([ofOld.checked[2], ofNew.checked[2]]).toEqual([
    {
      what: 'secret',
      same: true,
      says: `The receiver's secret is the endpoint's ${secrets[1].id}.`,
      case: 'secret_same',
      values: { id: secrets[1].id },
    },
    {
      what: 'secret',
      same: false,
      says: `The receiver's secret is the endpoint's ${secrets[0].id}, which signed webhook-signature. X-SERVICE-Signature was signed by ${secrets[1].id}, because one secret signs it during a rotation.`,
      case: 'secret_of_other_header',
      values: { id: secrets[0].id, header: 'X-SERVICE-Signature', signer: secrets[1].id },
    },
  ]);
});

test('forged headers are not genuine', async () => {
  const { app, id, body } = await delivered();
  const headers = { 'x-service-signature': `sha256=${createHmac('sha256', 'guess').update(body).digest('hex')}` };
  expect(await diagnose(app, id, { headers })).toMatchObject({ genuine: false, finding: { scheme: 'service-signature' } });
});

test('data that retention removed must be sent; unknown deliveries and attempts are refused', async () => {
  const { app, id, body, headers } = await delivered();
  const asked = (path: string, seen: object) => app.manage('POST', `/deliveries/${path}/diagnose`, seen);
  expect((await asked('dlv_none', {})).status).toBe(404);
  expect((await asked(id, { attempt: 9 })).body.error.message).toContain('Its stored attempts: 1.');
  expect((await asked(id, { headers: { a: 1 } })).status).toBe(400);
  await app.store.remove('attempts', {});
  expect(await asked(id, {})).toMatchObject({
    status: 409,
    body: { error: { code: 'not_kept', details: [{ field: 'headers' }] } },
  });
  expect((await asked(id, { headers })).body.data).toMatchObject({ attempt: null, genuine: true });
  await app.store.remove('events', {});
  expect((await asked(id, { headers })).body.error.details[0].field).toBe('body');
  expect((await asked(id, { headers, body })).body.data.genuine).toBe(true);
});

test('every reason has a title, a meaning and advice, and belongs to one kind', async () => {
  const app = await buildTestApp({ demo: false });
  const { data } = (await app.manage('GET', '/reasons')).body;
  const kinds = Object.groupBy(data as { reason: string; kind: string; advice: string | null }[], ({ kind }) => kind);
  expect(kinds.error?.map(({ reason }) => reason)).toContain('timeout');
  expect(kinds.skipped?.map(({ reason }) => reason)).toEqual([...skipReasons]);
  for (const { reason } of kinds.operator ?? []) expect(manualReasonOf({ reason })).toBe(reason);
  for (const { title, meaning, advice, kind } of data) {
    expect(title).toMatch(/[^.]$/);
    expect(meaning).toMatch(/\.$/);
    if (kind !== 'operator') expect(advice).toMatch(/\.$/);
  }
});
