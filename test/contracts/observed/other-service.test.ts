import { expect, onTestFinished, test } from 'vitest';
import type { Observed } from '../../../contracts/tools/observed/file.ts';
import { type Data, openOtherPos } from '../../../examples/other-service/pos.ts';
import { playedObserved } from '../../../stubs/observed.ts';
import { openStub } from '../../stubs/partner.ts';
import { deviationsIn, failuresOf, listedOf, observing, pactOf } from './observing.ts';
import { type Made, makeCalls, type Partner } from './partner-suite.ts';

const data: Data = {
  api_key: 'key-of-the-partner',
  api_secret: 'secret-of-the-partner',
  stores: { 'SHOP-1': [{ product_id: 'RICE-5', name: 'Rice, 5 kg', price: 4000, quantity: 50 }] },
};
const partner: Omit<Partner, 'url'> = {
  apiKey: data.api_key,
  apiSecret: data.api_secret,
  store: 'SHOP-1',
  product: 'RICE-5',
  price: 4000,
  provider: 'orange',
};

const openOther = async () => {
  const service = await openOtherPos(data);
  onTestFinished(() => service.close());
  return service;
};

/** A stub with the data of the other service. */
function openAsOther(observed: Observed | undefined) {
  const { api_key, api_secret, stores } = data;
  return openStub('pos', {
    help: false,
    limits: false,
    ...(observed && { observed }),
    seed: {
      stores: Object.entries(stores).map(([id, products]) => ({ id, name: id, products })),
      accounts: [{ name: 'Partner', plan: 'enterprise', api_key, api_secret }],
    },
  });
}

const listed = listedOf('pos');

test('every choice of another service that a client sees is found, and no other', async () => {
  const service = await openOther();
  const observed = await observing('pos', service.url, (url) => makeCalls({ ...partner, url }));
  expect(deviationsIn(observed).toSorted()).toEqual(listed.toSorted());
  expect(observed.contradictions).toEqual([]);
});

/** The names of a value's fields with the kinds of their values. */
function kindsIn(value: unknown, at = '$'): string[] {
  if (Array.isArray(value)) return [`${at} array`, ...value.slice(0, 1).flatMap((one) => kindsIn(one, `${at}[]`))];
  if (typeof value !== 'object' || value === null) return [`${at} ${typeof value}`];
  return [`${at} object`, ...Object.entries(value).flatMap(([name, held]) => kindsIn(held, `${at}.${name}`))];
}

test('a stub that is given what was seen answers the same calls as the other service', async () => {
  const service = await openOther();
  let theirs: Made[] = [];
  const observed = await observing('pos', service.url, async (url) => {
    theirs = await makeCalls({ ...partner, url });
  });
  const stub = await openAsOther(observed);
  const ours = await makeCalls({ ...partner, url: stub.url });
  const { left } = await playedObserved('pos', observed);
  expect(Object.keys(left)).toEqual(['pos.report-response']);

  const differing = theirs.flatMap(({ name, status, headers, body }, at) => {
    const own = ours[at];
    if (own?.status !== status) return [`${name}: ${own?.status}, not ${status}`];
    if (own.headers.get('content-type')?.split(';')[0] !== headers.get('content-type')?.split(';')[0])
      return [`${name}: content type`];
    // The register has no entry for the fields of a product: the other service has some of ours.
    const kinds = kindsIn(own.body);
    return name.startsWith('a report of a year')
      ? []
      : kindsIn(body)
          .filter((kind) => !kinds.includes(kind))
          .map((kind) => `${name}: no ${kind}`);
  });
  expect(differing).toEqual([]);
});

const { api_key, api_secret } = data;
const success = { success: true, expires_in: 3_600_000, token_type: 'Bearer' };
const stock = [{ product_id: 'RICE-5', price: 4000 }];

/** A partner's pact of what the other service answers. */
const partnersPact = pactOf(
  ['a token', 'POST', '/api/auth', { api_key, api_secret }, 200, success],
  ['wrong credentials', 'POST', '/api/auth', { api_key, api_secret: 'wrong' }, 401, { type: 'about:blank', status: 401 }],
  ['no secret', 'POST', '/api/auth', { api_key }, 422, { status: 422 }],
  ['the sales', 'GET', '/api/v1/sales', undefined, 405, { status: 405 }],
  ['an unknown store', 'GET', '/api/v1/inventory?store_id=NOWHERE', undefined, 404, { title: 'Not Found' }],
  ['the stock', 'GET', '/api/v1/inventory?store_id=SHOP-1&page=1', undefined, 200, stock],
  ['a report without dates', 'GET', '/api/v1/reports/sales?store_id=SHOP-1', undefined, 422, { status: 422 }],
);

test('the stub passes the pact that the other service passes', async () => {
  const service = await openOther();
  const observed = await observing('pos', service.url, (url) => makeCalls({ ...partner, url }));
  const stub = await openAsOther(observed);
  const plain = await openAsOther(undefined);
  const verdicts = async (baseUrl: string) => {
    const reply = await fetch(`${baseUrl}/api/auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key, api_secret }),
    });
    const { token } = (await reply.json()) as { token: string };
    return failuresOf(partnersPact, 'pos', baseUrl, token);
  };
  expect(await verdicts(service.url)).toEqual([]);
  expect(await verdicts(stub.url)).toEqual([]);
  expect((await verdicts(plain.url)).length).toBeGreaterThan(3);
});
