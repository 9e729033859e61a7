import type { Row } from '../../gateway/store/tables/index.ts';
import { defaultRetrySeconds } from '../../gateway/webhooks/delivery/retry.ts';
import type { Receipt } from './receivers.ts';
import type { Run } from './simulate.ts';

/** Something that must hold, and did not. */
export interface Broken {
  invariant: string;
  saw: string;
}

/** What the store has at the end of a run. */
interface Ledger extends Run {
  events: Row<'events'>[];
  deliveries: Row<'deliveries'>[];
  attempts: Row<'attempts'>[];
}

type Check = (ledger: Ledger) => string[];

/** Receipts from processes that ran on from the request's beginning until the sender had its answer, and its time to record it. */
const sound = ({ receivers }: Run): Receipt[] =>
  receivers.receipts.filter(({ process, beganMs }) => !process.isDead && process.disturbedAtMs < beganMs);

/** Those of deliveries that no operator sent again. */
const unasked = (ledger: Ledger, receipts: readonly Receipt[]): Receipt[] => {
  const asked = new Set(ledger.deliveries.filter(({ id }) => ledger.resent.has(id)).map((one) => nameOf(ledger, one)));
  return receipts.filter(({ eventId, url }) => !asked.has(`${eventId} at ${url}`));
};

/** A process knows an endpoint for half a second, and a slow call may lie between an admission and its attempt. */
const cachedMs = 5000;

const byDelivery = (receipts: readonly Receipt[]) => Map.groupBy(receipts, ({ url, eventId }) => `${eventId} at ${url}`);

const numberOf = ({ body }: Row<'events'>): number => (JSON.parse(body) as { data: { number: number } }).data.number;

const overlaps = (one: Receipt, other: Receipt) => one.beganMs < other.endedMs && other.beganMs < one.endedMs;

const atTheEnd: Readonly<Record<string, Check>> = {
  'an acknowledged event is stored once, and has a delivery for each endpoint': ({
    events,
    deliveries,
    endpoints,
    acknowledged,
  }) =>
    [...acknowledged].flatMap((number) => {
      const own = events.filter((event) => numberOf(event) === number);
      if (own.length !== 1) return [`event ${number} is stored ${own.length} times`];
      return endpoints.flatMap(({ id }) => {
        const count = deliveries.filter((one) => one.event_id === own[0]?.id && one.endpoint_id === id).length;
        return count === 1 ? [] : [`event ${number} has ${count} deliveries at ${id}`];
      });
    }),

  'every delivery has an end, and a reason if it failed': ({ deliveries, endpoints, receivers }) => {
    // Behind one that is retried for a day, the others of an ordered endpoint wait.
    const blocked = endpoints.filter(({ ordered, url }) => ordered && receivers.isDown(url)).map(({ id }) => id);
    return deliveries.flatMap(({ id, endpoint_id, status, reason, attempts }) => {
      if (status === 'pending') return blocked.includes(endpoint_id) ? [] : [`${id} is pending after ${attempts} attempts`];
      return status !== 'delivered' && reason === null ? [`${id} is ${status} without a reason`] : [];
    });
  },

  'what is delivered was taken by its receiver': (ledger) => {
    const receipts = byDelivery(ledger.receivers.receipts);
    return ledger.deliveries.flatMap((delivery) => {
      if (delivery.status !== 'delivered') return [];
      const isTaken = (receipts.get(nameOf(ledger, delivery)) ?? []).some((one) => one.isTaken);
      return isTaken ? [] : [`${delivery.id} is delivered, and no receiver took it`];
    });
  },

  'a dead letter had all its attempts': ({ deliveries, resent }) =>
    deliveries.flatMap(({ id, status, reason, attempts }) =>
      status === 'failed' && !resent.has(id) && reason !== 'gone' && attempts < defaultRetrySeconds.length
        ? [`${id} failed after ${attempts} attempts (${reason})`]
        : [],
    ),

  'an attempt of a process that lives is recorded': (ledger) => {
    const receipts = byDelivery(ledger.receivers.receipts.filter(({ process }) => !process.isDead));
    return ledger.deliveries.flatMap((delivery) => {
      const sent = (receipts.get(nameOf(ledger, delivery)) ?? []).length;
      const recorded = ledger.attempts.filter((one) => one.delivery_id === delivery.id).length;
      return sent > recorded ? [`${delivery.id} was sent ${sent} times, and ${recorded} attempts are recorded`] : [];
    });
  },

  'the numbers of attempts have no holes': ({ deliveries, attempts }) =>
    deliveries.flatMap(({ id, attempts: count }) => {
      const numbers = attempts.filter((one) => one.delivery_id === id).map(({ number }) => number);
      const isWhole = numbers.length === count && new Set(numbers).size === count;
      return isWhole ? [] : [`${id} has ${count} attempts, and the records ${numbers.join()}`];
    }),

  'one attempt of a delivery at a time': (ledger) =>
    [...byDelivery(sound(ledger))].flatMap(([name, own]) =>
      own.some((one, at) => own.slice(at + 1).some((other) => overlaps(one, other))) ? [`two attempts of ${name} overlap`] : [],
    ),

  // An attempt that an operator asks for does not wait for limits, nor for its turn.
  'an endpoint has no more attempts in flight than its limit': (ledger) =>
    ledger.endpoints.flatMap(({ url, max_in_flight, ordered }) => {
      const limit = ordered ? 1 : (max_in_flight ?? 20);
      const own = unasked(ledger, sound(ledger)).filter((one) => one.url === url);
      const inFlightAt = (atMs: number) => own.filter(({ beganMs, endedMs }) => beganMs <= atMs && atMs < endedMs).length;
      const most = Math.max(0, ...own.map(({ beganMs }) => inFlightAt(beganMs)));
      return most > limit ? [`${url} had ${most} attempts in flight, and its limit is ${limit}`] : [];
    }),

  // A process that was suspended must not send an old event either.
  'an ordered endpoint gets events in their order': (ledger) =>
    ledger.endpoints
      .filter(({ ordered }) => ordered)
      .flatMap(({ url }) => {
        const own = unasked(ledger, ledger.receivers.receipts).filter((one) => one.url === url);
        return own.flatMap((one, at) => {
          const later = own.slice(0, at).find((other) => other.eventId > one.eventId);
          return later ? [`${url} got ${one.eventId} after ${later.eventId}`] : [];
        });
      }),

  'a paused endpoint gets nothing': (ledger) =>
    ledger.pauses.flatMap(({ endpointId, fromMs, toMs }) => {
      const url = ledger.endpoints.find(({ id }) => id === endpointId)?.url;
      const own = sound(ledger).filter((one) => one.url === url && one.beganMs > fromMs + cachedMs && one.beganMs < toMs);
      return own.map((one) => `${url} got ${one.eventId}, ${Math.round(one.beganMs - fromMs)} ms after it was paused`);
    }),

  'all attempts of an event have the same bytes': ({ receivers }) =>
    [...Map.groupBy(receivers.receipts, ({ eventId }) => eventId)].flatMap(([eventId, own]) =>
      new Set(own.map(({ body }) => body)).size > 1 ? [`${eventId} was sent with different bodies`] : [],
    ),

  // A job that is delayed may find its attempt made when it runs.
  'no job is left over': ({ servers }) => {
    const { waiting, active } = servers.jobs.depth();
    return waiting + active > 0 ? [`${waiting} jobs wait, and ${active} are active`] : [];
  },
};

/** How long after the faults all that is due must have been attempted. */
const recoveredAfterMs = 90_000;

const soon: Readonly<Record<string, Check>> = {
  'what is due is attempted soon after the faults': ({ world, deliveries }) => {
    const due = deliveries.filter(
      (one) =>
        one.status === 'pending' && !one.parked && (one.next_attempt_at ?? Number.POSITIVE_INFINITY) < world.nowMs - 60_000,
    );
    return due.map(({ id, next_attempt_at: at }) => `${id} is due since ${Math.round((world.nowMs - (at ?? 0)) / 1000)} s`);
  },
};

const nameOf = ({ endpoints }: Run, { event_id, endpoint_id }: Row<'deliveries'>) =>
  `${event_id} at ${endpoints.find(({ id }) => id === endpoint_id)?.url}`;

/** Returns which invariants do not hold. `soon`: lets the time pass that the gateways have for what is due. */
export async function brokenIn(run: Run, when: 'soon' | 'at the end'): Promise<Broken[]> {
  const { rows } = run.servers;
  if (when === 'soon') {
    const resumed = Math.max(run.world.nowMs, ...run.receivers.receipts.map(({ process }) => process.resumesAtMs));
    await run.world.run(resumed + recoveredAfterMs);
  }
  const read = Promise.all([rows.list('events'), rows.list('deliveries'), rows.list('attempts')]);
  const [events, deliveries, attempts] = await run.world.until(read);
  const ledger = { ...run, events, deliveries, attempts };
  return Object.entries(when === 'soon' ? soon : atTheEnd).flatMap(([invariant, check]) =>
    check(ledger).map((saw) => ({ invariant, saw })),
  );
}
