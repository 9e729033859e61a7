import { expect, test } from 'vitest';
import type { Store, Where } from '../../gateway/store/port.ts';
import { call, endpoint, event, fact, facts, indicator, stock, token, user } from './rows.ts';

/** Tests which rows match a condition. */
export function conditionTests(store: () => Store): void {
  const eventsFitting = async (where: Where<'events'>) =>
    (await store().list('events', { where, order: [['id', 'asc']] })).map(({ id }) => id).join('');
  const factsFitting = async (where: Where<'facts'>) =>
    (await store().list('facts', { where, order: [['name', 'asc']] })).map(({ name }) => name);

  test('equality, null, not, in and ranges on a column that may be null', async () => {
    await store().insert('events', [
      event('a', { matched: 1 }),
      event('b', { matched: 2 }),
      event('c'),
      event('d', { matched: 3 }),
    ]);
    const cases: [Where<'events'>['matched'], string][] = [
      [2, 'b'],
      [9, ''],
      [null, 'c'],
      [{ not: null }, 'abd'],
      [{ not: 2 }, 'ad'],
      [{ in: [1, 3, 9] }, 'ad'],
      [{ in: [] }, ''],
      [{ gt: 1 }, 'bd'],
      [{ gte: 2 }, 'bd'],
      [{ lt: 2 }, 'a'],
      [{ lte: 2 }, 'ab'],
      [{ gt: 1, lt: 3 }, 'b'],
      [{ gte: 3, lte: 1 }, ''],
      [{ gt: undefined, lte: undefined }, 'abcd'],
      [{ gte: 2, lt: undefined }, 'bd'],
      [{}, 'abcd'],
      [undefined, 'abcd'],
    ];
    for (const [matched, ids] of cases) expect(await eventsFitting({ matched }), JSON.stringify(matched)).toBe(ids);
  });

  test('of: the value is in a matching row of another table', async () => {
    await store().insert('events', [event('a'), event('b'), event('c')]);
    await store().insert('facts', [fact('a', 'x'), fact('c', 'x'), fact('b', 'y'), fact('d', 'x')]);
    const named = (value: string): Where<'events'> => ({ id: { of: { table: 'facts', column: 'name', where: { value } } } });
    expect(await eventsFitting(named('x'))).toBe('ac');
    expect(await eventsFitting(named('z'))).toBe('');
    expect(await eventsFitting({ ...named('x'), matched: { not: null } })).toBe('');
    expect(await store().count('events', named('y'))).toBe(1);
    expect(await store().update('events', named('y'), { matched: 7 })).toMatchObject([{ id: 'b', matched: 7 }]);
    expect(await store().remove('events', named('x'))).toBe(2);
  });

  test('every named column must match, also beside a whole key', async () => {
    await store().insert('events', [event('a', { matched: 1, type: 'x' }), event('b', { matched: 1, type: 'y' })]);
    expect(await eventsFitting({ matched: 1, type: 'x' })).toBe('a');
    expect(await eventsFitting({ id: 'b', type: 'x' })).toBe('');
    expect(await eventsFitting({})).toBe('ab');
  });

  test('booleans and decimals compare by value', async () => {
    await store().insert('users', [user('a'), user('b', { active: false })]);
    expect(await store().list('users', { where: { active: false } })).toMatchObject([{ email: 'b' }]);
    expect(await store().list('users', { where: { active: { not: false } } })).toMatchObject([{ email: 'a' }]);
    await store().insert('stock', [stock('a', { price: '9' }), stock('b', { price: '10.50' })]);
    expect(await store().list('stock', { where: { price: { gt: '9.999' } } })).toMatchObject([{ product_id: 'b' }]);
    expect(await store().list('stock', { where: { price: { in: ['10.5000', '8'] } } })).toMatchObject([{ product_id: 'b' }]);
    expect(await store().list('stock', { where: { price: { not: '9.00' } } })).toMatchObject([{ product_id: 'b' }]);
    await store().insert('indicators', [
      indicator('a', { valeur_courante: 0.3 }),
      indicator('b', { valeur_courante: 0.1 + 0.2 }),
    ]);
    expect(await store().list('indicators', { where: { valeur_courante: { in: [0.1 + 0.2] } } })).toMatchObject([{ code: 'b' }]);
  });

  const awkward = ['', 'NULL', 'null', 'a,b', '{x}', '"q"', "it's", '\\', 'a\\b', '%', '_', '\n', 'é😀', ' blank '];

  test('`in` treats any text literally', async () => {
    await store().insert('facts', facts([...awkward, 'other']));
    expect(await store().count('facts', { name: { in: awkward } })).toBe(awkward.length);
    for (const name of awkward) expect(await factsFitting({ name: { in: [name] } })).toEqual([name]);
  });

  test.each(['%', '_', '\\', '\\%', '%%', "'", '"', '50 %', 'e\u0301', '😀'])('`contains` treats %j literally', async (text) => {
    const others = ['nothing', 'E', 'e', 'x/y'];
    await store().insert('facts', facts([...others, `before${text}after`, text]));
    expect(await factsFitting({ name: { contains: text } })).toEqual(
      [text, `before${text}after`].toSorted((a, b) => (a < b ? -1 : 1)),
    );
  });

  test('`contains` is case-sensitive; empty text matches every value except null', async () => {
    await store().insert('events', [event('a', { subject: 'Store' }), event('b', { subject: 'store' }), event('c')]);
    expect(await eventsFitting({ subject: { contains: 'store' } })).toBe('b');
    expect(await eventsFitting({ subject: { contains: '' } })).toBe('ab');
  });

  test('`contains` looks into the text of JSON, as it was stored', async () => {
    const keyed = (serial: number, key: string) =>
      call(1_000, serial, { caller: key, request_headers: { host: 'x', 'idempotency-key': key } });
    await store().insert('calls', [keyed(1, 'a'), keyed(2, 'ab"'), keyed(3, 'é')]);
    const fitting = async (text: string) =>
      (await store().list('calls', { where: { request_headers: { contains: text } } })).map(({ caller }) => caller);
    expect(await fitting('"idempotency-key":"a"')).toEqual(['a']);
    expect(await fitting(JSON.stringify('ab"'))).toEqual(['ab"']);
    expect(await fitting('"é"')).toEqual(['é']);
    expect(await fitting('host"')).toHaveLength(3);
  });

  test('`has` finds an element of a JSON array, of the same type', async () => {
    await store().insert('endpoints', [
      endpoint('a', { events: ['sale.completed', 'x"y'] }),
      endpoint('b', { events: [] }),
      endpoint('c', { events: null }),
      endpoint('d', { events: ['sale'] }),
    ]);
    const fitting = async (text: string) =>
      (await store().list('endpoints', { where: { events: { has: text } } })).map(({ id }) => id);
    expect([await fitting('sale.completed'), await fitting('x"y'), await fitting('completed')]).toEqual([['a'], ['a'], []]);
    await store().insert('users', [user('aya@example.com', { id: 1 })]);
    await store().insert('tokens', [token('a', [1, 12]), token('b', [2]), token('c', null)]);
    const tokens = async (id: number) =>
      (await store().list('tokens', { where: { structure_ids: { has: id } } })).map(({ name }) => name);
    expect([await tokens(1), await tokens(12), await tokens(3)]).toEqual([['a'], ['a'], []]);
  });

  test('null and not null on JSON', async () => {
    await store().insert('endpoints', [endpoint('a', { events: [] }), endpoint('b')]);
    expect(await store().list('endpoints', { where: { events: null } })).toMatchObject([{ id: 'b' }]);
    expect(await store().list('endpoints', { where: { events: { not: null } } })).toMatchObject([{ id: 'a' }]);
  });

  test('an unknown column is an error', async () => {
    await expect(store().list('facts', { where: { nothing: 1 } as never })).rejects.toThrow('nothing');
  });
}
