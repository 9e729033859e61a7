import { invalid, notFound, Refusal } from '../../../base/errors.ts';
import { newId } from '../../../base/ids.ts';
import { newSecret } from '../../../base/keyring.ts';
import type { Rows } from '../../../store/port.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { followOwner, stateOfAccount } from '../../../webhooks/outbox/owners.ts';

import { apiKeyRow } from '../domain/rows.ts';

/** The back office of accounts and their keys: the document has no operations for it (gap pos.back-office). */

type AccountColumns = Pick<Row<'accounts'>, 'name' | 'plan' | 'store_ids' | 'active'>;

export async function createAccount({ tx, now }: Change, input: AccountColumns): Promise<Row<'accounts'>> {
  await refuseUnknownStores(tx, input.store_ids);
  const account = { id: newId('acc'), ...input, created_at: now };
  await tx.append('accounts', [account]);
  return account;
}

/** Changes the given columns and leaves the others. The account's endpoints follow a change of stores or state. */
export async function updateAccount(change: Change, accountId: string, patch: Partial<AccountColumns>): Promise<Row<'accounts'>> {
  const { tx } = change;
  await refuseUnknownStores(tx, patch.store_ids ?? null);
  const [account] = await tx.update('accounts', { id: accountId }, patch);
  if (!account) throw unknownAccount(accountId);
  await followOwner(change, stateOfAccount(account));
  return account;
}

export async function readAccount(rows: Rows, accountId: string): Promise<Row<'accounts'>> {
  const account = await rows.get('accounts', { id: accountId });
  if (!account) throw unknownAccount(accountId);
  return account;
}

/** Creates a key with its secret. Only the hash of the secret is stored. */
export async function createApiKey({ tx, now }: Change, accountId: string): Promise<{ key: Row<'api_keys'>; secret: string }> {
  await readAccount(tx, accountId);
  const secret = newSecret('sk_');
  const key = apiKeyRow(newId('pk'), accountId, secret, now);
  await tx.append('api_keys', [key]);
  return { key, secret };
}

/** Revokes a key, and with it every token issued for it. Does nothing to a key that is revoked already. */
export async function revokeApiKey({ tx, now }: Change, accountId: string, keyId: string): Promise<Row<'api_keys'>> {
  const where = { id: keyId, account_id: accountId };
  const [revoked] = await tx.update('api_keys', { ...where, revoked_at: null }, { revoked_at: now });
  const key = revoked ?? (await tx.get('api_keys', where));
  if (!key) throw unknownKey(accountId, keyId);
  return key;
}

/**
 * Replaces a key: makes another one, and ends the old one after the overlap, with the tokens issued for it. Throws `conflict` for
 * a key that was revoked or is being replaced already.
 */
export async function rotateApiKey(
  change: Change,
  { accountId, keyId, overlapMs }: { accountId: string; keyId: string; overlapMs: number },
): Promise<{ key: Row<'api_keys'>; secret: string; replaced: Row<'api_keys'> }> {
  const { tx, now } = change;
  const old = await tx.get('api_keys', { id: keyId, account_id: accountId }, { lock: true });
  if (!old) throw unknownKey(accountId, keyId);
  if (old.revoked_at !== null) throw notRotatable(`The API key ${keyId} was revoked. Create a new one.`);
  if (old.expires_at !== null)
    throw notRotatable(
      `The API key ${keyId} was replaced, and ends at ${new Date(old.expires_at).toISOString()}. Rotate the new one.`,
    );
  const made = await createApiKey(change, accountId);
  const [replaced] = await tx.update('api_keys', { id: keyId }, { expires_at: now + overlapMs });
  return { ...made, replaced: replaced as Row<'api_keys'> };
}

const notRotatable = (message: string) => new Refusal('conflict', 'key_ended', message);
const unknownKey = (accountId: string, keyId: string) =>
  notFound('api_key', `Account ${accountId} has no API key ${JSON.stringify(keyId)}.`);

async function refuseUnknownStores(rows: Rows, storeIds: readonly string[] | null): Promise<void> {
  if (storeIds === null || storeIds.length === 0) return;
  const stores = await rows.list('stores', { where: { id: { in: storeIds } } });
  const known = new Set(stores.map(({ id }) => id));
  const unknown = storeIds.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw invalid('store_ids', 'unknown_store', `There is no store ${unknown.map((id) => JSON.stringify(id)).join(', ')}.`);
}

const unknownAccount = (accountId: string) => notFound('id', `There is no account ${JSON.stringify(accountId)}.`);
