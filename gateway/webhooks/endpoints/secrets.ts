import { newId } from '../../base/ids.ts';
import type { Keyring } from '../../base/keyring.ts';
import type { StoredSecret } from '../../store/tables/webhooks.ts';
import { newSigningSecret } from '../sending/sign.ts';

/** Returns a secret, by default a new one, and what is stored of it. It signs the documented header from `documentedFrom` on, by default at once. */
export function newStoredSecret(
  keys: Keyring,
  now: number,
  documentedFrom: number = now,
  secret = newSigningSecret(),
): { stored: StoredSecret; secret: string } {
  const stored = {
    id: newId('key'),
    sealed: keys.seal(secret),
    created_at: now,
    replaces: null,
    expires_at: null,
    documented_from: documentedFrom,
  };
  return { stored, secret };
}
