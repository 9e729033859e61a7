import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { type Data, openOtherPos } from '../../../examples/other-service/pos.ts';
import { playedObserved } from '../../../stubs/observed.ts';
import { openStub } from '../../stubs/partner.ts';
import { deviationsIn, observing } from './observing.ts';
import { type Made, makeCalls, type Partner } from './partner-suite.ts';

const data: Data = {
  api_key: 'key-of-the-partner',
  api_secret: 'secret-of-the-partner',
  stores: { 'SHOP-1': [{ product_id: 'RICE-5', name: 'Rice, 5 kg', price: 4000, quantity: 50 }] },
};
const partner: Omit<Partner, 'url'> = {
  ...{ apiKey: data.api_key, apiSecret: data.api_secret, store: 'SHOP-1', product: 'RICE-5', price: 4000, provider: 'orange' },
};

const openOther = async () => {
  const service = await openOtherPos(data);
  onTestFinished(() => service.close());
  return service;
};

/** The choices that the service's README lists: `pos.sale-status=200`. */
const listed = [
  ...readFileSync(new URL('../../../examples/other-service/README.md', import.meta.url), 'utf8').matchAll(
    /^\| `(pos\.[a-z-]+)` \| `([a-z0-9-]+)` \|$/gm,
  ),
].map(([, gap, way]) => `${gap}=${way}`);

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
  const [[id = '', products = []] = []] = Object.entries(data.stores);
  const { api_key, api_secret } = data;
  const stub = await openStub('pos', {
    ...{ observed, help: false, limits: false },
    seed: { stores: [{ id, name: id, products }], accounts: [{ name: 'Partner', plan: 'enterprise', api_key, api_secret }] },
  });
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
