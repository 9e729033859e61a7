import { deadLetterRules, orderings } from '../../gateway/store/tables/webhooks.ts';
import { type FaultKind, faultKinds, type TroubleKind, troubleKinds } from './faults.ts';
import { type ActionKind, everyActionKind, ruleKinds, skipKinds } from './operators.ts';
import { type Random, streamsOf } from './random.ts';

/** Something that happens once. Its own seed decides the rest, so that it stays the same if another item is left out. */
interface Item {
  atMs: number;
  seed: number;
}

export interface PlannedEndpoint {
  number: number;
  ordered: boolean;
  order_by: (typeof orderings)[number];
  on_dead_letter: (typeof deadLetterRules)[number];
  max_in_flight: number | null;
  max_per_second: number | null;
  retry_for_hours: number | null;
  perimeter: string[] | null;
  /** The numbers of the events that its filter lets through; null for no filter. */
  least: number | null;
  /** Its receiver asks for a header of its own. */
  asksForHeader: boolean;
  /** The number of the account that it belongs to; null for the operator. */
  account: number | null;
  /** Its owner created it, so it must be verified first. */
  byOwner: boolean;
}

export interface PlannedChange extends Item {
  /** The numbers of its events. */
  numbers: number[];
  subject: string | null;
}

/** All that a seed decides before a run begins. Each list can be cut, to find what a failure needs. */
export interface Plan {
  seed: number;
  gateways: number;
  /** For how long faults and actions happen. */
  troubleMs: number;
  faults: FaultKind[];
  endpoints: PlannedEndpoint[];
  changes: PlannedChange[];
  troubles: (Item & { kind: TroubleKind })[];
  actions: (Item & { kind: ActionKind })[];
  /** Decides which rows are stolen at the end, for the audit to notice. Undefined: none. */
  steal: number | undefined;
}

/** The stores that events are about. */
export const stores = ['store-1', 'store-2', 'store-3'];
/** The accounts that own endpoints, by number, and the stores that each begins with. */
export const accounts: Readonly<Record<number, string[] | null>> = { 1: null, 2: ['store-1', 'store-2'] };

/** By then the schedule of retries has ended. */
const untilDeadMs = 5 * 24 * 3_600_000;
/** The longest time in which faults happen. */
const mostTroubleMs = 10 * 60_000;

/** They matter most when deliveries have died. */
const lateKinds: ReadonlySet<ActionKind> = new Set([...skipKinds, ...ruleKinds]);

/** A receiver that is away or refuses some events takes eleven simulated days, most of which only probe. */
const longFaults: ReadonlySet<FaultKind> = new Set(['receiver away', 'receiver refuses a store']);

/** Each seed has some of the faults and of the actions, so that each is also met without the others. */
export function planOf(seed: number): Plan {
  const random = streamsOf(seed);
  const has = (what: string, probability: number) => random(`has ${what}`).chance(probability);
  /** Each of them has its own stream, so that one more of them, or of their fields, moves nothing else. */
  const many = <R>(name: string, least: number, most: number, make: (own: Random, number: number) => R) => {
    const length = random(`number of ${name}`).whole(least, most);
    return Array.from({ length }, (_, at) => make(random(`${name} ${at + 1}`), at + 1));
  };
  const troubleMs = random('duration of the trouble').whole(60_000, mostTroubleMs);
  const item = (own: Random, untilMs: number): Item => ({ atMs: own.whole(0, untilMs), seed: own.uint32() });
  // Where receivers fail, most lanes are blocked, so some seeds have none that does.
  const [failing, long] = [has('failing receivers', 0.7), has('long faults', 0.25)];
  const isKept = (kind: FaultKind) => (longFaults.has(kind) ? long : failing || !kind.startsWith('receiver '));
  const faults = faultKinds.filter((kind) => has(kind, 0.4) && isKept(kind));
  const changeOf = (own: Random, number: number) => ({
    ...plannedChange(own, number, item(own, troubleMs - 1000)),
    own,
  });
  const actionsOf = (kind: ActionKind) => {
    const untilMs = lateKinds.has(kind) && has(`late ${kind}`, 0.5) ? untilDeadMs : troubleMs;
    return many(kind, 1, 3, (own) => ({ ...item(own, untilMs), kind }));
  };
  return {
    seed,
    gateways: random('gateways').whole(2, 4),
    troubleMs,
    faults,
    endpoints: many('endpoint', 3, 8, plannedEndpoint),
    changes: inBursts(many('change', 10, 50, changeOf)),
    troubles: troubleKinds
      .filter((kind) => faults.includes(kind))
      .flatMap((kind) => many(kind, 0, 3, (own) => ({ ...item(own, troubleMs), kind }))),
    actions: everyActionKind.filter((kind) => has(kind, 0.35)).flatMap(actionsOf),
    steal: has('theft', 0.5) ? random('theft').uint32() : undefined,
  };
}

/** Every endpoint keeps this order, and some of their deliveries die. */
const inOrder = (plan: Plan, order_by: PlannedEndpoint['order_by']): Plan => ({
  ...plan,
  faults: [...new Set([...plan.faults, 'receiver refuses a store' as const])],
  endpoints: plan.endpoints.map((endpoint) => ({
    ...endpoint,
    ordered: true,
    on_dead_letter: 'block',
    order_by,
    retry_for_hours: 1,
  })),
});
/** Operators do this after each change. */
const withActions = (plan: Plan, kind: ActionKind): Plan => ({
  ...plan,
  actions: [...plan.actions, ...afterEach(plan.changes, kind)],
});

const withFault = (plan: Plan, kind: FaultKind): Plan => ({
  ...plan,
  faults: [...new Set([...plan.faults, kind])],
});

/** More of them would leave no time without trouble. */
const mostTroubles = 10;

/** This happens soon after some of the changes. */
const withTroubles = (plan: Plan, kind: TroubleKind): Plan => ({
  ...withFault(plan, kind),
  troubles: [...plan.troubles, ...afterEach(plan.changes.slice(0, mostTroubles), kind)],
});

const afterEach = <K>(changes: readonly PlannedChange[], kind: K) =>
  changes.map(({ atMs, seed }) => ({ kind, atMs: atMs + (seed % 2000), seed }));

/** Each change has so many events that the background fan-out creates their deliveries. */
const inElevens = (changes: readonly PlannedChange[]): PlannedChange[] =>
  changes.map(({ numbers: [first = 0], ...change }) => ({
    ...change,
    numbers: Array.from({ length: 11 }, (_, at) => first + at),
  }));

/** Every endpoint is full, several processes take deliveries out of its lane, and nothing else goes wrong. */
const withFullEndpoints = (plan: Plan): Plan => ({
  ...plan,
  gateways: 4,
  faults: [],
  troubles: [],
  actions: [],
  endpoints: plan.endpoints.map((endpoint) => ({
    ...endpoint,
    ordered: false,
    max_in_flight: 2,
    max_per_second: null,
  })),
  changes: inElevens(plan.changes.slice(0, 8)).map((change, at) => ({ ...change, atMs: 100 * at })),
});

const eachOf = <K extends string>(kinds: readonly K[], more: (plan: Plan, kind: K) => Plan) => {
  const entries = kinds.map((kind) => [kind, (plan: Plan) => more(plan, kind)]);
  return Object.fromEntries(entries) as Record<K, (plan: Plan) => Plan>;
};

/** What a plan can have more of, so that a rare mistake shows soon. */
export const emphases = {
  'endpoints in order': (plan: Plan) => inOrder(plan, 'endpoint'),
  'endpoints in order of the subject': (plan: Plan) => inOrder(plan, 'subject'),
  'full endpoints': withFullEndpoints,
  ...eachOf(faultKinds, withFault),
  ...eachOf(troubleKinds, withTroubles),
  ...eachOf(everyActionKind, withActions),
};
export type Emphasis = keyof typeof emphases;

/** Returns the plan with more of each of these. */
export function emphasized(plan: Plan, more: readonly Emphasis[]): Plan {
  return more.reduce((so, one) => emphases[one](so), plan);
}

function plannedChange(random: Random, number: number, item: Item): PlannedChange {
  const count = random.chance(0.1) ? 11 : 1;
  const subject = random.chance(0.2) ? null : random.pick(stores);
  return { ...item, numbers: Array.from({ length: count }, (_, at) => number * 100 + at), subject };
}

/** Some changes happen while the one before still runs, or while its events wait for their fan-out. */
function inBursts(changes: readonly (PlannedChange & { own: Random })[]): PlannedChange[] {
  let before: PlannedChange | undefined;
  return changes.map(({ own, ...change }) => {
    const follows = before && own.chance(before.numbers.length > 1 ? 0.7 : 0.3);
    before = before && follows ? { ...change, atMs: before.atMs + own.whole(0, 1000) } : change;
    return before;
  });
}

function plannedEndpoint(random: Random, number: number): PlannedEndpoint {
  const account = random.chance(0.4) ? random.whole(1, 2) : null;
  return {
    number,
    ordered: random.chance(0.4),
    max_in_flight: random.chance(0.3) ? random.whole(1, 3) : null,
    max_per_second: random.chance(0.2) ? random.whole(1, 10) : null,
    perimeter: random.chance(0.2) ? ['store-1'] : null,
    asksForHeader: random.chance(0.3),
    least: random.chance(0.2) ? random.whole(100, 4000) : null,
    account,
    retry_for_hours: random.chance(0.2) ? random.pick([1, 60, 120]) : null,
    byOwner: account !== null && random.chance(0.3),
    order_by: random.pick(orderings),
    on_dead_letter: random.pick(deadLetterRules),
  };
}
