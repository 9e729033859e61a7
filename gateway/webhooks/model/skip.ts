import { talliesOfEnded } from '../../figures/tally.ts';
import type { Patch, Rows, Where } from '../../store/port.ts';
import type { SkipReason } from '../../store/tables/webhooks.ts';

/** The columns of a delivery that has ended: it waits for nothing, and no other delivery waits for it. */
const ended = { parked: false, next_attempt_at: null, order_key: null } as const;

/** Ends the matching deliveries without another attempt, and counts them in the same transaction. Returns how many. */
export async function skipDeliveries(
  tx: Rows,
  where: Where<'deliveries'>,
  { reason, now }: { reason: SkipReason; now: number },
): Promise<number> {
  const change: Patch<'deliveries'> = { status: 'skipped', reason, ...ended, updated_at: now };
  const skipped = await tx.update('deliveries', where, change);
  await tx.tally('tallies', talliesOfEnded(skipped));
  return skipped.length;
}
