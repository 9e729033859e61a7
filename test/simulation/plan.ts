import { deadLetterRules, orderings, signatureKinds } from '../../gateway/store/tables/webhooks.ts';
import { commonFaults, type FaultKind, type TroubleKind, tokenFaults, troubleKinds } from './faults.ts';
import { type ActionKind, actionKinds, erasureKinds, everyActionKind, ruleKinds, skipKinds } from './operators.ts';
import { Random } from './random.ts';

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
  signatures: (typeof signatureKinds)[number];
  max_in_flight: number | null;
  max_per_second: number | null;
  retry_for_hours: number | null;
  perimeter: string[] | null;
  /** The numbers of the events that its filter lets through; null for no filter. */
  least: number | null;
  /** Its receiver asks for a header of its own. */
  asksForHeader: boolean;
  /** And for a token of its token server. */
  asksForToken: boolean;
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

/** Each seed has some of the faults and of the actions, so that each is also met without the others. */
export function planOf(seed: number): Plan {
  const random = new Random(seed);
  // Apart, so that a seed has the same faults and endpoints otherwise.
  const apart = (salt: number) => new Random(seed ^ salt);
  // The last number leaves the seeds of `firstSeeds` (simulation.test.ts) as they are.
  const [tokens, erasures, orders, rulings] = [apart(0x70c3), apart(0xe2a5), apart(0x0d3e), apart(0x8f)];
  const some = <K>(kinds: readonly K[]): K[] => kinds.filter(() => random.chance(0.4));
  const [drawn, acts] = [some(commonFaults), some(actionKinds)];
  // Where receivers fail, most lanes are blocked, so some seeds have none that does.
  const [failing, isAwayKept] = [random.chance(0.7), random.chance(0.25)];
  // A receiver that is away or refuses some events takes eleven simulated days, most of which only probe.
  const isLong = (kind: FaultKind) => kind === 'receiver away' || kind === 'receiver refuses a store';
  const faults = drawn.filter((kind) => (isLong(kind) ? isAwayKept : failing || !kind.startsWith('receiver ')));
  const troubleMs = random.whole(60_000, mostTroubleMs);
  const item = (beforeEndMs = 0): Item => ({ atMs: random.whole(0, troubleMs - beforeEndMs), seed: random.uint32() });
  const many = <R>(least: number, most: number, make: (number: number) => R): R[] =>
    Array.from({ length: random.whole(least, most) }, (_, at) => make(at + 1));
  const kindsOf = <K>(kinds: readonly K[], most: number) =>
    kinds.length === 0 ? [] : many(0, most, () => ({ ...item(), kind: random.pick(kinds) }));
  return {
    seed,
    gateways: random.whole(2, 4),
    troubleMs,
    faults: [...faults, ...tokenFaults.filter(() => tokens.chance(0.4))],
    endpoints: many(3, 8, (number) => ({
      ...plannedEndpoint(random, number),
      order_by: orders.pick(orderings),
      on_dead_letter: orders.pick(deadLetterRules),
      asksForToken: tokens.chance(0.2),
    })),
    changes: inBursts(
      random,
      many(10, 50, (number) => {
        const count = random.chance(0.1) ? 11 : 1;
        const subject = random.chance(0.2) ? null : random.pick(stores);
        return { ...item(1000), numbers: Array.from({ length: count }, (_, at) => number * 100 + at), subject };
      }),
    ),
    troubles: kindsOf(
      troubleKinds.filter((kind) => faults.includes(kind)),
      8,
    ),
    actions: [
      ...kindsOf(acts, 12),
      ...planned(erasures, erasureKinds, troubleMs),
      ...planned(orders, skipKinds, orders.chance(0.5) ? troubleMs : untilDeadMs),
      ...planned(rulings, ruleKinds, troubleMs),
    ],
    steal: random.chance(0.5) ? random.uint32() : undefined,
  };
}

/** Every endpoint keeps this order, and some of their deliveries die. */
const inOrder = (plan: Plan, order_by: PlannedEndpoint['order_by']): Plan => ({
  ...plan,
  faults: [...new Set([...plan.faults, 'receiver refuses a store' as const])],
  endpoints: plan.endpoints.map((endpoint) => ({ ...endpoint, ordered: true, on_dead_letter: 'block', order_by })),
});
/** Every endpoint asks for tokens, at servers that fail until deliveries have died. */
const withTokens = (plan: Plan): Plan => ({
  ...plan,
  troubleMs: 2 * 3_600_000,
  faults: [...new Set([...plan.faults, ...tokenFaults, 'receiver refuses a store' as const])],
  endpoints: plan.endpoints.map((endpoint) => ({ ...endpoint, asksForToken: true, retry_for_hours: 1 })),
});

/** Operators do this after each change. */
const withActions = (plan: Plan, kind: ActionKind): Plan => {
  const more = plan.changes.map(({ atMs, seed }) => ({ kind, atMs: atMs + (seed % 2000), seed }));
  return { ...plan, actions: [...plan.actions, ...more] };
};

/** What a plan can have more of, so that a rare mistake shows soon. */
export const emphases = {
  'endpoints in order': (plan: Plan) => inOrder(plan, 'endpoint'),
  'endpoints with tokens': withTokens,
  'endpoints in order of the subject': (plan: Plan) => inOrder(plan, 'subject'),
  ...(Object.fromEntries(everyActionKind.map((kind) => [kind, (plan: Plan) => withActions(plan, kind)])) as Record<
    ActionKind,
    (plan: Plan) => Plan
  >),
};
export type Emphasis = keyof typeof emphases;

const planned = (random: Random, kinds: readonly ActionKind[], troubleMs: number): Plan['actions'] =>
  Array.from({ length: random.chance(0.4) ? random.whole(1, 3) : 0 }, () => ({
    kind: random.pick(kinds),
    atMs: random.whole(0, troubleMs),
    seed: random.uint32(),
  }));

/** Some changes happen while the one before still runs, or while its events wait for their fan-out. */
function inBursts(random: Random, changes: PlannedChange[]): PlannedChange[] {
  let before: PlannedChange | undefined;
  return changes.map((change) => {
    const follows = before && random.chance(before.numbers.length > 1 ? 0.7 : 0.3);
    before = before && follows ? { ...change, atMs: before.atMs + random.whole(0, 1000) } : change;
    return before;
  });
}

function plannedEndpoint(random: Random, number: number): Omit<PlannedEndpoint, 'asksForToken' | 'order_by' | 'on_dead_letter'> {
  const account = random.chance(0.4) ? random.whole(1, 2) : null;
  return {
    number,
    ordered: random.chance(0.4),
    signatures: signatureKinds[number % signatureKinds.length] ?? 'v1',
    max_in_flight: random.chance(0.3) ? random.whole(1, 3) : null,
    max_per_second: random.chance(0.2) ? random.whole(1, 10) : null,
    perimeter: random.chance(0.2) ? ['store-1'] : null,
    asksForHeader: random.chance(0.3),
    least: random.chance(0.2) ? random.whole(100, 4000) : null,
    account,
    retry_for_hours: random.chance(0.2) ? random.pick([1, 60, 120]) : null,
    byOwner: account !== null && random.chance(0.3),
  };
}
