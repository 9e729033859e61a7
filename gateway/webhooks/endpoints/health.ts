import type { Failure } from '../../base/causes/cause.ts';
import { causeOfEndpoint, causeText } from '../../figures/cause.ts';
import type { Row } from '../../store/tables/index.ts';
import type { FailingWith, HoldReason, NoticeKind } from '../../store/tables/webhooks.ts';
import { healthy } from '../model/activity.ts';
import { retryForMs } from '../model/retry-for.ts';
import { parseRetryAfter } from '../sending/retry-after.ts';

type Endpoint = Row<'endpoints'>;

/** The result of one attempt, as far as it concerns the endpoint's health. Times are in milliseconds since 1970. */
export interface HealthEvidence {
  success: boolean;
  /** How the attempt failed; null after a success. */
  failure: Failure | null;
  retryAfter: string | undefined;
  startedAt: number;
  endedAt: number;
  /** True if an operator asked for the attempt. */
  manual: boolean;
}

/** The columns of the endpoint that change. */
type HealthPatch = Partial<
  Pick<Endpoint, 'active' | 'disabled_reason' | 'held_until' | 'held_because' | 'holds' | 'failing_since' | 'failing_with'>
>;

export interface HealthChange {
  patch: HealthPatch;
  notices: { kind: NoticeKind; message: string }[];
}

export interface HealthRules {
  /** An endpoint at which every attempt failed for this long is disabled, or for as long as its deliveries are retried. */
  disableAfterMs: number;
  /** Returns a number from 0 to 1 for the jitter. */
  random(): number;
}

/** Statuses with which a receiver, or a proxy in front of it, says that it is overloaded. */
const overloadStatuses: ReadonlySet<Failure | null> = new Set([429, 502, 503, 504]);
const windowMs = 60_000;
/** The circuit opens when the window has at least this many attempts, and at least this share of them failed. */
const minAttempts = 10;
const minFailureShare = 0.5;

/** How long an endpoint is held, in milliseconds. Each further hold in a row is twice as long as the one before. */
const holdMs = {
  failing: { first: 10_000, longest: 600_000 },
  slowed_down: { first: 1000, longest: 60_000 },
} as const satisfies Record<HoldReason, unknown>;
const maxRetryAfterMs = 3_600_000;

/** Returns false for an ordinary success at a healthy endpoint: then its row need not be locked. */
export function affectsHealth(endpoint: Endpoint, { success }: HealthEvidence): boolean {
  const { held_until, failing_since } = endpoint;
  const isTrouble = held_until !== null || failing_since !== null;
  return !success || isTrouble;
}

/**
 * Returns the endpoint's health after the attempts. `evidence` must be in the order in which the attempts ended. `isFailing`
 * opens the circuit: the failure rate in the window is too high.
 */
export function healthAfter(
  endpoint: Endpoint,
  evidence: readonly HealthEvidence[],
  isFailing: boolean,
  rules: HealthRules,
): HealthChange {
  const notices: HealthChange['notices'] = [];
  let patch: HealthPatch = {};
  for (const one of evidence) {
    const state = { ...endpoint, ...patch };
    if (!state.active) break;
    const next = one.success ? afterSuccess(state, one) : afterFailure(state, one, isFailing, rules);
    patch = { ...patch, ...next.patch };
    notices.push(...next.notices);
  }
  return { patch, notices };
}

const unchanged: HealthChange = { patch: {}, notices: [] };

/** A hold ends only with an attempt that began after it, or that an operator asked for. Older attempts prove nothing. */
function afterSuccess({ held_until, failing_since }: Endpoint, { startedAt, manual }: HealthEvidence): HealthChange {
  if (held_until !== null && (manual || startedAt >= held_until)) {
    const message = 'An attempt succeeded. Deliveries continue.';
    return { patch: healthy, notices: [{ kind: 'endpoint.recovered', message }] };
  }
  return failing_since === null ? unchanged : { patch: { failing_since: null, failing_with: null }, notices: [] };
}

function afterFailure(
  state: Endpoint,
  evidence: HealthEvidence,
  isFailing: boolean,
  { disableAfterMs, random }: HealthRules,
): HealthChange {
  // An attempt may have ended before the endpoint was activated.
  const failingSince = state.failing_since ?? Math.max(evidence.endedAt, state.updated_at);
  const patch = { failing_since: failingSince, failing_with: failingWith(state.failing_with, evidence.failure ?? 'unknown') };
  if (evidence.failure === 410) return disabled(state, 'gone', patch, evidence);
  if (evidence.endedAt - failingSince >= Math.max(disableAfterMs, retryForMs(state)))
    return disabled(state, 'failing', patch, evidence);
  const because = overloadStatuses.has(evidence.failure) ? 'slowed_down' : isFailing ? 'failing' : state.held_because;
  const isOutsideHold = state.held_until === null || evidence.startedAt >= state.held_until;
  if (because === null || !isOutsideHold) return { patch, notices: [] };
  return held(state, because, evidence, patch, random());
}

function failingWith(before: FailingWith | null, failure: Failure): FailingWith {
  if (before === null) return { failure, mixed: false, attempts: 1 };
  return { failure, mixed: before.mixed || before.failure !== failure, attempts: before.attempts + 1 };
}

function held(
  state: Endpoint,
  because: HoldReason,
  { retryAfter, endedAt }: HealthEvidence,
  failing: HealthPatch,
  random: number,
): HealthChange {
  const { first, longest } = holdMs[because];
  const backoffMs = Math.min(longest, first * 2 ** Math.min(state.holds, 20)) * (0.9 + 0.2 * random);
  const requestedMs = because === 'slowed_down' ? Math.min(parseRetryAfter(retryAfter, endedAt) ?? 0, maxRetryAfterMs) : 0;
  const until = Math.round(endedAt + Math.max(backoffMs, requestedMs));
  const patch = { ...failing, held_until: until, held_because: because, holds: state.holds + 1 };
  const message = `${whyOf({ ...state, ...patch }, endedAt)} Until then its deliveries wait, and then a single attempt tests it.`;
  // One notice for the whole series of holds.
  return { patch, notices: state.holds === 0 ? [{ kind: 'endpoint.held', message }] : [] };
}

function disabled(state: Endpoint, reason: 'gone' | 'failing', failing: HealthPatch, { endedAt }: HealthEvidence): HealthChange {
  const off = { active: false, disabled_reason: reason, held_until: null, held_because: null, holds: 0 };
  const patch = { ...failing, ...off };
  const message = `${whyOf({ ...state, ...patch }, endedAt)} Waiting deliveries are skipped. When the receiver works again, activate the endpoint, and recover the deliveries that it missed.`;
  return { patch, notices: [{ kind: 'endpoint.disabled', message }] };
}

function whyOf(endpoint: Endpoint, nowMs: number): string {
  const cause = causeOfEndpoint(endpoint, nowMs);
  return cause ? causeText(cause) : '';
}

interface Counts {
  attempts: number;
  failures: number;
}
const none: Counts = { attempts: 0, failures: 0 };

/** Counts the recent attempts and failures of this process at each endpoint, in the current half of the window and the last. */
export class FailureWindow {
  readonly #halves = new Map<string, { half: number; now: Counts; before: Counts }>();

  note(endpointId: string, { endedAt, success }: Pick<HealthEvidence, 'endedAt' | 'success'>): void {
    const { now } = this.#at(endpointId, endedAt);
    now.attempts += 1;
    if (!success) now.failures += 1;
  }

  isFailing(endpointId: string, nowMs: number): boolean {
    const { now, before } = this.#at(endpointId, nowMs);
    const attempts = now.attempts + before.attempts;
    return attempts >= minAttempts && (now.failures + before.failures) / attempts >= minFailureShare;
  }

  forget(endpointId: string): void {
    this.#halves.delete(endpointId);
  }

  forgetAll(): void {
    this.#halves.clear();
  }

  #at(endpointId: string, atMs: number): { now: Counts; before: Counts } {
    const half = Math.floor(atMs / (windowMs / 2));
    const known = this.#halves.get(endpointId);
    if (known && known.half >= half) return known;
    const before = known?.half === half - 1 ? known.now : none;
    const fresh = { half, now: { attempts: 0, failures: 0 }, before };
    this.#halves.set(endpointId, fresh);
    return fresh;
  }
}
