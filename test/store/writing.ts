import { expect, test } from 'vitest';
import { type Store, StoreConflict } from '../../gateway/store/port.ts';
import type { Insert, Row, TableName } from '../../gateway/store/tables/index.ts';
import { delivery, endpoint, event, fact, facts, report, stock, user } from './rows.ts';

export function insertTests(store: () => Store): void {
  const write = <T extends TableName>(operation: 'insert' | 'append', table: T, rows: Insert<T>[]): Promise<unknown> =>
    operation === 'insert' ? store().insert(table, rows) : store().append(table, rows);

  test('returns whole rows, in the given order', async () => {
    const names = ['c', 'a', 'd', 'b'];
    expect(await store().insert('facts', facts(names))).toEqual(facts(names));
    expect(await store().insert('facts', [])).toEqual([]);
  });

  test('assigns ascending serial ids in the given order, and none twice', async () => {
    const first = await store().insert(
      'users',
      ['c', 'a', 'b'].map((email) => user(email)),
    );
    const ids = first.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    await store().remove('users', {});
    const [next] = await store().insert('users', [user('d')]);
    expect(next?.id).toBeGreaterThan(ids.at(-1) as number);
  });

  test.each(['insert', 'append'] as const)('goes on counting after ids that were given to %s', async (operation) => {
    const [first] = await store().insert('users', [user('first')]);
    const given = (first?.id as number) + 1;
    await write(operation, 'users', [user('a', { id: given + 1 }), user('b', { id: given })]);
    const [next] = await store().insert('users', [user('next')]);
    expect(next?.id).toBe(given + 2);
  });

  test('a lower given id does not reset the serial', async () => {
    const [first, second] = await store().insert('users', [user('a'), user('b')]);
    await store().remove('users', { email: 'a' });
    await store().insert('users', [user('a', { id: first?.id as number })]);
    const [next] = await store().insert('users', [user('c')]);
    expect(next?.id).toBe((second?.id as number) + 1);
  });

  test.each([
    ['key', [fact('a')], [fact('b'), fact('a')]],
    ['key within the batch', [], [fact('b'), fact('b')]],
  ])('a second row with one %s is a StoreConflict, and none of the batch is stored', async (_what, before, batch) => {
    await store().insert('facts', before);
    for (const operation of ['insert', 'append'] as const) {
      const error = await write(operation, 'facts', batch).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(StoreConflict);
      expect(error).toMatchObject({ table: 'facts' });
    }
    expect(await store().list('facts')).toEqual(before);
  });

  test('unique columns conflict only together', async () => {
    await store().insert('deliveries', [delivery('1', 'e1', 'p1'), delivery('2', 'e1', 'p2'), delivery('3', 'e2', 'p1')]);
    await expect(store().insert('deliveries', [delivery('4', 'e2', 'p1')])).rejects.toBeInstanceOf(StoreConflict);
  });

  test('insert skips conflicting rows, and returns the requested columns', async () => {
    const insertNew = (rows: Row<'deliveries'>[]) =>
      store().insert('deliveries', rows, { onConflict: 'ignore', columns: ['id', 'parked'] });
    await store().insert('deliveries', [delivery('1', 'e1', 'p1')]);
    const batch = [
      delivery('2', 'e1', 'p2'),
      delivery('3', 'e1', 'p1'),
      delivery('1', 'e9', 'p9'),
      delivery('4', 'e1', 'p2'),
      delivery('5', 'e2', 'p2'),
    ];
    expect(await insertNew(batch)).toEqual([
      { id: '2', parked: false },
      { id: '5', parked: false },
    ]);
    expect(await insertNew([])).toEqual([]);
    expect((await store().list('deliveries', { order: [['id', 'asc']] })).map(({ id }) => id)).toEqual(['1', '2', '5']);
  });

  test('append accepts thousands of rows', async () => {
    await store().append(
      'facts',
      Array.from({ length: 5000 }, (_, at) => fact(`f${at}`, 'x'.repeat(50), at)),
    );
    await store().append('facts', []);
    expect(await store().count('facts', { created_at: { gte: 2500 } })).toBe(2500);
  });

  test.each([[[]], [[fact('a')]]])('append stores %j with other rows, all of them or none', async (rows) => {
    await store().append('facts', rows, { table: 'events', rows: [event('e1')] });
    expect(await store().list('facts')).toEqual(rows);
    expect(await store().list('events')).toEqual([{ ...event('e1'), position: expect.any(Number) }]);
    const again = store().append('facts', [fact('b')], { table: 'events', rows: [event('e2'), event('e1')] });
    await expect(again).rejects.toThrow(StoreConflict);
    await store().append('facts', [fact('c')], { table: 'events', rows: [] });
    expect((await store().list('facts', { order: [['name', 'asc']] })).map(({ name }) => name)).toEqual([
      ...rows.map(({ name }) => name),
      'c',
    ]);
    expect(await store().count('events')).toBe(1);
  });

  test('append stores every text, null and JSON value unchanged', async () => {
    const texts = ['a\rb', '', '\\', '\\N', '\\.', '\t', 'a\nb', 'a\r\nb', '\r', '\\t', '"', 'é 😀', 'null'];
    const events = texts.map((text, at) =>
      event(`e${10 + at}`, { body: text, subject: at % 2 ? text : null, matched: at % 3 ? at : null }),
    );
    await store().append('events', events);
    const stored = await store().list('events', { order: [['id', 'asc']] });
    expect(stored).toEqual(events.map((one) => ({ ...one, position: expect.any(Number) })));

    const contents = [...texts, 0, false, ['\\', null], { '\t': texts }];
    await store().append(
      'reports',
      contents.map((content, at) => ({ ...report(content), id: at + 1 })),
    );
    const reports = await store().list('reports', { order: [['id', 'asc']] });
    expect(reports.map(({ content }) => content)).toEqual(contents);
    // Serial ids continue after the ids that were given.
    expect((await store().insert('reports', [report('next')]))[0]?.id).toBe(contents.length + 1);
  });

  test('the store gives each row a position, in the order of the transactions', async () => {
    await store().append('events', [event('e2', { position: 7 })]);
    await store().transaction((tx) => tx.append('events', [event('e1')], { table: 'facts', rows: [fact('a')] }));
    await store().insert('events', [event('e0')]);
    const settled = () => store().list('events', { where: { position: { gt: 0, settled: true } }, order: [['position', 'asc']] });
    // Nothing is settled while a transaction before it is open, also one of another database of the server.
    await expect.poll(async () => (await settled()).map(({ id }) => id)).toEqual(['e2', 'e1', 'e0']);
    const [first, , last] = (await settled()).map(({ position }) => position);
    expect(await store().count('events', { position: { gt: first, lt: last, settled: true } })).toBe(1);
  });
}

export function updateTests(store: () => Store): void {
  test('changes the matching rows and returns them with their new values', async () => {
    await store().insert('facts', [fact('a', 'x'), fact('b', 'x'), fact('c', 'y')]);
    const changed = await store().update(
      'facts',
      { value: 'x', name: { in: ['a', 'c'] } },
      { value: 'z', created_at: undefined },
    );
    expect(changed).toEqual([fact('a', 'z')]);
    expect(await store().list('facts', { order: [['name', 'asc']] })).toEqual([fact('a', 'z'), fact('b', 'x'), fact('c', 'y')]);
    expect(await store().update('facts', { value: 'none' }, { value: 'z' })).toEqual([]);
  });

  test('a patch without values changes nothing and returns the rows', async () => {
    await store().insert('facts', [fact('a', 'x')]);
    expect(await store().update('facts', { name: 'a' }, { value: undefined })).toEqual([fact('a', 'x')]);
  });

  test('adds exactly; adding to null gives null', async () => {
    await store().insert('stock', [stock('a', { quantity: '0.1' })]);
    expect(await store().update('stock', {}, { quantity: { add: '0.2' }, updated_at: { add: 5 } })).toMatchObject([
      { quantity: '0.3', updated_at: 6 },
    ]);
    expect(await store().update('stock', {}, { quantity: { add: '-1' } })).toMatchObject([{ quantity: '-0.7' }]);
    await store().insert('events', [event('a'), event('b', { matched: 1 })]);
    expect(await store().update('events', { id: 'a' }, { matched: { add: 1 } })).toMatchObject([{ matched: null }]);
    expect(await store().update('events', { id: 'b' }, { matched: { add: 1 } })).toMatchObject([{ matched: 2 }]);
  });

  test('sets to null and back', async () => {
    await store().insert('endpoints', [endpoint('a', { events: ['x'], disabled_reason: 'gone' })]);
    expect(await store().update('endpoints', {}, { events: null, disabled_reason: null })).toEqual([endpoint('a')]);
    expect(await store().update('endpoints', {}, { events: ['y'] })).toEqual([endpoint('a', { events: ['y'] })]);
  });

  test('a JSON value that looks like an addition is a value', async () => {
    await store().insert('reports', [report('next')]);
    expect(await store().update('reports', {}, { content: { add: 1 } })).toMatchObject([{ content: { add: 1 } }]);
  });

  test('a changed key frees the old one', async () => {
    await store().insert('users', [user('a'), user('b')]);
    await expect(store().update('users', { email: 'a' }, { email: 'b' })).rejects.toBeInstanceOf(StoreConflict);
    await store().update('users', { email: 'a' }, { email: 'c' });
    await store().insert('users', [user('a')]);
    expect((await store().list('users', { order: [['email', 'asc']] })).map(({ email }) => email)).toEqual(['a', 'b', 'c']);
    await store().insert('facts', [fact('a')]);
    await store().update('facts', { name: 'a' }, { name: 'b' });
    expect([await store().get('facts', { name: 'a' }), await store().get('facts', { name: 'b' })]).toEqual([
      undefined,
      fact('b'),
    ]);
  });
}

export function removeTests(store: () => Store): void {
  test('removes the matching rows, returns their number, and frees their keys', async () => {
    await store().insert(
      'users',
      ['a', 'b', 'c'].map((email) => user(email, { role: email === 'c' ? 'admin' : 'lecteur' })),
    );
    expect(await store().remove('users', { role: 'lecteur' })).toBe(2);
    expect(await store().remove('users', { role: 'lecteur' })).toBe(0);
    await store().insert('users', [user('a')]);
    expect(await store().count('users')).toBe(2);
  });

  test('removes at most `limit` rows at once', async () => {
    await store().append(
      'facts',
      Array.from({ length: 25 }, (_, at) => fact(`f${at}`, '', at)),
    );
    const where = { created_at: { lt: 20 } };
    expect([await store().remove('facts', where, { limit: 15 }), await store().remove('facts', where, { limit: 15 })]).toEqual([
      15, 5,
    ]);
    expect(await store().remove('facts', {}, { limit: 0 })).toBe(0);
    expect(await store().count('facts')).toBe(5);
  });
}
