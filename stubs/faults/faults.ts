import { type Clock, systemClock } from '../../gateway/base/clock.ts';
import { literal } from '../../gateway/base/text.ts';
import { Examples } from '../examples/reply.ts';
import type { ChosenFaults } from './applied.ts';
import { FaultError } from './errors.ts';
import { kindOf, longestDelayMs } from './kinds.ts';
import { normal, type Random, seededRandom } from './random.ts';
import { checkRule } from './rule.ts';
import { parseRule, ruleText } from './rule-text.ts';
import { checkTargets, type Target } from './targets.ts';
import type { Fault, FaultRule } from './types.ts';
import { meets, type RequestFacts } from './when.ts';

/** The facts of a call, or of a webhook, that rules match. */
export interface CallFacts extends Partial<RequestFacts> {
  method: string;
  path: string;
  operation: string | undefined;
  /** Identifies the caller, for rules that count `per=caller`. */
  caller: string;
  /** True for a webhook: its operation is the event type, and its caller the endpoint. */
  isWebhook?: boolean;
}

/** A rule as listed: its id, its text form and its counts. */
export interface ListedRule {
  id: string;
  text: string;
  rule: FaultRule;
  /** Calls that it matched, before `after`, `times` and `probability` were considered. */
  matched: number;
  applied: number;
}

interface RuleState extends ListedRule {
  fromStart: boolean;
  random: Random;
  path: RegExp | undefined;
  counts: Map<string, Counts>;
}

interface Counts {
  seen: number;
  applied: number;
  /** When the rule ends, once it has applied. */
  untilMs?: number;
}

export interface FaultsOptions {
  /** Makes the random choices repeatable. Default: drawn. */
  seed?: number | string | undefined;
  /** Measures delays. Default: the machine's clock. */
  clock?: Clock;
  /** The time that replies name. Default: that of `clock`. */
  now?: () => number;
  /** The operations of the API. A rule that can apply to none of them is refused. Default: any rule is accepted. */
  operations?: readonly Target[];
  /** Throws a `FaultError` for a rule that contradicts the API's document. `targets`: what it can apply to. */
  check?: (rule: FaultRule, targets: readonly Target[]) => void;
  /** The replies of the reference implementation, which faults send. Default: none. */
  examples?: Examples;
}

/** Bounds the counters of one rule. Past it, the oldest counter starts again from zero. */
const mostCounts = 10_000;

/**
 * The fault rules, in the order in which they were added. If several rules match a call, the first delay and the first other
 * fault apply. Each rule draws its random choices from the seed on its own, so the same calls in the same order fail again.
 */
export class Faults<Operation extends string = string> {
  /** The given or drawn seed. Report it with a failure, so that the failure can be repeated. */
  readonly seed: string;
  readonly clock: Clock;
  readonly examples: Examples;
  /** The time that replies name, in milliseconds since 1970. */
  readonly now: () => number;
  readonly #initial: readonly FaultRule[];
  readonly #operations: readonly Target[] | undefined;
  readonly #check: FaultsOptions['check'];
  #rules: RuleState[] = [];
  #ids = 0;

  constructor(rules: readonly (FaultRule<Operation> | string)[] = [], options: FaultsOptions = {}) {
    this.seed = String(options.seed ?? Math.floor(Math.random() * 2 ** 32));
    this.clock = options.clock ?? systemClock;
    this.now = options.now ?? this.clock.now;
    this.#operations = options.operations;
    this.#check = options.check;
    this.examples = options.examples ?? new Examples(() => []);
    this.#initial = rules.map(asRule);
    this.reset();
  }

  /** Adds a rule, as an object or in its text form, after the others. Returns its id. Throws `FaultError`. */
  add(rule: FaultRule<Operation> | string): string {
    return this.#add(rule, false);
  }

  #add(rule: FaultRule | string, fromStart: boolean): string {
    const checked = asRule(rule);
    if (this.#operations) this.#check?.(checked, checkTargets(checked, this.#operations));
    this.#checkExample(checked);
    const id = checked.id ?? this.#newId();
    if (this.#rules.some((other) => other.id === id)) throw new FaultError(`The rule "${id}" exists already. Remove it first.`);
    this.#rules.push({
      id,
      text: ruleText(checked),
      fromStart,
      rule: checked,
      matched: 0,
      applied: 0,
      random: seededRandom(`${this.seed}:${id}`),
      path: checked.path === undefined ? undefined : pathPattern(checked.path),
      counts: new Map(),
    });
    return id;
  }

  #checkExample({ operation, fault }: FaultRule): void {
    if (fault.kind !== 'example' || fault.name === undefined) return;
    const { name } = fault;
    const known = operation === undefined ? this.#operations?.map(({ id }) => id) : [operation];
    if (known?.some((one) => this.examples.find(one, name)) ?? true) return;
    const message = `${operation ?? 'The API'} has no example "${name}". ${this.examples.hint(operation, name)}`;
    throw new FaultError(message, [{ field: 'fault.name', message }]);
  }

  /** Removes a rule. Returns false if no rule has this id. */
  remove(id: string): boolean {
    const before = this.#rules.length;
    this.#rules = this.#rules.filter((rule) => rule.id !== id);
    return this.#rules.length < before;
  }

  list(): ListedRule[] {
    return this.#rules.map(({ id, text, rule, matched, applied }) => ({ id, text, rule, matched, applied }));
  }

  clear(): void {
    this.#rules = [];
  }

  /** Restores the rules given to the constructor, with counts at zero and random choices from the start. */
  reset(): void {
    this.#rules = [];
    this.#ids = 0;
    for (const rule of this.#initial) this.#add(rule, true);
  }

  get active(): boolean {
    return this.#rules.length > 0;
  }

  get losesWebhooks(): boolean {
    return this.#rules.some(({ rule }) => kindOf(rule.fault).isOfWebhooks);
  }

  /** Returns true if a rule of this call has conditions on its body. All of its rules then wait for the body. */
  looksAtBody(call: CallFacts): boolean {
    return this.#rules.some((state) => state.rule.when?.body && matches(state, call, ['query', 'header']));
  }

  /** Chooses the faults of a call and counts them as applied. Faults in `asked` (from `Prefer`) take precedence over rules. */
  choose(call: CallFacts, asked: ChosenFaults = {}): ChosenFaults {
    const chosen: ChosenFaults = { ...asked };
    for (const state of this.#rules) {
      const { fault } = state.rule;
      const slot = fault.kind === 'delay' ? 'delay' : 'outcome';
      if (chosen[slot] || !matches(state, call) || !this.#answers(fault, call)) continue;
      const counts = applied(state, call, this.now());
      if (!counts) continue;
      const rule = { id: state.id, fromStart: state.fromStart };
      const ms = fault.kind === 'delay' ? drawnMs(fault, state.random) : 0;
      const found = { source: state.text, rule, fault, ms, untilMs: counts.untilMs };
      Object.assign(chosen, { [slot]: found });
    }
    return chosen;
  }

  /** A rule for several operations applies to those that have its example. */
  #answers(fault: Fault, { operation }: CallFacts): boolean {
    return fault.kind !== 'example' || this.examples.find(operation, fault.name) !== undefined;
  }

  #newId(): string {
    do this.#ids += 1;
    while (this.#rules.some(({ id }) => id === `fault-${this.#ids}`));
    return `fault-${this.#ids}`;
  }
}

/** Draws the length of a delay: whole milliseconds from 0 to the longest. */
export function drawnMs(fault: Extract<Fault, { kind: 'delay' }>, random: Random): number {
  const { ms = 0, fromMs, toMs, meanMs, deviationMs, medianMs, sigma } = fault;
  let drawn = ms;
  if (fromMs !== undefined && toMs !== undefined) drawn = fromMs + random() * (toMs - fromMs);
  else if (meanMs !== undefined && deviationMs !== undefined) drawn = meanMs + normal(random) * deviationMs;
  else if (medianMs !== undefined && sigma !== undefined) drawn = medianMs * Math.exp(normal(random) * sigma);
  return Math.round(Math.min(Math.max(drawn, 0), longestDelayMs));
}

function asRule(rule: FaultRule | string): FaultRule {
  return typeof rule === 'string' ? parseRule(rule) : checkRule(rule);
}

function pathPattern(path: string): RegExp {
  const parts = path.split(/(\{[^{}/]+\}|\*)/).map((part, at) => {
    if (at % 2 === 0) return literal(part);
    return part === '*' ? '.*' : '[^/]+';
  });
  return new RegExp(`^${parts.join('')}$`);
}

function matches({ rule, path }: RuleState, call: CallFacts, places?: Parameters<typeof meets>[2]): boolean {
  const { query = {}, headers = {}, body, isWebhook = false } = call;
  if ((kindOf(rule.fault).isOfWebhooks ?? false) !== isWebhook) return false;
  if (rule.when && !meets({ query, headers, body }, rule.when, places)) return false;
  if (rule.operation !== undefined && rule.operation !== call.operation) return false;
  if (rule.method !== undefined && rule.method !== call.method) return false;
  return path === undefined || path.test(call.path);
}

/** Counts the call. Returns the counts if the rule applies to it. */
function applied(state: RuleState, call: CallFacts, nowMs: number): Counts | undefined {
  const { times = Number.POSITIVE_INFINITY, after = 0, forMs, probability, per } = state.rule;
  const counts = countsOf(state.counts, per === undefined ? '' : (call[per] ?? ''));
  state.matched += 1;
  counts.seen += 1;
  if (counts.seen <= after || counts.applied >= times) return undefined;
  if (counts.untilMs !== undefined && nowMs >= counts.untilMs) return undefined;
  if (probability !== undefined && state.random() >= probability) return undefined;
  if (forMs !== undefined) counts.untilMs ??= nowMs + forMs;
  counts.applied += 1;
  state.applied += 1;
  return counts;
}

function countsOf(counts: RuleState['counts'], key: string): Counts {
  const known = counts.get(key);
  if (known) return known;
  const oldest = counts.size >= mostCounts ? counts.keys().next() : undefined;
  if (oldest && !oldest.done) counts.delete(oldest.value);
  const fresh = { seen: 0, applied: 0 };
  counts.set(key, fresh);
  return fresh;
}
