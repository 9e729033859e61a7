import { expect, test } from 'vitest';
import type { Store } from '../../gateway/store/port.ts';
import { attempt, call, delivery, idAt } from './rows.ts';

const dayMs = 86_400_000;
const unless = { column: 'delivery_id', table: 'deliveries', where: { status: 'pending' } } as const;

export function expiryTests(store: () => Store): void {
  /** Long ago, so that no store has partitions for these days. */
  const beforeMs = Date.UTC(2026, 0, 20);

  test('removes the rows older than the instant, also those of ids without a time', async () => {
    const times = [-3 * dayMs, -1, 0, 1, 3 * dayMs].map((after) => beforeMs + after);
    await store().append(
      'calls',
      times.map((at) => call(at)),
    );
    await store().append('attempts', [
      attempt('old', beforeMs - 1),
      attempt('young', beforeMs),
      attempt(idAt('dlv', beforeMs - dayMs), beforeMs - 1),
    ]);
    await store().expire('calls', { beforeMs });
    await store().expire('attempts', { beforeMs });
    expect((await store().list('calls', { order: [['id', 'asc']] })).map(({ at }) => at)).toEqual(times.slice(2));
    expect((await store().list('attempts')).map(({ delivery_id }) => delivery_id)).toEqual(['young']);
  });

  test('keeps the rows that belong to a row of another table', async () => {
    const at = beforeMs - dayMs;
    await store().append('deliveries', [
      delivery('pending', 'evt_1', 'ep'),
      { ...delivery('ended', 'evt_2', 'ep'), status: 'failed' },
    ]);
    await store().append('attempts', [attempt('pending', at), attempt('ended', at), attempt('missing', at)]);
    await store().expire('attempts', { beforeMs, unless });
    expect((await store().list('attempts')).map(({ delivery_id }) => delivery_id)).toEqual(['pending']);
  });

  test('a removal with a limit takes matching rows only, wherever they lie', async () => {
    // Days from today on have a partition each.
    const now = Date.now();
    const rows = [0, 1, 2, 3].flatMap((day) => [1, 2, 3].map((serial) => call(now + day * dayMs, serial, { status: 200 + day })));
    await store().append('calls', rows);
    expect(await store().remove('calls', { status: 202 }, { limit: 2 })).toBe(2);
    const left = (await store().list('calls')).map(({ status }) => status);
    expect(left.sort()).toEqual([200, 200, 200, 201, 201, 201, 202, 203, 203, 203]);
  });
}
