import { describe, expect, test } from 'vitest';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { StoreUnavailable } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { watchWrites } from '../../gateway/store/watch.ts';

const key = (id: string): Row<'api_keys'> => ({
  id,
  account_id: 'acc_1',
  secret_hash: 'hash',
  created_at: 0,
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
});

/** A watched store with one API key, and the ids of the keys in each report. */
async function openWatched(target = new MemoryStore()) {
  const { store, onWrite, reset } = watchWrites(target);
  const reports: unknown[] = [];
  onWrite('api_keys', (rows) => reports.push(rows?.map(({ id }) => id) ?? 'any'), { ignore: ['last_used_at'] });
  await target.append('api_keys', [key('k1')]);
  return { store, reports, reset, target };
}

describe('writes to a watched table', () => {
  test('are reported with the rows that the statement names, or without rows', async () => {
    const { store, reports } = await openWatched();
    await store.append('api_keys', [key('k2')]);
    await store.insert('api_keys', [key('k3')]);
    await store.update('api_keys', { account_id: 'acc_1', id: { in: ['k1', 'k3'] } }, { revoked_at: 1 });
    await store.remove('api_keys', { id: 'k2' });
    expect(reports).toEqual([['k2'], ['k3'], ['k1', 'k3'], 'any']);
  });

  test('are reported when they are stored along with rows of another table', async () => {
    const { store, reports } = await openWatched();
    const account = { id: 'acc_1', name: 'A', plan: 'free', store_ids: null, active: true, created_at: 0 } as const;
    await store.append('accounts', [account], { table: 'api_keys', rows: [key('k2')] });
    expect(reports).toEqual(['any']);
  });

  test('are not reported when they change only ignored columns, or when the table is not watched', async () => {
    const { store, reports } = await openWatched();
    await store.update('api_keys', { id: 'k1' }, { last_used_at: 5 });
    await store.append('facts', [{ name: 'x', value: 'y', created_at: 0 }]);
    await store.get('api_keys', { id: 'k1' });
    expect(reports).toEqual([]);
    await store.update('api_keys', { id: 'k1' }, { last_used_at: 6, revoked_at: 6 });
    expect(reports).toEqual([['k1']]);
  });

  test('inside a transaction are reported after its commit', async () => {
    const { store, reports, target } = await openWatched();
    await store.transaction(async (tx) => {
      await tx.update('api_keys', { id: 'k1' }, { revoked_at: 1 });
      expect(reports).toEqual([]);
    });
    expect(reports).toEqual([['k1']]);
    expect((await target.get('api_keys', { id: 'k1' }))?.revoked_at).toBe(1);
  });

  test('are reported when the commit fails, because it is unknown if the rows changed', async () => {
    const target = new MemoryStore();
    const { store, reports } = await openWatched(target);
    const { transaction } = target;
    target.transaction = async (work) => {
      await transaction.call(target, work);
      throw new StoreUnavailable('The connection broke during the commit.');
    };
    const revoke = store.transaction((tx) => tx.update('api_keys', { id: 'k1' }, { revoked_at: 1 }));
    await expect(revoke).rejects.toThrow(StoreUnavailable);
    expect(reports).toEqual([['k1']]);
  });
});

test('a reset reports every watched table', async () => {
  const { reports, reset } = await openWatched();
  reset();
  expect(reports).toEqual(['any']);
});
