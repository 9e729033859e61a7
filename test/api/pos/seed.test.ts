import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { posStores } from '../../../fixtures/pos.ts';
import { posSales } from '../../../fixtures/pos-sales.ts';
import { seedPos } from '../../../gateway/api/pos/seed.ts';
import { MemoryStore } from '../../../gateway/store/memory/store.ts';
import { startMs } from './harness.ts';

async function seeded() {
  const store = new MemoryStore();
  await store.transaction((tx) => seedPos(tx, startMs));
  return store;
}

describe('the fixtures', () => {
  test('have an account of each plan, and four stores with about forty products each', async () => {
    const store = await seeded();
    expect((await store.list('accounts')).map(({ plan }) => plan).sort()).toEqual(['enterprise', 'free', 'pro']);
    const products = await store.summarize('stock', { by: ['store_id'] });
    expect(products.map(({ store_id }) => store_id)).toEqual(posStores.map(({ id }) => id));
    for (const { count } of products) expect(count).toBeGreaterThanOrEqual(38);
    const stock = await store.list('stock');
    const low = stock.filter(({ quantity, low_threshold }) => Big(quantity).lte(low_threshold));
    expect(low.length).toBeGreaterThan(0);
    expect(low.length).toBeLessThan(stock.length / 5);
  });

  test('have four weeks of past sales with lines and payments that add up, a few of them pending', async () => {
    const store = await seeded();
    const [sales, items, payments] = [await store.list('sales'), await store.list('sale_items'), await store.list('payments')];
    expect(sales.length).toBeGreaterThan(350);
    const sum = (values: string[]) => values.reduce((total, value) => total.plus(value), Big(0)).toFixed();
    for (const sale of sales) {
      const lines = items.filter(({ sale_id }) => sale_id === sale.id);
      const paid = payments.filter(({ sale_id }) => sale_id === sale.id);
      expect(sum(lines.map(({ amount }) => amount))).toBe(sale.total);
      expect(sale.status === 'completed').toBe(sale.paid === sale.total);
      expect([sale.completed_at !== null, sale.sold_on !== null]).toEqual([
        sale.status === 'completed',
        sale.status === 'completed',
      ]);
      if (sale.payment_method === 'mobile_money') expect(sum(paid.map(({ amount }) => amount))).toBe(sale.paid);
      expect(Math.max(sale.created_at, sale.completed_at ?? 0, ...paid.map(({ created_at }) => created_at))).toBeLessThan(
        startMs,
      );
      expect(new Set(lines.map(({ sold_on }) => sold_on))).toEqual(new Set([sale.sold_on]));
    }
    const pending = sales.filter(({ status }) => status === 'pending').length;
    expect(pending).toBeGreaterThan(0);
    expect(pending).toBeLessThan(20);
    expect(new Set(sales.map(({ payment_method }) => payment_method)).size).toBe(3);
    expect(new Set(payments.map(({ provider }) => provider)).size).toBe(3);
  });

  test('are the same every time, at any hour, and never in the future', () => {
    expect(posSales(startMs)).toEqual(posSales(startMs));
    const night = Date.parse('2026-11-21T00:05:00Z');
    for (const now of [night, startMs, Date.parse('2026-11-21T23:59:59Z')]) {
      const sales = posSales(now);
      expect(sales.every(({ created_at, completed_at }) => created_at < now && (completed_at ?? 0) < now)).toBe(true);
      expect(new Set(sales.map(({ id }) => id)).size).toBe(sales.length);
      expect(new Set(sales.map(({ reference }) => reference)).size).toBe(sales.length);
    }
  });
});
