import { Refusal } from '../../base/errors.ts';
import type { Keyring } from '../../base/keyring.ts';
import type { Store } from '../../store/port.ts';
import type { StoredSecret } from '../../store/tables/webhooks.ts';
import { signingAt } from '../model/secrets.ts';
import type { Change } from '../outbox/change.ts';
import { type Endpoint, readEndpoint } from './endpoints.ts';
import { noticeRow, storeNotices } from './notices.ts';
import { newStoredSecret } from './secrets.ts';

/** How long the old secret still signs by default. */
export const rotationOverlapHours = 24;

/** The last part of an overlap, in which an unconfirmed rotation has been announced to the operator. */
const noticeShare = 0.25;

/**
 * Adds a new secret. During the overlap all of them sign `webhook-signature`. The documented header keeps its secret until the
 * new one is confirmed, at the latest until the overlap ends. A second rotation gives that secret a new end.
 */
export async function rotateSecret(
  change: Change,
  { id, overlapHours }: { id: string; overlapHours: number },
  keys: Keyring,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const { tx, now } = change;
  const endpoint = await readEndpoint(tx, id, { lock: true });
  const end = now + overlapHours * 3_600_000;
  const old = leaving(endpoint.secrets, { now, end, keys });
  // Nothing can be signed with a secret that cannot be decrypted. If none is left, the new one takes over at once.
  const { documented } = signingAt(endpoint.secrets, now);
  const isGradual = old.some(({ id }) => id === documented?.id);
  const { stored, secret } = newStoredSecret(keys, now, isGradual ? end : now);
  const rotation_notice_at = isGradual ? end - Math.round((end - now) * noticeShare) : null;
  const secrets = [{ ...stored, replaces: documented?.id ?? null }, ...old];
  const patch = { secrets, rotation_notice_at, updated_at: now };
  const [updated] = await tx.update('endpoints', { id }, patch);
  return { endpoint: updated ?? endpoint, secret };
}

/**
 * Returns the secrets that still sign, with their end. For secrets that no longer sign the documented header, the end is not
 * moved to a later time.
 */
function leaving(secrets: readonly StoredSecret[], { now, end, keys }: { now: number; end: number; keys: Keyring }) {
  const { inForce, documented } = signingAt(secrets, now);
  const left = documented ? inForce.slice(inForce.indexOf(documented) + 1) : inForce;
  return inForce
    .map((one) => {
      if (left.includes(one)) return { ...one, expires_at: Math.min(one.expires_at ?? end, end) };
      return one === documented ? { ...one, expires_at: end } : { ...one, expires_at: end, documented_from: end };
    })
    .filter(({ sealed, expires_at }) => expires_at > now && keys.canOpen(sealed));
}

/**
 * Lets the newest secret sign the documented header from now on. Has no further effect if it does so already. Throws a conflict
 * if there was no rotation, or if `secretId` is no longer the newest.
 */
export async function confirmSecret(
  change: Change,
  { id, secretId }: { id: string; secretId?: string | undefined },
): Promise<Endpoint> {
  const { tx, now } = change;
  const endpoint = await readEndpoint(tx, id, { lock: true });
  const [newest] = endpoint.secrets;
  if (!newest?.replaces) throw noRotation(endpoint);
  if (secretId !== undefined && secretId !== newest.id) throw notNewest(secretId, newest.id);
  const patch = confirmed(endpoint, newest.id, now);
  if (patch.secrets === undefined) return endpoint;
  const [updated] = await tx.update('endpoints', { id }, { ...patch, updated_at: now });
  return updated ?? endpoint;
}

/** The columns of an endpoint whose rotation needs no announcement any more. */
const announced = { rotation_notice_at: null };

/** Returns the change that confirms a secret. Empty if the secret was confirmed, replaced or withdrawn meanwhile. */
export function confirmed(
  { secrets }: Endpoint,
  secretId: string,
  now: number,
): Partial<Pick<Endpoint, 'secrets' | 'rotation_notice_at'>> {
  const [newest, ...others] = secrets;
  if (newest?.id !== secretId || signingAt(secrets, now).unconfirmed !== newest) return {};
  return { secrets: [{ ...newest, documented_from: now }, ...others], ...announced };
}

/**
 * Goes back to the secret that signs the documented header, and withdraws those that are newer. Throws a conflict if the newest
 * secret is confirmed, or the old one has ended.
 */
export async function cancelRotation(change: Change, id: string): Promise<Endpoint> {
  const { tx, now } = change;
  const endpoint = await readEndpoint(tx, id, { lock: true });
  const { documented, unconfirmed } = signingAt(endpoint.secrets, now);
  if (!documented || !unconfirmed) throw noRotation(endpoint);
  const [, ...older] = endpoint.secrets.slice(endpoint.secrets.indexOf(documented));
  const secrets = [{ ...documented, expires_at: null }, ...older];
  const [updated] = await tx.update('endpoints', { id }, { secrets, ...announced, updated_at: now });
  return updated ?? endpoint;
}

/** Throws a conflict unless the endpoint has a secret that is not confirmed. */
export function refuseUnlessRotating(endpoint: Endpoint, now: number): void {
  if (!signingAt(endpoint.secrets, now).unconfirmed) throw noRotation(endpoint);
}

function noRotation({ id, secrets }: Endpoint): Refusal {
  const message = `No rotation of ${id} waits for its confirmation: its newest secret, ${secrets[0]?.id}, signs every header. To rotate, use POST /manage/v1/endpoints/${id}/rotate-secret.`;
  return new Refusal('conflict', 'no_rotation', message);
}

function notNewest(given: string, newest: string): Refusal {
  const message = `${given} is not the newest secret of this endpoint, which is ${newest}. It was rotated again, or the rotation was canceled.`;
  return new Refusal('conflict', 'not_newest', message, { details: [{ field: 'secret_id', rule: 'not_newest', message }] });
}

export interface RotationNoticeParts {
  store: Store;
  clock: { now(): number };
  /** The name of the documented header. */
  signatureHeader: string;
  wakeFanout(): void;
}

/** Notices of one sweep. The next sweep sends the others. */
const noticesPerSweep = 100;

/** Tells the operator which rotations end soon and are not confirmed. */
export async function announceUnconfirmed({ store, clock, signatureHeader, wakeFanout }: RotationNoticeParts): Promise<void> {
  const due = { rotation_notice_at: { lte: clock.now() } };
  const found = await store.list('endpoints', { where: due, order: [['rotation_notice_at', 'asc']], limit: noticesPerSweep });
  for (const { id } of found) {
    const hasEvents = await store.transaction(async (tx) => {
      const [endpoint] = await tx.list('endpoints', { where: { id, ...due }, lock: true });
      if (!endpoint) return false;
      await tx.update('endpoints', { id }, { rotation_notice_at: null });
      const now = clock.now();
      const { documented, unconfirmed } = signingAt(endpoint.secrets, now);
      if (!documented || !unconfirmed || !endpoint.active) return false;
      const at = new Date(unconfirmed.documented_from).toISOString();
      const message = `The new secret ${unconfirmed.id} is not confirmed. At ${at} it replaces ${documented.id} in ${signatureHeader}, and ${documented.id} stops signing.`;
      return storeNotices(tx, endpoint, [noticeRow('endpoint.secret_unconfirmed', id, message, now)], 'clock');
    });
    if (hasEvents) wakeFanout();
  }
}
