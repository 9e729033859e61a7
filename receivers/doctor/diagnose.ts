import {
  type Reason,
  type ReceivedHeaders,
  type Verification,
  type VerifyOptions,
  verifySignature,
} from '../verify-signature.ts';
import { type GivenHeaders, giveHeaders } from './headers.ts';
import type { Scheme } from './keys.ts';
import { type MistakeId, mistakes } from './mistakes.ts';
import { searchMistakes } from './search.ts';
import { suspicionsOf } from './suspicions.ts';
import { readWritten } from './written.ts';

export interface DiagnosisInput {
  /** The body as the receiver has it. */
  rawBody: Uint8Array;
  headers: ReceivedHeaders;
  /** The receiver's own first; others, such as old ones or those of other endpoints, only to find a mix-up. */
  secrets: readonly string[];
  options?: VerifyOptions;
  /** A longer body is looked at for single mistakes only: to hash it thousands of times takes seconds. 262144 by default. */
  thoroughBytes?: number | undefined;
}

/** One mistake that was found, in words. */
export interface Finding {
  id: MistakeId;
  says: string;
  /** What to do. */
  fix: string;
  /** A line of Node. */
  code: string | null;
}

export interface Diagnosis {
  valid: boolean;
  /** Which headers decide. */
  scheme: Scheme | null;
  /** Of `verifySignature`; null where it is valid. */
  reason: Reason | null;
  message: string;
  /** `proved`: with these mistakes undone the signature fits. `suspected`: it only looks so. `none`: nothing to name. */
  cause: 'proved' | 'suspected' | 'none';
  findings: Finding[];
  /** False where nothing bound the time: the same request would pass again. */
  replayChecked: boolean;
}

/**
 * Verifies a webhook, and where it is wrong tries the usual mistakes, alone and in twos, until the signature fits. It is
 * valid exactly where `verifySignature` with the first secret says so. It never throws for what was sent, and its words
 * hold no secret.
 */
export function diagnose({ rawBody, headers, secrets, options = {}, thoroughBytes }: DiagnosisInput): Diagnosis {
  const verified = verifySignature(rawBody, headers, secrets.slice(0, 1), options);
  if (verified.valid) return healthy(verified);
  const given = giveHeaders(headers, (options.signatureHeader ?? 'x-service-signature').toLowerCase());
  const body = Buffer.from(rawBody);
  const proved = prove({ body, secrets, given, verified, options, thoroughBytes });
  const found = proved ?? suspicionsOf(body, secrets);
  return {
    valid: false,
    scheme: given.scheme,
    reason: verified.reason,
    message: verified.message,
    cause: proved ? 'proved' : found.length > 0 ? 'suspected' : 'none',
    findings: [...new Set(found)].map(wordsOf),
    replayChecked: false,
  };
}

const wordsOf = (id: MistakeId): Finding => {
  const { says, fix, code } = mistakes[id];
  return { id, says, fix, code: code ?? null };
};

function healthy({ scheme, replayChecked }: Verification & { valid: true }): Diagnosis {
  const message = replayChecked
    ? 'The signature is right, and its timestamp is within the tolerance.'
    : 'The signature is right. X-SERVICE-Signature binds no time: verify webhook-signature too, or a recorded request passes again.';
  return { valid: true, scheme, reason: null, message, cause: 'none', findings: [], replayChecked };
}

interface Case {
  body: Buffer;
  secrets: readonly string[];
  given: GivenHeaders;
  verified: Verification & { valid: false };
  options: VerifyOptions;
  thoroughBytes: number | undefined;
}

/** The mistakes that explain it, or null. */
function prove({ verified, options, ...searched }: Case): MistakeId[] | null {
  const { given, secrets } = searched;
  if (given.scheme === null) return ['header_missing'];
  const found = searchIn(given.scheme, searched);
  if (found === null) return given.scheme === 'standard-webhooks' ? proveByService(searched) : byHeadersOnly(given);
  const all = [...given.mistakes, ...found, ...aroundOf(given, secrets, options)];
  return all.length > 0 ? all : [ofReason[verified.reason]];
}

/** What a refusal means where the signature itself fits. */
const ofReason: Record<Reason, MistakeId> = {
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

function searchIn(scheme: Scheme, { body, secrets, given, thoroughBytes }: Searched): MistakeId[] | null {
  const { id, signature, service } = given;
  const { signatures, timestamp } = readWritten((scheme === 'standard-webhooks' ? signature : service) ?? '', scheme);
  return searchMistakes({
    scheme,
    body,
    secrets,
    beside: { id, timestamp: timestamp ?? given.timestamp },
    signatures,
    thoroughBytes,
  });
}

/** The other signature over the same body tells what is wrong with both, or that only the standard's headers are. */
function proveByService(searched: Searched): MistakeId[] | null {
  const { given } = searched;
  if (given.service === undefined) return byHeadersOnly(given);
  const found = searchIn('service-signature', searched);
  if (found === null) return byHeadersOnly(given);
  return [...given.mistakes, ...(found.length > 0 ? found : ['other_delivery' as const])];
}

/** What is wrong beside the signature, whatever is wrong with it. */
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
