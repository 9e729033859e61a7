import { expect, onTestFinished, test } from 'vitest';
import { openForwarding } from '../../../contracts/tools/observed/forward.ts';
import { Observation } from '../../../contracts/tools/observed/observation.ts';
import { openReceiver, openUpstream } from '../../../contracts/tools/observed/upstream.ts';
import { openReceiving } from '../../../contracts/tools/observed/webhooks/receive.ts';
import { openOtherCohesion } from '../../../examples/other-service/cohesion.ts';
import { demo } from '../../../examples/other-service/cohesion-data.ts';
import { playedObserved } from '../../../stubs/observed.ts';
import { notPlayed } from '../../alternative-sets.ts';
import { openReceiver as openPartner, openStub } from '../../stubs/partner.ts';
import { askCohesion } from './dashboard-suite.ts';
import { deviationsIn, failuresOf, listedOf, pactOf } from './observing.ts';

const secret = 'secret-of-the-endpoint';
const token = demo.tokens[0]?.token ?? '';

/** Observes the calls of a partner's tests, and a webhook of each event, the first of which is refused once. */
async function observeOther() {
  const partner = await openPartner(500, 204);
  const receiver = openReceiver(partner.url);
  const closing: (() => unknown)[] = [];
  onTestFinished(async () => {
    for (const close of closing) await close();
  });
  let observation: Observation | undefined;
  const receiving = await openReceiving({ receiver, secret, onWebhook: (webhook) => void observation?.addWebhook(webhook) });
  const other = await openOtherCohesion({ ...demo, hooks: [{ url: receiving.url, secret }] });
  const upstream = openUpstream(other.url);
  const seeing = new Observation('cohesion', upstream.origin);
  observation = seeing;
  const forwarding = await openForwarding({
    api: 'cohesion',
    upstream,
    allowWrites: true,
    onCall: (call) => void seeing.add(call, new Date()),
  });
  closing.push(forwarding.close, receiving.close, () => other.close());
  await askCohesion(forwarding.url, token, 1);
  const user = { id: 7, name: 'Awa Koné' };
  await other.service.move(1, 'approuve', user);
  await other.service.move(2, 'termine', user);
  await other.service.move(3, 'suspendu', user);
  await other.service.measure(1, 40);
  await other.service.closePlan(2025);
  await other.service.finishReport(3);
  expect(partner.received).toHaveLength(7);
  return { observed: seeing.observed, url: other.url };
}

const listed = listedOf('cohesion');

test('every choice of another service that a client or a receiver sees is found, and no other', async () => {
  const { observed } = await observeOther();
  expect(deviationsIn(observed).toSorted()).toEqual(listed.toSorted());
  expect(observed.contradictions).toEqual([]);
});

const financing = { structure_id: 1, exercice: 2026, bailleur: 'UE', type: 'don', intitule: 'Appui', montant: 5 };

const pact = pactOf(
  ['who I am', 'GET', '/api/v1/me', undefined, 200, { data: { user: { role: 'editor' } } }],
  ['the indicators', 'GET', '/api/v1/indicateurs?per_page=500', undefined, 200, { meta: { per_page: 100 } }],
  ['a surplus parameter', 'GET', '/api/v1/indicateurs?sort=code', undefined, 200, { meta: { page: 1 } }],
  ['a page after the last', 'GET', '/api/v1/indicateurs?page=99', undefined, 404, { error: {} }],
  ['an unknown indicator', 'GET', '/api/v1/indicateurs/999', undefined, 404, { error: {} }],
  ['an unknown status', 'GET', '/api/v1/interventions?statut=rejete', undefined, 422, { error: {} }],
  ['the structures', 'GET', '/api/v1/structures?per_page=10', undefined, 200, { meta: { per_page: 25 } }],
  ['a method that is not there', 'DELETE', '/api/v1/me', undefined, 405, { error: {} }],
  ['a negative amount', 'POST', '/api/v1/financements', { ...financing, montant: 0 }, 422, { error: {} }],
  ['a financing', 'POST', '/api/v1/financements', financing, 200, { data: { devise: 'EUR', statut: 'promis' } }],
);

test('the stub with what was seen passes the pact that the other service passes, and a plain stub does not', async () => {
  const { observed, url } = await observeOther();
  const stub = await openStub('cohesion', { help: false, limits: false, observed });
  const plain = await openStub('cohesion', { help: false, limits: false });
  expect(await failuresOf(pact, 'cohesion', url, token)).toEqual([]);
  expect(await failuresOf(pact, 'cohesion', stub.url, stub.credentials.token)).toEqual([]);
  expect((await failuresOf(pact, 'cohesion', plain.url, plain.credentials.token)).length).toBeGreaterThan(6);
});

test('what no stub plays is said, and the rest is played in webhooks too', async () => {
  const { observed } = await observeOther();
  const { left, assumed } = await playedObserved('cohesion', observed);
  expect(Object.keys(left).toSorted()).toEqual(
    listed
      .filter((one) => notPlayed.includes(one))
      .map((one) => one.split('=')[0])
      .toSorted(),
  );
  const partner = await openPartner(204);
  const stub = await openStub('cohesion', { observed, webhooks: [{ url: partner.url }] });
  await stub.trigger('plan.closed');
  const { headers, body } = partner.received[0] as (typeof partner.received)[number];
  expect(assumed).toMatchObject({ 'cohesion.signature-hex': 'upper-case' });
  expect(headers['x-service-signature']).toMatch(/^sha256=[0-9A-F]{64}$/);
  expect(headers['webhook-id']).toBeUndefined();
  expect(JSON.parse(body)).toMatchObject({ event_type: 'plan.closed' });
});
