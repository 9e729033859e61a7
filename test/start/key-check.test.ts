import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { SettingsError } from '../../gateway/base/errors.ts';
import { Keyring } from '../../gateway/base/keyring.ts';
import { checkMasterKey, replaceMasterKey } from '../../gateway/start/key-check.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import { openEmptyPglite } from '../pglite.ts';

const stores = { memory: async () => new MemoryStore(), PGlite: async () => openSqlStore(await openEmptyPglite()) };

const newKeys = () => new Keyring(randomBytes(32));

async function installation(kind: string) {
  const store = await stores[kind as keyof typeof stores]();
  onTestFinished(() => store.close());
  const start = (keys: Keyring) => checkMasterKey(store, { keys, source: 'SECRET_KEY' }, 1);
  const replace = (keys: Keyring, now: number) => replaceMasterKey(store, { keys, source: 'SECRET_KEY' }, now);
  return { store, start, replace };
}

const refused = 'SECRET_KEY is not the master key of this database';

test.each(Object.keys(stores))(
  'a process with another master key does not start, until its key is accepted (%s)',
  async (kind) => {
    const { store, start, replace } = await installation(kind);
    await expect(replace(newKeys(), 1)).rejects.toThrow('no master key yet');
    const [keys, others] = [newKeys(), newKeys()];
    // Many start at once on an empty database: all with one of the keys.
    const starts = await Promise.allSettled([keys, others, keys, others].map(start));
    expect(starts.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    await expect(start(others)).rejects.toBeInstanceOf(SettingsError);
    const process = { id: 'proc_1', version: '1.0.0', role: 'api', host: 'app1', pid: 7, started_at: 1 } as const;
    await store.append('processes', [{ ...process, clock_skew_seconds: 0, seen_at: 1000 }]);
    await expect(replace(others, 30_999)).rejects.toThrow('api on app1 (pid 7)');
    await expect(start(others)).rejects.toBeInstanceOf(SettingsError);
    await expect(replace(keys, 31_000)).resolves.toContain('already');
    await replace(others, 31_000);
    await start(others);
    await expect(start(keys)).rejects.toThrow(refused);
  },
);
