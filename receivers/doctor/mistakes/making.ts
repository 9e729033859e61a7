import { codes, type Mistake } from './mistake.ts';

/** How a signature is made: the secret, what is signed, the hash. */
export const makingMistakes = {
  // The secret.
  another_secret: {
    says: 'The signature was made with another of the secrets given, not with the first.',
    fix: 'Use the secret of this endpoint. While one is rotated, give both, and take the old one out when the overlap is over.',
    code: 'verifySignature(rawBody, request.headers, [newSecret, oldSecret]);',
  },
  secret_white_space: {
    says: 'The secret has white space around it: a newline from a file or an environment, most often.',
    fix: 'Trim the secret where it is read.',
    code: "const secret = readFileSync('secret.txt', 'utf8').trim();",
  },
  secret_newline_signed: {
    says: 'The signature was made with a newline at the end of the secret.',
    fix: 'Trim the secret where the signature is made.',
    code: "const secret = readFileSync('secret.txt', 'utf8').trim();",
  },
  secret_quoted: {
    says: 'The secret has quotation marks around it, as from an .env file that is not parsed as one.',
    fix: 'Take the quotation marks away.',
    code: 'SECRET=whsec_... # without quotation marks',
  },
  secret_prefix_missing: {
    says: 'The signature was made with whsec_ before the secret: it was cut off.',
    fix: 'Keep the secret as it was shown, with whsec_: X-SERVICE-Signature is keyed with all of it.',
    code: "createHmac('sha256', 'whsec_...').update(rawBody).digest('hex')",
  },
  secret_prefix_cut: {
    says: 'The signature was made with the secret without its whsec_; X-SERVICE-Signature is keyed with all of its text.',
    fix: 'Use the whole secret as it was shown for X-SERVICE-Signature.',
    code: "createHmac('sha256', secret).update(rawBody).digest('hex')",
  },
  secret_decoded: {
    says: 'The signature was made with the secret decoded from base64; X-SERVICE-Signature is keyed with its text.',
    fix: 'Use the text of the secret for X-SERVICE-Signature; only webhook-signature is keyed with the decoded bytes.',
    code: "createHmac('sha256', secret).update(rawBody).digest('hex')",
  },
  secret_not_decoded: {
    says: 'The signature was made with the text of the secret; webhook-signature is keyed with the bytes that its base64 stands for.',
    fix: 'Take whsec_ off and decode the rest for webhook-signature.',
    code: "const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');",
  },
  secret_empty: {
    says: 'The signature was made with an empty secret, or with the word undefined: a variable was not set. Anyone can sign with that.',
    fix: 'Refuse to start without a secret.',
    code: "if (!process.env.SECRET) throw new Error('Set SECRET.');",
  },
  // What is signed.
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
    fix: 'webhook-signature is over webhook-id.webhook-timestamp.body; over the body alone is X-SERVICE-Signature.',
    code: codes.over,
  },
  id_and_timestamp_included: {
    says: 'The signature was made over the id or the timestamp, too; X-SERVICE-Signature is over the body alone.',
    fix: 'Sign the body alone for X-SERVICE-Signature.',
    code: "createHmac('sha256', secret).update(rawBody).digest('hex')",
  },
  order: {
    says: 'The signature was made with the parts in another order, or with something else than dots between them.',
    fix: 'webhook-signature is over webhook-id.webhook-timestamp.body, with dots between.',
    code: codes.over,
  },
  timestamp_milliseconds: {
    says: 'The timestamp is in milliseconds somewhere: in the header, or in what was signed. It is in whole seconds in both.',
    fix: 'Use whole seconds since 1970 in the header and in what is signed.',
    code: 'const timestamp = String(Math.floor(Date.now() / 1000));',
  },
  timestamp_too_old: {
    says: 'The signature is right, but its timestamp is too old: the request was replayed or kept for long, or a clock is wrong.',
    fix: 'Set the clock by NTP. To examine a request that was kept, say when it came (--at).',
    code: 'verifySignature(rawBody, request.headers, secret, { now: () => receivedAtMs });',
  },
  timestamp_too_new: {
    says: 'The signature is right, but its timestamp lies ahead: the clock here, or the sender’s, is wrong.',
    fix: 'Set the clock by NTP; do not widen the tolerance.',
    code: 'verifySignature(rawBody, request.headers, secret, { now: () => receivedAtMs });',
  },
  // How it is computed.
  algorithm: {
    says: 'The signature was made with another hash than SHA-256.',
    fix: 'Use HMAC-SHA256.',
    code: "createHmac('sha256', secret)",
  },
  no_key: {
    says: 'The signature is a plain hash of what is sent, without the secret: anyone can make it.',
    fix: 'Use HMAC-SHA256, keyed with the secret.',
    code: "createHmac('sha256', secret).update(rawBody).digest('hex') // not createHash",
  },
  hash_not_hmac: {
    says: 'The signature is a hash of the secret and the body put together, not an HMAC.',
    fix: 'Use HMAC-SHA256, keyed with the secret.',
    code: "createHmac('sha256', secret).update(rawBody).digest('hex') // not createHash",
  },
} as const satisfies Record<string, Mistake>;
