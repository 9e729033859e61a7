import { expect, onTestFinished, test } from 'vitest';
import type { Observed } from '../../../contracts/tools/observed/file.ts';
import { openReceiving } from '../../../contracts/tools/observed/forward.ts';
import { Observation } from '../../../contracts/tools/observed/observation.ts';
import { receiverAt } from '../../../contracts/tools/observed/upstream.ts';
import { openOtherCohesion } from '../../../examples/other-service/cohesion.ts';
import { demo } from '../../../examples/other-service/cohesion-data.ts';
import { openOtherPos } from '../../../examples/other-service/pos.ts';
import { type ServiceName, serviceNames } from '../../../spec/documents/services.ts';
import { playedObserved } from '../../../stubs/observed.ts';
import { notPlayed } from '../../alternative-sets.ts';
import { openReceiver as openPartner, openStub } from '../../stubs/partner.ts';
import { askCohesion } from './dashboard-suite.ts';
import { sendTo } from './making.ts';
import { deviationsIn, listedOf, observing } from './observing.ts';
import { makeCalls } from './partner-suite.ts';

const product = { product_id: 'RICE-5', name: 'Rice, 5 kg', price: 4000, quantity: 50 };
const credentials = { api_key: 'key-of-the-partner', api_secret: 'secret-of-the-partner' };
const partner = { store: 'SHOP-1', product: 'RICE-5', price: 4000, provider: 'orange' };

const others: Readonly<Record<ServiceName, () => Promise<Observed>>> = {
  async pos() {
    const service = await openOtherPos({ ...credentials, stores: { 'SHOP-1': [product] } });
    onTestFinished(() => service.close());
    const own = { ...partner, apiKey: credentials.api_key, apiSecret: credentials.api_secret };
    return observing('pos', service.url, (url) => makeCalls({ ...own, send: sendTo(url) }));
  },
  /** And a webhook of each event. */
  async cohesion() {
    const receiver = receiverAt((await openPartner(204)).url);
    const seen: Parameters<Observation['addWebhook']>[0][] = [];
    const receiving = await openReceiving({ receiver, onWebhook: (webhook) => void seen.push(webhook) });
    const { url, service, close } = await openOtherCohesion({ ...demo, hooks: [{ url: receiving.url, secret: 'secret' }] });
    onTestFinished(close);
    onTestFinished(receiving.close);
    const user = { id: 7, name: 'Awa Koné' };
    await service.move(1, 'approuve', user);
    await service.move(2, 'termine', user);
    await service.move(3, 'suspendu', user);
    await service.measure(1, 40);
    await service.closePlan(2025);
    await service.finishReport(3);
    const webhooks = new Observation('cohesion', url);
    for (const webhook of seen) webhooks.addWebhook(webhook);
    return observing('cohesion', url, (to) => askCohesion(sendTo(to), demo.tokens[0]?.token ?? ''), webhooks.observed);
  },
};

test.each(serviceNames)('every choice of another %s that single calls or webhooks show is found, and no other', async (api) => {
  const observed = await others[api]();
  expect(deviationsIn(observed).toSorted()).toEqual(listedOf(api).toSorted());
  const asked = observed.entries.filter(({ verdict }) => verdict === 'ask-owner').map(({ gap }) => gap);
  expect(asked).toEqual(expect.arrayContaining([`${api}.repeated-post`, `${api}.webhook-retries`]));
});

test('a stub that is given what was seen answers so', async () => {
  const observed = await others.pos();
  const { url } = await openStub('pos', { observed, help: false });
  const reply = await fetch(`${url}/api/v1/inventory`, { method: 'PUT' });
  expect([reply.status, reply.headers.get('content-type')]).toEqual([405, 'application/problem+json']);
});

test('what was seen and no stub plays is left out, with the reason', async () => {
  const { left } = await playedObserved('cohesion', await others.cohesion());
  const listed = listedOf('cohesion').filter((one) => notPlayed.includes(one));
  expect(listed).not.toEqual([]);
  expect(Object.keys(left).toSorted()).toEqual(listed.map((one) => one.split('=')[0]).toSorted());
});
