import { MemoryStore } from '../../../gateway/store/memory/store.ts';
import type { Store } from '../../../gateway/store/port.ts';
import { type AtEnd, buildTestApp, type Method, sharedByTests } from '../../helper.ts';
import { LeapingClock } from '../../leaping-clock.ts';

/** A Saturday. */
export const startMs = Date.parse('2026-11-21T08:53:00Z');

/** A shop without the demo data, on a clock that stands still. */
export async function openShop(store: Store = new MemoryStore(), atEnd?: AtEnd) {
  const clock = new LeapingClock(startMs);
  const gateway = await buildTestApp({ clock, store, demo: false, ...(atEnd && { atEnd }) });
  const { app, services } = gateway;
  const call = (method: Method, url: string, token?: string, body?: unknown, headers: Record<string, string> = {}) =>
    gateway.call(method, url, { ...(token === undefined ? {} : { token }), body, headers });
  const manage = (method: Method, path: string, body?: unknown) => gateway.manage(method, `/pos${path}`, body);
  const openAccount = async (input: object = {}) => {
    const { id } = (await manage('POST', '/accounts', { name: 'Boutique', plan: 'enterprise', ...input })).body.data;
    const { api_key, api_secret } = (await manage('POST', `/accounts/${id}/keys`)).body.data;
    const reply = await call('POST', '/pos/api/auth', undefined, { api_key, api_secret });
    return { id: id as string, api_key: api_key as string, api_secret: api_secret as string, token: reply.body.token as string };
  };
  const events = async () => {
    const rows = await store.list('events', { order: [['id', 'asc']] });
    return rows.map(({ type, subject, body }) => ({ type, subject, data: JSON.parse(body).data }));
  };
  const quantityOf = async (productId: string, storeId = 'S1') =>
    (await store.get('stock', { store_id: storeId, product_id: productId }))?.quantity;

  await manage('POST', '/stores', { id: 'S1', name: 'Boutique Un', city: 'Abidjan' });
  await manage('POST', '/stores', { id: 'S2', name: 'Boutique Deux', city: 'Bouaké' });
  await manage('POST', '/stores/S1/products', {
    product_id: 'RIZ',
    name: 'Riz 5 kg',
    category: 'Alimentation',
    price: 4500,
    quantity: 100,
    low_threshold: 10,
  });
  await manage('POST', '/stores/S1/products', {
    product_id: 'MIL',
    name: 'Mil',
    category: 'Alimentation',
    price: 0.1,
    quantity: 50,
    low_threshold: 5,
  });
  await manage('POST', '/stores/S2/products', {
    product_id: 'RIZ',
    name: 'Riz 5 kg',
    category: 'Alimentation',
    price: 4600,
    quantity: 7,
    low_threshold: 10,
  });
  return { app, store, clock, services, call, manage, openAccount, events, quantityOf };
}

/** A shop with an account, which sells with its token. */
export async function openTill() {
  const shop = await openShop();
  return { ...shop, ...(await shop.openAccount()) };
}

/** A shop for all tests of a file whose calls store nothing, with the token of an account. */
export const unchangedShop = () =>
  sharedByTests(async (atEnd) => {
    const shop = await openShop(new MemoryStore(), atEnd);
    return { ...shop, token: (await shop.openAccount()).token };
  });

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** A sale of rice, with the changes a test needs. */
export const riceSale = (changes: object = {}) => ({
  store_id: 'S1',
  items: [{ product_id: 'RIZ', quantity: 2, price: 4500 }],
  payment_method: 'cash',
  total: 9000,
  ...changes,
});
