import { fill } from '../../base/template.ts';
import { isBalanced, isLedgerKnown, type LedgerDifferences } from '../../figures/ledger.ts';
import { countedTo, type Overview } from '../../figures/overview.ts';
import type { PeriodName } from '../../figures/periods.ts';
import { sumOf } from '../../figures/read.ts';
import type { Trouble, TroubleName } from '../../figures/trouble.ts';
import type { ErrorClass } from '../../store/tables/webhooks.ts';

/**
 * The texts of the verdict. Each `{name}` is one of the problem's values. `docs/operators.md` lists them with the time until
 * each appears, and a test causes each of them.
 */
export const verdictTexts = {
  store_down: 'The store does not answer. Calls get 503 and deliveries wait. Nothing that was acknowledged is lost.',
  queue_down: 'The queue does not answer. Deliveries wait in the store and are sent when it is back.',
  ledger_unbalanced: 'The ledger does not balance: {missing} rows are missing, {surplus} are too many.',
  held: '{endpoint} fails and is held: {reason}, {failed} of {attempts} attempts in the last minute.',
  held_quiet: '{endpoint} fails and is held: {reason}, no attempt in the last minute.',
  held_many: '{count} endpoints fail and are held: {endpoints}.',
  failing: '{endpoint} fails: {reason}, {failed} of {attempts} attempts in the last minute.',
  failing_quiet: '{endpoint} fails: {reason}, no attempt in the last minute.',
  failing_many: '{count} endpoints fail: {endpoints}.',
  disabled: '{endpoint} is disabled: {reason}. Its deliveries are skipped.',
  disabled_many: '{count} endpoints are disabled, and their deliveries are skipped: {endpoints}.',
  unsteady: '{endpoint} fails at times: {reason}, {failed} of {attempts} attempts in the last minute.',
  unsteady_many: '{count} endpoints fail at times: {endpoints}.',
  dead_letters_one: '1 delivery failed permanently {period}.',
  dead_letters: '{count} deliveries failed permanently {period}.',
  calls_failed_one: '1 call failed with a gateway error (5xx) {period}.',
  calls_failed: '{count} calls failed with a gateway error (5xx) {period}.',
  records_lost_one: '1 record of a call was lost under overload since startup.',
  records_lost: '{count} records of calls were lost under overload since startup.',
  behind_rate: '{endpoint} takes at most {rate} attempts per second. Deliveries that wait for their turn: {waiting}.',
  behind_order: '{endpoint} takes one delivery after another. Deliveries that wait for their turn: {waiting}.',
  behind: '{endpoint} is slow: half of its attempts take {median} or longer. Deliveries that wait for their turn: {waiting}.',
  behind_quiet: '{endpoint} had no attempt in the last minute. Deliveries that wait for their turn: {waiting}.',
  behind_many: 'Deliveries to {count} endpoints wait for their turn: {endpoints}.',
  late_one: '1 delivery is more than 30 s late.',
  late: '{count} deliveries are more than 30 s late.',
  limited_one: 'A limit refused 1 call {period}.',
  limited: 'Limits refused {count} calls {period}.',
  paused: '{endpoint} is paused by an operator. Its deliveries are skipped.',
  paused_many: '{count} endpoints are paused by an operator: {endpoints}.',
  idle: 'All is well: no activity {period}.',
  only_calls_one: 'All is well: 1 call and no deliveries {period}.',
  only_calls: 'All is well: {calls} calls and no deliveries {period}.',
  delivered_one: 'All is well: 1 delivery {period}, delivered.',
  delivered: 'All is well: {delivered} deliveries {period}, all delivered.',
  delivering: 'All is well: {delivered} deliveries delivered {period}, {pending} in progress.',
} as const;

export type VerdictCase = keyof typeof verdictTexts;
/** The cases with a text for one and a text for many. */
type Countable = { [C in VerdictCase]: `${C}_one` extends VerdictCase ? C : never }[VerdictCase];

/** `error` needs an operator, `warning` may pass by itself, `note` is as someone wants it. */
export const severities = ['error', 'warning', 'note'] as const;
type Severity = (typeof severities)[number];

export interface Statement {
  case: VerdictCase;
  text: string;
  values: Record<string, string>;
  /** The same values, not yet in words. */
  raw: Record<string, string | number>;
}

/** A value as a text shows it, and as a number or a code. */
interface Value {
  shown: string;
  raw: string | number;
}
type Values = Record<string, Value>;

export interface Problem extends Statement {
  severity: Severity;
  /** The first endpoints that it concerns. */
  endpoints: { id: string; url: string }[];
  since: number | null;
  owed: number | null;
}

/** What to say first, and all problems. */
export interface Verdict extends Statement {
  state: 'error' | 'warning' | 'ok';
  problems: Problem[];
}

const periodWords: Readonly<Record<PeriodName, string>> = {
  hour: 'in the last hour',
  day: 'in the last 24 hours',
  week: 'in the last 7 days',
};

/** The most endpoints that a text names. */
const maxNamed = 3;
const severityOf: Readonly<Record<TroubleName, Severity>> = {
  held: 'error',
  failing: 'error',
  disabled: 'error',
  unsteady: 'warning',
  behind: 'warning',
  paused: 'note',
};

/** Says whether all is well or what is wrong, most urgent first, from the figures that the overview shows. */
export function verdictOf(overview: Overview): Verdict {
  const { calls, deliveries, ledger, limits, points, queue, recorder } = overview;
  const period = { shown: periodWords[points.name], raw: points.name };
  const counted = (name: Countable, severity: Severity, count: number, asValue = exact) =>
    count > 0 && problem(count === 1 ? `${name}_one` : name, severity, { count: asValue(count), period });
  const endpoints = (...names: TroubleName[]) => names.map((name) => troubleProblem(name, overview.endpoints.troubles));
  const found: (Problem | false)[] = [
    queue === null && problem('queue_down', 'error'),
    isLedgerKnown(ledger) && !isBalanced(ledger.differences) && problem('ledger_unbalanced', 'error', rowsOf(ledger.differences)),
    ...endpoints('held', 'failing', 'disabled'),
    counted('dead_letters', 'error', deliveries.deadLetters, upTo),
    counted('calls_failed', failsNow(calls) ? 'error' : 'warning', calls.totals.get('failed') ?? 0),
    counted('records_lost', 'error', recorder.lost),
    ...endpoints('unsteady', 'behind'),
    counted('late', 'warning', deliveries.dueLate, upTo),
    counted('limited', 'note', limits.refused),
    ...endpoints('paused'),
  ];
  const problems = found.filter((one) => one !== false);
  const state = problems.reduce<Verdict['state']>(
    (worst, { severity }) => (severity === 'note' || worst === 'error' ? worst : severity),
    'ok',
  );
  const well = wellOf(overview, period);
  const { case: name, text, values, raw } = state === 'ok' ? well : (problems[0] ?? well);
  return { state, case: name, text, values, raw, problems };
}

/** Returns true if calls failed in the last points: then it is not over. */
const failsNow = ({ points }: Overview['calls']) => points.slice(-2).some(({ failed }) => failed > 0);

function wellOf({ calls, deliveries: { ended, pending } }: Overview, period: Value): Statement {
  const [delivered, called] = [ended.get('delivered') ?? 0, sumOf(calls.totals)];
  const values = { period, calls: exact(called), delivered: exact(delivered), pending: upTo(pending) };
  if (pending > 0) return statement('delivering', values);
  if (delivered > 0) return statement(delivered === 1 ? 'delivered_one' : 'delivered', values);
  if (called > 0) return statement(called === 1 ? 'only_calls_one' : 'only_calls', values);
  return statement('idle', values);
}

function troubleProblem(name: TroubleName, all: readonly Trouble[]): Problem | false {
  const own = all.filter((trouble) => trouble.name === name);
  const [first] = own;
  if (!first) return false;
  const owed = own.reduce((sum, one) => sum + (one.owed ?? 0), 0);
  const sinces = own.flatMap(({ since }) => since ?? []);
  return {
    ...(own.length === 1
      ? problem(caseOf(first), severityOf[name], valuesOf(first))
      : problem(`${name}_many`, severityOf[name], manyValues(own))),
    endpoints: own.slice(0, maxNamed).map(({ endpoint: { id, url } }) => ({ id, url })),
    since: sinces.length > 0 ? Math.min(...sinces) : null,
    owed: Math.min(owed, countedTo),
  };
}

/** The text for one endpoint follows from its cause, and from whether there was an attempt at all. */
function caseOf({ name, attempts, endpoint }: Trouble): VerdictCase {
  if (name === 'behind' && endpoint.max_per_second !== null) return 'behind_rate';
  if (name === 'behind' && endpoint.ordered) return 'behind_order';
  const isQuiet = attempts === 0;
  if (isQuiet && (name === 'held' || name === 'failing' || name === 'behind')) return `${name}_quiet`;
  return name;
}

const valuesOf = (trouble: Trouble): Values => ({
  endpoint: named(nameOf(trouble.endpoint.url)),
  reason: reasonOf(trouble),
  attempts: exact(trouble.attempts),
  failed: exact(trouble.failed),
  waiting: upTo(trouble.waiting ?? 0),
  rate: { shown: String(trouble.endpoint.max_per_second ?? ''), raw: trouble.endpoint.max_per_second ?? 0 },
  median: { shown: trouble.medianMs === null ? '' : secondsOf(trouble.medianMs), raw: trouble.medianMs ?? 0 },
});

const manyValues = (troubles: readonly Trouble[]): Values => {
  const names = troubles.slice(0, maxNamed).map(({ endpoint }) => nameOf(endpoint.url));
  return { count: exact(troubles.length), endpoints: named([...names, ...(troubles.length > maxNamed ? ['…'] : [])].join(', ')) };
};

const longestName = 80;

/** A URL without its scheme and query, cut if it is long. */
function nameOf(url: string): string {
  const name = url.replace(/^https?:\/\//, '').replace(/[?#].*$/, '');
  return name.length > longestName ? `${name.slice(0, longestName)}…` : name;
}

/** Why an endpoint fails, in the middle of a sentence. */
export const verdictReasons = {
  dns: 'host not found',
  connect: 'no connection',
  tls: 'TLS failed',
  timeout: 'timeout',
  reset: 'connection lost',
  status: 'error status',
  redirect: 'redirected',
  gone: 'answered 410 Gone',
  blocked_address: 'address not allowed',
  response_too_large: 'response headers too large',
  protocol: 'invalid HTTP',
  secret_unreadable: 'secret unreadable',
  unknown: 'other error',
  connection_refused: 'connection refused',
  failing_for_days: 'every attempt failed for days',
} as const satisfies Record<ErrorClass, string> & Record<string, string>;

const because = (code: keyof typeof verdictReasons): Value => ({ shown: verdictReasons[code], raw: code });

function reasonOf({ endpoint: { disabled_reason }, lastFailure }: Trouble): Value {
  if (disabled_reason === 'failing') return because('failing_for_days');
  if (disabled_reason === 'gone') return because('gone');
  if (lastFailure === null) return because('unknown');
  const { outcome, error, response_status } = lastFailure;
  if (error?.includes('ECONNREFUSED')) return because('connection_refused');
  if (response_status === null) return because(outcome as ErrorClass);
  return { shown: `answered ${response_status}`, raw: response_status };
}

const named = (name: string): Value => ({ shown: name, raw: name });
const exact = (value: number): Value => ({ shown: value.toLocaleString('en-US'), raw: value });
/** A count of current rows: `10,000+` where counting stopped. */
const upTo = (value: number): Value => ({ ...exact(value), ...(value >= countedTo && { shown: `${exact(value).shown}+` }) });
const secondsOf = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`);

function rowsOf({ missing, surplus }: LedgerDifferences): Values {
  const sum = (counts: object) => exact(Object.values(counts).reduce((all, count) => all + count, 0));
  return { missing: sum(missing), surplus: sum(surplus) };
}

const problem = (name: VerdictCase, severity: Severity, values: Values = {}): Problem => ({
  ...statement(name, values),
  ...{ severity, endpoints: [], since: null, owed: null },
});

function statement(name: VerdictCase, given: Values): Statement {
  const template: string = verdictTexts[name];
  const used = Object.entries(given).filter(([value]) => template.includes(`{${value}}`));
  const values = Object.fromEntries(used.map(([value, { shown }]) => [value, shown]));
  const raw = Object.fromEntries(used.map(([value, { raw }]) => [value, raw]));
  return { case: name, text: fill(template, values), values, raw };
}
