import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { type Data, openOtherPos } from '../../../examples/other-service/pos.ts';
import { deviationsIn, observing } from './observing.ts';
import { makeCalls, type Partner } from './partner-suite.ts';

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
