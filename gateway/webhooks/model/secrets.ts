import type { StoredSecret } from '../../store/tables/webhooks.ts';

/** What each unexpired secret signs. */
export interface Signing {
  /** The secrets that sign `webhook-signature`, newest first. */
  inForce: StoredSecret[];
  /** The oldest one, which every receiver knows: it signs the header of the API documents, which has room for one signature. */
  documented: StoredSecret | undefined;
}

/** Returns what the secrets sign at a time, in milliseconds since 1970. `secrets` must be in the stored order. */
export function signingAt(secrets: readonly StoredSecret[], atMs: number): Signing {
  const inForce = secrets.filter(({ expires_at }) => expires_at === null || expires_at > atMs);
  return { inForce, documented: inForce.at(-1) };
}
