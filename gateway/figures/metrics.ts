import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What `/metrics` shows (Prometheus text format). Gauges of the moment are read when it is asked for. */
export class Metrics {
  readonly registry = new Registry();
  readonly calls = new Histogram({
    name: 'passerelle_call_duration_seconds',
    help: 'Calls by API, operation and status, with their latency.',
    labelNames: ['api', 'operation', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [this.registry],
  });
  readonly callsLost = new Counter({
    name: 'passerelle_calls_lost_total',
    help: 'Records of calls that were dropped: the calls themselves were served.',
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
    help: 'Times that a limit could not be counted, since the counters did not answer.',
    registers: [this.registry],
  });
  readonly attempts = new Histogram({
    name: 'passerelle_delivery_attempt_duration_seconds',
    help: 'Attempts to deliver, by outcome (success or error class), with their latency.',
    labelNames: ['outcome'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers: [this.registry],
  });
  readonly deliveries = new Counter({
    name: 'passerelle_deliveries_total',
    help: 'Deliveries that came to an end, by outcome: delivered, failed or skipped.',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });

  /** A figure that is asked for when the page is read. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    this.registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          // What cannot be read now is not a number; the rest of the page is needed all the more.
          this.set(
            await Promise.resolve()
              .then(read)
              .catch(() => Number.NaN),
          );
        },
      }),
    );
  }

  gauges<L extends string>(name: string, help: string, label: L, read: () => Promise<Record<string, number>>): void {
    this.registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [],
        async collect() {
          this.reset();
          const figures = await read().catch(() => ({}));
          for (const [value, figure] of Object.entries(figures)) this.set({ [label]: value } as Record<L, string>, figure);
        },
      }),
    );
  }
}
