import { SettingsError } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import { isRunning } from '../manage/processes/presence.ts';
import type { Store } from '../store/port.ts';

const name = 'master key';

/** The check value of the master key, as the store keeps it. It is derived for this purpose only, so it reveals nothing else. */
const factOf = (keys: Keyring, now: number) => ({ name, value: keys.derive('check value').toString('hex'), created_at: now });

/** A process's master key. */
export interface OwnKey {
  keys: Keyring;
  /** Where the key comes from, for messages. */
  source: string;
  /** Stores a key that is new. */
  keep?: (() => void) | undefined;
}

const howToReplace =
  'If it is lost or has leaked, stop all processes, and accept another one by a start with --replace-key: see "Another master key" in docs/deploying/backup.md.';

/**
 * Throws a SettingsError if the secrets in the store were sealed with another master key. The first process of an installation
 * stores the check value of its key.
 */
export async function checkMasterKey(store: Store, { keys, source, keep }: OwnKey, now: number): Promise<void> {
  const fact = factOf(keys, now);
  let noted = await store.get('facts', { name });
  if (!noted) {
    keep?.();
    await store.insert('facts', [fact], { onConflict: 'ignore' });
    noted = await store.get('facts', { name });
  }
  if (noted?.value === fact.value) return;
  throw new SettingsError(
    keep
      ? `${source} is missing, and this database has secrets. Put the file back from your backup. ${howToReplace}`
      : `${source} is not the master key of this database: its secrets and its other processes have another one. Start with that key. ${howToReplace}`,
  );
}

/** Returns false if the store's key was replaced while this process hung. */
export const isMasterKey = async (store: Store, keys: Keyring): Promise<boolean> =>
  (await store.get('facts', { name }))?.value === factOf(keys, 0).value;

/**
 * Makes this key the store's, and returns what that means for the operator. Throws a SettingsError if processes still run,
 * because they use the old key. Also throws one for a store without a key.
 */
export const replaceMasterKey = (store: Store, { keys, source, keep }: OwnKey, now: number): Promise<string> =>
  store.transaction(async (tx) => {
    const running = (await tx.list('processes')).filter((row) => isRunning(row, now));
    if (running.length > 0)
      throw new SettingsError(
        `Processes run with the master key of this database: ${running.map(({ role, host, pid }) => `${role} on ${host} (pid ${pid})`).join(', ')}. Give this process their key, or stop them before you replace it. One that was killed counts for 30 s.`,
      );
    const fact = factOf(keys, now);
    const noted = await tx.get('facts', { name });
    if (!noted)
      throw new SettingsError(
        'This database has no master key yet, so there is none to replace. Does the setting lead to the right one?',
      );
    if (noted.value === fact.value) return `${source} is already the master key of this database. Nothing was changed.`;
    keep?.();
    await tx.remove('facts', { name });
    await tx.append('facts', [fact]);
    return `${source} is the master key of this database now. Rotate all signing secrets: see "Another master key" in docs/deploying/backup.md.`;
  });
