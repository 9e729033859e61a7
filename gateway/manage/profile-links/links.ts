import { notFound, Refusal } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { hashSecret, newSecret } from '../../base/keyring.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Change } from '../../webhooks/outbox/change.ts';
import { partsOf, readOwner } from '../../webhooks/outbox/owners.ts';
import { unknownOwner } from '../partners.ts';

export interface NewLink {
  owner: Row<'profile_links'>['owner'];
  readOnly: boolean;
  lifetimeMs: number;
  /** The operator's name. */
  createdBy: string;
}

/** Makes a link for a partner. Returns its secret, of which only the hash is stored. Throws if the owner cannot use it. */
export async function createLink({ tx, now }: Change, input: NewLink): Promise<{ link: Row<'profile_links'>; secret: string }> {
  await refuseUnusable(tx, input.owner);
  const secret = newSecret('');
  const { owner, readOnly, lifetimeMs, createdBy } = input;
  const times = { created_at: now, expires_at: now + lifetimeMs, used_at: null };
  const link = { id: newId('lnk'), secret_hash: hashSecret(secret), owner, read_only: readOnly, created_by: createdBy, ...times };
  await tx.append('profile_links', [link]);
  return { link, secret };
}

/** Ends a link and the session that it opened. Ending it twice changes nothing. */
export async function revokeLink({ tx, now }: Change, id: string): Promise<Row<'profile_links'>> {
  // Because of the lock, a sign-in with the link happens before or after this. Before: its session is ended. After: it is
  // refused.
  const link = await tx.get('profile_links', { id }, { lock: true });
  if (!link) throw notFound('id', `There is no profile link ${JSON.stringify(id)}.`);
  const [ended = link] = link.expires_at <= now ? [] : await tx.update('profile_links', { id }, { expires_at: now });
  await tx.remove('profile_sessions', { credential: `link:${id}` });
  return ended;
}

async function refuseUnusable(tx: Rows, owner: Row<'profile_links'>['owner']): Promise<void> {
  const found = await readOwner(tx, owner);
  if (!found) throw unknownOwner(owner);
  if (!found.active) {
    const message = `${owner} is not active, so nobody could use the link. Activate the ${partsOf(owner).kind} first.`;
    throw new Refusal('conflict', 'owner_inactive', message, { details: [{ field: 'owner', rule: 'active', message }] });
  }
}
