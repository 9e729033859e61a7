import { z } from 'zod';
import { forbidden, invalid, notFound } from '../../../base/errors.ts';
import { amount, id, text } from '../../../http/fields.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import type { CohesionCaller } from '../identity.ts';

/** gap cohesion.financing-types */
export const financingTypes = ['etat', 'bailleur', 'collectivite', 'partenaire', 'prive'] as const;
/** gap cohesion.financing-statuses */
export const financingStatuses = ['promis', 'obtenu', 'decaisse', 'annule'] as const;

const defaultCurrency = 'XOF';

const fields = {
  structure_id: id().describe('The structure that owns it; must lie in the perimeter of the token.').meta({ example: 4 }),
  exercice: z
    .int('must be a year, YYYY')
    .min(1900, 'must be 1900 or later')
    .max(2100, 'must be 2100 or earlier')
    .describe('Fiscal year, YYYY.')
    .meta({ example: 2026 }),
  bailleur: text(200).describe("The funder's name.").meta({ example: 'Banque mondiale' }),
  type: z
    .enum(financingTypes, `must be one of ${financingTypes.join(', ')}`)
    .meta({ example: 'bailleur', 'x-gap': ['cohesion.financing-types'] }),
  intitule: text(300).describe('Title.').meta({ example: 'Appui aux comités de paix' }),
  montant: amount({ max: 1e15, decimals: 2 }).describe('Amount in `devise`, at most two decimals.').meta({ example: 25000000 }),
  statut: z
    .enum(financingStatuses, `must be one of ${financingStatuses.join(', ')}`)
    .meta({ example: 'promis', 'x-gap': ['cohesion.financing-statuses'] }),
};

const devise = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be a currency code of three capital letters, such as XOF')
  .describe('Currency code (ISO 4217).')
  .meta({ example: 'XOF', 'x-gap': ['cohesion.devise-sent'] });

export const financing = z.object({
  id: z.int().meta({ example: 12 }),
  structure_id: z.int().meta({ example: 4 }),
  exercice: z.int().meta({ example: 2026 }),
  bailleur: z.string().meta({ example: 'Banque mondiale' }),
  type: z.enum(financingTypes).meta({ example: 'bailleur' }),
  intitule: z.string().meta({ example: 'Appui aux comités de paix' }),
  montant: z.number().meta({ example: 25000000 }),
  devise: z.string().meta({ example: 'XOF' }),
  statut: z.enum(financingStatuses).meta({ example: 'promis' }),
});

export const newFinancing = z
  .strictObject({ ...fields, devise: devise.default(defaultCurrency) })
  .meta({ 'x-gap': ['cohesion.financing-create-required', 'cohesion.financing-bounds', 'cohesion.strict-bodies'] });

export const changedFinancing = z
  .strictObject({ ...fields, devise })
  .partial()
  .refine((body) => Object.keys(body).length > 0, {
    message: 'must have at least one field to change',
    params: { rule: 'not_empty' },
  })
  .meta({ 'x-gap': ['cohesion.financing-update-required', 'cohesion.financing-moves', 'cohesion.strict-bodies'] });

/** Stores a financing of a structure in the token's perimeter. */
export async function createFinancing(change: Change, caller: CohesionCaller, input: z.output<typeof newFinancing>) {
  within(caller, input.structure_id, `structure ${input.structure_id}`);
  await checkStructure(change, input.structure_id);
  const row = { ...input, montant: String(input.montant), created_at: change.now, updated_at: change.now };
  const [stored] = await change.tx.insert('financings', [row]);
  return toFinancing(stored as Row<'financings'>);
}

/** Changes the fields that were sent; the financing and the structure sent must both lie in the token's perimeter. */
export async function updateFinancing(
  change: Change,
  caller: CohesionCaller,
  input: { id: number; fields: z.output<typeof changedFinancing> },
) {
  const { id: financingId, fields: sent } = input;
  const before = await change.tx.get('financings', { id: financingId }, { lock: true });
  if (!before) throw notFound('id', `There is no financing ${financingId}.`);
  within(caller, before.structure_id, `financing ${financingId} (of structure ${before.structure_id})`);
  if (sent.structure_id !== undefined && sent.structure_id !== before.structure_id) {
    within(caller, sent.structure_id, `structure ${sent.structure_id}`);
    await checkStructure(change, sent.structure_id);
  }
  const { montant, ...others } = sent;
  const patch = { ...others, montant: montant === undefined ? undefined : String(montant), updated_at: change.now };
  const [after] = await change.tx.update('financings', { id: financingId }, patch as Partial<Row<'financings'>>);
  return toFinancing(after as Row<'financings'>);
}

function within({ token }: CohesionCaller, structureId: number, what: string): void {
  const perimeter = token.structure_ids;
  if (perimeter === null || perimeter.includes(structureId)) return;
  const held = perimeter.length > 0 ? `structures ${perimeter.join(', ')}` : 'no structure';
  throw forbidden('outside_perimeter', `The ${what} is outside the perimeter of this token, which covers ${held}.`);
}

async function checkStructure({ tx }: Change, structureId: number): Promise<void> {
  const found = await tx.get('structures', { id: structureId, active: true });
  if (!found)
    throw invalid(
      'structure_id',
      'exists',
      `There is no active structure ${structureId}. GET /api/v1/structures lists those there are.`,
    );
}

export function toFinancing(row: Row<'financings'>): z.infer<typeof financing> {
  return {
    id: row.id,
    structure_id: row.structure_id,
    exercice: row.exercice,
    bailleur: row.bailleur,
    type: row.type as (typeof financingTypes)[number],
    intitule: row.intitule,
    montant: Number(row.montant),
    devise: row.devise,
    statut: row.statut as (typeof financingStatuses)[number],
  };
}
