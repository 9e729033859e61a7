import { invalid, notFound } from '../../../base/errors.ts';
import { newId } from '../../../base/ids.ts';
import { hashSecret, newSecret } from '../../../base/keyring.ts';
import type { Rows } from '../../../store/port.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';

/** The back office of accounts and their keys: the document has no operations for it (gap pos.back-office). */

type AccountColumns = Pick<Row<'accounts'>, 'name' | 'plan' | 'store_ids' | 'active'>;

export async function createAccount({ tx, now }: Change, input: AccountColumns): Promise<Row<'accounts'>> {
  await refuseUnknownStores(tx, input.store_ids);
  const account = { id: newId('acc'), ...input, created_at: now };
  await tx.append('accounts', [account]);
  return account;
}

/** Changes the given columns and leaves the others. */
export async function updateAccount({ tx }: Change, accountId: string, patch: Partial<AccountColumns>): Promise<Row<'accounts'>> {
  await refuseUnknownStores(tx, patch.store_ids ?? null);
  const [account] = await tx.update('accounts', { id: accountId }, patch);
  if (!account) throw unknownAccount(accountId);
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
  const key = {
    id: newId('pk'),
    account_id: accountId,
    secret_hash: hashSecret(secret),
    created_at: now,
    last_used_at: null,
    revoked_at: null,
  };
  await tx.append('api_keys', [key]);
  return { key, secret };
}

/** Revokes a key, and with it every token issued for it. Does nothing to a key that is revoked already. */
export async function revokeApiKey({ tx, now }: Change, accountId: string, keyId: string): Promise<Row<'api_keys'>> {
  const where = { id: keyId, account_id: accountId };
  const [revoked] = await tx.update('api_keys', { ...where, revoked_at: null }, { revoked_at: now });
  const key = revoked ?? (await tx.get('api_keys', where));
  if (!key) throw notFound('api_key', `Account ${accountId} has no API key ${JSON.stringify(keyId)}.`);
  return key;
}

async function refuseUnknownStores(rows: Rows, storeIds: readonly string[] | null): Promise<void> {
  if (storeIds === null || storeIds.length === 0) return;
  const stores = await rows.list('stores', { where: { id: { in: storeIds } } });
  const known = new Set(stores.map(({ id }) => id));
  const unknown = storeIds.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw invalid('store_ids', 'unknown_store', `There is no store ${unknown.map((id) => JSON.stringify(id)).join(', ')}.`);
}

const unknownAccount = (accountId: string) => notFound('id', `There is no account ${JSON.stringify(accountId)}.`);
