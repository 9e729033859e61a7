import { newId } from '../../base/ids.ts';
import type { Keyring } from '../../base/keyring.ts';
import type { StoredSecret } from '../../store/tables/webhooks.ts';
import { newSigningSecret } from '../sending/sign.ts';

/** Returns a secret, by default a new one, and what is stored of it. */
export function newStoredSecret(
  keys: Keyring,
  now: number,
  secret = newSigningSecret(),
): { stored: StoredSecret; secret: string } {
  return { stored: { id: newId('key'), sealed: keys.seal(secret), created_at: now, expires_at: null }, secret };
}
