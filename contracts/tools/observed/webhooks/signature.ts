import { createHmac } from 'node:crypto';
import { standardHeaders } from '../../../../spec/gaps/is/both.ts';
import { choice, not, other, type Recognisers, rule } from '../finding.ts';
import type { SeenWebhook } from './webhook.ts';

const signatureHeader = 'x-service-signature';

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

const hex = (gap: string) =>
  rule<SeenWebhook>(gap, (webhook) => {
    const digits = digitsOf(webhook) ?? '';
    const [isLower, isUpper] = [/[a-f]/.test(digits), /[A-F]/.test(digits)];
    if (isLower === isUpper) return undefined;
    return isLower ? [choice, 'a signature has lower-case digits'] : ['upper-case', 'a signature has upper-case digits'];
  });

export const signatures: Recognisers<SeenWebhook> = {
  pos: [
    rule('pos.webhook-signing', ({ headers }) => {
      const has = (pattern: RegExp) => Object.keys(headers).some((name) => pattern.test(name));
      const isStandard = standardHeaders.every((name) => name in headers);
      if (digitsOf({ headers }) !== undefined)
        return isStandard
          ? [choice, 'a webhook has the signature headers of our choice']
          : [other, 'a webhook has X-SERVICE-Signature, and not the headers of Standard Webhooks'];
      if (has(/signature|hmac/)) return [other, 'a webhook has another signature'];
      return has(/token|secret|api-?key|authorization/)
        ? ['token-header', 'a webhook has a token in a header, and no signature']
        : ['none', 'a webhook has neither a signature nor a token'];
    }),
    hex('pos.signature-hex'),
  ],
  cohesion: [
    hex('cohesion.signature-hex'),
    rule('cohesion.webhook-standard-headers', ({ headers }) => {
      const has = standardHeaders.filter((name) => name in headers);
      if (has.length === 0) return ['none', 'a webhook has none of the headers of Standard Webhooks'];
      return has.length === standardHeaders.length
        ? [choice, 'a webhook has the headers of Standard Webhooks']
        : [other, 'a webhook has some of the headers of Standard Webhooks'];
    }),
    rule('cohesion.webhook-secret', ({ keyedWith: key }) => {
      if (key === 'secret') return [not('decoded-bytes'), 'a signature is keyed with the whole secret'];
      return key === 'decoded-bytes' && ['decoded-bytes', 'a signature is keyed with the bytes that the secret encodes'];
    }),
  ],
};
