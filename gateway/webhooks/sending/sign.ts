import { createHmac, randomBytes } from 'node:crypto';

const secretPrefix = 'whsec_';

/** Returns a new signing secret in the form of Standard Webhooks: `whsec_` and the base64 of 32 random bytes. */
export const newSigningSecret = (): string => secretPrefix + randomBytes(32).toString('base64');

export interface ToSign {
  /** The event's id. It is the same in every attempt, so that a receiver can detect duplicates. */
  eventId: string;
  /** The exact body that is sent. */
  body: string;
  /** The time of the attempt, in milliseconds since 1970. */
  atMs: number;
  /** The secrets that sign, newest first. */
  secrets: readonly string[];
  /** The secret that signs the header of the API documents. Default: the newest. */
  documented?: string | undefined;
  /** Name of the signature header that the API documents describe, such as X-SERVICE-Signature. */
  headerName: string;
}

/**
 * Returns the headers that prove who sent the body. The signature of the API documents uses one secret as it is shown
 * (cohesion section 6; gap cohesion.webhook-secret). The headers of Standard Webhooks have a signature for each secret
 * that is given (gap cohesion.webhook-standard-headers). Throws if there is no secret.
 */
export function signatureHeaders({
  eventId,
  body,
  atMs,
  secrets,
  documented = secrets[0],
  headerName,
}: ToSign): Record<string, string> {
  if (documented === undefined) throw new Error('There is no signing secret.');
  const timestamp = String(Math.floor(atMs / 1000));
  const signed = `${eventId}.${timestamp}.${body}`;
  return {
    [headerName]: documentedSignature(documented, body),
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .map((secret) => `v1,${createHmac('sha256', keyOf(secret), { encoding: 'base64' }).update(signed).digest('base64')}`)
      .join(' '),
  };
}

/** Returns the value of the header that the API documents describe. */
export const documentedSignature = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** The key stays a string: Node 24.21 signs five times more slowly with a Buffer. */
const keyOf = (secret: string): string => secret.slice(secretPrefix.length);
