import { illegalMove, notFound } from '../../../base/errors.ts';
import { toInstant } from '../../../http/fields.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { planClosed } from '../events.ts';
import { insertNew } from './new-row.ts';

export const openPlan = async (change: Change, { annee }: { annee: number }): Promise<Row<'plans'>> =>
  insertNew(change, 'plans', { annee, statut: 'open', closed_at: null, created_at: change.now }, 'annee');

/** Closes an open plan. The interventions of its year stay as they are. */
export async function closePlan(change: Change, { annee }: { annee: number }): Promise<Row<'plans'>> {
  const { tx, now } = change;
  const plan = await tx.get('plans', { annee }, { lock: true });
  if (!plan) throw notFound('annee', `There is no plan of ${annee}.`);
  if (plan.statut !== 'open') throw illegalMove(`The plan of ${annee} is already closed, and a closed plan cannot change.`, []);
  const [closed] = await tx.update('plans', { annee }, { statut: 'closed', closed_at: now });
  change.emit(planClosed, { subject: null, data: { annee, closed_at: toInstant(now) } });
  return closed as Row<'plans'>;
}
