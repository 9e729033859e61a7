import { serviceNames } from '../../spec/documents/services.ts';
import type { Clock } from '../base/clock.ts';
import { overloadedCode } from '../base/errors.ts';
import { firstIdAt } from '../base/ids.ts';
import type { Depth } from '../queue/port.ts';
import type { Rows } from '../store/port.ts';
import { callersOf } from './callers.ts';
import { type CountInFlight, countsOfAttempts } from './endpoints.ts';
import type { LedgerDifferences } from './ledger.ts';
import type { Points } from './periods.ts';
import { readSeries, sumsBy, talliesIn } from './read.ts';
import { type CallClass, callClasses, everyone, lastMinute } from './tally.ts';
import { failingAfterMs, readTroubles } from './trouble.ts';

/** Figures that this process knows without the store. */
export interface OverviewParts {
  depth(): Promise<Depth>;
  inFlight: CountInFlight;
  recorder(): { backlog: number; lost: number };
  ledger(): { differences: LedgerDifferences; awaitingFanOut: number; asOf: number | null };
  clock: Clock;
}

export type Overview = Awaited<ReturnType<typeof readOverview>>;

/** Counts of current rows stop here. */
export const countedTo = 10_000;
const lateAfterMs = 30_000;
const maxShown = { inTrouble: 20, refused: 10, notices: 5 };

/** Returns the figures of the console's first page, for a period that ends now. */
export async function readOverview(rows: Rows, points: Points, parts: OverviewParts) {
  const [calls, attempts, deliveries, queue, endpoints, limits, recoveries, notices] = await Promise.all([
    readCalls(rows, points),
    readAttempts(rows, points),
    readDeliveries(rows, points),
    depthWithin(parts.depth()),
    readEndpoints(rows, points),
    readRefused(rows, points),
    rows.count('recoveries', { status: 'running' }),
    rows.list('notices', { order: [['id', 'desc']], limit: maxShown.notices }),
  ]);
  const local = { recorder: parts.recorder(), ledger: parts.ledger(), clock: parts.clock };
  return { points, calls, attempts, deliveries, queue, endpoints, limits, recoveries, notices, ...local };
}

/** A queue that is away, or hangs, is null: the page must work without it, and soon. */
const queueAnswersWithinMs = 3000;

async function depthWithin(reading: Promise<Depth>): Promise<Depth | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), queueAnswersWithinMs);
  return Promise.race([reading.catch(() => null), late]).finally(() => clearTimeout(timer));
}

/** The calls of the services. Those of the console and the profile, which read this, would hide them. */
async function readCalls(rows: Rows, points: Points) {
  const subject = serviceNames;
  const [series, apis, refused] = await Promise.all([
    readSeries<CallClass>(rows, points, { kind: 'call', subject, names: callClasses }),
    rows.summarize('tallies', { where: talliesIn(points, 'call', subject), by: ['subject', 'name'], sum: ['total'] }),
    rows.summarize('tallies', { where: talliesIn(points, 'refusal', subject), by: ['name'], sum: ['total'] }),
  ]);
  const byApi = [...Map.groupBy(apis, ({ subject }) => subject)].map(([api, found]) => ({
    api,
    classes: sumsBy(found, ({ name }) => name),
  }));
  return { ...series, byApi, overloaded: sumsBy(refused, ({ name }) => name).get(overloadedCode) ?? 0 };
}

async function readAttempts(rows: Rows, points: Points) {
  const groupOf = (name: string) => (name === 'success' ? 'succeeded' : 'failed');
  const names = ['succeeded', 'failed'] as const;
  return readSeries<(typeof names)[number]>(rows, points, { kind: 'attempt', subject: everyone, names, groupOf });
}

async function readDeliveries(rows: Rows, points: Points) {
  const bounded = { atMost: countedTo };
  const late = { status: 'pending', parked: false, next_attempt_at: { lt: points.to - lateAfterMs } } as const;
  const dead = { status: 'failed', test: false, id: { gte: firstIdAt('dlv', points.from) } } as const;
  const due = { ...late, next_attempt_at: { lte: points.to } };
  const retrying = {
    status: 'pending',
    parked: false,
    test: false,
    attempts: { gt: 0 },
    next_attempt_at: { gt: points.to + lateAfterMs },
    updated_at: { lte: points.to - failingAfterMs },
  } as const;
  const attempted = lastMinute('attempt', points.to);
  const [ended, pending, parked, dueNow, dueLate, waiting, deadLetters, attempts] = await Promise.all([
    rows.summarize('tallies', { where: talliesIn(points, 'delivery', everyone), by: ['name'], sum: ['total'] }),
    rows.count('deliveries', { status: 'pending' }, bounded),
    rows.count('deliveries', { parked: true }, bounded),
    rows.count('deliveries', due, bounded),
    rows.count('deliveries', late, bounded),
    rows.count('deliveries', retrying, bounded),
    rows.count('deliveries', dead, bounded),
    rows.summarize('tallies', { where: { ...attempted, subject: everyone }, by: ['subject'], sum: ['total'] }),
  ]);
  return {
    ended: sumsBy(ended, ({ name }) => name),
    pending,
    parked,
    dueLate,
    /** Deliveries that have failed, and wait a while for their next attempt. */
    retrying: waiting,
    deadLetters,
    dueNow,
    /** Milliseconds for each attempt in the last minute. Infinite if there was none. */
    attemptEveryMs: (points.to - attempted.at.gte) / Number(attempts[0]?.total ?? 0),
  };
}

async function readEndpoints(rows: Rows, points: Points) {
  const [groups, troubles] = await Promise.all([
    rows.summarize('endpoints', { where: { deleted_at: null }, by: ['active', 'held_because'] }),
    readTroubles(rows, points.to, countedTo),
  ]);
  const ids = troubles.slice(0, maxShown.inTrouble).map(({ endpoint }) => endpoint.id);
  const where = talliesIn(points, 'attempt', ids);
  const named = await rows.summarize('tallies', { where, by: ['subject', 'name'], sum: ['total'] });
  const count = (fits: (group: (typeof groups)[number]) => boolean) =>
    groups.filter(fits).reduce((sum, group) => sum + group.count, 0);
  const active = count((group) => group.active);
  const held = count((group) => group.active && group.held_because !== null);
  const troubled = troubles.filter(({ endpoint }) => endpoint.active && endpoint.held_because === null).length;
  return {
    total: count(() => true),
    active,
    well: active - held - troubled,
    troubled,
    held,
    disabled: count((group) => !group.active),
    troubles,
    /** The endpoints that are shown, with their attempts in the period. */
    inTrouble: troubles.slice(0, maxShown.inTrouble).map((trouble) => ({
      trouble,
      ...countsOfAttempts(named.filter(({ subject }) => subject === trouble.endpoint.id)),
    })),
  };
}

async function readRefused(rows: Rows, points: Points) {
  const where = { ...talliesIn(points, 'limit'), refused: { gt: 0 } };
  const groups = await rows.summarize('tallies', { where, by: ['subject', 'name'], sum: ['refused'] });
  const found = groups.map(({ subject, name, refused }) => ({ caller: subject, limit: name, refused: Number(refused) }));
  const top = found.sort((a, b) => b.refused - a.refused).slice(0, maxShown.refused);
  const known = await callersOf(
    rows,
    top.map(({ caller }) => caller),
  );
  return {
    refused: found.reduce((sum, { refused }) => sum + refused, 0),
    top: top.map((one) => ({ ...one, name: known.get(one.caller)?.name ?? null })),
  };
}
