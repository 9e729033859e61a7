import { toInstant } from '../../http/fields.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { listAudit } from '../audit/queries.ts';

/** `POST /deliveries/{id}/skip` of operators, and of partners. */
const skips = ['skipDelivery', 'skipProfileDelivery'];

/** Returns who skipped a delivery, and when, from the audit trail; null if nobody did, or if it was sent again since. */
export async function readSkip(rows: Rows, { id, status, updated_at }: Row<'deliveries'>, { byOwner }: { byOwner: boolean }) {
  if (status !== 'failed') return null;
  const { data } = await listAudit(rows, { target: id, limit: 10 });
  const entry = data.find(({ action, at }) => skips.includes(action) && at === updated_at);
  if (!entry) return null;
  const { operator, at } = entry;
  // Which operator it was is not the partner's business.
  const isOperator = operator === null || operator.startsWith('operator');
  return { by: byOwner && isOperator ? 'operator' : (operator ?? 'operator'), at: toInstant(at) };
}
