import type { z } from 'zod';
import { forbidden, invalid, notFound } from '../../../base/errors.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import type { CohesionCaller } from '../identity.ts';
import type { CohesionPolicy } from '../policy.ts';
import type { changedFinancing, newFinancing } from '../schemas.ts';
import { toFinancing } from '../views.ts';

/** Stores a financing of a structure in the token's perimeter. */
export async function createFinancing(
  change: Change,
  { caller, input }: { caller: CohesionCaller; input: z.output<typeof newFinancing> },
  policy: CohesionPolicy,
) {
  await checkYear(change, input.exercice, policy);
  within(caller, input.structure_id, `structure ${input.structure_id}`);
  await checkStructure(change, input.structure_id);
  if (policy.repeatedPost === 'refused') await refuseRepeated(change, input);
  const row = { ...input, montant: String(input.montant), created_at: change.now, updated_at: change.now };
  const [stored] = await change.tx.insert('financings', [row]);
  return toFinancing(stored as Row<'financings'>);
}

/** Changes the fields that were sent. The financing, and a structure that is sent, must lie in the token's perimeter. */
export async function updateFinancing(
  change: Change,
  caller: CohesionCaller,
  input: { id: number; fields: z.output<typeof changedFinancing> },
  policy: CohesionPolicy,
) {
  const { id: financingId, fields: sent } = input;
  await checkYear(change, sent.exercice, policy);
  const before = await change.tx.get('financings', { id: financingId }, { lock: true });
  if (!before) throw notFound('id', `There is no financing ${financingId}.`);
  within(caller, before.structure_id, `financing ${financingId}`);
  if (sent.structure_id !== undefined && sent.structure_id !== before.structure_id) {
    within(caller, sent.structure_id, `structure ${sent.structure_id}`);
    await checkStructure(change, sent.structure_id);
  }
  if (sent.statut !== undefined && !policy.mayBecome(before.statut, sent.statut))
    throw invalid('statut', 'legal_move', `A financing that is ${before.statut} cannot become ${sent.statut}.`);
  const { montant, ...others } = policy.updates === 'replaces' ? { ...emptied, devise: policy.currency, ...sent } : sent;
  const patch = { ...others, montant: montant === undefined ? undefined : String(montant), updated_at: change.now };
  const [after] = await change.tx.update('financings', { id: financingId }, patch as Partial<Row<'financings'>>);
  return toFinancing(after as Row<'financings'>);
}

/** The fields of a financing that have an empty value. The others are numbers, a year, and closed lists of words. */
const emptied = { bailleur: '', intitule: '' };

/** Only a stub may be told to refuse years. */
async function checkYear({ tx, now }: Change, year: number | undefined, policy: CohesionPolicy): Promise<void> {
  const { closedYears, financedYears } = policy;
  if (year === undefined || (closedYears === 'written' && financedYears === 'any')) return;
  const plan = await tx.get('plans', { annee: year });
  if (closedYears === 'refused' && plan?.statut === 'closed')
    throw invalid('exercice', 'closed_year', `The plan of ${year} is closed.`);
  if (financedYears === 'open' && year !== new Date(now).getUTCFullYear() && plan?.statut !== 'open')
    throw invalid('exercice', 'open_year', `${year} is neither the current year nor one with an open plan.`);
}

/** The perimeter is the token's, narrowed by its user's as it is now (gap cohesion.perimeter). */
function within({ token, user }: CohesionCaller, structureId: number, what: string): void {
  refuseOutside(token.structure_ids, structureId, `The ${what} is outside the perimeter of this token`);
  refuseOutside(user.structure_ids, structureId, `The ${what} is outside the perimeter of the token's user`);
}

function refuseOutside(perimeter: readonly number[] | null, structureId: number, message: string): void {
  if (perimeter === null || perimeter.includes(structureId)) return;
  const held = perimeter.length > 0 ? `structures ${perimeter.join(', ')}` : 'no structure';
  throw forbidden('outside_perimeter', `${message}, which covers ${held}.`);
}

async function checkStructure({ tx }: Change, structureId: number): Promise<void> {
  const found = await tx.get('structures', { id: structureId, active: true });
  if (!found)
    throw invalid('structure_id', 'exists', `There is no active structure ${structureId}. GET /api/v1/structures lists them.`);
}

/** Only a stub may be told to refuse them. */
async function refuseRepeated({ tx }: Change, input: z.output<typeof newFinancing>): Promise<void> {
  const { structure_id, exercice, bailleur, intitule, montant } = input;
  const alike = await tx.list('financings', { where: { structure_id, exercice, bailleur, intitule } });
  const same = alike.find((row) => Number(row.montant) === montant);
  if (same)
    throw invalid('intitule', 'repeated', `Financing ${same.id}, of the same funder, title and amount, is already stored.`);
}
