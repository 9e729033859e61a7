import { codes, type Mistake } from './mistake.ts';

/** Mistakes in making a signature: the secret, the signed text, the hash. */
export const makingMistakes = {
  // The secret.
  another_secret: {
    says: 'The signature was made with another of your secrets, not with the first one.',
    fix: 'Use the secret of this endpoint. During a rotation pass both, and remove the old one after the overlap: X-SERVICE-Signature is by the old secret until the new one is confirmed.',
    code: 'verifySignature(rawBody, request.headers, [newSecret, oldSecret]);',
  },
  secret_white_space: {
    says: 'The secret has spaces or newlines around it, often from a file or a variable.',
    fix: 'Trim the secret where it is read.',
    code: "const secret = readFileSync('secret.txt', 'utf8').trim();",
  },
  secret_newline_signed: {
    says: 'The signature was made with a newline at the end of the secret.',
    fix: 'Trim the secret where the signature is made.',
    code: "const secret = readFileSync('secret.txt', 'utf8').trim();",
  },
  secret_quoted: {
    says: 'The secret has quotation marks around it, often from an .env file.',
    fix: 'Remove the quotation marks.',
    code: 'SECRET=whsec_... # without quotation marks',
  },
  secret_prefix_missing: {
    says: 'The signature was made with the prefix whsec_, which your secret lacks.',
    fix: 'Use the whole secret with whsec_: it is the key of X-SERVICE-Signature.',
    code: "createHmac('sha256', 'whsec_...').update(rawBody).digest('hex')",
  },
  secret_prefix_cut: {
    says: 'The signature was made without the prefix whsec_, but the key of X-SERVICE-Signature is the whole text.',
    fix: 'Use the whole secret for X-SERVICE-Signature.',
    code: "createHmac('sha256', secret).update(rawBody).digest('hex')",
  },
  secret_decoded: {
    says: 'The signature was made with the decoded secret, but the key of X-SERVICE-Signature is its text.',
    fix: 'Use the text of the secret for X-SERVICE-Signature; the decoded bytes are the key of webhook-signature only.',
    code: "createHmac('sha256', secret).update(rawBody).digest('hex')",
  },
  secret_not_decoded: {
    says: 'The signature was made with the secret’s text, but the key of webhook-signature is the decoded bytes.',
    fix: 'Remove whsec_ and decode the rest for webhook-signature.',
    code: "const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');",
  },
  secret_empty: {
    says: 'The signature was made with an empty secret or the word undefined, because a variable was not set. Anyone can make it.',
    fix: 'Stop the start of your program if the secret is missing.',
    code: "if (!process.env.SECRET) throw new Error('Set SECRET.');",
  },
  // The signed text.
  timestamp_left_out: {
    says: 'The signature was made without the timestamp.',
    fix: 'webhook-signature is over webhook-id.webhook-timestamp.body.',
    code: codes.over,
  },
  id_left_out: {
    says: 'The signature was made without the id.',
    fix: 'webhook-signature is over webhook-id.webhook-timestamp.body.',
    code: codes.over,
  },
  id_and_timestamp_left_out: {
    says: 'The signature was made over the body alone, without the id and the timestamp.',
    fix: 'webhook-signature is over webhook-id.webhook-timestamp.body. Only X-SERVICE-Signature is over the body alone.',
    code: codes.over,
  },
  id_and_timestamp_included: {
    says: 'The signature was made over the id or the timestamp too, but X-SERVICE-Signature is over the body alone.',
    fix: 'Sign the body alone for X-SERVICE-Signature.',
    code: "createHmac('sha256', secret).update(rawBody).digest('hex')",
  },
  order: {
    says: 'The signature was made with the parts in another order, or without dots between them.',
    fix: 'webhook-signature is over webhook-id.webhook-timestamp.body, with dots between.',
    code: codes.over,
  },
  timestamp_milliseconds: {
    says: 'The timestamp is in milliseconds, in the header or in the signed text. Both need whole seconds.',
    fix: 'Use whole seconds since 1970 in the header and in the signed text.',
    code: 'const timestamp = String(Math.floor(Date.now() / 1000));',
  },
  timestamp_too_old: {
    says: 'The signature is valid, but its timestamp is too old: the request was replayed or stored, or a clock is wrong.',
    fix: 'Set the clock by NTP. To check a stored request, pass its time (--at).',
    code: 'verifySignature(rawBody, request.headers, secret, { now: () => receivedAtMs });',
  },
  timestamp_too_new: {
    says: 'The signature is valid, but its timestamp is in the future: your clock or the sender’s is wrong.',
    fix: 'Set the clock by NTP; do not widen the tolerance.',
    code: 'verifySignature(rawBody, request.headers, secret, { now: () => receivedAtMs });',
  },
  // The hash.
  algorithm: {
    says: 'The signature was made with another hash than SHA-256.',
    fix: 'Use HMAC-SHA256.',
    code: "createHmac('sha256', secret)",
  },
  no_key: {
    says: 'The signature is a plain hash without the secret: anyone can make it.',
    fix: 'Use HMAC-SHA256 with the secret as the key.',
    code: "createHmac('sha256', secret).update(rawBody).digest('hex') // not createHash",
  },
  hash_not_hmac: {
    says: 'The signature is a hash over secret and body, not an HMAC.',
    fix: 'Use HMAC-SHA256 with the secret as the key.',
    code: "createHmac('sha256', secret).update(rawBody).digest('hex') // not createHash",
  },
} as const satisfies Record<string, Mistake>;
