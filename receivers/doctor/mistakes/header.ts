import { codes, type Mistake } from './mistake.ts';

/** Mistakes in the written form of a signature, and in the headers beside it. */
export const headerMistakes = {
  prefix_missing: {
    says: 'The signature has no prefix.',
    fix: 'Write sha256= before the hexadecimal digits (X-SERVICE-Signature), v1, before the base64 (webhook-signature).',
    code: "const expected = 'sha256=' + digest;",
  },
  prefix_other: {
    says: 'The signature has a wrong prefix.',
    fix: 'Write sha256= before the hexadecimal digits (X-SERVICE-Signature), v1, before the base64 (webhook-signature).',
    code: "const expected = 'sha256=' + digest;",
  },
  hex_upper_case: {
    says: 'The hexadecimal digits are in upper case.',
    fix: 'Write them in lower case, as digest("hex") does.',
    code: ".digest('hex')",
  },
  base64_for_hex: {
    says: 'The signature is in base64; X-SERVICE-Signature is hexadecimal.',
    fix: 'Write the digest in hexadecimal.',
    code: ".digest('hex') // not 'base64'",
  },
  hex_for_base64: {
    says: 'The signature is in hexadecimal; webhook-signature is base64.',
    fix: 'Write the digest in base64.',
    code: ".digest('base64') // not 'hex'",
  },
  base64_url: {
    says: 'The signature is in base64url, or lacks the padding (=) of base64.',
    fix: 'Use plain base64 for webhook-signature, hexadecimal for X-SERVICE-Signature.',
    code: ".digest('base64') // not 'base64url'",
  },
  base64_of_hex: {
    says: 'The signature is the base64 of the hexadecimal digits: it was encoded twice.',
    fix: 'Encode the digest once.',
    code: ".digest('base64') // of the bytes, not of digest('hex')",
  },
  quotes_or_white_space: {
    says: 'The header’s value has quotation marks or spaces around it.',
    fix: 'Use the value without them.',
    code: "request.headers['x-service-signature'] // not JSON.stringify of it",
  },
  other_format: {
    says: 'The header has the format of another service (such as t=...,v1=... of Stripe).',
    fix: 'X-SERVICE-Signature is sha256=<hexadecimal>; the timestamp has its own header, webhook-timestamp.',
    code: codes.helper,
  },
  other_header_name: {
    says: 'The signature has another header name.',
    fix: 'The names are X-SERVICE-Signature, webhook-id, webhook-timestamp and webhook-signature. The sender can configure the first one.',
    code: "verifySignature(rawBody, request.headers, secret, { signatureHeader: 'x-other-signature' });",
  },
  signatures_list: {
    says: 'The signatures are not separated by spaces.',
    fix: 'During a rotation webhook-signature contains several, separated by spaces: v1,AAA v1,BBB.',
    code: "header.split(' ')",
  },
  header_missing: {
    says: 'The signature header is missing.',
    fix: 'Pass all headers of the request. A proxy or a framework may remove them. A request without them is not from the sender.',
    code: codes.helper,
  },
  headers_incomplete: {
    says: 'At least one of webhook-id, webhook-timestamp and webhook-signature is missing. All three are needed.',
    fix: 'Pass all three, or none of them to verify X-SERVICE-Signature alone.',
    code: codes.helper,
  },
  header_repeated: {
    says: 'A header occurs twice, so it has no clear value.',
    fix: 'Find the proxy that adds it again.',
    code: codes.helper,
  },
  header_malformed: {
    says: 'The signature matches, but another header has a wrong format.',
    fix: 'webhook-id is one word of letters, digits, _ and -; webhook-timestamp is whole seconds; each occurs once.',
    code: codes.helper,
  },
  other_delivery: {
    says: 'X-SERVICE-Signature matches, but webhook-signature does not: one of the webhook-* headers belongs to another delivery, or was changed.',
    fix: 'Pass the headers of the same request.',
    code: codes.helper,
  },
  secret_unusable: {
    says: 'The secret cannot be the key of webhook-signature: it is not base64, with or without the prefix whsec_.',
    fix: 'Copy the whole secret again, including whsec_.',
    code: codes.helper,
  },
} as const satisfies Record<string, Mistake>;
