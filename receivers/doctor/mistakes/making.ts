import type { Mistake } from './mistake.ts';

/** Mistakes in making a signature: the secret, the signed text, the hash. */
export const makingMistakes = {
  // The secret.
  another_secret: {
    says: 'The signature was made with another of the known secrets, not with the one that verifies it.',
    fix: 'Use the secret of this endpoint. During a rotation pass both, and remove the old one after the overlap: X-SERVICE-Signature is by the old secret until it ends.',
    code: 'bothSecrets',
  },
  secret_white_space: {
    says: 'The secret has spaces or newlines around it, often from a file or a variable.',
    fix: 'Trim the secret where it is read.',
    code: 'trimmedSecret',
  },
  secret_newline_signed: {
    says: 'The signature was made with a newline at the end of the secret.',
    fix: 'Trim the secret where the signature is made.',
    code: 'trimmedSecret',
  },
  secret_quoted: {
    says: 'The secret has quotation marks around it, often from an .env file.',
    fix: 'Remove the quotation marks.',
    code: 'trimmedSecret',
  },
  secret_quoted_signed: {
    says: 'The signature was made with quotation marks around the secret, often from an .env file.',
    fix: 'Remove the quotation marks where the signature is made.',
    code: 'trimmedSecret',
  },
  secret_prefix_missing: {
    says: 'The signature was made with the prefix whsec_, which your secret lacks.',
    fix: 'Use the whole secret with whsec_: it is the key of X-SERVICE-Signature.',
    code: 'service',
  },
  secret_prefix_cut: {
    says: 'The signature was made without the prefix whsec_, but the key of X-SERVICE-Signature is the whole text.',
    fix: 'Use the whole secret for X-SERVICE-Signature.',
    code: 'service',
  },
  secret_decoded: {
    says: 'The signature was made with the decoded secret, but the key of X-SERVICE-Signature is its text.',
    fix: 'Use the text of the secret for X-SERVICE-Signature; the decoded bytes are the key of webhook-signature only.',
    code: 'service',
  },
  secret_not_decoded: {
    says: 'The signature was made with the secret’s text, but the key of webhook-signature is the decoded bytes.',
    fix: 'Remove whsec_ and decode the rest for webhook-signature.',
    code: 'decodedKey',
  },
  secret_empty: {
    says: 'The signature was made with an empty secret or the word undefined, because a variable was not set. Anyone can make it.',
    fix: 'Stop the start of your program if the secret is missing.',
    code: 'requiredSecret',
  },
  // The signed text.
  timestamp_left_out: {
    says: 'The signature was made without the timestamp.',
    fix: 'webhook-signature is over webhook-id.webhook-timestamp.body.',
    code: 'standard',
  },
  id_left_out: {
    says: 'The signature was made without the id.',
    fix: 'webhook-signature is over webhook-id.webhook-timestamp.body.',
    code: 'standard',
  },
  id_and_timestamp_left_out: {
    says: 'The signature was made over the body alone, without the id and the timestamp.',
    fix: 'webhook-signature is over webhook-id.webhook-timestamp.body. Only X-SERVICE-Signature is over the body alone.',
    code: 'standard',
  },
  id_and_timestamp_included: {
    says: 'The signature was made over the id or the timestamp too, but X-SERVICE-Signature is over the body alone.',
    fix: 'Sign the body alone for X-SERVICE-Signature.',
    code: 'service',
  },
  order: {
    says: 'The signature was made with the parts in another order, or without dots between them.',
    fix: 'webhook-signature is over webhook-id.webhook-timestamp.body, with dots between.',
    code: 'standard',
  },
  timestamp_milliseconds: {
    says: 'The timestamp is in milliseconds, in the header or in the signed text. Both need whole seconds.',
    fix: 'Use whole seconds since 1970 in the header and in the signed text.',
    code: 'seconds',
  },
  timestamp_too_old: {
    says: 'The signature is valid, but its timestamp is too old: the request was replayed or stored, or a clock is wrong.',
    fix: 'Set the clock by NTP. To check a stored request, pass its time (--at).',
  },
  timestamp_too_new: {
    says: 'The signature is valid, but its timestamp is in the future: your clock or the sender’s is wrong.',
    fix: 'Set the clock by NTP; do not widen the tolerance.',
  },
  // The hash.
  algorithm: {
    says: 'The signature was made with another hash than SHA-256.',
    fix: 'Use HMAC-SHA256.',
    code: 'service',
  },
  key_and_body_swapped: {
    says: 'The signature was made with the body as the key and the secret as the text: the two arguments are swapped.',
    fix: 'Use the secret as the key and the body as the text. Languages have them in different orders.',
    code: 'service',
  },
  no_key: {
    says: 'The signature is a plain hash without the secret: anyone can make it.',
    fix: 'Use HMAC-SHA256 with the secret as the key.',
    code: 'service',
  },
  hash_not_hmac: {
    says: 'The signature is a hash over secret and body, not an HMAC.',
    fix: 'Use HMAC-SHA256 with the secret as the key.',
    code: 'service',
  },
} as const satisfies Record<string, Mistake>;
