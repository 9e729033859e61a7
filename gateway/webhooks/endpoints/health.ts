import type { Row } from '../../store/tables/index.ts';
import type { HoldReason, NoticeKind } from '../../store/tables/webhooks.ts';
import { parseRetryAfter } from '../sending/retry-after.ts';

type Endpoint = Row<'endpoints'>;

/** What an attempt says about its endpoint. */
export interface Sign {
  success: boolean;
  /** The receiver answered 410. */
  gone: boolean;
  status: number | null;
  retryAfter: string | undefined;
  startedAt: number;
  endedAt: number;
  /** An operator asked for the attempt. */
  manual: boolean;
}

/** Columns of the endpoint that change. */
export type HealthPatch = Partial<
  Pick<Endpoint, 'active' | 'disabled_reason' | 'held_until' | 'held_because' | 'holds' | 'failing_since'>
>;

export interface HealthChange {
  patch: HealthPatch;
  notices: { kind: NoticeKind; message: string }[];
}

export interface HealthRules {
  /** An endpoint that gave nothing but failures for this long is disabled. */
  disableAfterMs: number;
  /** A random number from 0 to 1 for the jitter. */
  random(): number;
}

/** Statuses by which a receiver, or what stands before it, says that it has too much to do. */
const slowing = new Set([429, 502, 503, 504]);
const windowMs = 60_000;
/** The circuit opens when at least this many attempts ended within the window, and this share of them failed. */
const fewest = 10;
const failingShare = 0.5;

/** How long an endpoint is held the n-th time in a row, in milliseconds. */
const holdMs = {
  failing: { first: 10_000, longest: 600_000 },
  slowed_down: { first: 1000, longest: 60_000 },
} as const satisfies Record<HoldReason, unknown>;
const longestAskedMs = 3_600_000;

/** Whether there is anything to change: most attempts succeed at endpoints that are well. */
export function concerns({ held_until, failing_since }: Endpoint, { success }: Sign): boolean {
  return !success || held_until !== null || failing_since !== null;
}

/** Goes through the signs in the order in which they came. `failingNow` is whether the window's circuit has opened. */
export function healthAfter(endpoint: Endpoint, signs: readonly Sign[], failingNow: boolean, rules: HealthRules): HealthChange {
  const notices: HealthChange['notices'] = [];
  let patch: HealthPatch = {};
  for (const sign of signs) {
    const state = { ...endpoint, ...patch };
    if (!state.active) break;
    const next = sign.success ? afterSuccess(state, sign) : afterFailure(state, sign, failingNow, rules);
    patch = { ...patch, ...next.patch };
    notices.push(...next.notices);
  }
  return { patch, notices };
}

const unchanged: HealthChange = { patch: {}, notices: [] };

/** A success that began before the hold says nothing: only one that tried after it, or that an operator asked for. */
function afterSuccess({ held_until, failing_since }: Endpoint, { startedAt, manual }: Sign): HealthChange {
  if (held_until !== null && (manual || startedAt >= held_until)) {
    const message = 'An attempt succeeded: deliveries go on.';
    return {
      patch: { held_until: null, held_because: null, holds: 0, failing_since: null },
      notices: [{ kind: 'endpoint.recovered', message }],
    };
  }
  return failing_since === null ? unchanged : { patch: { failing_since: null }, notices: [] };
}

function afterFailure(state: Endpoint, sign: Sign, failingNow: boolean, { disableAfterMs, random }: HealthRules): HealthChange {
  if (sign.gone) return disabled('gone', 'The receiver answered 410 Gone: it wants no more deliveries.');
  const failingSince = state.failing_since ?? sign.endedAt;
  if (sign.endedAt - failingSince >= disableAfterMs)
    return disabled('failing', `Nothing but failures since ${new Date(failingSince).toISOString()}.`);
  const patch = { failing_since: failingSince };
  const because = slowing.has(sign.status ?? 0) ? 'slowed_down' : failingNow ? 'failing' : state.held_because;
  const trying = state.held_until === null || sign.startedAt >= state.held_until;
  if (because === null || !trying) return { patch, notices: [] };
  return held(state, because, sign, patch, random());
}

function held(
  state: Endpoint,
  because: HoldReason,
  { status, retryAfter, endedAt }: Sign,
  patch: HealthPatch,
  random: number,
): HealthChange {
  const { first, longest } = holdMs[because];
  const ownMs = Math.min(longest, first * 2 ** Math.min(state.holds, 20)) * (0.9 + 0.2 * random);
  const askedMs = because === 'slowed_down' ? Math.min(parseRetryAfter(retryAfter, endedAt) ?? 0, longestAskedMs) : 0;
  const until = Math.round(endedAt + Math.max(ownMs, askedMs));
  const why = because === 'failing' ? 'Half of its attempts or more failed within a minute' : `The receiver answered ${status}`;
  const message = `${why}. Deliveries wait until ${new Date(until).toISOString()}; then one tries.`;
  return {
    patch: { ...patch, held_until: until, held_because: because, holds: state.holds + 1 },
    // Once for each trouble, not for each of its tries.
    notices: state.holds === 0 ? [{ kind: 'endpoint.held', message }] : [],
  };
}

function disabled(reason: 'gone' | 'failing', why: string): HealthChange {
  const message = `${why} It was disabled; deliveries that wait are skipped. Activate it when it is well, and recover what it missed.`;
  return {
    patch: { active: false, disabled_reason: reason, held_until: null, held_because: null, holds: 0 },
    notices: [{ kind: 'endpoint.disabled', message }],
  };
}

interface Counts {
  attempts: number;
  failures: number;
}
const none: Counts = { attempts: 0, failures: 0 };

/** How many attempts at each endpoint failed of late, as this process saw them: in this half of the window and the one before. */
export class FailureWindow {
  readonly #halves = new Map<string, { half: number; now: Counts; before: Counts }>();

  note(endpointId: string, { endedAt, success }: Sign): void {
    const { now } = this.#at(endpointId, endedAt);
    now.attempts += 1;
    if (!success) now.failures += 1;
  }

  failing(endpointId: string, nowMs: number): boolean {
    const { now, before } = this.#at(endpointId, nowMs);
    const attempts = now.attempts + before.attempts;
    return attempts >= fewest && (now.failures + before.failures) / attempts >= failingShare;
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
