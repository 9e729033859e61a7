import { type Cause, shortFailure } from '../../base/causes/cause.ts';
import { causesEn } from '../../base/causes/en.ts';
import { fill } from '../../base/template.ts';
import { cut, lasted } from '../../base/words.ts';
import { causeText, hostOf } from '../../figures/cause.ts';
import { isBalanced, isLedgerKnown, type LedgerDifferences } from '../../figures/ledger.ts';
import { countedTo, type Overview } from '../../figures/overview.ts';
import type { PeriodName } from '../../figures/periods.ts';
import { sumOf } from '../../figures/read.ts';
import type { Trouble, TroubleName } from '../../figures/trouble.ts';

/**
 * The texts of the verdict. Each `{name}` is one of the problem's values. `docs/operators/console.md` lists them with the time until
 * each appears, and a test causes each of them.
 */
export const verdictTexts = {
  store_down: 'The store does not answer. Calls get 503 and deliveries wait. Nothing that was acknowledged is lost.',
  queue_down: 'The queue does not answer. Deliveries wait in the store and are sent when it is back.',
  ledger_unbalanced: 'The ledger does not balance: {missing} rows are missing, {surplus} are too many.',
  held_many: '{count} endpoints fail and are held ({reason}): {endpoints}.',
  failing_many: '{count} endpoints fail ({reason}): {endpoints}.',
  disabled_many: '{count} endpoints are disabled ({reason}), and their deliveries are skipped: {endpoints}.',
  unsteady_many: '{count} endpoints fail at times ({reason}): {endpoints}.',
  dead_letters_one: '1 delivery failed permanently {period}.',
  dead_letters: '{count} deliveries failed permanently {period}.',
  calls_failed_one: '1 call failed with a gateway error (5xx) {period}{overload}.',
  calls_failed: '{count} calls failed with a gateway error (5xx) {period}{overload}.',
  records_lost_one: '1 record of a call was lost under overload since startup.',
  records_lost: '{count} records of calls were lost under overload since startup.',
  behind_rate: '{endpoint} takes at most {rate} attempts per second. Deliveries that wait for their turn: {waiting}.',
  behind_order: '{endpoint} takes one delivery after another. Deliveries that wait for their turn: {waiting}.',
  behind: '{endpoint} is slow: half of its attempts take {median} or longer. Deliveries that wait for their turn: {waiting}.',
  behind_quiet: '{endpoint} had no attempt in the last minute. Deliveries that wait for their turn: {waiting}.',
  behind_many: 'Deliveries to {count} endpoints wait for their turn: {endpoints}.',
  late_one: '1 delivery is more than 30 s late. Time to attempt all that is due, at the pace of the last minute: {time}.',
  late: '{count} deliveries are more than 30 s late. Time to attempt all that is due, at the pace of the last minute: {time}.',
  retrying_one: '1 delivery failed, and waits for more than 30 s until its next attempt.',
  retrying: '{count} deliveries failed, and wait for more than 30 s until their next attempts.',
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

/** The cause of an endpoint (`base/causes/`) says what is wrong with it alone. */
export const endpointTroubles = ['held', 'failing', 'disabled', 'unsteady'] as const satisfies TroubleName[];
type TextCase = keyof typeof verdictTexts;
export type VerdictCase = TextCase | (typeof endpointTroubles)[number];
/** The cases with a text for one and a text for many. */
type Countable = { [C in TextCase]: `${C}_one` extends TextCase ? C : never }[TextCase];

/** `error` needs an operator, `warning` may pass by itself, `note` is a state that somebody chose, such as a pause. */
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
  /** What is wrong with a single endpoint. */
  cause: Cause | null;
}

/** The first statement, and all problems. */
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

/** Troubles of endpoints whose deliveries are retried. */
const retries: ReadonlySet<TroubleName> = new Set(['held', 'failing', 'unsteady']);

/** Says whether all is well or what is wrong, most urgent first, from the figures that the overview shows. */
export function verdictOf(overview: Overview): Verdict {
  const { calls, deliveries, ledger, limits, points, queue, recorder } = overview;
  const period = { shown: periodWords[points.name], raw: points.name };
  const common = { period, time: timeToAttempt(deliveries), overload: ofOverload(calls.overloaded) };
  const counted = (name: Countable, severity: Severity, count: number, asValue = exact) =>
    count > 0 && problem(count === 1 ? `${name}_one` : name, severity, { ...common, count: asValue(count) });
  const endpoints = (...names: TroubleName[]) => names.flatMap((name) => troubleProblems(name, overview.endpoints.troubles));
  const found: (Problem | false)[] = [
    queue === null && problem('queue_down', 'error'),
    isLedgerKnown(ledger) && !isBalanced(ledger.differences) && problem('ledger_unbalanced', 'error', rowsOf(ledger.differences)),
    ...endpoints('held', 'failing', 'disabled'),
    counted('dead_letters', 'error', deliveries.deadLetters, upTo),
    counted('calls_failed', failsNow(calls) ? 'error' : 'warning', calls.totals.get('failed') ?? 0),
    counted('records_lost', 'error', recorder.lost),
    ...endpoints('unsteady', 'behind'),
    counted('late', 'warning', deliveries.dueLate, upTo),
    // An endpoint that fails says so itself.
    !overview.endpoints.troubles.some(({ name }) => retries.has(name)) &&
      counted('retrying', 'warning', deliveries.retrying, upTo),
    counted('limited', 'note', limits.refused),
    ...endpoints('paused'),
  ];
  const { urgent = [], notes = [] } = Object.groupBy(
    found.filter((one) => one !== false),
    ({ severity }) => (severity === 'note' ? 'notes' : 'urgent'),
  );
  const problems = [...urgent, ...notes];
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

/** One problem for all endpoints with the same trouble and cause. */
function troubleProblems(name: TroubleName, all: readonly Trouble[]): Problem[] {
  const own = all.filter((trouble) => trouble.name === name);
  const groups = Map.groupBy(own, ({ cause }) => `${cause?.case} ${cause?.values.failure}`);
  return [...groups.values()].map((group) => groupProblem(name, group as [Trouble, ...Trouble[]]));
}

function groupProblem(name: TroubleName, group: readonly [Trouble, ...Trouble[]]): Problem {
  const owed = group.reduce((sum, one) => sum + (one.owed ?? 0), 0);
  const sinces = group.flatMap(({ since }) => since ?? []);
  return {
    ...(group.length === 1 ? singleProblem(group[0]) : problem(`${name}_many`, severityOf[name], manyValues(group))),
    endpoints: group.slice(0, maxNamed).map(({ endpoint: { id, url } }) => ({ id, url })),
    since: sinces.length > 0 ? Math.min(...sinces) : null,
    owed: Math.min(owed, countedTo),
  };
}

function singleProblem(trouble: Trouble): Problem {
  const { name, cause } = trouble;
  if (name === 'behind' || name === 'paused') return problem(caseOf(trouble), severityOf[name], valuesOf(trouble));
  const said = { case: name, text: cause ? causeText(cause) : '', values: {}, raw: {} };
  return { ...said, severity: severityOf[name], endpoints: [], since: null, owed: null, cause };
}

/** The text for an endpoint that is behind follows from the reason, and from whether there was an attempt at all. */
function caseOf({ name, attempts, endpoint }: Trouble): TextCase {
  if (name !== 'behind') return 'paused';
  if (endpoint.max_per_second !== null) return 'behind_rate';
  if (endpoint.ordered) return 'behind_order';
  return attempts === 0 ? 'behind_quiet' : 'behind';
}

const valuesOf = (trouble: Trouble): Values => ({
  endpoint: named(nameOf(trouble)),
  waiting: upTo(trouble.waiting ?? 0),
  rate: { shown: String(trouble.endpoint.max_per_second ?? ''), raw: trouble.endpoint.max_per_second ?? 0 },
  median: { shown: trouble.medianMs === null ? '' : secondsOf(trouble.medianMs), raw: trouble.medianMs ?? 0 },
});

const manyValues = (group: readonly [Trouble, ...Trouble[]]): Values => {
  const hosts = [...new Set(group.map(nameOf))];
  const names = hosts.slice(0, maxNamed).join(', ');
  const all = hosts.length > maxNamed ? `${names} + ${hosts.length - maxNamed}` : names;
  return { count: exact(group.length), endpoints: named(all), reason: reasonOf(group[0]) };
};

function reasonOf({ cause }: Trouble): Value {
  const failure = cause?.case === 'blocked' ? cause.case : (cause?.values.failure ?? 'unknown');
  return { shown: shortFailure(causesEn, failure), raw: failure };
}

const longestName = 80;

/** The host, as a cause names it, cut if it is long. */
const nameOf = ({ endpoint }: Trouble): string => cut(hostOf(endpoint.url), longestName);

const named = (name: string): Value => ({ shown: name, raw: name });
const exact = (value: number): Value => ({ shown: value.toLocaleString('en-US'), raw: value });
/** A count of current rows: `10,000+` where counting stopped. */
const upTo = (value: number): Value => ({ ...exact(value), ...(value >= countedTo && { shown: `${exact(value).shown}+` }) });

/** How many of the failed calls were refused for want of room; empty if none was. */
const ofOverload = (count: number): Value => ({
  shown: count === 0 ? '' : `, ${exact(count).shown} of them because more came than the gateway can handle`,
  raw: count,
});

function timeToAttempt({ dueNow, attemptEveryMs }: Overview['deliveries']): Value {
  if (attemptEveryMs === Number.POSITIVE_INFINITY) return named('∞');
  const ms = dueNow * attemptEveryMs;
  return { shown: lasted(ms) + (dueNow >= countedTo ? '+' : ''), raw: Math.round(ms) };
}

const secondsOf = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`);

function rowsOf({ missing, surplus }: LedgerDifferences): Values {
  const sum = (counts: object) => exact(Object.values(counts).reduce((all, count) => all + count, 0));
  return { missing: sum(missing), surplus: sum(surplus) };
}

const problem = (name: TextCase, severity: Severity, values: Values = {}): Problem => ({
  ...statement(name, values),
  severity,
  endpoints: [],
  since: null,
  owed: null,
  cause: null,
});

function statement(name: TextCase, given: Values): Statement {
  const template: string = verdictTexts[name];
  const used = Object.entries(given).filter(([value]) => template.includes(`{${value}}`));
  const values = Object.fromEntries(used.map(([value, { shown }]) => [value, shown]));
  const raw = Object.fromEntries(used.map(([value, { raw }]) => [value, raw]));
  return { case: name, text: fill(template, values), values, raw };
}
