import type { Row } from '../../gateway/store/tables/index.ts';
import { defaultRetrySeconds } from '../../gateway/webhooks/delivery/retry.ts';
import { isUnverified } from '../../gateway/webhooks/model/activity.ts';
import type { Rule } from '../history/line.ts';
import { faultKinds } from './faults.ts';
import { holdInvariants } from './holds.ts';
import { maySee } from './oracle.ts';
import { wrongIn } from './readers.ts';
import { cachedMs, proxyIsAway, type Receipt } from './receivers.ts';
import { wrongSignatures } from './signatures.ts';
import type { Run } from './simulate.ts';

/** Everything that must hold. */
export type Invariant =
  | keyof typeof soon
  | keyof typeof atTheEnd
  | `the history has nothing that is ${Rule}`
  | 'no lease or timer is left over'
  | 'the audit reports what is missing, and nothing else'
  | 'a run ends without an error';

/** Something that must hold, and did not. */
export interface Broken {
  invariant: Invariant;
  saw: string;
}

/** What the store has at the end of a run. */
export interface Ledger extends Run {
  events: Row<'events'>[];
  deliveries: Row<'deliveries'>[];
  attempts: Row<'attempts'>[];
  /** As they are at the end, deleted ones too. */
  endpoints: Row<'endpoints'>[];
  recoveries: Row<'recoveries'>[];
  items: Row<'recovery_items'>[];
  notices: Row<'notices'>[];
}

export type Check = (ledger: Ledger) => string[];
export type Checks = Readonly<Record<string, Check>>;

/** Receipts from processes that ran on from the attempt's admission until the sender had its answer, and its time to record it. */
export const isSound = ({ process, beganMs }: Receipt) => !process.isDead && process.disturbedAtMs < beganMs;
const sound = ({ receivers }: Run): Receipt[] => receivers.receipts.filter(isSound);

/** The events that somebody sent to try an endpoint. */
const testsIn = ({ deliveries }: Ledger): ReadonlySet<string> =>
  new Set(deliveries.filter((one) => one.test).map(({ event_id }) => event_id));

/** The deliveries of which somebody asked for an attempt: by itself, by a recovery, or as a test. */
export const askedIn = ({ deliveries, operators, items }: Ledger): ReadonlySet<string> =>
  new Set([
    ...operators.asked.keys(),
    ...items.map((one) => one.delivery_id),
    ...deliveries.filter((one) => one.test).map(({ id }) => id),
  ]);

/** Those of deliveries of which nobody asked for an attempt. */
const unasked = (ledger: Ledger, receipts: readonly Receipt[]): Receipt[] => {
  const ids = askedIn(ledger);
  const asked = new Set(ledger.deliveries.filter(({ id }) => ids.has(id)).map(nameOf));
  return receipts.filter((one) => !asked.has(nameOfReceipt(one)));
};

export const nameOf = ({ event_id, endpoint_id }: Row<'deliveries'>) => `${event_id} at ${endpoint_id}`;
export const nameOfReceipt = ({ eventId, endpointId }: Receipt) => `${eventId} at ${endpointId}`;
const byDelivery = (receipts: readonly Receipt[]) => Map.groupBy(receipts, nameOfReceipt);
const byEndpoint = (receipts: readonly Receipt[]) => Map.groupBy(receipts, ({ endpointId }) => endpointId);

/** What an endpoint was when the process that sent a request may have read it. */
const versionsOf = ({ servers: { oracle } }: Run, { endpointId, knownFromMs, beganMs }: Receipt) =>
  oracle.versionsIn(endpointId, knownFromMs, beganMs);

export const numberOf = ({ body }: Row<'events'>): number => JSON.parse(body).data.number;

export const isOrderedAsAWhole = ({ ordered, order_by }: Pick<Row<'endpoints'>, 'ordered' | 'order_by'>): boolean =>
  ordered && order_by === 'endpoint';

/** The deliveries of an ordered endpoint with the same key wait for each other. */
const keyOf = ({ servers }: Run, endpoint: Row<'endpoints'>, eventId: string): string =>
  isOrderedAsAWhole(endpoint) ? endpoint.id : `${endpoint.id} ${servers.oracle.events.get(eventId)?.subject}`;

/** Behind one that is retried for days, and behind a dead letter that blocks, the others of its key wait. */
function isBehindFailures(
  { endpoints, deliveries, receivers, servers }: Ledger,
  { endpoint_id, event_id, order_key }: Row<'deliveries'>,
): boolean {
  const endpoint = endpoints.find(({ id }) => id === endpoint_id);
  if (!endpoint?.ordered) return false;
  if (order_key !== null && deliveries.some((one) => one.order_key === order_key && one.status === 'failed')) return true;
  const refused = receivers.refused(endpoint.url);
  if (receivers.isDown(endpoint.url)) return true;
  return refused !== null && (isOrderedAsAWhole(endpoint) || servers.oracle.events.get(event_id)?.subject === refused);
}

const overlaps = (one: Receipt, other: Receipt) => one.beganMs < other.endedMs && other.beganMs < one.endedMs;

const atTheEnd = {
  'an acknowledged event is stored once': ({ events, acknowledged }) => {
    const stored = Map.groupBy(events, numberOf);
    return [...acknowledged.keys()].flatMap((number) => {
      const own = stored.get(number) ?? [];
      return own.length === 1 ? [] : [`event ${number} is stored ${own.length} times`];
    });
  },

  'an event has a delivery at each endpoint that wanted it, and at no other': ({ deliveries, events, servers }) => {
    const found = Map.groupBy(deliveries, ({ event_id }) => event_id);
    return events.flatMap(({ id }) => {
      const expected = [...(servers.oracle.expected.get(id) ?? ['its fan-out'])].sort().join();
      const own = (found.get(id) ?? []).map(({ endpoint_id }) => endpoint_id);
      return own.sort().join() === expected ? [] : [`${id} has deliveries at ${own.join() || 'no endpoint'}, not at ${expected}`];
    });
  },

  'an event says how many filters it did not meet': ({ events, servers }) =>
    events.flatMap(({ id, filtered }) => {
      const expected = servers.oracle.filtered.get(id) ?? null;
      return filtered === expected ? [] : [`${id} says ${filtered} and not ${expected}`];
    }),

  'every delivery has an end, and a reason if it failed': (ledger) =>
    ledger.deliveries.flatMap((delivery) => {
      const { id, status, reason, attempts } = delivery;
      if (status === 'pending') return isBehindFailures(ledger, delivery) ? [] : [`${id} is pending after ${attempts} attempts`];
      return status !== 'delivered' && reason === null ? [`${id} is ${status} without a reason`] : [];
    }),

  'a proxy that fails charges no receiver': ({ attempts }) =>
    attempts.flatMap(({ id, error }) => (error === proxyIsAway ? [`${id} is recorded, and the proxy failed it`] : [])),

  'a reader of events gets what it may see, once, whenever it crashes': (ledger) => {
    const tests = testsIn(ledger);
    return wrongIn(
      ledger.readers,
      ledger.events.filter(({ id, service }) => service === 'pos' && !tests.has(id)),
    );
  },

  'a delivery changes as the model has it': ({ servers }) => servers.oracle.transitions.unknown(),

  'a success plans no other attempt, unless one was asked for': ({ attempts }) =>
    attempts.flatMap(({ id, outcome, next_attempt_at, next_attempt_case }) =>
      outcome === 'success' && next_attempt_at !== null && next_attempt_case?.case !== 'asked'
        ? [`${id} succeeded, and plans another one`]
        : [],
    ),

  'what is delivered was taken by its receiver': (ledger) => {
    const receipts = byDelivery(ledger.receivers.receipts);
    return ledger.deliveries.flatMap((delivery) => {
      if (delivery.status !== 'delivered') return [];
      const isTaken = (receipts.get(nameOf(delivery)) ?? []).some((one) => one.isTaken);
      return isTaken ? [] : [`${delivery.id} is delivered, and no receiver took it`];
    });
  },

  'a dead letter had all its attempts': (ledger) => {
    const asked = askedIn(ledger);
    const ownTime = new Set(ledger.endpoints.filter((one) => one.retry_for_hours !== null).map(({ id }) => id));
    return ledger.deliveries.flatMap(({ id, endpoint_id, status, reason, attempts }) =>
      status === 'failed' &&
      !asked.has(id) &&
      !ledger.operators.skipped.has(id) &&
      !ownTime.has(endpoint_id) &&
      reason !== 'gone' &&
      attempts < defaultRetrySeconds.length
        ? [`${id} failed after ${attempts} attempts (${reason})`]
        : [],
    );
  },

  'no retry is planned after the time for which its endpoint is retried': ({ endpoints, deliveries, attempts }) => {
    const hoursOf = new Map(endpoints.map(({ id, retry_for_hours }) => [id, retry_for_hours]));
    const untilOf = new Map(
      deliveries.map(({ id, endpoint_id, created_at }) => [id, created_at + (hoursOf.get(endpoint_id) ?? 1e6) * 3_600_000]),
    );
    return attempts.flatMap(({ delivery_id, number, next_attempt_at, next_attempt_case }) =>
      next_attempt_case?.case !== 'asked' && (next_attempt_at ?? 0) > (untilOf.get(delivery_id) ?? 0)
        ? [`attempt ${number} of ${delivery_id} plans another one too late`]
        : [],
    );
  },

  'an attempt of a process that lives is recorded': (ledger) => {
    const receipts = byDelivery(ledger.receivers.receipts.filter(({ process }) => !process.isDead));
    const attempts = Map.groupBy(ledger.attempts, (one) => one.delivery_id);
    return ledger.deliveries.flatMap((delivery) => {
      const sent = (receipts.get(nameOf(delivery)) ?? []).length;
      const recorded = attempts.get(delivery.id)?.length ?? 0;
      return sent > recorded ? [`${delivery.id} was sent ${sent} times, and ${recorded} attempts are recorded`] : [];
    });
  },

  'the numbers of attempts have no holes': ({ deliveries, attempts }) => {
    const byId = Map.groupBy(attempts, (one) => one.delivery_id);
    return deliveries.flatMap(({ id, attempts: count }) => {
      const numbers = (byId.get(id) ?? []).map(({ number }) => number);
      const isWhole = numbers.length === count && new Set(numbers).size === count;
      return isWhole ? [] : [`${id} has ${count} attempts, and the records ${numbers.join()}`];
    });
  },

  'an attempt is recorded once': ({ attempts }) =>
    [...Map.groupBy(attempts, ({ id }) => id)].flatMap(([id, own]) =>
      own.length > 1 ? [`${id} of ${own[0]?.delivery_id} is recorded ${own.length} times`] : [],
    ),

  'a delivery that has ended waits for nothing': ({ deliveries }) =>
    deliveries.flatMap(({ id, status, parked, next_attempt_at }) =>
      status !== 'pending' && (parked || next_attempt_at !== null) ? [`${id} is ${status}, and parked or due`] : [],
    ),

  // A process that is disturbed, or does not reach a server, may send it again.
  'where only receivers fail, nothing is sent again after a success': (ledger) => {
    if (faultKinds.some((kind) => !kind.startsWith('receiver ') && ledger.world.counts.has(kind))) return [];
    const receipts = byDelivery(unasked(ledger, ledger.receivers.receipts));
    const successes = Map.groupBy(
      ledger.attempts.filter(({ outcome }) => outcome === 'success'),
      ({ delivery_id }) => delivery_id,
    );
    return ledger.deliveries.flatMap((delivery) => {
      const endedMs = Math.min(...(successes.get(delivery.id) ?? []).map(({ ended_at }) => ended_at));
      const again = (receipts.get(nameOf(delivery)) ?? []).filter(({ beganMs }) => beganMs > endedMs);
      return again.length > 0 ? [`${delivery.id} succeeded at ${endedMs}, and was sent at ${again[0]?.beganMs}`] : [];
    });
  },

  'one attempt of a delivery at a time': (ledger) =>
    [...byDelivery(sound(ledger))].flatMap(([name, own]) =>
      own.some((one, at) => own.slice(at + 1).some((other) => overlaps(one, other))) ? [`two attempts of ${name} overlap`] : [],
    ),

  // An attempt that an operator asks for does not wait for limits, nor for its turn.
  'an endpoint has no more attempts in flight than its limit': (ledger) => {
    const receipts = byEndpoint(unasked(ledger, sound(ledger)));
    return ledger.endpoints.flatMap((endpoint) => {
      const { id, max_in_flight } = endpoint;
      const limit = isOrderedAsAWhole(endpoint) ? 1 : (max_in_flight ?? 20);
      const own = receipts.get(id) ?? [];
      const inFlightAt = (atMs: number) => own.filter(({ beganMs, endedMs }) => beganMs <= atMs && atMs < endedMs).length;
      const most = Math.max(0, ...own.map(({ beganMs }) => inFlightAt(beganMs)));
      return most > limit ? [`${id} had ${most} attempts in flight, and its limit is ${limit}`] : [];
    });
  },

  // A process that was suspended must not send an old event either.
  'an ordered endpoint gets the events of a key in their order, one at a time': (ledger) => {
    const endpoints = new Map(ledger.endpoints.map((one) => [one.id, one]));
    const ordered = unasked(ledger, ledger.receivers.receipts).filter((one) => endpoints.get(one.endpointId)?.ordered);
    const key = (one: Receipt) => keyOf(ledger, endpoints.get(one.endpointId) as Row<'endpoints'>, one.eventId);
    return [...Map.groupBy(ordered, key)].flatMap(([key, own]) => {
      let last = '';
      const late = own.flatMap(({ eventId }) => {
        if (eventId < last) return [`${key} got ${eventId} after ${last}`];
        last = eventId;
        return [];
      });
      // What a process that was suspended sends once more leads to the next one while the first attempt may be under way.
      const twice = new Set(own.filter((one) => !isSound(one)).map(nameOfReceipt));
      const known = own.filter((one) => !twice.has(nameOfReceipt(one)));
      const double = known.flatMap((one, at) =>
        known
          .slice(at + 1)
          .filter((other) => overlaps(one, other))
          .map((other) => `${key} got ${other.eventId} while ${one.eventId} was under way`),
      );
      return [...late, ...double];
    });
  },

  'nothing passes a dead letter that blocks its key': (ledger) => {
    // What a removed endpoint got blocks nothing any more.
    const kept = ledger.endpoints.filter((one) => one.deleted_at === null);
    const rules = new Map(kept.map((one) => [one.id, one.on_dead_letter]));
    const asked = askedIn(ledger);
    const { skipped, ruled } = ledger.operators;
    return ledger.deliveries
      .filter((one) => one.status === 'failed' && one.sequence !== null && !asked.has(one.id) && !skipped.has(one.id))
      .flatMap((dead) => {
        if (dead.order_key === null)
          return rules.get(dead.endpoint_id) === 'block' && !ruled.has(dead.endpoint_id)
            ? [`${dead.id} is dead, and blocks nothing`]
            : [];
        if (rules.get(dead.endpoint_id) !== 'block') return [`${dead.id} blocks ${dead.order_key}, and should not`];
        const behind = ledger.deliveries.filter((one) => one.order_key === dead.order_key && one.event_id > dead.event_id);
        return behind
          .filter((one) => one.attempts > 0 && !asked.has(one.id))
          .map(({ id }) => `${id} was sent, and ${dead.id} blocks it`);
      });
  },

  'places have no holes, and requests name them': (ledger) => {
    const endpoints = new Map(ledger.endpoints.map((one) => [one.id, one]));
    const placed = ledger.deliveries.filter((one) => one.sequence !== null);
    const key = (one: Row<'deliveries'>) => keyOf(ledger, endpoints.get(one.endpoint_id) as Row<'endpoints'>, one.event_id);
    const holes = [...Map.groupBy(placed, key)].flatMap(([name, own]) => {
      const inOrder = own.toSorted((one, other) => (one.sequence ?? 0) - (other.sequence ?? 0));
      const isWhole = inOrder.every(
        (one, at) => one.sequence === at + 1 && one.previous_event_id === (inOrder[at - 1]?.event_id ?? null),
      );
      return isWhole ? [] : [`${name} has the places ${inOrder.map(({ sequence }) => sequence).join()}`];
    });
    const places = new Map(placed.map((one) => [nameOf(one), [String(one.sequence), one.previous_event_id ?? undefined].join()]));
    const wrong = ledger.receivers.receipts.filter((one) => {
      const { 'webhook-sequence': sequence, 'webhook-previous-id': previous } = one.headers;
      return (sequence === undefined ? undefined : [sequence, previous].join()) !== places.get(nameOfReceipt(one));
    });
    return [...holes, ...wrong.map((one) => `${nameOfReceipt(one)} names the place ${one.headers['webhook-sequence']}`)];
  },

  'what an endpoint gets, it may get: it is active, its owner may see the event, and the URL is its own': (ledger) => {
    const tests = testsIn(ledger);
    return sound(ledger).flatMap((receipt) => {
      const subject = ledger.servers.oracle.events.get(receipt.eventId)?.subject ?? null;
      const isTest = tests.has(receipt.eventId);
      const allows = ({ url, active, deleted_at, disabled_reason, visible }: Row<'endpoints'>) =>
        url === receipt.url &&
        deleted_at === null &&
        (isTest ? active || isUnverified({ disabled_reason }) : active && maySee(visible, subject));
      const known = versionsOf(ledger, receipt);
      return known.some(allows) ? [] : [`${nameOfReceipt(receipt)} was sent to ${receipt.url} at ${receipt.beganMs}`];
    });
  },

  // What was under way goes on.
  'a process whose clock is far off sends nothing': ({ receivers }) =>
    receivers.receipts.flatMap((receipt) =>
      receipt.farOffForMs > cachedMs ? [`${nameOfReceipt(receipt)} was sent after ${receipt.farOffForMs} ms`] : [],
    ),

  'a request is signed by the secrets that are in force, and by no other': (ledger) => {
    const tests = testsIn(ledger);
    return sound(ledger).flatMap((receipt) => {
      const wrong = wrongSignatures(receipt, versionsOf(ledger, receipt), ledger.keys, tests.has(receipt.eventId));
      return wrong.map((one) => `${nameOfReceipt(receipt)} ${one}`);
    });
  },

  'a request has the credentials of its endpoint for this URL, and no others': (ledger) =>
    ledger.receivers.receipts.flatMap((receipt) => {
      const versions = versionsOf(ledger, receipt).filter(({ url }) => url === receipt.url);
      const known = versions.map(({ credentials }) => credentials && ledger.keys.open(credentials.headers['X-Own'] ?? ''));
      const sent = receipt.headers['X-Own'] ?? null;
      if (sent !== null && sent !== `only for ${new URL(receipt.url).host}`) return [`${receipt.url} got ${sent}`];
      return known.includes(sent) ? [] : [`${nameOfReceipt(receipt)} has ${sent} and not one of ${known.join()}`];
    }),

  'no record has credentials': ({ attempts }) =>
    attempts.flatMap(({ id, request_headers }) => (/only for/.test(JSON.stringify(request_headers)) ? [`${id} has them`] : [])),

  'a recovery ends': ({ recoveries }) =>
    recoveries.flatMap((one) => (one.status === 'done' ? [] : [`${one.id} is ${one.status}`])),

  // What a process that was killed or suspended made, another one may make again.
  'a delivery has no more attempts on request than were asked for': (ledger) => {
    const disturbed = new Set(ledger.receivers.receipts.filter((one) => !isSound(one)).map(nameOfReceipt));
    // One that was queued may be refused while its attempt runs.
    const items = Map.groupBy(ledger.items, ({ delivery_id }) => delivery_id);
    const manual = Map.groupBy(
      ledger.attempts.filter((one) => one.manual),
      ({ delivery_id }) => delivery_id,
    );
    return ledger.deliveries.flatMap((delivery) => {
      const { id, test } = delivery;
      const asked = (ledger.operators.asked.get(id) ?? 0) + (items.get(id)?.length ?? 0) + (test ? 1 : 0);
      const made = manual.get(id)?.length ?? 0;
      return made <= asked || disturbed.has(nameOf(delivery))
        ? []
        : [`${id} had ${made} attempts on request, and ${asked} were asked for`];
    });
  },

  'all attempts of an event have the same bytes': ({ receivers }) =>
    [...Map.groupBy(receivers.receipts, ({ eventId }) => eventId)].flatMap(([eventId, own]) =>
      new Set(own.map(({ body }) => body)).size > 1 ? [`${eventId} was sent with different bodies`] : [],
    ),

  // A job that is delayed may find its attempt made when it runs.
  'no job is left over': ({ servers }) => {
    const { waiting, active } = servers.jobs.depth();
    return waiting + active > 0 ? [`${waiting} jobs wait, and ${active} are active`] : [];
  },
} satisfies Checks;

/** How long after the faults all that is due must have been attempted. */
const recoveredAfterMs = 90_000;

const soon = {
  ...holdInvariants,

  'a blocked key delays no other': (ledger) => {
    // A limit may be used up by a job that a process whose clock is ahead gave out.
    const isOpen = (one: Row<'endpoints'>) =>
      one.ordered && one.active && one.held_until === null && one.max_in_flight === null && one.max_per_second === null;
    const open = new Map(ledger.endpoints.filter(isOpen).map((one) => [one.id, one]));
    const keys = Map.groupBy(
      ledger.deliveries.filter((one) => one.status === 'pending' && !one.test && open.has(one.endpoint_id)),
      (one) => keyOf(ledger, open.get(one.endpoint_id) as Row<'endpoints'>, one.event_id),
    );
    const moving = new Set(
      ledger.servers.oracle.transitions.all
        .filter(({ atMs }) => atMs > ledger.world.nowMs - 10_000)
        .map(({ after }) => after.endpoint_id),
    );
    return [...keys].flatMap(([key, own]) => {
      const isMoving = own.some((one) => !one.parked || moving.has(one.endpoint_id) || isBehindFailures(ledger, one));
      return isMoving ? [] : [`${key} has ${own.length} deliveries that wait for none of its own`];
    });
  },

  'what is due is attempted soon after the faults': ({ world, deliveries }) => {
    const due = deliveries.filter(
      (one) =>
        one.status === 'pending' && !one.parked && (one.next_attempt_at ?? Number.POSITIVE_INFINITY) < world.nowMs - 60_000,
    );
    return due.map(({ id, next_attempt_at: at }) => `${id} is due since ${Math.round((world.nowMs - (at ?? 0)) / 1000)} s`);
  },
} satisfies Checks;

/** Returns which invariants do not hold. `soon`: lets the time pass that the gateways have for what is due. */
export async function brokenIn(run: Run, when: 'soon' | 'at the end'): Promise<Broken[]> {
  if (when === 'soon') {
    // One that has sent nothing so far may be the only one that can send.
    const alive = run.servers.jobs.listeners.filter(({ process }) => !process.isDead);
    const resumed = Math.max(run.world.nowMs, ...alive.map(({ process }) => process.resumesAtMs));
    await run.world.run(resumed + recoveredAfterMs);
  }
  const ledger = await ledgerOf(run);
  const checks = Object.entries(when === 'soon' ? soon : atTheEnd) as [Invariant, Check][];
  return checks.flatMap(([invariant, check]) => check(ledger).map((saw) => ({ invariant, saw })));
}

export async function ledgerOf(run: Run): Promise<Ledger> {
  const { rows } = run.servers;
  const { until } = run.world;
  return {
    ...run,
    events: await until(rows.list('events')),
    deliveries: await until(rows.list('deliveries')),
    attempts: await until(rows.list('attempts')),
    endpoints: await until(rows.list('endpoints')),
    recoveries: await until(rows.list('recoveries')),
    items: await until(rows.list('recovery_items')),
    notices: await until(rows.list('notices')),
  };
}
