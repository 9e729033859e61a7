import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

const prefix = 'whsk_';

/** A private key as Standard Webhooks writes it: `whsk_` and the base64 of the ed25519 seed and public key. */
export const isPrivate = (secret: string): boolean => secret.startsWith(prefix);

/** Returns the key of such a text. Throws if it is none. */
export function privateKeyOf(text: string): KeyObject {
  const bytes = Buffer.from(text.slice(prefix.length), 'base64');
  const [d, x] = [bytes.subarray(0, 32), bytes.subarray(32)].map((part) => part.toString('base64url'));
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
}

export function newPrivateKey(): string {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return prefix + Buffer.concat([d, x].map((part) => Buffer.from(part, 'base64url'))).toString('base64');
}
