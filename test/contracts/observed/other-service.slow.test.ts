import { expect, onTestFinished, test } from 'vitest';
import type { Observed } from '../../../contracts/tools/observed/file.ts';
import { Observation } from '../../../contracts/tools/observed/observation.ts';
import { openReceiver } from '../../../contracts/tools/observed/upstream.ts';
import { openReceiving } from '../../../contracts/tools/observed/webhooks/receive.ts';
import { openOtherCohesion } from '../../../examples/other-service/cohesion.ts';
import { demo } from '../../../examples/other-service/cohesion-data.ts';
import { type Data, openOtherPos } from '../../../examples/other-service/pos.ts';
import { type ServiceName, serviceNames } from '../../../spec/documents/services.ts';
import { playedObserved } from '../../../stubs/observed.ts';
import { notPlayed } from '../../alternative-sets.ts';
import { openReceiver as openPartner, openStub } from '../../stubs/partner.ts';
import { askCohesion } from './dashboard-suite.ts';
import { type Made, sendTo } from './making.ts';
import { deviationsIn, listedOf, observing } from './observing.ts';
import { makeCalls } from './partner-suite.ts';

const data: Data = {
  api_key: 'key-of-the-partner',
  api_secret: 'secret-of-the-partner',
  stores: { 'SHOP-1': [{ product_id: 'RICE-5', name: 'Rice, 5 kg', price: 4000, quantity: 50 }] },
};
const { api_key, api_secret, stores } = data;
const own = { apiKey: api_key, apiSecret: api_secret, store: 'SHOP-1', product: 'RICE-5', price: 4000, provider: 'orange' };
const seed = {
  stores: Object.entries(stores).map(([id, products]) => ({ id, name: id, products })),
  accounts: [{ name: 'Partner', plan: 'enterprise' as const, api_key, api_secret }],
};
const secret = 'secret-of-the-endpoint';
const token = demo.tokens[0]?.token ?? '';

interface Other {
  /** Observes the calls of a partner's tests. Returns what they were answered. */
  observe(): Promise<{ observed: Observed; made: Made[] }>;
  /** Makes the same calls to a stub with the same data. */
  askStub(observed?: Observed): Promise<Made[]>;
  /** Answers that depend on more than the register has entries for, such as how many records there are, or that no stub plays. */
  exempt: RegExp;
}

const others: Readonly<Record<ServiceName, Other>> = {
  pos: {
    async observe() {
      const service = await openOtherPos(data);
      onTestFinished(() => service.close());
      let made: Made[] = [];
      const observed = await observing('pos', service.url, async (url) => {
        made = await makeCalls({ ...own, send: sendTo(url) });
      });
      return { observed, made };
    },
    async askStub(observed) {
      const { url } = await openStub('pos', { help: false, limits: false, ...(observed && { observed }), seed });
      return makeCalls({ ...own, send: sendTo(url) });
    },
    exempt: /^a (report of a year|sale (below|over) its sum|part of a payment|sale of more than the stock)/,
  },
  cohesion: {
    /** And a webhook of each event, the first of which is refused once. */
    async observe() {
      const partner = await openPartner(500, 204);
      const webhooks = new Observation('cohesion', 'http://127.0.0.1');
      const receiving = await openReceiving({
        receiver: openReceiver(partner.url),
        secret,
        onWebhook: (webhook) => void webhooks.addWebhook(webhook),
      });
      const { url, service, close } = await openOtherCohesion({ ...demo, hooks: [{ url: receiving.url, secret }] });
      onTestFinished(close);
      onTestFinished(receiving.close);
      const user = { id: 7, name: 'Awa Koné' };
      await service.move(1, 'approuve', user);
      await service.move(2, 'termine', user);
      await service.move(3, 'suspendu', user);
      await service.measure(1, 40);
      await service.closePlan(2025);
      await service.finishReport(3);
      expect(partner.received).toHaveLength(7);
      let made: Made[] = [];
      const ask = async (to: string) => {
        made = await askCohesion(sendTo(to), token);
      };
      return { observed: await observing('cohesion', url, ask, webhooks.observed), made };
    },
    async askStub(observed) {
      const { url, credentials } = await openStub('cohesion', { help: false, limits: false, ...(observed && { observed }) });
      return askCohesion(sendTo(url), credentials.token);
    },
    exempt: /^GET \/(indicateurs\?page=2|stats|interventions) |^PUT .*: content type$|^P.*: 20[04], not 422$/,
  },
};

test.each(serviceNames)('every choice of another %s that a client or a receiver sees is found, and no other', async (api) => {
  const { observed } = await others[api].observe();
  expect(deviationsIn(observed).toSorted()).toEqual(listedOf(api).toSorted());
  expect(observed.contradictions).toEqual([]);
});

/** The names of a value's fields with the kinds of their values. */
function kindsIn(value: unknown, at = '$'): string[] {
  if (Array.isArray(value)) return [`${at} array`, ...value.slice(0, 1).flatMap((one) => kindsIn(one, `${at}[]`))];
  if (typeof value !== 'object' || value === null) return [`${at} ${typeof value}`];
  return [`${at} object`, ...Object.entries(value).flatMap(([name, held]) => kindsIn(held, `${at}.${name}`))];
}

/** What a stub answers otherwise. The register has no entry for the fields of a product: the other service has some of ours. */
const differing = (theirs: readonly Made[], ours: readonly Made[]): string[] =>
  theirs.flatMap(({ name, status, headers, body }, at) => {
    const own = ours[at];
    if (own?.status !== status) return [`${name}: ${own?.status}, not ${status}`];
    if (own.headers.get('content-type')?.split(';')[0] !== headers.get('content-type')?.split(';')[0])
      return [`${name}: content type`];
    const kinds = kindsIn(own.body);
    return kindsIn(body)
      .filter((kind) => !kinds.includes(kind))
      .map((kind) => `${name}: no ${kind}`);
  });

test.each(serviceNames)('a stub that is given what was seen answers as the other %s, and a plain one does not', async (api) => {
  const { observe, askStub, exempt } = others[api];
  const { observed, made } = await observe();
  expect(differing(made, await askStub(observed)).filter((one) => !exempt.test(one))).toEqual([]);
  expect(differing(made, await askStub()).length).toBeGreaterThan(20);
  const { left } = await playedObserved(api, observed);
  const listed = listedOf(api).filter((one) => notPlayed.includes(one));
  expect(Object.keys(left).toSorted()).toEqual(listed.map((one) => one.split('=')[0]).toSorted());
});
