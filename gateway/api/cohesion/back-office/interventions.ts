import { invalid, notFound } from '../../../base/errors.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { draft, type Move, stateAfter } from '../domain/intervention-moves.ts';
import { interventionRow } from '../domain/rows.ts';
import { interventionSuspended, interventionTerminated, interventionValidated } from '../events.ts';
import { insertNew } from './new-row.ts';

export interface NewIntervention {
  reference: string;
  intitule: string;
  structure_id: number;
  /** The default is the structure's region. */
  region?: string;
  annee: number;
  /** YYYY-MM-DD */
  date_debut: string | null;
  date_fin: string | null;
  budget: number | null;
}

/** Stores a draft. The cohesion API does not show it before it is published. */
export async function draftIntervention(change: Change, input: NewIntervention): Promise<Row<'interventions'>> {
  const { date_debut: from, date_fin: until } = input;
  if (from !== null && until !== null && until < from)
    throw invalid('date_fin', 'after', `must not be before date_debut (${from})`);
  const structure = await change.tx.get('structures', { id: input.structure_id, active: true });
  if (!structure) throw invalid('structure_id', 'exists', `There is no active structure ${input.structure_id}.`);

  const region = input.region ?? structure.region;
  const budget = input.budget === null ? null : String(input.budget);
  const row = interventionRow({ ...input, region, budget, statut: draft, validated_by: null }, change.now);
  return insertNew(change, 'interventions', row, 'reference');
}

const eventOf = { publish: null, suspend: interventionSuspended, resume: null, terminate: interventionTerminated } as const;

/** Publishes, suspends, resumes or terminates an intervention. Throws `illegalMove` if its state does not allow the move. */
export async function moveIntervention(
  change: Change,
  input: { id: number; move: Exclude<Move, 'validate'> },
): Promise<Row<'interventions'>> {
  const moved = await applyMove(change, input.id, input.move);
  const subject = String(moved.structure_id);
  const event = eventOf[input.move];
  if (event) change.emit(event, { subject, data: about(moved) });
  return moved;
}

/** Moves to `approuve` in the name of `validatedBy`. The default is the first active administrator (gap cohesion.validated-by). */
export async function validateIntervention(
  change: Change,
  input: { id: number; validatedBy?: number },
): Promise<Row<'interventions'>> {
  const user = await validator(change, input.validatedBy);
  const moved = await applyMove(change, input.id, 'validate', { validated_by: user.id });
  change.emit(interventionValidated, {
    subject: String(moved.structure_id),
    data: { ...about(moved), validated_by: { id: user.id, name: user.name } },
  });
  return moved;
}

async function applyMove(
  { tx, now }: Change,
  id: number,
  move: Move,
  also: { validated_by?: number } = {},
): Promise<Row<'interventions'>> {
  const before = await tx.get('interventions', { id }, { lock: true });
  if (!before) throw notFound('id', `There is no intervention ${id}.`);
  const statut = stateAfter(before.reference, before.statut, move);
  const [after] = await tx.update('interventions', { id }, { ...also, statut, updated_at: now });
  return after as Row<'interventions'>;
}

async function validator({ tx }: Change, userId: number | undefined): Promise<Row<'users'>> {
  const where = userId === undefined ? { role: 'admin', active: true } : { id: userId, active: true };
  const [user] = await tx.list('users', { where, order: [['id', 'asc']], limit: 1 });
  if (user) return user;
  const message =
    userId === undefined ? 'There is no active administrator. Name an active user' : `There is no active user ${userId}`;
  throw invalid('validated_by', 'exists', message);
}

const about = (row: Row<'interventions'>) => ({
  intervention_id: row.id,
  reference: row.reference,
  intitule: row.intitule,
  structure_id: row.structure_id,
  region: row.region,
});
