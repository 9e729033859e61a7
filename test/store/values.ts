import { expect, test } from 'vitest';
import type { Store } from '../../gateway/store/port.ts';
import { endpoint, fact, indicator, report, stock } from './rows.ts';

/** Tests that each value is returned as it was given. */
export function valueTests(store: () => Store): void {
  test.each(['', ' blanks ', 'NULL', "O'Brien; drop table facts", 'a\\b', '{"a":1}', 'ligne\nligne\ttab', 'Gbêkê 😀', '\\u0000'])(
    'text %j is returned unchanged',
    async (value) => {
      await store().insert('facts', [fact('inserted', value)]);
      await store().insert('facts', [fact('updated')]);
      await store().update('facts', { name: 'updated' }, { value });
      expect((await store().list('facts', { where: { value } })).map((row) => row.name).toSorted()).toEqual([
        'inserted',
        'updated',
      ]);
    },
  );

  test.each([
    ['12.500', '12.5'],
    ['1000', '1000'],
    ['0.000', '0'],
    ['-0', '0'],
    ['1e-7', '0.0000001'],
    ['1e21', '1000000000000000000000'],
    ['123456789012345678.123456789', '123456789012345678.123456789'],
  ])('decimal %s is returned as %s', async (given, back) => {
    expect(await store().insert('stock', [stock('a', { price: given })])).toMatchObject([{ price: back }]);
    expect(await store().update('stock', { product_id: 'a' }, { quantity: given })).toMatchObject([{ quantity: back }]);
    expect(await store().get('stock', { quantity: given })).toMatchObject({ product_id: 'a' });
  });

  test.each([0.1 + 0.2, 1 / 3, 5e-324, 1.7976931348623157e308, -0.5, 0])('real number %d is returned exactly', async (value) => {
    await store().insert('indicators', [indicator('a', { valeur_courante: value })]);
    const [updated] = await store().update('indicators', { code: 'a' }, { cible_annuelle: value });
    expect(updated).toMatchObject({ valeur_courante: value, cible_annuelle: value });
    expect(await store().count('indicators', { valeur_courante: value })).toBe(1);
  });

  test('an instant is a number of milliseconds, far beyond 32 bits', async () => {
    const [row] = await store().insert('facts', [fact('a', '', 253_402_300_799_999)]);
    expect(row?.created_at).toBe(253_402_300_799_999);
    expect(await store().count('facts', { created_at: 253_402_300_799_999 })).toBe(1);
  });

  test.each([[{ z: 1, a: [1, null, { b: 'é"\\' }] }], [[]], ['text'], [0], [false]])(
    'JSON %j is returned unchanged',
    async (content) => {
      const [inserted] = await store().insert('reports', [report(content)]);
      const [other] = await store().insert('reports', [report({})]);
      await store().update('reports', { id: other?.id }, { content });
      const rows = await store().list('reports', { order: [['id', 'asc']] });
      expect([inserted?.content, ...rows.map((row) => row.content)]).toEqual([content, content, content]);
      expect(JSON.stringify(rows[0]?.content)).toBe(JSON.stringify(content));
    },
  );

  test('JSON is copied on write and on read', async () => {
    const events = ['sale.completed'];
    const [inserted] = await store().insert('endpoints', [endpoint('a', { events })]);
    events.push('given');
    inserted?.events?.push('inserted');
    (await store().get('endpoints', { id: 'a' }))?.events?.push('got');
    (await store().list('endpoints'))[0]?.events?.push('listed');
    expect((await store().get('endpoints', { id: 'a' }))?.events).toEqual(['sale.completed']);
  });

  test.each([fact('a\u0000'), fact('a\ud800'), fact('a', 'x\u0000y')])(
    'text that cannot be stored is an error, and nothing is stored: %j',
    async (row) => {
      await expect(store().insert('facts', [fact('good'), row])).rejects.toThrow();
      await expect(store().list('facts', { where: { name: 'a\u0000' } })).rejects.toThrow();
      expect(await store().count('facts')).toBe(0);
    },
  );
}
