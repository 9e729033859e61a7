import type { z } from 'zod';
import { isMachineWrong } from '../../base/clock.ts';
import { partsOfCaller } from '../../figures/callers.ts';
import type { EndpointFigures, Failure } from '../../figures/endpoints.ts';
import { isBalanced, isLedgerKnown, unaccountedIn } from '../../figures/ledger.ts';
import type { CallerLimits } from '../../figures/limits.ts';
import { countedTo, type Overview } from '../../figures/overview.ts';
import type { Points } from '../../figures/periods.ts';
import { rateOf, sumOf } from '../../figures/read.ts';
import type { CallClass } from '../../figures/tally.ts';
import { toInstant, toInstantOrNull } from '../../http/fields.ts';
import type { Owner } from '../../store/tables/webhooks.ts';
import type { NamedOwner } from '../partners.ts';
import { viewCause } from '../webhooks/causes.ts';
import { viewNotice } from '../webhooks/notices.ts';
import { viewEndpoint } from '../webhooks/views.ts';
import type { callerLimitsView, endpointFiguresView, overviewView, periodView } from './shapes.ts';
import { type Verdict, verdictOf } from './verdict.ts';

type View = z.input<typeof overviewView>;

export const viewPeriod = ({ name, from, to, stepMs }: Points): z.input<typeof periodView> => ({
  name,
  from: toInstant(from),
  to: toInstant(to),
  step_seconds: stepMs / 1000,
});

/** `ownerOf` names the owners of the endpoints in trouble. */
export function viewOverview(overview: Overview, ownerOf: (owner: Owner) => NamedOwner): View {
  const { points, queue, clock, recoveries, notices, limits, recorder } = overview;
  return {
    verdict: viewVerdict(verdictOf(overview)),
    period: viewPeriod(points),
    calls: viewCalls(overview.calls),
    attempts: viewAttempts(overview.attempts),
    deliveries: viewDeliveries(overview.deliveries),
    queue,
    clock: { ahead_seconds: (clock.skewMs?.() ?? 0) / 1000, wrong: isMachineWrong(clock) },
    endpoints: viewEndpoints(overview.endpoints, { ownerOf, nowMs: points.to }),
    limits,
    ledger: viewLedger(overview.ledger),
    recorder,
    recoveries: { running: recoveries },
    notices: notices.map(viewNotice),
  };
}

const viewVerdict = ({ problems, ...verdict }: Verdict): View['verdict'] => ({
  ...verdict,
  problems: problems.map(({ since, cause, ...problem }) => ({
    ...problem,
    since: toInstantOrNull(since),
    cause: viewCause(cause),
  })),
});

const classesOf = (totals: ReadonlyMap<string, number>): Record<CallClass, number> => ({
  succeeded: totals.get('succeeded') ?? 0,
  refused: totals.get('refused') ?? 0,
  limited: totals.get('limited') ?? 0,
  failed: totals.get('failed') ?? 0,
});

function viewCalls({ points, totals, latencyMs, byApi }: Overview['calls']): View['calls'] {
  const total = sumOf(totals);
  const classes = classesOf(totals);
  return {
    total,
    ...classes,
    success_rate: rateOf(total - classes.failed, total),
    latency_ms: latencyMs,
    series: points.map(({ at, p95Ms, ...counts }) => ({ at: toInstant(at), ...counts, p95_ms: p95Ms })),
    by_api: byApi.map(({ api, classes: own }) => ({ api, total: sumOf(own), ...classesOf(own) })),
  };
}

function viewAttempts({ points, totals, latencyMs }: Overview['attempts']): View['attempts'] {
  const [total, succeeded] = [sumOf(totals), totals.get('success') ?? 0];
  return {
    total,
    succeeded,
    failed: total - succeeded,
    success_rate: rateOf(succeeded, total),
    latency_ms: latencyMs,
    series: points.map(({ at, p95Ms, ...counts }) => ({ at: toInstant(at), ...counts, p95_ms: p95Ms })),
    by_outcome: [...totals].map(([outcome, count]) => ({ outcome, count })).sort((a, b) => b.count - a.count),
  };
}

const viewDeliveries = ({ ended, pending, parked, dueLate, deadLetters }: Overview['deliveries']): View['deliveries'] => ({
  delivered: ended.get('delivered') ?? 0,
  failed: ended.get('failed') ?? 0,
  skipped: ended.get('skipped') ?? 0,
  pending,
  parked,
  due_late: dueLate,
  dead_letters: deadLetters,
  counted_to: countedTo,
});

const viewFailure = ({ delivery_id, outcome, response_status, ended_at }: Failure) => ({
  delivery_id,
  outcome,
  response_status,
  at: toInstant(ended_at),
});

const viewEndpoints = (
  { inTrouble, troubles: _troubles, ...counts }: Overview['endpoints'],
  { ownerOf, nowMs }: { ownerOf: (owner: Owner) => NamedOwner; nowMs: number },
): View['endpoints'] => ({
  ...counts,
  in_trouble: inTrouble.map(({ trouble, attempts, failed }) => ({
    ...viewEndpoint(trouble.endpoint, nowMs, trouble),
    owner: ownerOf(trouble.endpoint.owner),
    attempts,
    failed,
    trouble: {
      name: trouble.name,
      since: toInstantOrNull(trouble.since),
      attempts: trouble.attempts,
      failed: trouble.failed,
      owed: trouble.owed,
      waiting: trouble.waiting,
      cause: viewCause(trouble.cause),
    },
    last_failure: trouble.lastFailure && viewFailure(trouble.lastFailure),
  })),
});

/** Returns null before the first audit. */
function viewLedger(ledger: Overview['ledger']): View['ledger'] {
  const { differences, awaitingFanOut, asOf } = ledger;
  const isKnown = isLedgerKnown(ledger);
  return {
    balanced: isKnown ? isBalanced(differences) : null,
    unaccounted: isKnown ? unaccountedIn(differences) : null,
    missing: isKnown ? differences.missing : null,
    surplus: isKnown ? differences.surplus : null,
    events_awaiting_fan_out: isKnown ? awaitingFanOut : null,
    as_of: toInstantOrNull(asOf),
  };
}

export const viewEndpointFigures = (figures: EndpointFigures): z.input<typeof endpointFiguresView> => ({
  endpoint_id: figures.endpointId,
  attempts: figures.attempts,
  succeeded: figures.succeeded,
  failed: figures.failed,
  success_rate: figures.successRate,
  latency_ms: figures.latencyMs,
  delivered: figures.delivered,
  dead: figures.dead,
  pending: figures.pending,
  in_flight: figures.inFlight,
  series: figures.series.map(({ at, latencyMs, ...counts }) => ({ at: toInstant(at), ...counts, latency_ms: latencyMs })),
  last_failures: figures.lastFailures.map(viewFailure),
});

export const viewCallerLimits = (caller: CallerLimits): z.input<typeof callerLimitsView> => ({
  caller: caller.caller,
  ...partsOfCaller(caller.caller),
  name: caller.name ?? null,
  plan: caller.plan ?? null,
  limits: caller.limits.map(({ name, limit, windowMs, now, peakShare, calls, refused }) => ({
    name,
    limit,
    calls,
    refused,
    peak_share: peakShare,
    window_seconds: windowMs && windowMs / 1000,
    used_now: now?.used ?? null,
    remaining_now: now?.remaining ?? null,
    resets_at: toInstantOrNull(now?.resetsAt ?? null),
  })),
  calls: caller.calls,
  refused: caller.refused,
  state: caller.state,
  series: caller.series.map(({ at, calls, refused, peakShare }) => ({
    at: toInstant(at),
    calls,
    refused,
    peak_share: peakShare,
  })),
});
