import type { ReactNode } from 'react';
import { count, plural } from '../../lib/format.ts';

export const endpoint = {
  title: 'Endpoint',
  all: 'Endpoints',
  figures: {
    successRate: 'Success rate',
    attempts: (attempts: number, when: string) => `${count(attempts)} attempts ${when}`,
    latency: 'Latency p95',
    percentiles: (p50: string, p99: string) => `p50 ${p50}, p99 ${p99}`,
    noResponses: 'no responses',
    delivered: 'Delivered',
    dead: 'Dead letters',
    newlyDead: (dead: number, when: string) => `${count(dead)} new ${when}`,
    pending: 'Pending',
    inFlight: 'In flight',
    now: 'now',
  },
  charts: {
    attempts: 'Attempts',
    succeeded: 'succeeded',
    failed: 'failed',
    noAttempts: (when: string) => `No attempts ${when}.`,
    attemptsAre: (when: string, succeeded: number, failed: number) =>
      `Attempts ${when}: ${count(succeeded)} succeeded, ${count(failed)} failed`,
    attemptsOverTime: 'Attempts over time',
    drag: 'Drag over a range to see its deliveries',
    latency: 'Latency',
    latencyIs: (when: string, p50: string, p95: string, p99: string) => `Latency ${when}: ${p50} p50, ${p95} p95, ${p99} p99`,
    latencyOverTime: 'Latency over time',
    percentiles: (attempts: number, when: string) =>
      `Of ${plural(attempts, 'attempt')} ${when}, half took at most p50 and 95 % at most p95.`,
  },
  failures: {
    title: 'Last failures',
    all: 'All dead letters',
    none: 'No failed attempts.',
    list: 'Last failures, newest first',
  },
  notices: { title: 'Notices', none: 'The gateway never held or disabled this endpoint.' },
  recoveries: {
    title: 'Recoveries',
    none: 'None. “Retry now” starts one.',
    noneAmong: (searched: number) => `None among the newest ${searched}. “Retry now” starts one.`,
    done: (done: number, total: number) => `${count(done)} of ${count(total)}`,
    doneOfAll: (done: number, total: number) => `${count(done)} of ${count(total)} (all endpoints)`,
    doneOfOwner: (done: number, total: number, owner: string) => `${count(done)} of ${count(total)} (all endpoints of ${owner})`,
  },
  ledger: {
    title: 'Ledger',
    total: (deliveries: number) => `${plural(deliveries, 'delivery', 'deliveries')} in total:`,
    /** The word beside an amount. */
    states: {
      delivered: (_: number) => 'delivered',
      pending: (_: number) => 'pending',
      failed: (_: number) => 'failed',
      skipped: (_: number) => 'skipped',
    },
    skipped: (reasons: string) => `Reasons for skipping: ${reasons}.`,
    /** Why deliveries are skipped. */
    reasons: {
      endpoint_disabled: 'endpoint paused or disabled',
      endpoint_deleted: 'endpoint deleted',
      endpoint_unverified: 'endpoint not verified',
      owner_inactive: 'owner inactive',
      not_visible: 'not visible to the owner',
      event_missing: 'event missing',
      lost: 'lost by a fault of the stub',
    } as Readonly<Record<string, string>>,
    reason: (reason: string, deliveries: number) => `${reason} ${count(deliveries)}`,
    notAudited: 'The first audit has not finished yet.',
    balances: 'The ledger balances: no delivery of any event is missing',
    doesNotBalance: (imbalance: string) => `The ledger of all endpoints does not balance: ${imbalance}`,
    audited: (ago: ReactNode) => <>(audited {ago})</>,
  },
};
