import type { Keyring } from '../../base/keyring.ts';
import { signingAt } from '../model/secrets.ts';
import { publicKeyOf } from '../sending/sign.ts';
import type { Endpoint } from './endpoints.ts';

export interface PublicKey {
  /** The id of the secret that it is rotated with. */
  id: string;
  /** `whpk_` and base64, as Standard Webhooks has it. */
  public_key: string;
  valid_from: number;
  /** Null for the newest one. */
  valid_until: number | null;
}

/** Returns the public keys that verify an endpoint's `v1a` signatures, newest first. They are there before the endpoint uses them. */
export const publicKeysOf = ({ secrets }: Pick<Endpoint, 'secrets'>, keys: Keyring, nowMs: number): PublicKey[] =>
  signingAt(secrets, nowMs).inForce.map(({ id, created_at, expires_at }) => ({
    id,
    public_key: publicKeyOf(keys.signingKey(id)),
    valid_from: created_at,
    valid_until: expires_at,
  }));
