import { randomBytes } from 'node:crypto';
import { newSigningSecret, publicKeyOf, signatureHeaders } from '../../gateway/webhooks/sending/sign.ts';
import type { Context, Sent } from './check.ts';
import { isPrivate, newPrivateKey, privateKeyOf } from './private-keys.ts';

export interface Recipe {
  label?: string;
  type?: string;
  data?: unknown;
  /** Fields of the envelope beside the documented ones. */
  extra?: Record<string, unknown>;
  /** Replaces the envelope that the gateway would write. */
  body?: string;
  /** Writes the envelope. Default: as the gateway does. */
  write?(envelope: object): string;
  id?: string;
  /** The signing secrets or private keys, newest first. Default: the endpoint's. */
  secrets?: readonly string[];
  /**
   * The secret that signs the header of the documents. Default: the newest. With a private key, a secret that no receiver knows
   * signs it.
   */
  documented?: string;
  /** The age of the signature's timestamp in seconds. Default 0. */
  agoSeconds?: number;
  /** Changes the request after it is signed. */
  forge?(sent: Sent): Sent;
}

export const newEventId = () => `evt_check_${randomBytes(8).toString('hex')}`;

/** Creates a secret or private key that no receiver knows, as the receiver's is one. */
export const strangersSecret = ({ secret }: Context): string => (isPrivate(secret) ? newPrivateKey() : newSigningSecret());

/** Returns the request of a forger who uses the public key as a secret. Empty if it has a secret. */
export const publicKeyAsSecret = ({ secret }: Context): Recipe[] => {
  if (!isPrivate(secret)) return [];
  const publicKey = publicKeyOf(privateKeyOf(secret));
  return [{ label: 'public key as secret', secrets: [publicKey.replace('whpk_', 'whsec_')], documented: publicKey }];
};

const instant = (atMs: number) => new Date(atMs).toISOString().replace(/\.\d{3}Z$/, '+00:00');

/** Builds a request as the gateway does, with the changes of the recipe. */
export function request(context: Context, recipe: Recipe = {}): Sent {
  const { label = 'event', agoSeconds = 0, secrets = [context.secret], id = newEventId(), forge = (sent) => sent } = recipe;
  const { type = context.event.type, data = context.event.data, extra = {}, write = JSON.stringify } = recipe;
  const atMs = context.now() - agoSeconds * 1000;
  const body = recipe.body ?? write({ event: type, delivered_at: instant(atMs), data, ...extra });
  const { documented = secrets[0] ?? '' } = recipe;
  const signature = signatureHeaders({
    eventId: id,
    body,
    atMs,
    secrets: secrets.filter((secret) => !isPrivate(secret)),
    privateKeys: secrets.filter(isPrivate).map(privateKeyOf),
    documented: isPrivate(documented) ? newSigningSecret() : documented,
    headerName: context.signatureHeader,
  });
  return forge({ label, body, headers: { 'content-type': 'application/json', 'user-agent': 'Passerelle', ...signature } });
}

/** Removes the headers for which `isRemoved` returns true. */
export const without = (sent: Sent, isRemoved: (name: string) => boolean): Sent => ({
  ...sent,
  headers: Object.fromEntries(Object.entries(sent.headers).filter(([name]) => !isRemoved(name.toLowerCase()))),
});
