import { createHmac, timingSafeEqual } from 'node:crypto';

/** Why a request is not to be believed. Log it; a sender is owed no more than a 401. */
export type Reason =
  | 'body_not_raw'
  | 'unusable_secret'
  | 'missing_header'
  | 'malformed_header'
  | 'wrong_signature'
  | 'timestamp_too_old'
  | 'timestamp_too_new';

export type Verification =
  | {
      valid: true;
      /** Which headers proved it. */
      scheme: 'standard-webhooks' | 'service-signature';
      /** False where X-SERVICE-Signature alone decided: it binds no time, so that an old request passes again. */
      replayChecked: boolean;
      /** The event's id, the same in every attempt, to know a duplicate by; null where it was not signed. */
      webhookId: string | null;
    }
  | { valid: false; reason: Reason; message: string };

export type ReceivedHeaders = Record<string, string | string[] | undefined> | Headers;

export interface VerifyOptions {
  /** How far webhook-timestamp may be from now, either way. 300 by default. */
  toleranceSeconds?: number;
  /** The present in milliseconds since 1970. `Date.now` by default. */
  now?: () => number;
  /** The header that the documents call X-SERVICE-Signature, where the sender names it otherwise. */
  signatureHeader?: string;
}

/**
 * Says whether a webhook comes from a holder of one of `secrets` and is unchanged. Never throws for what a sender sent.
 * If any webhook-* header is there, the three of them decide, since only they bind the time; otherwise the documents'
 * header does (cohesion section 6). `rawBody` is the body as received, before any parsing; secrets are as shown once.
 */
export function verifySignature(
  rawBody: string | Uint8Array,
  headers: ReceivedHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now, signatureHeader = 'x-service-signature' }: VerifyOptions = {},
): Verification {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
    return refused('body_not_raw', 'The body was parsed already; pass the bytes as they were received.');
  }
  const sent = collect(headers);
  const request = { rawBody, sent, secrets: typeof secrets === 'string' ? [secrets] : secrets };
  if (standardNames.some((name) => sent.has(name))) {
    return verifyStandard(request, { toleranceSeconds, nowSeconds: Math.floor(now() / 1000) });
  }
  return verifyService(request, signatureHeader.toLowerCase());
}

interface Received {
  rawBody: string | Uint8Array;
  sent: Map<string, string[]>;
  secrets: readonly string[];
}

const standardNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

function verifyStandard(
  { rawBody, sent, secrets }: Received,
  { toleranceSeconds, nowSeconds }: { toleranceSeconds: number; nowSeconds: number },
): Verification {
  for (const name of standardNames) if (!sent.has(name)) return refused('missing_header', `There is no ${name} header.`);
  const [id, timestamp, signature] = standardNames.map((name) => only(sent, name));
  // A dot in the id would let bytes of the body be passed off as the id: `id.timestamp.body` is what is signed.
  if (id === undefined || !/^[\w-]+$/.test(id)) return malformed('webhook-id', 'one word of letters, digits, _ and -');
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return malformed('webhook-timestamp', 'seconds since 1970');
  const given = signature?.split(' ').filter((one) => one.startsWith('v1,')) ?? [];
  if (given.length === 0) return malformed('webhook-signature', 'a list of v1,<base64>, with spaces between');

  const keys = secrets.map(standardKey).filter((key) => key !== null);
  if (keys.length === 0) return refused('unusable_secret', 'No secret is whsec_ and base64, without white space around it.');
  const signed = `${id}.${timestamp}.`;
  const expected = keys.map((key) => `v1,${createHmac('sha256', key).update(signed).update(rawBody).digest('base64')}`);
  if (!anyEqual(given, expected)) return wrongSignature('webhook-signature');

  const ageSeconds = nowSeconds - Number(timestamp);
  // Negated, so that a tolerance or a clock that is not a number refuses.
  if (!(ageSeconds <= toleranceSeconds)) {
    return refused('timestamp_too_old', `webhook-timestamp is ${ageSeconds} seconds ago, more than ${toleranceSeconds}.`);
  }
  if (!(-ageSeconds <= toleranceSeconds)) {
    return refused('timestamp_too_new', `webhook-timestamp is ${-ageSeconds} seconds ahead, more than ${toleranceSeconds}.`);
  }
  return { valid: true, scheme: 'standard-webhooks', replayChecked: true, webhookId: id };
}

function verifyService({ rawBody, sent, secrets }: Received, name: string): Verification {
  if (!sent.has(name)) return refused('missing_header', `There is neither a ${name} header nor the webhook-* ones.`);
  const given = only(sent, name);
  if (given === undefined || !/^sha256=[0-9a-f]{64}$/.test(given)) return malformed(name, 'sha256=<64 hexadecimal digits>');
  const keys = secrets.filter(isUsableText);
  if (keys.length === 0) return refused('unusable_secret', 'There is no secret, or it is empty or has white space around it.');
  const expected = keys.map((key) => `sha256=${createHmac('sha256', key).update(rawBody).digest('hex')}`);
  if (!anyEqual([given], expected)) return wrongSignature(name);
  return { valid: true, scheme: 'service-signature', replayChecked: false, webhookId: null };
}

/** Values by lower-case name; every one of a header that was sent more than once. */
function collect(headers: ReceivedHeaders): Map<string, string[]> {
  const sent = new Map<string, string[]>();
  for (const [name, value] of headers instanceof Headers ? headers : Object.entries(headers)) {
    if (value === undefined) continue;
    const key = name.toLowerCase();
    const values = [...(sent.get(key) ?? []), ...(Array.isArray(value) ? value : [value])];
    if (values.length > 0) sent.set(key, values);
  }
  return sent;
}

/** A header's one value. Sent twice, it has none: another reader might take the other one. */
function only(sent: Map<string, string[]>, name: string): string | undefined {
  const values = sent.get(name);
  return values?.length === 1 ? values[0] : undefined;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The key in a Standard Webhooks secret. Null where it would be empty: anyone can sign with that. */
function standardKey(secret: string): Buffer | null {
  if (!isUsableText(secret)) return null;
  const encoded = withoutPrefix(secret);
  return base64.test(encoded) ? Buffer.from(encoded, 'base64') : null;
}

function isUsableText(secret: string): boolean {
  return typeof secret === 'string' && withoutPrefix(secret) !== '' && secret.trim() === secret;
}

function withoutPrefix(secret: string): string {
  return secret.replace(/^whsec_/, '');
}

/** Compares each with each, to the end, so that time tells nothing of which one or how much of it was right. */
function anyEqual(given: readonly string[], expected: readonly string[]): boolean {
  let found = false;
  for (const one of given) {
    for (const other of expected) {
      const [left, right] = [Buffer.from(one), Buffer.from(other)];
      if (left.length === right.length && timingSafeEqual(left, right)) found = true;
    }
  }
  return found;
}

function refused(reason: Reason, message: string): Verification {
  return { valid: false, reason, message };
}

function malformed(name: string, form: string): Verification {
  return refused('malformed_header', `${name} is not, once, ${form}.`);
}

function wrongSignature(name: string): Verification {
  return refused('wrong_signature', `${name} fits no secret: the body was changed on its way, or the secret is another.`);
}
