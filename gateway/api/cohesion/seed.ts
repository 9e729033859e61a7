import { cohesionFixtures } from '../../../fixtures/cohesion.ts';
import { fold } from '../../base/text.ts';
import type { Rows } from '../../store/port.ts';
import { alertStateOf } from './domain/attainment.ts';

/** Fills an empty store with the demo data. Emits no events: all of it happened before any endpoint existed. */
export async function seedCohesion(tx: Rows, now: number): Promise<void> {
  const { users, structures, indicators, interventions, financings, plans } = cohesionFixtures(now);
  const stamps = { created_at: now, updated_at: now };

  const [admin] = await tx.insert(
    'users',
    users.map((user) => ({ ...user, structure_ids: null, created_at: now })),
  );
  const stored = await tx.insert(
    'structures',
    structures.map((one) => ({ ...one, search: fold(one.nom), region_search: fold(one.region), created_at: now })),
  );
  // The store assigns the ids; the fixtures name a structure by its position.
  const idAt = (position: number) => stored[position]?.id as number;

  await tx.append(
    'indicators',
    indicators.map((one) => ({
      ...one,
      alert_state: alertStateOf(one.valeur_courante, one.cible_annuelle),
      search: fold(one.intitule),
      updated_at: now,
    })),
  );
  await tx.append(
    'interventions',
    interventions.map(({ structure, ...one }) => ({
      ...one,
      ...stamps,
      structure_id: idAt(structure),
      validated_by: one.statut === 'approuve' ? (admin?.id ?? null) : null,
      search: fold(one.intitule),
      region_search: fold(one.region),
    })),
  );
  await tx.append(
    'financings',
    financings.map(({ structure, ...one }) => ({ ...one, ...stamps, structure_id: idAt(structure) })),
  );
  await tx.append(
    'plans',
    plans.map((plan) => ({ ...plan, created_at: now })),
  );
}
