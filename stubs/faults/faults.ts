import { type Clock, systemClock } from '../../gateway/base/clock.ts';
import { FaultError } from './errors.ts';
import { normal, type Random, seededRandom } from './random.ts';
import { checkRule, longestDelayMs } from './rule.ts';
import { parseRule, ruleText } from './rule-text.ts';
import type { Fault, FaultRule } from './types.ts';

/** What rules are matched with. */
export interface CallFacts {
  method: string;
  path: string;
  operation: string | undefined;
  /** Who calls, for rules that count `per=caller`. */
  caller: string;
}

/** A fault that is to be applied to a call. */
export interface ChosenFault<Kind extends Fault = Fault> {
  /** The rule as it is written, or the preference that asked for it. */
  source: string;
  /** Where a rule is the reason: its id, and whether a reset brings it back. */
  rule?: { id: string; fromStart: boolean };
  fault: Kind;
  /** How long a delay is this time. */
  ms: number;
  /** What a reply of its own says, where that is known already. */
  body?: unknown;
}

/** At most one delay and one other fault apply to a call. */
export interface ChosenFaults {
  delay?: ChosenFault<Extract<Fault, { kind: 'delay' }>>;
  outcome?: ChosenFault<Exclude<Fault, { kind: 'delay' }>>;
}

/** A rule with its id, its text form and how often it was applied. */
export interface ListedRule {
  id: string;
  text: string;
  rule: FaultRule;
  /** Calls that it fitted, before `after`, `times` and `probability`. */
  matched: number;
  applied: number;
}

interface RuleState extends ListedRule {
  fromStart: boolean;
  random: Random;
  path: RegExp | undefined;
  counts: Map<string, { seen: number; applied: number }>;
}

/** Callers and operations counted on their own: past so many, the oldest begin anew. */
const mostCounts = 10_000;

/**
 * The rules by which calls fail, in the order in which they were added: of all that fit a call, the first delay and the
 * first other fault apply. Random choices repeat with the seed, each rule's on its own, in the order of its calls.
 */
export class Faults {
  /** Given or drawn: say it with a failure, and it can be repeated. */
  readonly seed: string;
  readonly clock: Clock;
  readonly #initial: readonly FaultRule[];
  #rules: RuleState[] = [];
  #ids = 0;

  constructor(rules: readonly (FaultRule | string)[] = [], options: { seed?: number | string; clock?: Clock } = {}) {
    this.seed = String(options.seed ?? Math.floor(Math.random() * 2 ** 32));
    this.clock = options.clock ?? systemClock;
    this.#initial = rules.map(asRule);
    this.reset();
  }

  /** Adds a rule, also in its text form, after those there are. Returns its id. */
  add(rule: FaultRule | string): string {
    return this.#add(rule, false);
  }

  #add(rule: FaultRule | string, fromStart: boolean): string {
    const checked = asRule(rule);
    const id = checked.id ?? this.#newId();
    if (this.#rules.some((other) => other.id === id)) throw new FaultError(`There is a rule "${id}" already. Remove it first.`);
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

  /** Whether there was such a rule. */
  remove(id: string): boolean {
    const before = this.#rules.length;
    this.#rules = this.#rules.filter((rule) => rule.id !== id);
    return this.#rules.length < before;
  }

  list(): ListedRule[] {
    return this.#rules.map(({ id, text, rule, matched, applied }) => ({ id, text, rule, matched, applied }));
  }

  /** Removes all rules. */
  clear(): void {
    this.#rules = [];
  }

  /** All as at the beginning: the rules given to the constructor, counts at zero, random choices from the start. */
  reset(): void {
    this.#rules = [];
    this.#ids = 0;
    for (const rule of this.#initial) this.#add(rule, true);
  }

  get active(): boolean {
    return this.#rules.length > 0;
  }

  /** The faults of this call, counted as applied. What `asked` holds already (by `Prefer`) goes before the rules. */
  choose(call: CallFacts, asked: ChosenFaults = {}): ChosenFaults {
    const chosen: ChosenFaults = { ...asked };
    for (const state of this.#rules) {
      const { fault } = state.rule;
      const slot = fault.kind === 'delay' ? 'delay' : 'outcome';
      if (chosen[slot] || !matches(state, call) || !applies(state, call)) continue;
      const rule = { id: state.id, fromStart: state.fromStart };
      const found = { source: state.text, rule, fault, ms: fault.kind === 'delay' ? drawnMs(fault, state.random) : 0 };
      Object.assign(chosen, { [slot]: found });
    }
    return chosen;
  }

  #newId(): string {
    do this.#ids += 1;
    while (this.#rules.some(({ id }) => id === `fault-${this.#ids}`));
    return `fault-${this.#ids}`;
  }
}

/** The length of a delay: whole milliseconds from none to the longest. */
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
    if (at % 2 === 0) return RegExp.escape(part);
    return part === '*' ? '.*' : '[^/]+';
  });
  return new RegExp(`^${parts.join('')}$`);
}

function matches({ rule, path }: RuleState, call: CallFacts): boolean {
  if (rule.operation !== undefined && rule.operation !== call.operation) return false;
  if (rule.method !== undefined && rule.method !== call.method) return false;
  return path === undefined || path.test(call.path);
}

function applies(state: RuleState, call: CallFacts): boolean {
  const { times = Number.POSITIVE_INFINITY, after = 0, probability, per } = state.rule;
  const counts = countsOf(state.counts, per === undefined ? '' : (call[per] ?? ''));
  state.matched += 1;
  counts.seen += 1;
  if (counts.seen <= after || counts.applied >= times) return false;
  if (probability !== undefined && state.random() >= probability) return false;
  counts.applied += 1;
  state.applied += 1;
  return true;
}

function countsOf(counts: RuleState['counts'], key: string): { seen: number; applied: number } {
  const known = counts.get(key);
  if (known) return known;
  const oldest = counts.size >= mostCounts ? counts.keys().next() : undefined;
  if (oldest && !oldest.done) counts.delete(oldest.value);
  const fresh = { seen: 0, applied: 0 };
  counts.set(key, fresh);
  return fresh;
}
