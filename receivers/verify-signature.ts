import { createHmac, timingSafeEqual } from 'node:crypto';

/** Why a signature is invalid. Log the reason; answer the sender with 401 only. */
export type Reason =
  | 'body_not_raw'
  | 'unusable_secret'
  | 'unusable_option'
  | 'missing_header'
  | 'malformed_header'
  | 'wrong_signature'
  | 'timestamp_too_old'
  | 'timestamp_too_new';

export type Verification =
  | {
      valid: true;
      /** The headers that were verified. */
      scheme: 'standard-webhooks' | 'service-signature';
      /** False if only X-SERVICE-Signature was verified: it covers no timestamp, so an old request can be replayed. */
      replayChecked: boolean;
      /** The event's id, to detect duplicates: the same in every attempt. Null if it was not signed. */
      webhookId: string | null;
      /**
       * Its place among the events of its endpoint, or of its store or structure there, from 1, and the id of the event before; null
       * for the first. If you have never got that event, one is missing. Missing if the endpoint is not ordered. Not signed.
       */
      place?: { sequence: number; previousId: string | null };
    }
  | { valid: false; reason: Reason; message: string };

/** Headers of Node, of `fetch` (also of the package undici and of frameworks), pairs, raw headers of Node, or anything with `get`. */
export type ReceivedHeaders =
  | Record<string, string | string[] | undefined>
  | Iterable<readonly [string, string | string[]]>
  | readonly string[]
  | { get(name: string): string | string[] | null | undefined };

export interface VerifyOptions {
  /** Largest accepted difference between webhook-timestamp and now, in seconds. Default: 300. */
  toleranceSeconds?: number;
  /** Returns the current time in milliseconds since 1970. Default: `Date.now`. */
  now?: () => number;
  /** The sender's name for the documents' header X-SERVICE-Signature. Default: `x-service-signature`. */
  signatureHeader?: string;
}

/**
 * Verifies that a webhook was signed with one of `secrets` and not changed. Never throws: a wrong argument has a reason too.
 * If any webhook-* header is present, all three decide, because only they cover the time. Otherwise X-SERVICE-Signature
 * decides (cohesion section 6). `rawBody` is the unparsed body; a secret is the full text with `whsec_`.
 */
export function verifySignature(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: ReceivedHeaders,
  secrets: string | readonly string[],
  options?: VerifyOptions,
): Verification {
  const body = attempt(() => bytesOf(rawBody));
  if (body === undefined)
    return refused('body_not_raw', 'The body is already parsed, missing or transferred: pass the raw bytes or text.');
  const settings = attempt(() => readOptions(options)) ?? 'The options cannot be read.';
  if (typeof settings === 'string') return refused('unusable_option', settings);
  const { serviceName } = settings;
  const sent = collectHeaders(headers, [...standardNames, serviceName, 'webhook-sequence', 'webhook-previous-id']);
  if (sent === undefined)
    return refused('missing_header', 'The second argument has no headers: pass those of the request, such as request.headers.');
  const request = { rawBody: body, sent, secrets: attempt(() => [secrets].flat()) ?? [] };
  if (!standardNames.some((name) => sent.has(name))) return verifyService(request, serviceName);
  const nowMs = attempt(() => settings.now());
  if (typeof nowMs !== 'number' || Number.isNaN(nowMs))
    return refused('unusable_option', 'now must be a function that returns the milliseconds since 1970, such as Date.now.');
  return verifyStandard(request, { toleranceSeconds: settings.toleranceSeconds, nowSeconds: Math.floor(nowMs / 1000) });
}

/** Returns what `read` returns. Undefined if it throws: the caller's functions and objects may. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

interface Settings {
  toleranceSeconds: number;
  now: () => number;
  /** In lower case. */
  serviceName: string;
}

/** Returns a sentence for an option that has another type. */
function readOptions(options: VerifyOptions | undefined): Settings | string {
  const { toleranceSeconds = 300, now = Date.now, signatureHeader = 'x-service-signature' } = options ?? {};
  if (typeof toleranceSeconds !== 'number' || !(toleranceSeconds >= 0))
    return 'toleranceSeconds must be a number of seconds, at least 0, and without quotes.';
  if (typeof now !== 'function') return 'now must be a function that returns the milliseconds since 1970, such as Date.now.';
  if (typeof signatureHeader !== 'string' || signatureHeader === '')
    return 'signatureHeader must be the name of a header, such as "x-service-signature".';
  return { toleranceSeconds, now, serviceName: signatureHeader.toLowerCase() };
}

/**
 * Returns undefined for anything that is neither text nor bytes. Bytes of another realm, as Jest has, are bytes too. Throws for bytes
 * that were transferred to another thread.
 */
function bytesOf(body: unknown): string | Uint8Array | undefined {
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body as ArrayBuffer);
  return undefined;
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
  for (const name of standardNames) if (!sent.has(name)) return refused('missing_header', `The header ${name} is missing.`);
  const [id, timestamp, signature] = standardNames.map((name) => only(sent, name));
  // Attack: the signed text is `id.timestamp.body`. With dots in the id, bytes of the body could pass as the id.
  if (id === undefined || !/^[\w-]+$/.test(id)) return malformed('webhook-id', 'one word of letters, digits, _ and -');
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return malformed('webhook-timestamp', 'seconds since 1970');
  const given = signature?.split(' ').filter((one) => one.startsWith('v1,')) ?? [];
  if (given.length === 0) return malformed('webhook-signature', 'a list of v1,<base64>, separated by spaces');

  const keys = secrets.map(standardKey).filter((key) => key !== null);
  if (keys.length === 0)
    return refused('unusable_secret', 'The secret must be whsec_ followed by base64, without spaces or newlines.');
  const signed = `${id}.${timestamp}.`;
  const expected = keys.map((key) => `v1,${createHmac('sha256', key).update(signed).update(rawBody).digest('base64')}`);
  if (!anyEqual(given, expected)) return wrongSignature('webhook-signature');

  const ageSeconds = nowSeconds - Number(timestamp);
  // Negated, so that a time of NaN rejects the request.
  if (!(ageSeconds <= toleranceSeconds)) {
    return refused(
      'timestamp_too_old',
      `webhook-timestamp is ${ageSeconds} seconds old: at most ${toleranceSeconds} are accepted.`,
    );
  }
  if (!(-ageSeconds <= toleranceSeconds)) {
    return refused(
      'timestamp_too_new',
      `webhook-timestamp is ${-ageSeconds} seconds in the future: at most ${toleranceSeconds} are accepted.`,
    );
  }
  const place = placeIn(sent);
  return { valid: true, scheme: 'standard-webhooks', replayChecked: true, webhookId: id, ...(place && { place }) };
}

function placeIn(sent: Map<string, string[]>): { sequence: number; previousId: string | null } | undefined {
  const sequence = only(sent, 'webhook-sequence');
  const previousIds = sent.get('webhook-previous-id') ?? [];
  if (sequence === undefined || !/^[1-9]\d{0,14}$/.test(sequence) || previousIds.length > 1) return undefined;
  return { sequence: Number(sequence), previousId: previousIds[0] || null };
}

function verifyService({ rawBody, sent, secrets }: Received, name: string): Verification {
  if (!sent.has(name)) return refused('missing_header', `The headers ${name} and webhook-* are missing.`);
  const given = only(sent, name);
  if (given === undefined || !/^sha256=[0-9a-f]{64}$/.test(given)) return malformed(name, 'sha256=<64 hexadecimal digits>');
  const keys = secrets.filter(isUsableText);
  if (keys.length === 0) return refused('unusable_secret', 'The secret must not be empty or have spaces or newlines around it.');
  const expected = keys.map((key) => `sha256=${createHmac('sha256', key).update(rawBody).digest('hex')}`);
  if (!anyEqual([given], expected)) return wrongSignature(name);
  return { valid: true, scheme: 'service-signature', replayChecked: false, webhookId: null };
}

/**
 * Returns all values of each header, by lower-case name. `needed` are asked for where the headers cannot be listed. Undefined if it has
 * none, or if reading them throws.
 */
export function collectHeaders(headers: unknown, needed: readonly string[]): Map<string, string[]> | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  return attempt(() => {
    const sent = new Map<string, string[]>();
    for (const [name, value] of pairsIn(headers, needed)) {
      const key = textOf(name).toLowerCase();
      const given = [value].flat().filter((one) => one !== undefined && one !== null);
      const values = [...(sent.get(key) ?? []), ...given.map(textOf)];
      if (values.length > 0) sent.set(key, values);
    }
    return sent;
  });
}

/** Returns an empty text, which no header may have, for a value without a text. */
const textOf = (value: unknown): string => attempt(() => String(value)) ?? '';

type Pair = readonly [name: unknown, value: unknown];

const isPair = (one: unknown): one is Pair => Array.isArray(one);

function pairsIn(headers: object, needed: readonly string[]): Pair[] {
  if (Array.isArray(headers)) {
    // Node's raw headers have names and values in turn.
    if (headers.some((one) => typeof one !== 'string')) return headers.filter(isPair);
    return headers.flatMap((name, at): Pair[] => (at % 2 === 0 ? [[name, headers[at + 1]]] : []));
  }
  if (Symbol.iterator in headers) return [...(headers as Iterable<unknown>)].filter(isPair);
  const { get } = headers as { get?: unknown };
  if (typeof get === 'function') return needed.map((name) => [name, get.call(headers, name)]);
  return Object.entries(headers);
}

/** Returns a header's value; undefined for a repeated header, because other readers might use the other value. */
function only(sent: Map<string, string[]>, name: string): string | undefined {
  const values = sent.get(name);
  return values?.length === 1 ? values[0] : undefined;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Returns the key of a Standard Webhooks secret. Null if it is not valid or empty: anyone can sign with an empty key. */
function standardKey(secret: string): Buffer | null {
  if (!isUsableText(secret)) return null;
  const encoded = withoutPrefix(secret);
  return base64.test(encoded) ? Buffer.from(encoded, 'base64') : null;
}

const isUsableText = (secret: string): boolean =>
  typeof secret === 'string' && withoutPrefix(secret) !== '' && secret.trim() === secret;

const withoutPrefix = (secret: string): string => secret.replace(/^whsec_/, '');

/** Compares all pairs in constant time, so that the duration reveals nothing about the expected values. */
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

const refused = (reason: Reason, message: string): Verification => ({ valid: false, reason, message });

const malformed = (name: string, form: string): Verification =>
  refused('malformed_header', `${name} must be ${form}, and must occur once.`);

const wrongSignature = (name: string): Verification =>
  refused('wrong_signature', `${name} does not match: the body was changed, or the secret is wrong.`);
