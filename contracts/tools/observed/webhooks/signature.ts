import { createHmac } from 'node:crypto';
import type { ServiceName } from '../../../documents/services.ts';
import { choice, excludes, nothing, other, shows } from '../finding.ts';
import type { SeenWebhook, WebhookRecogniser } from './webhook.ts';

const signatureHeader = 'x-service-signature';
const standardHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** The digits of the signature that the social-cohesion document shows. */
export const digitsOf = ({ headers }: Pick<SeenWebhook, 'headers'>): string | undefined =>
  /^sha256=([0-9a-f]{64})$/i.exec(headers[signatureHeader] ?? '')?.[1];

/** Which key a signature was made with; undefined if there is no signature or no secret to check it with. */
export function keyOf(secret: string | undefined, headers: Record<string, string>, bytes: Buffer): SeenWebhook['keyedWith'] {
  const digits = digitsOf({ headers })?.toLowerCase();
  if (secret === undefined || digits === undefined) return undefined;
  const isKey = (key: string | Buffer) => createHmac('sha256', key).update(bytes).digest('hex') === digits;
  if (isKey(secret)) return 'secret';
  return isKey(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')) ? 'decoded-bytes' : 'another';
}

/** How point of sale signs. */
const signing: WebhookRecogniser = (webhook) => {
  const gap = 'pos.webhook-signing';
  const names = Object.keys(webhook.headers);
  if (digitsOf(webhook) !== undefined) {
    return standardHeaders.every((name) => names.includes(name))
      ? shows(gap, choice, 'a webhook has the signature headers of our choice')
      : shows(gap, other, 'a webhook has X-SERVICE-Signature, and not the headers of Standard Webhooks');
  }
  if (names.some((name) => /signature|hmac/.test(name))) return shows(gap, other, 'a webhook has another signature');
  return names.some((name) => /token|secret|api-?key|authorization/.test(name))
    ? shows(gap, 'token-header', 'a webhook has a token in a header, and no signature')
    : shows(gap, 'none', 'a webhook has neither a signature nor a token');
};

const hex =
  (gap: string): WebhookRecogniser =>
  (webhook) => {
    const digits = digitsOf(webhook) ?? '';
    const [lower, upper] = [/[a-f]/.test(digits), /[A-F]/.test(digits)];
    if (lower === upper) return nothing;
    return lower
      ? shows(gap, choice, 'a signature has lower-case digits')
      : shows(gap, 'upper-case', 'a signature has upper-case digits');
  };

const standard: WebhookRecogniser = ({ headers }) => {
  const gap = 'cohesion.webhook-standard-headers';
  const has = standardHeaders.filter((name) => name in headers);
  if (has.length === standardHeaders.length) return shows(gap, choice, 'a webhook has the headers of Standard Webhooks');
  return has.length === 0
    ? shows(gap, 'none', 'a webhook has none of the headers of Standard Webhooks')
    : shows(gap, other, 'a webhook has some of the headers of Standard Webhooks');
};

const key: WebhookRecogniser = ({ keyedWith }) => {
  const gap = 'cohesion.webhook-secret';
  if (keyedWith === 'secret') return excludes(gap, ['decoded-bytes'], 'a signature is keyed with the whole secret');
  return keyedWith === 'decoded-bytes'
    ? shows(gap, 'decoded-bytes', 'a signature is keyed with the bytes that the secret encodes')
    : nothing;
};

export const signatures: Readonly<Record<ServiceName, readonly WebhookRecogniser[]>> = {
  pos: [signing, hex('pos.signature-hex')],
  cohesion: [hex('cohesion.signature-hex'), standard, key],
};
