import { Counter, Gauge, Registry } from 'prom-client';
import type { Clock } from '../base/clock.ts';
import { overloadedCode } from '../base/errors.ts';
import { HotHistogram } from './histogram.ts';
import { type LedgerDifferences, unaccountedIn } from './ledger.ts';

/** The part of an ended call that is counted. */
interface EndedCall {
  api: string;
  operation: string | null;
  status: number;
  durationMs: number;
  errorCode: string | null;
}

/** The sources of the gauges, none of which asks the store. */
export interface GaugeSources {
  recorder: { readonly state: { backlog: number } };
  queue: { depth(): Promise<{ waiting: number; delayed: number; active: number }> };
  auditor: { readonly differences: LedgerDifferences; readonly awaitingFanOut: number; readonly oldestDueMs: number };
  clock: Clock;
}

/** The metrics of `/metrics` (Prometheus text format). */
export class Metrics {
  readonly registry = new Registry();
  readonly calls = new HotHistogram({
    name: 'passerelle_call_duration_seconds',
    help: 'Calls by API, operation and status, with their duration.',
    labelNames: ['api', 'operation', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registry: this.registry,
  });
  readonly callsOverloaded = new Counter({
    name: 'passerelle_calls_overloaded_total',
    help: 'Calls refused with 503 because more came than could be handled, by API.',
    labelNames: ['api'] as const,
    registers: [this.registry],
  });
  readonly callsLost = new Counter({
    name: 'passerelle_calls_lost_total',
    help: 'Records of calls that were dropped. The calls themselves were served.',
    registers: [this.registry],
  });
  readonly limitRefusals = new Counter({
    name: 'passerelle_limit_refusals_total',
    help: 'Calls refused with 429, by API and limit.',
    labelNames: ['api', 'limit'] as const,
    registers: [this.registry],
  });
  readonly limitsUncounted = new Counter({
    name: 'passerelle_limits_uncounted_total',
    help: 'Calls that a limit could not count, because its counters did not answer.',
    registers: [this.registry],
  });
  readonly attempts = new HotHistogram({
    name: 'passerelle_delivery_attempt_duration_seconds',
    help: 'Delivery attempts by outcome (success or error class), with their duration.',
    labelNames: ['outcome'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registry: this.registry,
  });
  readonly deliveries = new Counter({
    name: 'passerelle_deliveries_total',
    help: 'Deliveries that ended, by outcome: delivered, failed or skipped.',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });

  readonly delays = new HotHistogram({
    name: 'passerelle_delivery_delay_seconds',
    help: 'From an event to the first attempt of its delivery, and to its receipt. Without tests and attempts on request.',
    labelNames: ['until'] as const,
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 28_800, 86_400, 259_200],
    registry: this.registry,
  });

  readonly called = ({ api, operation, status, durationMs, errorCode }: EndedCall): void => {
    this.calls.observe(durationMs / 1000, api, operation ?? 'unknown', String(status));
    if (errorCode === overloadedCode) this.callsOverloaded.inc({ api });
  };

  /** Counts an attempt to deliver. */
  readonly attempted = ({ outcome, durationMs }: { outcome: string; durationMs: number }): void =>
    this.attempts.observe(durationMs / 1000, outcome);

  /** Clocks of processes differ, so an attempt may seem to begin before its event. */
  readonly reached = (stage: 'first_attempt' | 'receipt', sinceEventMs: number): void =>
    this.delays.observe(Math.max(0, sinceEventMs) / 1000, stage);

  readonly ended = (outcome: string, count: number): void => this.deliveries.inc({ outcome }, count);

  /** Adds the gauges, which are read each time `/metrics` is. */
  addGauges({ recorder, queue, auditor, clock }: GaugeSources): void {
    this.#gauge('passerelle_calls_backlog', 'Records of calls that wait to be stored.', () => recorder.state.backlog);
    this.#gauge(
      'passerelle_deliveries_unaccounted',
      'Deliveries that are missing from the ledger or too many: 0 unless one was lost or made twice.',
      () => unaccountedIn(auditor.differences),
    );
    for (const kind of ['missing', 'surplus'] as const) this.#differencesGauge(kind, auditor);
    this.#gauge(
      'passerelle_oldest_due_delivery_age_seconds',
      'How long the oldest delivery that is due waits for its attempt, without those that wait for room at their endpoint.',
      () => auditor.oldestDueMs / 1000,
    );
    this.#gauge(
      'passerelle_events_awaiting_fan_out',
      'Events whose deliveries are not created yet.',
      () => auditor.awaitingFanOut,
    );
    this.#gauge(
      'passerelle_clock_skew_seconds',
      "How far the machine's clock is ahead of the database's.",
      () => (clock.skewMs?.() ?? 0) / 1000,
    );
    this.#jobsGauge(queue);
  }

  #gauge(name: string, help: string, read: () => number): void {
    const collect = function (this: Gauge): void {
      this.set(read());
    };
    this.registry.registerMetric(new Gauge({ name, help, registers: [], collect }));
  }

  #differencesGauge(kind: keyof LedgerDifferences, auditor: GaugeSources['auditor']): void {
    const collect = function (this: Gauge<'table'>): void {
      for (const [table, rows] of Object.entries(auditor.differences[kind])) this.set({ table }, rows);
    };
    const help = {
      missing: 'Rows that are missing from the ledger, by table.',
      surplus: 'Rows too many in the ledger, by table.',
    };
    const name = `passerelle_ledger_${kind}_rows`;
    this.registry.registerMetric(new Gauge({ name, help: help[kind], labelNames: ['table'], registers: [], collect }));
  }

  #jobsGauge(queue: GaugeSources['queue']): void {
    const collect = async function (this: Gauge<'state'>): Promise<void> {
      this.reset();
      // While the queue is down, the other metrics must stay available.
      const depth = await queue.depth().catch(() => ({}));
      for (const [state, jobs] of Object.entries(depth)) this.set({ state }, jobs);
    };
    const name = 'passerelle_queue_jobs';
    const help = 'Jobs in the delivery queue, by state. A job carries up to 16 deliveries.';
    this.registry.registerMetric(new Gauge({ name, help, labelNames: ['state'], registers: [], collect }));
  }
}
