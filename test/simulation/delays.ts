import { delayParts } from '../../gateway/store/tables/webhooks.ts';
import type { Checks, Ledger } from './invariants.ts';

const sumOf = (spans: readonly number[]) => spans.reduce((sum, span) => sum + span, 0);

/** Deliveries that have arrived, with the parts of their delays. */
const arrivedIn = ({ deliveries }: Ledger) =>
  deliveries.flatMap((delivery) =>
    delivery.delivered_at === null ? [] : [{ ...delivery, delivered_at: delivery.delivered_at }],
  );

/** A process asks the database for the time, and does not know when in the call it was read. */
const isNear = (one: number, other: number) => Math.abs(one - other) < 2000;

/** What must hold of delays. `askedIn`: the deliveries of which somebody asked for an attempt. */
export const delayInvariants = (askedIn: (ledger: Ledger) => ReadonlySet<string>) =>
  ({
    'the parts of a delay add up to the time from the event to its arrival, and none is negative': (ledger) => {
      const events = new Map(ledger.events.map((event) => [event.id, event.created_at]));
      const missing = ledger.deliveries.filter(({ status, delivered_at }) => status === 'delivered' && delivered_at === null);
      return [
        ...missing.map(({ id }) => `${id} is delivered at no time`),
        ...arrivedIn(ledger).flatMap(({ id, event_id, delays, delivered_at }) => {
          const parts = delayParts.map((part) => delays?.ms[part] ?? 0);
          const whole = delivered_at - (events.get(event_id) ?? 0);
          if (parts.every((ms) => ms >= 0) && sumOf(parts) === whole) return [];
          return [`${id} took ${whole} ms, in parts of ${parts.join()}`];
        }),
      ];
    },

    // Where the clocks of processes differ, a wait may seem to end before it begins.
    'a delay has the waits for retries that the attempts show, and the time that they took': (ledger) => {
      if (clockTroubles.some((kind) => ledger.world.counts.has(kind))) return [];
      const asked = askedIn(ledger);
      // It waited in a lane for its retry, so the end of a hold may have released it earlier.
      const released = new Set(
        ledger.servers.oracle.transitions.all
          .filter(({ atMs, after }) => after.parked && after.attempts > 0 && (after.next_attempt_at ?? 0) > atMs)
          .map(({ after }) => after.id),
      );
      const attempts = Map.groupBy(ledger.attempts, ({ delivery_id }) => delivery_id);
      return arrivedIn(ledger).flatMap(({ id, delays }) => {
        const own = (attempts.get(id) ?? []).toSorted((one, other) => one.started_at - other.started_at);
        // One that a suspended process recorded after a later one has a later number.
        const isBeside = own.some(({ number, started_at }, at) => number !== at + 1 || started_at < (own[at - 1]?.ended_at ?? 0));
        if (
          asked.has(id) ||
          released.has(id) ||
          isBeside ||
          own.some(({ outcome }, at) => (outcome === 'success') !== (at === own.length - 1))
        )
          return [];
        const planned = own.map(({ ended_at, next_attempt_at }) => (next_attempt_at === null ? 0 : next_attempt_at - ended_at));
        const shown = { retry: sumOf(planned), receiver: sumOf(own.map(({ started_at, ended_at }) => ended_at - started_at)) };
        const said = { retry: delays?.ms.retry ?? 0, receiver: delays?.ms.receiver ?? 0 };
        return isNear(said.retry, shown.retry) && isNear(said.receiver, shown.receiver)
          ? []
          : [`${id} says ${JSON.stringify(said)}, and its attempts show ${JSON.stringify(shown)}`];
      });
    },
  }) satisfies Checks;

const clockTroubles = ['clocks differ', 'clock far off'];
