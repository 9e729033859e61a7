import type { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import { talliesOfEnded } from '../../figures/tally.ts';
import type { Rows, Store } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { fanOutAtOnce } from './at-once.ts';
import type { FreshDelivery } from './fresh.ts';

/** Whose events: the two APIs', and the gateway's own notices to its operator. */
export const services = ['pos', 'cohesion', 'operator'] as const;
export type Service = (typeof services)[number];

/** A type of event: what it means, the shape of its `data`, an example, and the gap entries that its shape rests on. */
export interface EventDefinition<S extends z.ZodType = z.ZodType> {
  type: string;
  service: Service;
  summary: string;
  /** The shape of `data` in the envelope. */
  data: S;
  example: z.infer<S>;
  gaps: readonly string[];
}

export const defineEvent = <S extends z.ZodType>(definition: EventDefinition<S>): EventDefinition<S> => definition;

/** What a verb works with: one transaction, one moment, and events that exist only if the transaction commits. */
export interface Change {
  tx: Rows;
  /** The moment of the change, in milliseconds since 1970. */
  now: number;
  /** `subject` is the store (pos) or structure (cohesion) that the event is about, for endpoints with a perimeter. */
  emit<S extends z.ZodType>(definition: EventDefinition<S>, event: { subject: string | null; data: z.input<S> }): void;
  /** Queues the next attempt of a delivery that this change made pending and due now, once it is committed. */
  attempt(delivery: Row<'deliveries'>): void;
}

/** Runs a change as one transaction; its events are stored in it, and who delivers them is woken after it. */
export type RunChange = <R>(work: (change: Change) => Promise<R>) => Promise<R>;

/** What a change leaves to be done once it is committed. */
export interface AfterChange {
  /** Deliveries whose next attempt is due now. */
  attempts: readonly Row<'deliveries'>[];
  /** Deliveries of its events, made with it; null where the fan-out is to make them. */
  made: readonly FreshDelivery[] | null;
}

export interface ChangeParts {
  store: Store;
  clock: Clock;
  /** Delay before the first attempt, in milliseconds. Left out, every fan-out is left to the `Fanout`. */
  firstDelayMs?: number;
  wake(owed: AfterChange): void;
}

export function changesOn({ store, clock, firstDelayMs, wake }: ChangeParts): RunChange {
  return async (work) => {
    let events: Row<'events'>[] = [];
    let attempts: Row<'deliveries'>[] = [];
    let made: FreshDelivery[] | null = null;
    const result = await store.transaction(async (tx) => {
      events = [];
      attempts = [];
      made = null;
      const now = clock.now();
      const emit: Change['emit'] = (definition, { subject, data }) => {
        events.push(eventRow(definition, subject, definition.data.parse(data), now));
      };
      const done = await work({ tx, now, emit, attempt: (delivery) => attempts.push(delivery) });
      if (events.length === 0) return done;
      if (firstDelayMs !== undefined) made = await fanOutAtOnce(tx, events, firstDelayMs);
      const deliveries = (made ?? []).map(({ delivery }) => delivery);
      await tx.append('events', events, { table: 'deliveries', rows: deliveries });
      await tx.tally('tallies', talliesOfEnded(deliveries));
      return done;
    });
    if (events.length > 0 || attempts.length > 0) wake({ attempts, made: events.length > 0 ? made : [] });
    return result;
  };
}

/** The envelope is fixed here, once: every delivery and every retry sends these very bytes. */
export function eventRow(definition: EventDefinition, subject: string | null, data: unknown, now: number): Row<'events'> {
  return {
    id: newId('evt'),
    service: definition.service,
    type: definition.type,
    subject,
    body: JSON.stringify({ event: definition.type, delivered_at: isoWithOffset(now), data }),
    created_at: now,
    fanned_out_at: null,
    matched: null,
    fanout_after: null,
  };
}

/** `2026-11-21T08:53:00+00:00`: ISO 8601 with an offset, as cohesion's section 6 shows `delivered_at`. */
function isoWithOffset(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, -'.000Z'.length)}+00:00`;
}
