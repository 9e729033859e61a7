import { codes, type Mistake } from './mistake.ts';

/** How a signature is written, and what is wrong with the headers beside it. */
export const headerMistakes = {
  prefix_missing: {
    says: 'The signature has no prefix.',
    fix: 'Write sha256= before the hexadecimal digits (X-SERVICE-Signature), v1, before the base64 (webhook-signature).',
    code: "const expected = 'sha256=' + digest;",
  },
  prefix_other: {
    says: 'The signature has another prefix than it should.',
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
    says: 'The header’s value has quotation marks or white space around it.',
    fix: 'Take the value as it is, without them.',
    code: "request.headers['x-service-signature'] // not JSON.stringify of it",
  },
  other_format: {
    says: 'The header is written in the way of another service (t=...,v1=... as of Stripe).',
    fix: 'X-SERVICE-Signature is sha256=<hexadecimal>; the timestamp has its own header, webhook-timestamp.',
    code: codes.helper,
  },
  other_header_name: {
    says: 'The signature came under another header name.',
    fix: 'The names are X-SERVICE-Signature, and webhook-id, webhook-timestamp, webhook-signature; the first is a setting of the sender.',
    code: "verifySignature(rawBody, request.headers, secret, { signatureHeader: 'x-other-signature' });",
  },
  signatures_list: {
    says: 'The signatures of the list are not separated by spaces.',
    fix: 'During a rotation webhook-signature holds several, with a space between: v1,AAA v1,BBB.',
    code: "header.split(' ')",
  },
  header_missing: {
    says: 'No header with a signature is there.',
    fix: 'Pass all headers of the request. A proxy or a framework may drop them; a request without them is not from the sender.',
    code: codes.helper,
  },
  headers_incomplete: {
    says: 'Of webhook-id, webhook-timestamp and webhook-signature at least one is missing; the three decide together.',
    fix: 'Pass all three, or none of them to verify X-SERVICE-Signature alone.',
    code: codes.helper,
  },
  header_repeated: {
    says: 'A header came twice: no one can know which of the two counts.',
    fix: 'Look for a proxy that adds it again.',
    code: codes.helper,
  },
  header_malformed: {
    says: 'The signature would fit, but a header beside it is not in its form.',
    fix: 'webhook-id is one word of letters, digits, _ and -; webhook-timestamp is whole seconds; each comes once.',
    code: codes.helper,
  },
  other_delivery: {
    says: 'X-SERVICE-Signature fits the body and the secret, but webhook-signature does not: webhook-id, webhook-timestamp or webhook-signature is of another delivery, or was changed.',
    fix: 'Pass the headers of this very request.',
    code: codes.helper,
  },
  secret_unusable: {
    says: 'The secret cannot be the key of webhook-signature: it is not base64, with or without whsec_ before it.',
    fix: 'Copy the secret again, all of it, as it was shown once.',
    code: codes.helper,
  },
} as const satisfies Record<string, Mistake>;
