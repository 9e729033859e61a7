import { cohesionFixtures } from '../../../fixtures/cohesion.ts';
import type { Rows } from '../../store/port.ts';
import { indicatorRow, interventionRow, structureRow } from './domain/rows.ts';

/** Fills an empty store with the demo data. Emits no events: all of it happened before any endpoint existed. */
export async function seedCohesion(tx: Rows, now: number): Promise<void> {
  const { users, structures, indicators, interventions, financings, plans } = cohesionFixtures(now);
  const [admin] = await tx.insert(
    'users',
    users.map((user) => ({ ...user, structure_ids: null, created_at: now })),
  );
  const stored = await tx.insert(
    'structures',
    structures.map((one) => structureRow(one, now)),
  );
  // The store assigns the ids; the fixtures name a structure by its position.
  const idAt = (position: number) => stored[position]?.id as number;

  await tx.append(
    'indicators',
    indicators.map((one) => indicatorRow(one, now)),
  );
  await tx.append(
    'interventions',
    interventions.map(({ structure, ...one }) => {
      const validated_by = one.statut === 'approuve' ? (admin?.id ?? null) : null;
      return interventionRow({ ...one, structure_id: idAt(structure), validated_by }, now);
    }),
  );
  await tx.append(
    'financings',
    financings.map(({ structure, ...one }) => ({ ...one, structure_id: idAt(structure), created_at: now, updated_at: now })),
  );
  await tx.append(
    'plans',
    plans.map((plan) => ({ ...plan, created_at: now })),
  );
}
