import type { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { noTracing, type Tracing } from '../../base/tracing.ts';
import type { Tallier } from '../../figures/tallier.ts';
import { talliesOfEnded, tallyEvents } from '../../figures/tally.ts';
import type { Gate, Lease } from '../../queue/gate/port.ts';
import type { Others, Rows, Store } from '../../store/port.ts';
import type { Insert, Row, TableName } from '../../store/tables/index.ts';
import type { EventCause } from '../../store/tables/webhooks.ts';
import type { AttemptHooks } from '../model/attempt-hooks.ts';
import type { KnownLanes } from '../model/lane.ts';
import { type EventDefinition, eventRow, type NewEvent } from './event.ts';
import { fanOutInline, fanOutInOrder, type InlineFanout } from './inline-fanout.ts';
import { traceFanout } from './trace.ts';

/** The context of a verb: one transaction, one time, and events that are stored only if the transaction commits. */
export interface Change {
  tx: Rows;
  /** Stores rows without waiting: the statement goes with those after it. If it fails, so does the change. */
  append<T extends TableName, D extends TableName>(table: T, rows: readonly Insert<T>[], along?: Others<D>): void;
  /** The time of the change, in milliseconds since 1970. */
  now: number;
  /** What made the change (`events.caused_by`). */
  causedBy: EventCause | null;
  /** `subject` is the id of the store (pos) or structure (cohesion) that the event is about. Perimeters match on it. */
  emit<S extends z.ZodType>(definition: EventDefinition<S>, event: { subject: string | null; data: z.input<S> }): void;
  /** Returns the row of an event that the caller stores itself, with its deliveries. */
  newEvent(definition: EventDefinition, event: Pick<NewEvent, 'subject' | 'dataText'> & { now?: number }): Promise<Row<'events'>>;
  /** Queues a delivery's next attempt after the commit. The change has made the delivery pending and due now. */
  attempt(delivery: Row<'deliveries'>): void;
  /**
   * Takes the lease of a delivery until the change has ended, so that no attempt of it begins meanwhile. Returns false if an
   * attempt is under way, or if that is not known.
   */
  takeLease(delivery: Row<'deliveries'>): Promise<boolean>;
  /** Lets the deliveries behind this one go, after the commit. It was the first of its key. */
  unblock(delivery: Row<'deliveries'>): void;
  /** Works on running recoveries after the commit. The change has begun or resumed one. */
  recover(): void;
}

/**
 * Runs `work` in a transaction, stores the events it emitted in the same transaction, and delivers them after the commit.
 * `causedBy` is the id of the call that makes the change.
 */
export type RunChange = <R>(work: (change: Change) => Promise<R>, causedBy?: EventCause | null) => Promise<R>;

/** The deliveries of a committed change's events, and those that it made due. */
export interface CommittedChange extends InlineFanout {
  /** Older deliveries whose next attempt is due now. */
  attempts: readonly Row<'deliveries'>[];
  /** Deliveries that no longer block their keys. */
  unblocked: readonly Row<'deliveries'>[];
  /** True if a recovery has begun or goes on. */
  recovers: boolean;
}

export interface ChangeParts {
  store: Store;
  clock: Clock;
  /** Delay before a delivery's first attempt, in milliseconds. Without it, only the background fan-out creates deliveries. */
  firstDelayMs?: number;
  /** Called after each commit that leaves something to do here. Must not throw: the change has happened. */
  afterCommit(change: CommittedChange): void;
  /** Counts events for the audit. */
  tallier?: Pick<Tallier, 'note'> | undefined;
  tracing?: Tracing | undefined;
  hooks?: AttemptHooks | undefined;
  lanes?: KnownLanes | undefined;
  gate?: Pick<Gate, 'enter' | 'leave'> | undefined;
}

export function changesOn(parts: ChangeParts): RunChange {
  const { store, clock, afterCommit, tallier, hooks: { eventBody } = {} } = parts;
  return async (work, causedBy = null) => {
    const leases = leasesOf(parts.gate);
    const transaction = store.transaction(async (tx) => {
      // Collected in here: after a deadlock the store runs all of this again.
      const events: Row<'events'>[] = [];
      const attempts: Row<'deliveries'>[] = [];
      const unblocked: Row<'deliveries'>[] = [];
      let recovers = false;
      const recover = () => {
        recovers = true;
      };
      const now = clock.now();
      const emit: Change['emit'] = (definition, { subject, data }) => {
        events.push(eventRow(definition, { subject, dataText: JSON.stringify(definition.data.parse(data)), now, causedBy }));
      };
      const newEvent: Change['newEvent'] = async (definition, event) => {
        const row = eventRow(definition, { now, causedBy, ...event });
        if (eventBody) await giveBodies([row], tx, eventBody);
        return row;
      };
      const append: Change['append'] = (...args) => ignoreHere(tx.append(...args));
      const attempt = (delivery: Row<'deliveries'>) => attempts.push(delivery);
      const unblock = (delivery: Row<'deliveries'>) => unblocked.push(delivery);
      const takeLease = leases.take;
      const result = await work({ tx, append, now, causedBy, emit, newEvent, attempt, takeLease, unblock, recover });
      return { result, events, attempts, unblocked, recovers, ...(await storeEvents(tx, events, parts)) };
    });
    const { result, events, ...committed } = await transaction.finally(leases.leave);
    tallier?.note(tallyEvents(events));
    const { created, isComplete, attempts, unblocked, recovers } = committed;
    if (!isComplete || created.length + attempts.length + unblocked.length > 0 || recovers) afterCommit(committed);
    return result;
  };
}

/** The leases that a change takes. One that cannot be given back expires. */
function leasesOf(gate: ChangeParts['gate']) {
  const leases = new Map<string, Lease>();
  return {
    async take({ id: deliveryId, endpoint_id: endpointId }: Row<'deliveries'>): Promise<boolean> {
      // After a deadlock the change has it already.
      if (leases.has(deliveryId)) return true;
      const limits = { maxInFlight: 1, maxPerSecond: null, urgent: true, strict: true };
      const [entered] = (await gate?.enter([{ endpointId, deliveryId, ...limits }])) ?? [];
      if (entered?.kind === 'admitted') leases.set(deliveryId, entered.lease);
      return leases.has(deliveryId);
    },
    async leave(): Promise<void> {
      if (leases.size > 0) await gate?.leave([...leases.values()]).catch(() => {});
    },
  };
}

/** Stores the events, with those deliveries that need not wait for the background fan-out. */
async function storeEvents(
  tx: Rows,
  events: Row<'events'>[],
  { firstDelayMs, hooks: { eventBody } = {}, lanes, tracing = noTracing }: ChangeParts,
): Promise<InlineFanout> {
  if (events.length === 0) return { created: [], isComplete: true };
  if (eventBody) await giveBodies(events, tx, eventBody);
  const endSpans = traceFanout(tracing, events);
  const fanout =
    firstDelayMs === undefined
      ? { created: await fanOutInOrder(tx, events, 0), isComplete: false }
      : await fanOutInline(tx, events, firstDelayMs, lanes);
  const deliveries = fanout.created.map(({ delivery }) => delivery);
  if (fanout.isComplete) endSpans(deliveries);
  // Sent with the commit.
  ignoreHere(tx.append('events', events, { table: 'deliveries', rows: deliveries }));
  if (deliveries.length > 0) ignoreHere(tx.tally('tallies', talliesOfEnded(deliveries)));
  return fanout;
}

async function giveBodies(events: readonly Row<'events'>[], tx: Rows, bodyOf: NonNullable<AttemptHooks['eventBody']>) {
  // One after another, because they share the connection of the transaction.
  for (const event of events) event.body = await bodyOf(event, tx);
}

/** The transaction waits for its statements, and throws the error of one that failed. */
function ignoreHere(statement: Promise<unknown>): void {
  statement.catch(() => {});
}
