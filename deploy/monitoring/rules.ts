/** Values of series, one for each minute, in promtool's form: `0+5x90` begins at 0 and rises by 5 ninety times. */
type Series = Readonly<Record<string, string>>;

export interface AlertRule {
  alert: string;
  /** PromQL. It has at most one series, so that an incident is one alert. */
  expr: string;
  /** How long it must hold. */
  for: string;
  severity: 'critical' | 'warning';
  /** What is wrong, which is also when it fires. */
  summary: string;
  /** What to do. */
  action: string;
  /** Series under which it fires after six hours and a half, and others that it keeps quiet about. */
  fires: Series;
  quiet: Series;
}

const minutes = 390;
const flat = (value: number) => `${value}+0x${minutes}`;
const rising = (perMinute: number) => `0+${perMinute}x${minutes}`;

const deliveries = (failed: number, delivered: number): Series => ({
  'passerelle_deliveries_total{outcome="failed"}': rising(failed),
  'passerelle_deliveries_total{outcome="delivered"}': rising(delivered),
});
const attempts = (failed: number, success: number): Series => ({
  'passerelle_delivery_attempt_duration_seconds_count{outcome="timeout"}': rising(failed),
  'passerelle_delivery_attempt_duration_seconds_count{outcome="success"}': rising(success),
});
const calls = (failed: number, served: number): Series => ({
  'passerelle_call_duration_seconds_count{api="pos",status="503"}': rising(failed),
  'passerelle_call_duration_seconds_count{api="pos",status="201"}': rising(served),
});
/** A counter that must not rise. */
const rises = (metric: string) => ({
  expr: `sum(increase(${metric}[10m])) > 0`,
  for: '0m',
  fires: { [metric]: rising(3) },
  quiet: { [metric]: flat(7) },
});

const share = (of: string, all: string) => `sum(rate(${of}[15m])) / sum(rate(${all}[15m]))`;
const attempted = 'passerelle_delivery_attempt_duration_seconds_count';
const called = 'passerelle_call_duration_seconds_count';

/** When to wake somebody, and when to look in the morning. The operators' guide has them as a table (docs/operators/metrics.md, Metrics). */
export const alertRules: readonly AlertRule[] = [
  {
    alert: 'PasserelleLedgerDiffers',
    expr: 'max(passerelle_ledger_missing_rows) > 0 or max(passerelle_ledger_surplus_rows) > 0 or max(abs(passerelle_deliveries_unaccounted)) > 0',
    for: '5m',
    severity: 'critical',
    summary: 'The ledger does not balance: events, deliveries or attempts are missing, or there are too many.',
    action: 'Open the overview: it names the table. Do not delete anything before you know why.',
    fires: { 'passerelle_ledger_missing_rows{table="deliveries"}': flat(1) },
    quiet: { 'passerelle_ledger_missing_rows{table="deliveries"}': flat(0), passerelle_deliveries_unaccounted: flat(0) },
  },
  {
    alert: 'PasserelleDeliveriesLate',
    expr: 'max(passerelle_oldest_due_delivery_age_seconds) > 60',
    for: '5m',
    severity: 'critical',
    summary: 'A delivery that is due waits for over a minute, and not for room at its endpoint.',
    action: 'Look whether a worker runs and Redis answers (`/readyz`). If all do, start another worker.',
    fires: { passerelle_oldest_due_delivery_age_seconds: flat(120) },
    quiet: { passerelle_oldest_due_delivery_age_seconds: flat(30) },
  },
  {
    alert: 'PasserelleDeadLetters',
    expr: `${share('passerelle_deliveries_total{outcome="failed"}', 'passerelle_deliveries_total')} > 0.05`,
    for: '15m',
    severity: 'warning',
    summary: 'Over 5 % of deliveries end as dead letters.',
    action: 'The overview names the endpoints and why. Recover what they missed when they work again.',
    fires: deliveries(10, 90),
    quiet: deliveries(1, 99),
  },
  {
    alert: 'PasserelleAttemptsFail',
    expr: `${share(`${attempted}{outcome!="success"}`, attempted)} > 0.5`,
    for: '15m',
    severity: 'warning',
    summary: 'Over half of all attempts fail.',
    action: 'If many endpoints fail in one way, look at the network and the proxy of this installation first.',
    fires: attempts(60, 40),
    quiet: attempts(30, 70),
  },
  {
    alert: 'PasserelleFanOutWaits',
    expr: 'max(passerelle_events_awaiting_fan_out) > 1000 and max(deriv(passerelle_events_awaiting_fan_out[15m])) > 0',
    for: '10m',
    severity: 'warning',
    summary: 'Over 1,000 events wait for their deliveries, and more come than are done.',
    action: 'Start another process, or look why PostgreSQL is slow.',
    fires: { passerelle_events_awaiting_fan_out: rising(10) },
    quiet: { passerelle_events_awaiting_fan_out: flat(2000) },
  },
  {
    alert: 'PasserelleQueueGrows',
    expr: 'max(passerelle_queue_jobs{state="waiting"}) > 1000 and max(deriv(passerelle_queue_jobs{state="waiting"}[15m])) > 0',
    for: '15m',
    severity: 'warning',
    summary: 'Over 1,000 jobs, of up to 16 deliveries each, wait in the queue, and more come than are done.',
    action: 'Start another worker.',
    fires: { 'passerelle_queue_jobs{state="waiting"}': rising(10) },
    quiet: { 'passerelle_queue_jobs{state="waiting"}': flat(2000), 'passerelle_queue_jobs{state="delayed"}': rising(10) },
  },
  {
    alert: 'PasserelleClockWrong',
    expr: 'max(abs(passerelle_clock_skew_seconds)) > 1',
    for: '5m',
    severity: 'warning',
    summary: 'A machine’s clock differs from the database’s by over a second. Beyond 30 s it sends nothing.',
    action: 'Set the clock, and let it be kept right (NTP).',
    fires: { 'passerelle_clock_skew_seconds{instance="a"}': flat(-3), 'passerelle_clock_skew_seconds{instance="b"}': flat(0) },
    quiet: { 'passerelle_clock_skew_seconds{instance="a"}': flat(0.5) },
  },
  {
    alert: 'PasserelleCallsFail',
    expr: `${share(`${called}{status=~"5.."}`, called)} > 0.01`,
    for: '10m',
    severity: 'critical',
    summary: 'Over 1 % of calls are answered with 5xx.',
    action: 'Look at `/readyz` and the log. 503 means that PostgreSQL is away or more calls come than can be handled.',
    fires: calls(5, 95),
    quiet: calls(0, 95),
  },
  {
    alert: 'PasserelleCallsOverloaded',
    ...rises('passerelle_calls_overloaded_total'),
    severity: 'warning',
    summary: 'Calls are refused, because more come than can be handled.',
    action: 'Add a process, or a faster machine.',
  },
  {
    alert: 'PasserelleLimitsUncounted',
    ...rises('passerelle_limits_uncounted_total'),
    severity: 'warning',
    summary: 'Calls are not counted against their limits.',
    action: 'Redis is away or refuses writes. Bring it back.',
  },
  {
    alert: 'PasserelleCallRecordsLost',
    ...rises('passerelle_calls_lost_total'),
    severity: 'warning',
    summary: 'Records of calls are dropped. The calls themselves are served.',
    action: 'PostgreSQL is slower than calls come. Give it a faster machine.',
  },
];

/** The file for Prometheus, as a value. */
export const ruleFile = {
  groups: [
    {
      name: 'passerelle',
      rules: alertRules.map(({ alert, expr, for: holds, severity, summary, action }) => ({
        alert,
        expr,
        for: holds,
        labels: { severity },
        annotations: { summary, value: '{{ $value | humanize }}', action },
      })),
    },
  ],
};
