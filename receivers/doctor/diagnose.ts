import {
  type Reason,
  type ReceivedHeaders,
  type Verification,
  type VerifyOptions,
  verifySignature,
} from '../verify-signature.ts';
import { type GivenHeaders, giveHeaders } from './headers.ts';
import type { Scheme } from './keys.ts';
import { type Language, lines } from './languages.ts';
import type { Mistake } from './mistakes/mistake.ts';
import { type MistakeId, mistakes } from './mistakes.ts';
import { searchMistakes } from './search.ts';
import { suspicionsOf } from './suspicions.ts';
import { readWritten } from './written.ts';

export interface DiagnosisInput {
  rawBody: Uint8Array;
  headers: ReceivedHeaders;
  /** The receiver's secret first; others (old ones, or of other endpoints) only to detect a mix-up. */
  secrets: readonly string[];
  options?: VerifyOptions;
  /** The language of the findings' lines of code. Default: none, so that the fixes are words only. */
  language?: Language | undefined;
}

/** A mistake that was found. */
export interface Finding {
  id: MistakeId;
  says: string;
  fix: string;
  /** A line of code for the fix, in the wanted language; null if none is wanted, or if code does not fix it. */
  code: string | null;
}

export interface Diagnosis {
  valid: boolean;
  /** The headers that decide; null if there are none. */
  scheme: Scheme | null;
  /** The reason of `verifySignature`; null if the signature is valid. */
  reason: Reason | null;
  message: string;
  /** `proved`: the signature matches with these mistakes undone. `suspected`: only signs of a mistake. `none`: not found. */
  cause: 'proved' | 'suspected' | 'none';
  findings: Finding[];
  /** False if the signature covers no timestamp, so the request can be replayed. */
  replayChecked: boolean;
}

/**
 * Verifies a webhook. If the signature is invalid, tries common mistakes, one at a time, until it matches. `valid` equals the
 * result of `verifySignature` with the first secret. Does not throw for invalid requests; no text in the diagnosis contains a
 * secret.
 */
export function diagnose({ rawBody, headers, secrets, options = {}, language }: DiagnosisInput): Diagnosis {
  const verified = verifySignature(rawBody, headers, secrets.slice(0, 1), options);
  if (verified.valid) return validDiagnosis(verified);
  const given = giveHeaders(headers, (options.signatureHeader ?? 'x-service-signature').toLowerCase());
  const body = Buffer.from(rawBody);
  const proved = prove({ body, secrets, given, verified, options });
  const found = proved ?? suspicionsOf(body, secrets);
  return {
    valid: false,
    scheme: given.scheme,
    reason: verified.reason,
    message: verified.message,
    cause: proved ? 'proved' : found.length > 0 ? 'suspected' : 'none',
    findings: [...new Set(found)].map((id) => findingOf(id, language)),
    replayChecked: false,
  };
}

const findingOf = (id: MistakeId, language: Language | undefined): Finding => {
  const { says, fix, code }: Mistake = mistakes[id];
  return { id, says, fix, code: code === undefined || language === undefined ? null : lines[code][language] };
};

function validDiagnosis({ scheme, replayChecked }: Verification & { valid: true }): Diagnosis {
  const message = replayChecked
    ? 'The signature is valid, and its timestamp is within the tolerance.'
    : 'The signature is valid. X-SERVICE-Signature covers no timestamp: verify webhook-signature too, or a recorded request can be replayed.';
  return { valid: true, scheme, reason: null, message, cause: 'none', findings: [], replayChecked };
}

interface Case {
  body: Buffer;
  secrets: readonly string[];
  given: GivenHeaders;
  verified: Verification & { valid: false };
  options: VerifyOptions;
}

/** Returns the mistakes that explain the signature, or null. */
function prove({ verified, options, ...searched }: Case): MistakeId[] | null {
  const { given, secrets } = searched;
  const { reason } = verified;
  // It says nothing about the request.
  if (reason === 'unusable_option') return null;
  if (given.scheme === null) return ['header_missing'];
  const found = searchIn(given.scheme, searched);
  if (found === null) return given.scheme === 'standard-webhooks' ? searchByServiceSignature(searched) : byHeadersOnly(given);
  const all = [...given.mistakes, ...found, ...aroundOf(given, secrets, options)];
  return all.length > 0 ? all : [ofReason[reason]];
}

/** Returns the mistake behind a rejection if the signature itself matches. */
const ofReason: Record<Exclude<Reason, 'unusable_option'>, MistakeId> = {
  body_not_raw: 'body_object',
  unusable_secret: 'secret_unusable',
  missing_header: 'headers_incomplete',
  malformed_header: 'header_malformed',
  wrong_signature: 'header_malformed',
  timestamp_too_old: 'timestamp_too_old',
  timestamp_too_new: 'timestamp_too_new',
};

const byHeadersOnly = ({ mistakes: found }: GivenHeaders) => (found.length > 0 ? [...found] : null);

type Searched = Omit<Case, 'verified' | 'options'>;

function searchIn(scheme: Scheme, { body, secrets, given }: Searched): MistakeId[] | null {
  const { id, signature, service } = given;
  const { signatures, timestamp } = readWritten((scheme === 'standard-webhooks' ? signature : service) ?? '', scheme);
  return searchMistakes({
    scheme,
    body,
    secrets,
    beside: { id, timestamp: timestamp ?? given.timestamp },
    signatures,
  });
}

/** Checks the other signature over the same body: it shows a mistake in both, or only in the webhook-* headers. */
function searchByServiceSignature(searched: Searched): MistakeId[] | null {
  const { given } = searched;
  if (given.service === undefined) return byHeadersOnly(given);
  const found = searchIn('service-signature', searched);
  if (found === null) return byHeadersOnly(given);
  return [...given.mistakes, ...(found.length > 0 ? found : ['other_delivery' as const])];
}

/** Returns mistakes that do not concern the signature itself. */
function aroundOf(given: GivenHeaders, [secret = '']: readonly string[], options: VerifyOptions): MistakeId[] {
  const found: MistakeId[] = secret.trim() === secret ? [] : ['secret_white_space'];
  if (given.scheme !== 'standard-webhooks' || given.timestamp === undefined) return found;
  const seconds = Number(given.timestamp);
  if (seconds > 1e11) return [...found, 'timestamp_milliseconds'];
  const { toleranceSeconds = 300, now = Date.now } = options;
  const ageSeconds = Math.floor(now() / 1000) - seconds;
  if (ageSeconds > toleranceSeconds) return [...found, 'timestamp_too_old'];
  return -ageSeconds > toleranceSeconds ? [...found, 'timestamp_too_new'] : found;
}
