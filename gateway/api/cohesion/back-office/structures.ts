import { notFound } from '../../../base/errors.ts';
import { fold } from '../../../base/text.ts';
import type { StructureType } from '../../../store/tables/cohesion.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { structureRow } from '../domain/rows.ts';

export interface StructureFields {
  nom: string;
  sigle: string | null;
  type: StructureType;
  region: string;
}

export async function createStructure(change: Change, input: StructureFields): Promise<Row<'structures'>> {
  const [stored] = await change.tx.insert('structures', [structureRow({ ...input, active: true }, change.now)]);
  return stored as Row<'structures'>;
}

export async function updateStructure(
  change: Change,
  { id, ...patch }: { id: number; active?: boolean } & Partial<StructureFields>,
): Promise<Row<'structures'>> {
  const search = patch.nom === undefined ? undefined : fold(patch.nom);
  const regionSearch = patch.region === undefined ? undefined : fold(patch.region);
  const [stored] = await change.tx.update('structures', { id }, { ...patch, search, region_search: regionSearch });
  if (!stored) throw notFound('id', `There is no structure ${id}.`);
  return stored;
}
