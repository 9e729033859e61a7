import type { Cause } from '../base/causes/cause.ts';
import type { Rows } from '../store/port.ts';
import type { Row } from '../store/tables/index.ts';
import { type DisabledReason, unverifiedReasons } from '../store/tables/webhooks.ts';
import { type Blocked, blockedEndpoints, blockedOf, withWaiting } from './blocked.ts';
import { causeOfEndpoint, causeOfFailure, countWaiting } from './cause.ts';
import { type Failure, lastFailures } from './endpoints.ts';
import { latenciesOf, percentilesOf } from './latency.ts';
import { everyone, lastMinute } from './tally.ts';

/** What is known about an endpoint that may need attention. Times are in milliseconds since 1970. */
interface Facts {
  endpoint: Row<'endpoints'>;
  /** Attempts in the last minute, and those that failed. */
  attempts: number;
  failed: number;
  /** Half of the attempts of the last minute took longer; null if there was none. */
  medianMs: number | null;
  lastFailure: Failure | null;
  /** Its dead letters for which others wait. */
  blocked?: Blocked | undefined;
  /** Since when the oldest of its deliveries has waited for its turn; null if none waits. */
  waitingSince: number | null;
}

/** The first failure makes an endpoint fail if no success follows within this time. */
export const failingAfterMs = 5000;
/** An endpoint fails at times until its last failure is this old. */
const recentFailureMs = 30_000;
const minFailures = 2;
const minFailureShare = 0.1;
/** Deliveries that have waited this long for their turn are reported. */
const longWaitMs = 30_000;

/** Reasons that need no operator: the owner switched the endpoint off, has not verified it, or is inactive. */
const quiet: ReadonlySet<DisabledReason | null> = new Set(['owner', 'owner_inactive', ...unverifiedReasons]);

const failingSince = ({ endpoint }: Facts) => endpoint.failing_since;
/** The same, also if dead letters block deliveries. */
const nothingSince = ({ endpoint, blocked }: Facts) => blocked?.since ?? endpoint.failing_since;
const unknown = () => null;

/** What can be wrong with an endpoint. The first rule that is true names it. */
const rules = {
  paused: { isTrue: ({ endpoint }) => !endpoint.active && endpoint.disabled_reason === 'operator', since: unknown },
  disabled: { isTrue: ({ endpoint }) => !endpoint.active, since: failingSince },
  held: { isTrue: ({ endpoint }) => endpoint.held_until !== null, since: failingSince },
  failing: {
    isTrue(facts, nowMs) {
      const since = nothingSince(facts);
      const { attempts, failed } = facts;
      return since !== null && (nowMs - since >= failingAfterMs || (failed >= minFailures && failed === attempts));
    },
    since: nothingSince,
  },
  unsteady: {
    isTrue: ({ attempts, failed, lastFailure }, nowMs) =>
      failed >= minFailures &&
      failed / attempts >= minFailureShare &&
      lastFailure !== null &&
      nowMs - lastFailure.ended_at <= recentFailureMs,
    since: unknown,
  },
  behind: {
    isTrue: ({ waitingSince }, nowMs) => waitingSince !== null && nowMs - waitingSince >= longWaitMs,
    since: ({ waitingSince }) => waitingSince,
  },
} as const satisfies Record<string, { isTrue(facts: Facts, nowMs: number): boolean; since(facts: Facts): number | null }>;

export type TroubleName = keyof typeof rules;
export const troubleNames = Object.keys(rules) as TroubleName[];

export interface Trouble extends Facts {
  name: TroubleName;
  since: number | null;
  /** Why it fails; null if it does not. */
  cause: Cause | null;
  /** Its deliveries that have not arrived; counted up to a bound, and for the first endpoints only. */
  owed: number | null;
  /** Its deliveries that wait for their turn, counted likewise. */
  waiting: number | null;
}

/** Endpoints that one condition finds, and endpoints whose deliveries are counted. */
const maxFound = 100;
const maxCounted = 20;

/** Returns the endpoints that need attention, the most urgent kind first. Reads few rows, however much traffic there is. */
export async function readTroubles(rows: Rows, nowMs: number, countedTo: number): Promise<Trouble[]> {
  const [marked, unsteady, waits, blocked] = await Promise.all([
    markedEndpoints(rows, nowMs),
    withFailures(rows, nowMs),
    oldestWaits(rows),
    blockedEndpoints(rows),
  ]);
  const known = new Set(marked.map(({ id }) => id));
  const others = [...new Set([...unsteady, ...waits.keys(), ...blocked.keys().take(maxFound)])].filter((id) => !known.has(id));
  const listed = await rows.list('endpoints', { where: { id: { in: others }, deleted_at: null } });
  const found = [...marked, ...listed].filter(({ disabled_reason }) => !quiet.has(disabled_reason));
  const ids = found.map(({ id }) => id);
  const [attempts, failures, blockers] = await Promise.all([
    attemptsOf(rows, ids, nowMs),
    lastFailures(rows, ids, 1),
    blockedOf(rows, found),
  ]);
  const none = { attempts: 0, failed: 0, medianMs: null };
  const troubles = found.flatMap((endpoint): Trouble[] => {
    const { id } = endpoint;
    const lastFailure = failures.find(({ endpoint_id }) => endpoint_id === id) ?? null;
    const waitingSince = waits.get(id) ?? null;
    const facts: Facts = { endpoint, ...none, ...attempts.get(id), lastFailure, blocked: blockers.get(id), waitingSince };
    const name = troubleNames.find((one) => rules[one].isTrue(facts, nowMs));
    if (!name) return [];
    return [{ ...facts, name, since: rules[name].since(facts), cause: causeOf(name, facts, nowMs), owed: null, waiting: null }];
  });
  const sorted = troubles.sort(inOrder);
  const counted = await Promise.all(sorted.slice(0, maxCounted).map((trouble) => withCounts(rows, trouble, countedTo)));
  return [...counted, ...sorted.slice(maxCounted)];
}

const urgency: readonly TroubleName[] = ['held', 'failing', 'disabled', 'unsteady', 'behind', 'paused'];

/** The same order at each reading: what lasts longest comes first. */
const inOrder = (one: Trouble, other: Trouble): number =>
  urgency.indexOf(one.name) - urgency.indexOf(other.name) ||
  (one.since ?? Number.POSITIVE_INFINITY) - (other.since ?? Number.POSITIVE_INFINITY) ||
  (one.endpoint.id < other.endpoint.id ? -1 : 1);

function causeOf(name: TroubleName, facts: Facts, nowMs: number): Cause | null {
  const { endpoint, attempts, failed, lastFailure } = facts;
  const cause = causeOfEndpoint(endpoint, nowMs, facts);
  if (name === 'unsteady' && lastFailure !== null) return causeOfFailure(endpoint, lastFailure, { failed, attempts });
  return name === 'behind' ? null : cause;
}

/** The endpoints whose own rows say that something is wrong. */
async function markedEndpoints(rows: Rows, nowMs: number): Promise<Row<'endpoints'>[]> {
  const conditions = [
    { held_until: { not: null } },
    { failing_since: { lte: nowMs - failingAfterMs }, active: true },
    { disabled_reason: { in: ['gone', 'failing'] } },
    { disabled_reason: 'operator' },
  ] as const;
  const found = await Promise.all(
    conditions.map((where) =>
      rows.list('endpoints', { where: { ...where, deleted_at: null }, order: [['updated_at', 'desc']], limit: maxFound }),
    ),
  );
  return [...new Map(found.flat().map((endpoint) => [endpoint.id, endpoint])).values()];
}

/** The endpoints with the most failures in the last minute. */
async function withFailures(rows: Rows, nowMs: number): Promise<string[]> {
  const where = { ...lastMinute('attempt', nowMs), name: { not: 'success' } };
  const sums = await rows.summarize('tallies', { where, by: ['subject'], sum: ['total'] });
  return sums
    .filter(({ subject, total }) => subject !== everyone && Number(total) >= minFailures)
    .sort((one, other) => Number(other.total) - Number(one.total))
    .slice(0, maxFound)
    .map(({ subject }) => subject);
}

/**
 * Returns since when the oldest delivery of each endpoint has waited for its turn. Reads one row for each endpoint, because
 * a million deliveries may wait.
 */
async function oldestWaits(rows: Rows): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  let after = '';
  while (found.size < maxCounted) {
    const [oldest] = await rows.list('deliveries', {
      where: { parked: true, endpoint_id: { gt: after } },
      order: [
        ['endpoint_id', 'asc'],
        ['event_id', 'asc'],
      ],
      limit: 1,
    });
    if (!oldest) break;
    found.set(oldest.endpoint_id, oldest.next_attempt_at ?? oldest.created_at);
    after = oldest.endpoint_id;
  }
  return found;
}

async function attemptsOf(rows: Rows, ids: readonly string[], nowMs: number) {
  const where = { ...lastMinute('attempt', nowMs), subject: { in: ids } };
  const sums = await rows.summarize('tallies', { where, by: ['subject', 'name'], sum: ['total', 'latency'] });
  return new Map(
    [...Map.groupBy(sums, ({ subject }) => subject)].map(([subject, own]) => {
      const sumOf = (some: typeof own) => some.reduce((sum, { total }) => sum + Number(total), 0);
      const failed = sumOf(own.filter(({ name }) => name !== 'success'));
      const medianMs = percentilesOf(own.map(({ latency }) => latenciesOf(latency)))?.p50 ?? null;
      return [subject, { attempts: sumOf(own), failed, medianMs }];
    }),
  );
}

async function withCounts(rows: Rows, trouble: Trouble, atMost: number): Promise<Trouble> {
  const { id: endpoint_id, active } = trouble.endpoint;
  const statuses = active ? (['pending', 'failed'] as const) : (['pending', 'failed', 'skipped'] as const);
  const [waiting, pending, blocked, ...owed] = await Promise.all([
    rows.count('deliveries', { endpoint_id, parked: true }, { atMost }),
    countWaiting(rows, endpoint_id),
    trouble.blocked && withWaiting(rows, endpoint_id, trouble.blocked),
    ...statuses.map((status) => rows.count('deliveries', { endpoint_id, status, test: false }, { atMost })),
  ]);
  const { cause } = trouble;
  const counted = cause?.case === 'blocked' ? (blocked?.waiting ?? null) : pending;
  return {
    ...trouble,
    blocked,
    waiting,
    cause: cause && { ...cause, values: { ...cause.values, waiting: counted } },
    owed: Math.min(
      atMost,
      owed.reduce((sum, count) => sum + count, 0),
    ),
  };
}
