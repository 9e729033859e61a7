import type { z } from 'zod';
import { forbidden, invalid, notFound } from '../../../base/errors.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import type { CohesionCaller } from '../identity.ts';
import type { changedFinancing, newFinancing } from '../schemas.ts';
import { toFinancing } from '../views.ts';

/** Stores a financing of a structure in the token's perimeter. */
export async function createFinancing(change: Change, caller: CohesionCaller, input: z.output<typeof newFinancing>) {
  within(caller, input.structure_id, `structure ${input.structure_id}`);
  await checkStructure(change, input.structure_id);
  const row = { ...input, montant: String(input.montant), created_at: change.now, updated_at: change.now };
  const [stored] = await change.tx.insert('financings', [row]);
  return toFinancing(stored as Row<'financings'>);
}

/** Changes the fields that were sent. The financing, and a structure that is sent, must lie in the token's perimeter. */
export async function updateFinancing(
  change: Change,
  caller: CohesionCaller,
  { id: financingId, fields: sent }: { id: number; fields: z.output<typeof changedFinancing> },
) {
  const before = await change.tx.get('financings', { id: financingId }, { lock: true });
  if (!before) throw notFound('id', `There is no financing ${financingId}.`);
  within(caller, before.structure_id, `financing ${financingId}`);
  if (sent.structure_id !== undefined && sent.structure_id !== before.structure_id) {
    within(caller, sent.structure_id, `structure ${sent.structure_id}`);
    await checkStructure(change, sent.structure_id);
  }
  const { montant, ...others } = sent;
  const patch = { ...others, montant: montant === undefined ? undefined : String(montant), updated_at: change.now };
  const [after] = await change.tx.update('financings', { id: financingId }, patch as Partial<Row<'financings'>>);
  return toFinancing(after as Row<'financings'>);
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
