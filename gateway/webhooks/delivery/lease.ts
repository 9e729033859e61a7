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
 * The stage that gives back the lease of an attempt. Call it when the attempt is recorded: a lease that ended before would let
 * another job of the delivery, such as a resend's, make the same attempt again.
 */
export function leaveStage({ gate, room }: LeaseParts): Stage<Lease> {
  const leave = batched<Lease>('leave the gate', async (leases) => {
    await gate.leave(leases);
    return undefined;
  });
  return async (lease) => {
    await leave(lease);
    room.freed(lease.endpointId);
    return undefined;
  };
}
