import type { Gate, Lease, Names } from '../../queue/gate/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Room } from './room.ts';
import { batched, type Stage } from './stage.ts';

export interface LeaseParts {
  gate: Gate;
  room: Pick<Room, 'freed'>;
}

export const namesOf = ({ id, endpoint_id }: Row<'deliveries'>): Names => ({ endpointId: endpoint_id, deliveryId: id });

/**
 * Returns a function that runs `attempt` under the lease of its delivery, and then gives the lease back. The attempt includes
 * its record: a lease that ended before would let another job of the delivery, such as a resend's, make the same attempt again.
 */
export function underLease(parts: LeaseParts): <R>(lease: Lease, attempt: () => Promise<R>) => Promise<R> {
  const leave: Stage<Lease> = batched('leave the gate', async (leases) => {
    await parts.gate.leave(leases);
    return undefined;
  });
  return async (lease, attempt) => {
    try {
      return await attempt();
    } finally {
      await leave(lease);
      parts.room.freed(lease.endpointId);
    }
  };
}
