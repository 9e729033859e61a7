import {
  type Cause,
  type CauseCase,
  type CauseValues,
  type Failure,
  failureNames,
  sayCause,
  skipReasons,
  waitingCountedTo,
} from '../base/causes/cause.ts';
import { causesEn } from '../base/causes/en.ts';
import { utc } from '../base/words.ts';
import type { Rows } from '../store/port.ts';
import type { Row } from '../store/tables/index.ts';
import { type DisabledReason, manualReasons } from '../store/tables/webhooks.ts';
import type { Blocked } from './blocked.ts';

/** Finds why a delivery does not arrive, from the rows of an endpoint and a delivery. `base/causes/` has the sentences. */

type Endpoint = Row<'endpoints'>;

/** How an attempt failed: the response's status if there is one, because it tells more than the class of the error. */
export function failureOf({ outcome, error, status }: { outcome: string; error: string | null; status: number | null }): Failure {
  if (status !== null && (status < 200 || status >= 300)) return status;
  if (outcome === 'connect' && error?.includes('ECONNREFUSED')) return 'connection_refused';
  return isOneOf(failureNames, outcome) ? outcome : 'unknown';
}

const iso = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString());

export const hostOf = (url: string): string => URL.parse(url)?.host ?? '';

export const noValues: CauseValues = {
  host: '',
  failure: null,
  mixed: false,
  since: null,
  failed: null,
  attempts: null,
  waiting: null,
  blocking: null,
  next_at: null,
};

const caseOfDisabled: Record<DisabledReason, CauseCase> = {
  operator: 'operator',
  owner: 'owner',
  gone: 'gone',
  failing: 'failing_for_days',
  owner_inactive: 'inactive_owner',
  unverified: 'unverified',
  url_changed: 'url_changed',
  deleted: 'deleted',
};

/** What is known of an endpoint in addition to its row. */
export interface Known {
  /** Its pending deliveries. */
  waiting?: number | null;
  /** Its dead letters that block, if there are any (`blockedOf`). */
  blocked?: Blocked | undefined;
}

/** Why an endpoint gets nothing, or that it fails; null if it is well. */
export function causeOfEndpoint(endpoint: Endpoint, nowMs: number, { waiting = null, blocked }: Known = {}): Cause | null {
  const { url, active, disabled_reason, held_until, failing_since, failing_with } = endpoint;
  const values: CauseValues = {
    ...noValues,
    host: hostOf(url),
    since: iso(failing_since),
    waiting,
    ...(failing_with && {
      failure: failing_with.failure,
      mixed: failing_with.mixed,
      failed: failing_with.attempts,
      attempts: failing_with.attempts,
    }),
  };
  if (!active) return { case: caseOfDisabled[disabled_reason ?? 'operator'], values };
  if (held_until !== null && held_until > nowMs) return { case: 'held', values: { ...values, next_at: iso(held_until) } };
  // Nothing behind a dead letter is retried, so the causes below would promise too much.
  if (blocked) return causeOfBlocked(endpoint, blocked);
  if (held_until !== null) return { case: 'probing', values };
  return failing_since === null ? null : { case: 'failing', values };
}

/** The cause of an endpoint whose dead letters block deliveries until a person acts. */
export const causeOfBlocked = ({ url }: Endpoint, { since, blocking, waiting = null }: Blocked): Cause => ({
  case: 'blocked',
  values: { ...noValues, host: hostOf(url), since: iso(since), blocking, waiting },
});

/** Why an endpoint gets nothing, for a message. It does not say when the gateway tries again, because a message is read later. */
export function lastingCause(endpoint: Endpoint, known?: Known): Cause | null {
  const cause = causeOfEndpoint(endpoint, 0, known);
  return cause && { ...cause, values: { ...cause.values, next_at: null } };
}

/** The cause of an endpoint that fails at times, from its last failed attempt. */
export const causeOfFailure = (
  { url }: Endpoint,
  { outcome, error, response_status: status }: Pick<Row<'attempts'>, 'outcome' | 'error' | 'response_status'>,
  counts?: { failed: number; attempts: number },
): Cause => ({
  case: 'unsteady',
  values: { ...noValues, host: hostOf(url), failure: failureOf({ outcome, error, status }), ...counts },
});

/** Why a delivery has not arrived; null if it has. `blocked`: the dead letter that it waits for, if there is one. */
export function causeOfDelivery(
  { status, reason, response_status, attempts, parked, next_attempt_at }: Row<'deliveries'>,
  endpoint: Endpoint | undefined,
  nowMs: number,
  { waiting = null, blocked: ahead }: Pick<Known, 'waiting' | 'blocked'> = {},
): Cause | null {
  if (status === 'delivered') return null;
  const own = { ...noValues, host: endpoint === undefined ? '' : hostOf(endpoint.url) };
  if (isOneOf(skipReasons, reason)) return { case: reason, values: own };
  const isManual = reason === null || isOneOf(manualReasons, reason);
  const failure = isManual ? null : failureOf({ outcome: reason, error: null, status: response_status });
  const tried = { ...own, failure, failed: attempts, attempts };
  if (status !== 'pending') return { case: 'failed', values: tried };
  const blocked = endpoint && causeOfEndpoint(endpoint, nowMs, { waiting, blocked: ahead });
  // What has failed waits for its own retry, and is not the attempt that tests the endpoint.
  const waitsForRetry = failure !== null && next_attempt_at !== null && next_attempt_at > nowMs;
  // The end of a hold sends only what is in the lane.
  const outlastsHold = waitsForRetry && !parked && next_attempt_at > (endpoint?.held_until ?? 0);
  const isOver =
    blocked?.case === 'failing' || (blocked?.case === 'probing' && waitsForRetry) || (blocked?.case === 'held' && outlastsHold);
  if (blocked && !isOver) return blocked;
  if (parked && !waitsForRetry) return { case: 'in_turn', values: { ...own, waiting } };
  if (failure !== null) return { case: 'retry', values: { ...tried, next_at: iso(next_attempt_at) } };
  return { case: reason === null ? 'due' : 'asked', values: own };
}

const isOneOf = <T extends string>(names: readonly T[], name: string | null): name is T => names.some((one) => one === name);

/** Counts the endpoint's pending deliveries, up to a bound. Test deliveries do not count, because nobody is owed a test. */
export const countWaiting = (rows: Rows, endpoint_id: string): Promise<number> =>
  rows.count('deliveries', { endpoint_id, status: 'pending', test: false }, { atMost: waitingCountedTo });

/** A cause as an English sentence of the gateway. The console shows it in the viewer's language and time zone. */
export const causeText = (cause: Cause, subject?: string): string => sayCause(causesEn, englishSpeech, cause, subject);

export const englishSpeech = {
  time: utc,
  ahead: (at: string) => `at ${utc(at)}`,
  count: (value: number) => value.toLocaleString('en-US'),
};
