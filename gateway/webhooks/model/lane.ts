import type { Row } from '../../store/tables/index.ts';

/** The lanes that this process checks. */
export interface KnownLanes {
  /** True if the endpoint's lane held something not long ago. */
  mayHold(endpointId: string): boolean;
  /** Called with new deliveries that are parked in their lanes, and with those that others wait for no longer. Returns at once. */
  grown(parked: readonly Row<'deliveries'>[]): void;
}

/** A delivery that has changed within this time keeps its turn among new ones. */
const keepsTurnMs = 3000;

/** Returns true for a delivery that has waited so long that it is part of a backlog: new ones take turns with it. */
export const isLate = ({ updated_at }: Row<'deliveries'>, nowMs: number): boolean => nowMs - updated_at >= keepsTurnMs;

/**
 * Selects the deliveries that are parked for an endpoint, in the order of their events. With a range and this order, PostgreSQL can use only
 * the index of parked deliveries. With one value it prefers an index of all events as long as most deliveries are parked, and then reads
 * all those that have left the lane.
 */
export const parkedFor = (endpointId: string) =>
  ({
    where: { endpoint_id: { gte: endpointId, lte: endpointId }, parked: true },
    order: [
      ['endpoint_id', 'asc'],
      ['event_id', 'asc'],
    ],
  }) as const;
