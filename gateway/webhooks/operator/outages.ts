import { newId } from '../../base/ids.ts';
import type { Store } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { newRecovery, type Recovery } from './recoveries.ts';

/** Deliveries queued per second, as in a recovery that somebody begins. Live traffic goes first. */
const pace = 20;

/**
 * Begins the recoveries of outages that are over: their dead letters, and what was skipped while the endpoint was disabled for
 * failing. The row says that an outage is over from the commit of the success that ended it, so a process that dies after that
 * loses nothing, and two processes begin one recovery. Returns how many have begun.
 */
export async function recoverOutages(store: Store, now: number): Promise<number> {
  const over = await store.list('endpoints', { where: { outage_over_at: { not: null } }, order: [['id', 'asc']] });
  let begun = 0;
  for (const { id } of over) if (await recoverOutage(store, id, now)) begun += 1;
  return begun;
}

/** The audit entry of a recovery that the gateway began. It names no call, because nobody asked for the recovery. */
const auditOf = ({ id, created_at, filter }: Recovery): Row<'audit'> => ({
  id: newId('aud'),
  at: created_at,
  operator: 'gateway',
  action: 'createRecovery',
  ok: true,
  target: id,
  ip: '',
  call_id: '',
  changes: [{ table: 'recoveries', id, did: 'created', fields: { filter: { before: null, after: filter } } }],
  more: 0,
});

const recoverOutage = (store: Store, id: string, now: number): Promise<boolean> =>
  store.transaction(async (tx) => {
    const endpoint = await tx.get('endpoints', { id }, { lock: true });
    if (!endpoint?.outage_over_at || endpoint.outage_since === null) return false;
    const { owner, outage_since, auto_recovery, deleted_at } = endpoint;
    await tx.update('endpoints', { id }, { outage_since: null, outage_over_at: null });
    if (!auto_recovery || deleted_at !== null) return false;
    const ofOwner = owner === 'operator' ? {} : { owner };
    const recovery = await newRecovery(tx, now, {
      ...ofOwner,
      endpoint_id: id,
      statuses: ['failed', 'skipped'],
      outage_since,
      pace,
    });
    // Most outages leave nothing: what waited is sent anyway.
    if (recovery.total === 0) return false;
    await tx.append('recoveries', [recovery]);
    await tx.append('audit', [auditOf(recovery)]);
    return true;
  });
