import { fill } from '../template.ts';

/**
 * Why a delivery has not arrived, or why an endpoint gets nothing: a case with its values, and the one function that makes a
 * sentence of them. `en.ts` and `fr.ts` have the words. The gateway and the console's pages share these files, so nothing but
 * template.ts is imported here.
 */

/** How an attempt failed: the status of the response, or the class of the error. */
export const failureNames = [
  'dns',
  'connect',
  'connection_refused',
  'tls',
  'timeout',
  'reset',
  'blocked_address',
  'response_too_large',
  'protocol',
  'secret_unreadable',
  'unknown',
] as const;
export type FailureName = (typeof failureNames)[number];
export type Failure = number | FailureName;

/** Why a delivery was skipped. */
export const skipReasons = [
  'endpoint_disabled',
  'endpoint_deleted',
  'endpoint_unverified',
  'owner_inactive',
  'not_visible',
  'event_missing',
  'lost',
] as const;

/** First the problems of an endpoint, then the other things that a delivery can wait for or end with. */
export const causeCases = [
  'held',
  'probing',
  'blocked',
  'failing',
  'unsteady',
  'gone',
  'failing_for_days',
  'operator',
  'owner',
  'inactive_owner',
  'unverified',
  'url_changed',
  'deleted',
  'due',
  'asked',
  'retry',
  'in_turn',
  'failed',
  ...skipReasons,
] as const;
export type CauseCase = (typeof causeCases)[number];

/** A value is null if it is not known, or has no meaning in the case. Times are ISO 8601 in UTC. */
export interface CauseValues {
  /** The endpoint's host. The rest of a URL may hold a secret. */
  host: string;
  /** The last failure. */
  failure: Failure | null;
  /** True if earlier failures since `since` were different. */
  mixed: boolean;
  /** The first failure since the last success, or when the oldest delivery that blocks became a dead letter. */
  since: string | null;
  failed: number | null;
  attempts: number | null;
  /** Pending deliveries of the endpoint, or those behind its dead letters that block, counted up to a bound. */
  waiting: number | null;
  /** The number of dead letters that block the deliveries behind them. */
  blocking: number | null;
  /** When the gateway tries again. */
  next_at: string | null;
}

export interface Cause {
  case: CauseCase;
  values: CauseValues;
}

export interface CauseWords {
  /** `{name}` stands for a value in words. Each part between two `|` is left out if one of its values is not known. */
  sentences: Record<CauseCase, string>;
  /** What an endpoint did, before "since" and a time. `{status}` is the status of a response. */
  has: Record<FailureName | 'status' | 'mixed', string>;
  /** The same in a few words, for a table. */
  short: Record<FailureName | 'status' | 'blocked', string>;
  /** `shown` is the count in the viewer's digits. */
  waiting(count: number, shown: string): string;
  /** Says how many dead letters block deliveries. */
  blocking(count: number, shown: string): string;
  /** A host that is not known. */
  endpoint: string;
}

/** How a viewer reads times and numbers. */
export interface Speech {
  time(at: string): string;
  /** Says when something will happen: `in 52 s`, `at 04:12:52`. */
  ahead(at: string): string;
  count(value: number): string;
}

/** Waiting deliveries are counted up to this number. */
export const waitingCountedTo = 10_000;

const named = (words: Readonly<Record<string, string>>, failure: Failure | 'blocked'): string =>
  typeof failure === 'number' ? fill(words.status ?? '', { status: failure }) : (words[failure] ?? words.unknown ?? '');

/** The failure in a few words: `answered 500`. */
export const shortFailure = (words: CauseWords, failure: Failure | 'blocked'): string => named(words.short, failure);

/** Returns a cause as a sentence. `subject` is what the sentence is about; by default the host. */
export function sayCause(words: CauseWords, speech: Speech, cause: Cause, subject?: string): string {
  const { host, failure, mixed, since, failed, attempts, waiting, blocking, next_at } = cause.values;
  const counted = (value: number | null) => (value === null ? null : speech.count(value));
  const said: Record<string, string | null> = {
    host: subject ?? (host || words.endpoint),
    has: failure === null || mixed ? words.has.mixed : named(words.has, failure),
    last: mixed && failure !== null ? shortFailure(words, failure) : null,
    since: since && speech.time(since),
    failed: counted(failed),
    attempts: counted(attempts),
    waiting: waiting ? words.waiting(waiting, speech.count(waiting) + (waiting >= waitingCountedTo ? '+' : '')) : null,
    blocking: blocking ? words.blocking(blocking, speech.count(blocking)) : null,
    next: next_at && speech.ahead(next_at),
  };
  const isKnown = (part: string) => [...part.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => said[name] != null);
  return fill(words.sentences[cause.case].split('|').filter(isKnown).join(''), said as Record<string, string>);
}
