import { expect, test } from 'vitest';
import type { Query, Store } from '../../gateway/store/port.ts';
import { event, fact, facts, indicator, recoveryItem, stock } from './rows.ts';

export function listTests(store: () => Store): void {
  const names = async (query: Query<'facts'>) => (await store().list('facts', query)).map(({ name }) => name);

  test('reads many rows by their keys at once, and one wrong key fails alone', async () => {
    await store().insert('facts', [fact('a', 'x', 1), fact('b', 'y', 1)]);
    const value = async (name: string, more = {}) => (await store().get('facts', { name, ...more }))?.value;
    const found = await Promise.all([value('b'), value('none'), value('a'), value('b', { value: 'x' }), value('b')]);
    expect(found).toEqual(['y', undefined, 'x', undefined, 'y']);
    // SQL refuses the character, the memory adapter finds nothing.
    const [ok, odd] = await Promise.allSettled([value('a'), value('\u0000')]);
    expect(ok).toEqual({ status: 'fulfilled', value: 'x' });
    expect(odd.status === 'rejected' || odd.value === undefined).toBe(true);
    await store().update('facts', { name: 'a' }, { value: 'z' });
    expect(await Promise.all([value('a'), value('b')])).toEqual(['z', 'y']);
  });

  test('orders by several columns, each with its direction', async () => {
    await store().insert('facts', [fact('a', 'x', 1), fact('b', 'y', 1), fact('c', 'x', 2), fact('d', 'y', 2)]);
    expect(
      await names({
        order: [
          ['value', 'desc'],
          ['created_at', 'asc'],
        ],
      }),
    ).toEqual(['b', 'd', 'a', 'c']);
  });

  test('orders text by code point in any language', async () => {
    const sorted = ['', 'A', 'Z', '_', 'a', 'z', 'É', 'é', '\uf900', '\uffee', '😀'];
    await store().insert('facts', facts(sorted.toReversed()));
    expect(await names({ order: [['name', 'asc']] })).toEqual(sorted);
    expect(await names({ where: { name: { gt: 'z', lt: '😀' } }, order: [['name', 'asc']] })).toEqual([
      'É',
      'é',
      '\uf900',
      '\uffee',
    ]);
  });

  test('orders decimals by their value', async () => {
    await store().insert(
      'stock',
      ['9', '10', '-1', '9.5', '100'].map((price) => stock(price, { price })),
    );
    const rows = await store().list('stock', { order: [['price', 'asc']] });
    expect(rows.map(({ price }) => price)).toEqual(['-1', '9', '9.5', '10', '100']);
  });

  test('orders nulls last if ascending and first if descending', async () => {
    await store().insert('events', [event('a', { matched: 2 }), event('b'), event('c', { matched: 1 })]);
    const ids = async (direction: 'asc' | 'desc') =>
      (await store().list('events', { order: [['matched', direction]] })).map(({ id }) => id);
    expect(await ids('asc')).toEqual(['c', 'a', 'b']);
    expect(await ids('desc')).toEqual(['b', 'a', 'c']);
  });

  test('limits and skips', async () => {
    await store().insert('facts', facts(['a', 'b', 'c', 'd']));
    const order = [['name', 'asc'] as const];
    expect(await names({ order, limit: 2 })).toEqual(['a', 'b']);
    expect(await names({ order, limit: 2, offset: 3 })).toEqual(['d']);
    expect(await names({ order, offset: 2 })).toEqual(['c', 'd']);
    expect(await names({ order, limit: 0 })).toEqual([]);
    expect(await names({ order, limit: 5, offset: 9 })).toEqual([]);
  });

  test('scans a number of candidates for rows that match one of several conditions, newest first', async () => {
    await store().insert(
      'events',
      ['a', 'b', 'c', 'd', 'e', 'f'].map((id, at) =>
        event(id, { subject: at % 2 === 0 ? 'even' : 'odd', matched: at, type: 'x' }),
      ),
    );
    const scan = async (candidates: number, limit: number) => {
      const anyOf = [{ matched: { lt: 2 } }, { matched: 4 }, { subject: 'none' }];
      const where = { type: 'x', id: { lt: 'f' } };
      const { rows, end } = await store().scan('events', { where, key: 'id', candidates, anyOf, limit });
      return [rows.map(({ id }) => id).join(''), end?.id];
    };
    expect(await scan(3, 9)).toEqual(['e', 'c']);
    expect(await scan(4, 9)).toEqual(['eb', 'b']);
    expect(await scan(5, 9)).toEqual(['eba', 'a']);
    expect(await scan(6, 9)).toEqual(['eba', undefined]);
    expect(await scan(6, 2)).toEqual(['eb', undefined]);
    expect(await scan(4, 2)).toEqual(['eb', undefined]);
    await store().insert(
      'recovery_items',
      ['r', 's'].map((recovery_id) => recoveryItem(recovery_id)),
    );
    const own = await store().scan('recovery_items', {
      where: { recovery_id: 'r' },
      key: 'delivery_id',
      candidates: 1,
      anyOf: [{}],
      limit: 5,
    });
    expect([own.rows, own.end]).toEqual([[recoveryItem('r')], recoveryItem('r')]);
  });

  test('keyset pages show each row once, even if rows are added and removed between them', async () => {
    const ids = Array.from({ length: 20 }, (_, at) => `f${String(at).padStart(2, '0')}`);
    await store().insert('facts', facts(ids));
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await names({
        where: { name: cursor === undefined ? undefined : { lt: cursor } },
        order: [['name', 'desc']],
        limit: 6,
      });
      if (page.length === 0) break;
      seen.push(...page);
      cursor = page.at(-1);
      await store().insert('facts', [fact(`g${seen.length}`)]);
      await store().remove('facts', { name: page[0] });
    }
    expect(seen).toEqual(ids.toReversed());
  });

  test('get returns one row, or undefined', async () => {
    await store().insert('stock', [stock('a'), stock('b')]);
    expect(await store().get('stock', { store_id: 'STORE-1', product_id: 'b' })).toEqual(stock('b'));
    expect(await store().get('stock', { store_id: 'STORE-2', product_id: 'b' })).toBeUndefined();
    expect(await store().get('stock', { store_id: 'STORE-1', product_id: 'b', category: 'tools' })).toBeUndefined();
  });
}

export function summaryTests(store: () => Store): void {
  test('counts matching rows', async () => {
    await store().insert('facts', [fact('a', 'x'), fact('b', 'x'), fact('c', 'y')]);
    expect(await store().count('facts')).toBe(3);
    expect(await store().count('facts', { value: 'x' })).toBe(2);
    expect(await store().count('facts', { value: 'z' })).toBe(0);
  });

  test('groups by several columns, in their order; null is not the text "null"', async () => {
    const rows = [
      ['b', null],
      ['a', 'null'],
      ['a', null],
      ['a', 'x'],
      ['b', null],
    ] as const;
    await store().insert(
      'events',
      rows.map(([type, subject], at) => event(`e${at}`, { type, subject, matched: at })),
    );
    expect(await store().summarize('events', { by: ['type', 'subject'], sum: ['matched'] })).toEqual([
      { type: 'a', subject: 'null', matched: '1', count: 1 },
      { type: 'a', subject: 'x', matched: '3', count: 1 },
      { type: 'a', subject: null, matched: '2', count: 1 },
      { type: 'b', subject: null, matched: '4', count: 2 },
    ]);
    expect(await store().summarize('events', { by: ['subject'] })).toEqual([
      { subject: 'null', count: 1 },
      { subject: 'x', count: 1 },
      { subject: null, count: 3 },
    ]);
  });

  test('sums decimals and real numbers exactly', async () => {
    await store().insert(
      'stock',
      ['0.1', '0.2', '123456789012345678.7'].map((price, at) => stock(`p${at}`, { price, quantity: '0.5' })),
    );
    expect(await store().summarize('stock', { by: [], sum: ['price', 'quantity', 'updated_at'] })).toEqual([
      { price: '123456789012345679', quantity: '1.5', updated_at: '3', count: 3 },
    ]);
    await store().insert('indicators', [indicator('a', { valeur_courante: 0.1 + 0.2 })]);
    expect(await store().summarize('indicators', { by: [], sum: ['valeur_courante'] })).toEqual([
      { valeur_courante: '0.30000000000000004', count: 1 },
    ]);
  });

  test('a sum ignores nulls, and is 0 if there is nothing else', async () => {
    await store().insert('events', [event('a'), event('b', { type: 'x', matched: 3 }), event('c', { type: 'x' })]);
    expect(await store().summarize('events', { by: ['type'], sum: ['matched'] })).toEqual([
      { type: 'sale.completed', matched: '0', count: 1 },
      { type: 'x', matched: '3', count: 2 },
    ]);
  });

  test('without matching rows there are no groups, even without columns to group by', async () => {
    await store().insert('facts', [fact('a')]);
    expect(await store().summarize('facts', { by: [], sum: ['created_at'], where: { name: 'b' } })).toEqual([]);
    expect(await store().summarize('facts', { by: ['name'], where: { name: 'b' } })).toEqual([]);
  });
}
