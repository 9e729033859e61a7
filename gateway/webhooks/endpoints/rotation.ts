import type { Keyring } from '../../base/keyring.ts';
import { signingAt } from '../model/secrets.ts';
import type { Change } from '../outbox/change.ts';
import { type Endpoint, readEndpoint } from './endpoints.ts';
import { newStoredSecret } from './secrets.ts';

/** How long the old secret still signs by default. */
export const rotationOverlapHours = 24;

/** Adds a new secret. The others still sign during the overlap; those that cannot be decrypted end at once. */
export async function rotateSecret(
  { tx, now }: Change,
  { id, overlapHours }: { id: string; overlapHours: number },
  keys: Keyring,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const endpoint = await readEndpoint(tx, id, { lock: true });
  const end = now + overlapHours * 3_600_000;
  const { inForce } = signingAt(endpoint.secrets, now);
  const old = inForce
    .map((one) => ({ ...one, expires_at: Math.min(one.expires_at ?? end, end) }))
    .filter(({ sealed, expires_at }) => expires_at > now && keys.canOpen(sealed));
  const { stored, secret } = newStoredSecret(keys, now);
  const [updated] = await tx.update('endpoints', { id }, { secrets: [stored, ...old], updated_at: now });
  return { endpoint: updated ?? endpoint, secret };
}
