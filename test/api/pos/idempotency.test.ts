import type { FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { forgetIdempotencyKeys, once } from '../../../gateway/api/pos/domain/idempotency.ts';
import { openShop, riceSale, type Shop, unchangedShop } from './harness.ts';

const sales = '/pos/api/v1/sales';
const refusing = unchangedShop();
const key = { 'idempotency-key': 'till-4-000123' };

async function openTill(shop?: Shop) {
  const open = shop ?? (await openShop());
  const { id, token } = await open.openAccount();
  return {
    ...open,
    id,
    token,
    sell: (body: unknown, headers: Record<string, string> = key) => open.call('POST', sales, token, body, headers),
  };
}

describe('a repeated Idempotency-Key', () => {
  test('gets the first reply again, byte for byte, and changes nothing', async () => {
    const { sell, store, events, clock } = await openTill();
    const first = await sell(riceSale());
    await clock.advance(60_000);
    const again = await sell(riceSale());
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.text).toBe(first.text);
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([undefined, 'true']);
    expect([await store.count('sales'), (await events()).length]).toEqual([1, 1]);
  });

  test('with another body, or another operation, is refused', async () => {
    const { sell, call, token, store } = await openTill();
    const first = await sell(riceSale({ payment_method: 'mobile_money' }));
    const others = [
      await sell(riceSale()),
      await sell(`${JSON.stringify(riceSale({ payment_method: 'mobile_money' }))} `),
      await call(
        'POST',
        '/pos/api/v1/payment/mobile',
        token,
        { amount: 1, phone: '0700000000', provider: 'mtn_momo', reference: first.body.data.reference },
        key,
      ),
    ];
    for (const { status, body } of others) expect([status, body.error.code]).toEqual([400, 'idempotency_key_reused']);
    expect([await store.count('sales'), await store.count('payments')]).toEqual([1, 0]);
  });

  test('with another operation or method is refused, even if the body is the same', async () => {
    const { services, id, store } = await openTill();
    const account = await store.get('accounts', { id });
    const ask = (method: string, url: string) => {
      const request = { method, url, rawBody: '{}', headers: key, caller: { account } } as unknown as FastifyRequest;
      return services.change((change) => once(change, request, { status: 201, data: z.string() }, async () => url));
    };
    expect(await ask('POST', '/api/v1/sales')).toMatchObject({ replayed: false });
    expect(await ask('POST', '/api/v1/sales?again')).toMatchObject({ replayed: true });
    await expect(ask('POST', '/api/v1/refunds')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    await expect(ask('PUT', '/api/v1/sales')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  test('makes a payment once', async () => {
    const { sell, call, token, store } = await openTill();
    const { reference } = (await sell(riceSale({ payment_method: 'mobile_money' }))).body.data;
    const body = { amount: 9000, phone: '0700000000', provider: 'mtn_momo', reference };
    const pay = () => call('POST', '/pos/api/v1/payment/mobile', token, body, { 'idempotency-key': 'p1' });
    expect((await pay()).text).toBe((await pay()).text);
    expect(await store.count('payments')).toBe(1);
  });

  test('sent twice at once creates one sale', async () => {
    const { sell, store } = await openTill();
    const replies = await Promise.all(Array.from({ length: 5 }, () => sell(riceSale())));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(4);
    expect(await store.count('sales')).toBe(1);
  });

  test('can be used again after a refused request', async () => {
    const { sell, store } = await openTill();
    expect((await sell(riceSale({ total: 1 }))).status).toBe(400);
    expect((await sell(riceSale({ store_id: 'S9' }))).status).toBe(404);
    expect(await store.count('idempotency_keys')).toBe(0);
    const corrected = await sell(riceSale());
    expect([corrected.status, corrected.headers['idempotency-replayed']]).toEqual([201, undefined]);
  });

  test('keeps its own reply beside other keys, also when one of them is used anew after a day', async () => {
    const { sell, store, clock } = await openTill();
    const other = { 'idempotency-key': 'till-4-000124' };
    const [first, second] = [await sell(riceSale()), await sell(riceSale(), other)];
    expect([(await sell(riceSale())).text, (await sell(riceSale(), other)).text]).toEqual([first.text, second.text]);
    await store.update('idempotency_keys', { idempotency_key: 'till-4-000124' }, { created_at: clock.now() - 86_400_000 });
    const anew = await sell(riceSale(), other);
    expect(anew.text).not.toBe(second.text);
    expect([(await sell(riceSale())).text, (await sell(riceSale(), other)).text]).toEqual([first.text, anew.text]);
  });

  test('is what makes a repetition: without one each request is a sale, and no reply is a repeated one', async () => {
    const { sell, store } = await openTill();
    const replies = [await sell(riceSale(), {}), await sell(riceSale(), {})];
    expect(replies.map(({ status, headers }) => [status, headers['idempotency-replayed']])).toEqual([
      [201, undefined],
      [201, undefined],
    ]);
    expect([await store.count('sales'), await store.count('idempotency_keys')]).toEqual([2, 0]);
  });

  test('of another account is a different key', async () => {
    const one = await openTill();
    const other = await openTill(one);
    expect((await one.sell(riceSale())).text).not.toBe((await other.sell(riceSale())).text);
  });

  test('is kept for 24 hours', async () => {
    const { sell, store, clock } = await openTill();
    await sell(riceSale());
    const day = 86_400_000;
    await forgetIdempotencyKeys(store, clock.now() + day - 1);
    expect(await store.count('idempotency_keys')).toBe(1);
    await forgetIdempotencyKeys(store, clock.now() + day);
    expect(await store.count('idempotency_keys')).toBe(0);
  });

  test('older than 24 hours can be used for a new request', async () => {
    const { sell, store, clock } = await openTill();
    const first = await sell(riceSale());
    await store.update('idempotency_keys', {}, { created_at: clock.now() - 86_400_000 });
    const next = await sell(riceSale({ items: [{ product_id: 'RIZ', quantity: 1, price: 4500 }], total: 4500 }));
    expect([next.status, next.headers['idempotency-replayed']]).toEqual([201, undefined]);
    expect(next.text).not.toBe(first.text);
    expect((await sell(riceSale({ items: [{ product_id: 'RIZ', quantity: 1, price: 4500 }], total: 4500 }))).text).toBe(
      next.text,
    );
  });
});

test('an Idempotency-Key may have up to 255 characters', async () => {
  const { sell } = await openTill();
  expect((await sell(riceSale(), { 'idempotency-key': 'x'.repeat(255) })).status).toBe(201);
});

test.each(['', ' ', 'a b', 'é', 'x'.repeat(256)])('an Idempotency-Key of %j is refused', async (value) => {
  const { call, token } = refusing();
  const { status, body } = await call('POST', sales, token, riceSale(), { 'idempotency-key': value });
  expect([status, body.error.details[0].field]).toEqual([400, 'idempotency-key']);
});
