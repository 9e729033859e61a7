import type { Mistake } from './mistake.ts';

/** Mistakes in the written form of a signature, and in the headers beside it. */
export const headerMistakes = {
  prefix_missing: {
    says: 'The signature has no prefix.',
    fix: 'Write sha256= before the hexadecimal digits (X-SERVICE-Signature), v1, before the base64 (webhook-signature).',
    code: 'service',
  },
  prefix_other: {
    says: 'The signature has a wrong prefix.',
    fix: 'Write sha256= before the hexadecimal digits (X-SERVICE-Signature), v1, before the base64 (webhook-signature).',
    code: 'service',
  },
  hex_upper_case: {
    says: 'The hexadecimal digits are in upper case.',
    fix: 'Write them in lower case, as most libraries do.',
    code: 'service',
  },
  base64_for_hex: {
    says: 'The signature is in base64; X-SERVICE-Signature is hexadecimal.',
    fix: 'Write the digest in hexadecimal.',
    code: 'service',
  },
  hex_for_base64: {
    says: 'The signature is in hexadecimal; webhook-signature is base64.',
    fix: 'Write the digest in base64.',
    code: 'standard',
  },
  base64_url: {
    says: 'The signature is in base64url, or lacks the padding (=) of base64.',
    fix: 'Use plain base64 for webhook-signature, hexadecimal for X-SERVICE-Signature.',
    code: 'standard',
  },
  base64_of_hex: {
    says: 'The signature is the base64 of the hexadecimal digits: it was encoded twice.',
    fix: 'Encode the digest once.',
    code: 'standard',
  },
  quotes_or_white_space: {
    says: 'The header’s value has quotation marks or spaces around it.',
    fix: 'Use the value without them.',
    code: 'header',
  },
  other_format: {
    says: 'The header has the format of another service (such as t=...,v1=... of Stripe).',
    fix: 'X-SERVICE-Signature is sha256=<hexadecimal>; the timestamp has its own header, webhook-timestamp.',
    code: 'verify',
  },
  other_header_name: {
    says: 'The signature has another header name.',
    fix: 'The names are X-SERVICE-Signature, webhook-id, webhook-timestamp and webhook-signature. The sender can configure the first one.',
    code: 'header',
  },
  signatures_list: {
    says: 'The signatures are not separated by spaces.',
    fix: 'During a rotation webhook-signature contains several, separated by spaces: v1,AAA v1,BBB.',
    code: 'list',
  },
  header_missing: {
    says: 'The signature header is missing.',
    fix: 'Pass all headers of the request. A proxy or a framework may remove them. A request without them is not from the sender.',
    code: 'verify',
  },
  headers_incomplete: {
    says: 'At least one of webhook-id, webhook-timestamp and webhook-signature is missing. All three are needed.',
    fix: 'Pass all three, or none of them to verify X-SERVICE-Signature alone.',
    code: 'verify',
  },
  header_repeated: {
    says: 'A header occurs twice, so it has no clear value.',
    fix: 'Find the proxy that adds it again.',
  },
  header_malformed: {
    says: 'The signature matches, but another header has a wrong format.',
    fix: 'webhook-id is one word of letters, digits, _ and -; webhook-timestamp is whole seconds; each occurs once.',
    code: 'verify',
  },
  other_delivery: {
    says: 'X-SERVICE-Signature matches, but webhook-signature does not: one of the webhook-* headers belongs to another delivery, or was changed.',
    fix: 'Pass the headers of the same request.',
    code: 'verify',
  },
  secret_unusable: {
    says: 'The secret cannot be the key of webhook-signature: it is not base64, with or without the prefix whsec_.',
    fix: 'Copy the whole secret again, including whsec_.',
    code: 'decodedKey',
  },
} as const satisfies Record<string, Mistake>;
