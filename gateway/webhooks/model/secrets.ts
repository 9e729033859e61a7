import type { StoredSecret } from '../../store/tables/webhooks.ts';

/** What each unexpired secret signs. */
export interface Signing {
  /** The secrets that sign `webhook-signature`, newest first. */
  inForce: StoredSecret[];
  /** The one that signs the header of the API documents, which has room for a single signature. */
  documented: StoredSecret | undefined;
  /** The newest secret of a rotation, until it is confirmed or the old one ends: it does not sign the documented header yet. */
  unconfirmed: StoredSecret | undefined;
}

/** Returns what the secrets sign at a time, in milliseconds since 1970. `secrets` must be in the stored order. */
export function signingAt(secrets: readonly StoredSecret[], atMs: number): Signing {
  const inForce = secrets.filter(({ expires_at }) => expires_at === null || expires_at > atMs);
  // The oldest secret signs from its creation on, even if this process's clock is behind the clock of the process that created
  // it.
  const documented = inForce.find(({ documented_from }) => documented_from <= atMs) ?? inForce.at(-1);
  return { inForce, documented, unconfirmed: inForce[0] === documented ? undefined : inForce[0] };
}
