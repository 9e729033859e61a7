import type { Row } from '../../gateway/store/tables/index.ts';
import type { Checks, Ledger } from './invariants.ts';
import type { Receipt } from './receivers.ts';

/** Clocks of processes differ by less. */
const skewMs = 60_000;

/** The erasures that took something out, each with its events. */
function erasuresIn({ erasures, events }: Ledger): { erasure: Row<'erasures'>; own: Row<'events'>[] }[] {
  const real = erasures.filter(({ dry_run }) => !dry_run);
  return real.map((erasure) => ({ erasure, own: events.filter(({ erased_by }) => erased_by === erasure.id) }));
}

const isNamed = ({ target }: Row<'erasures'>, event: Row<'events'>): boolean => {
  if (target.by === 'subject') return event.subject === target.subject;
  return target.by === 'events' && target.event_ids.includes(event.id);
};

/** `isSound`: the process of a receipt ran on from its admission. */
export const erasureInvariants = (isSound: (receipt: Receipt) => boolean) =>
  ({
    'an erasure ends': ({ erasures }) => erasures.flatMap(({ id, status }) => (status === 'done' ? [] : [`${id} is ${status}`])),

    'an erasure takes the content out of every event that it names, and of no other': (ledger) => {
      const named = (event: Row<'events'>, byMs: number) =>
        erasuresIn(ledger).some(({ erasure }) => isNamed(erasure, event) && event.created_at <= erasure.created_at + byMs);
      return ledger.events.flatMap((event) => {
        const isErased = event.erased_by !== null && JSON.parse(event.body).data === null;
        const isFull = event.erased_by === null && JSON.parse(event.body).data !== null;
        if (named(event, -skewMs)) return isErased ? [] : [`${event.id} is not erased`];
        return isFull || (isErased && named(event, Number.POSITIVE_INFINITY)) ? [] : [`${event.id} is erased, and none named it`];
      });
    },

    'after an erasure nothing of its events is sent, waits or is in a record': (ledger) =>
      erasuresIn(ledger).flatMap(({ erasure, own }) => {
        const ids = new Set(own.map(({ id }) => id));
        const doneMs = ledger.servers.oracle.erasedMs.get(erasure.id) ?? Number.POSITIVE_INFINITY;
        const sent = ledger.receivers.receipts.filter((one) => ids.has(one.eventId) && isSound(one) && one.beganMs > doneMs);
        const deliveries = ledger.deliveries.filter(({ event_id }) => ids.has(event_id));
        const waiting = deliveries.filter(({ status }) => status === 'pending');
        const byId = new Set(deliveries.map(({ id }) => id));
        const full = ledger.attempts.filter(
          ({ delivery_id, response_body: kept }) => byId.has(delivery_id) && ![null, '[erased]'].includes(kept),
        );
        return [
          ...sent.map(({ eventId, beganMs }) => `${eventId} was sent at ${beganMs}, and ${erasure.id} was done at ${doneMs}`),
          ...waiting.map(({ id }) => `${id} waits, and ${erasure.id} erased it`),
          ...full.map(({ id, response_body }) => `${id} has ${response_body}, and ${erasure.id} erased it`),
        ];
      }),

    'an erasure lists who got its events': (ledger) =>
      erasuresIn(ledger).flatMap(({ erasure, own }) => {
        const ids = new Set(own.map(({ id }) => id));
        const listed = ledger.erasureReceivers.filter(({ erasure_id }) => erasure_id === erasure.id);
        const got = ledger.receivers.receipts.filter((one) => ids.has(one.eventId) && one.isTaken && isSound(one));
        return [...new Set(got.map(({ endpointId }) => endpointId))].flatMap((id) =>
          listed.some(({ endpoint_id }) => endpoint_id === id) ? [] : [`${erasure.id} does not list ${id}, which got its events`],
        );
      }),
  }) satisfies Checks;
