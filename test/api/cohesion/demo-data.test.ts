import { expect, test } from 'vitest';
import { cohesionFixtures } from '../../../fixtures/cohesion.ts';
import { interventionStatuses } from '../../../gateway/store/tables/cohesion.ts';

/** The first moment of each day of a year and of a leap year. */
const days = Array.from({ length: 365 + 366 }, (_, step) => Date.UTC(2027, 0, 1 + step));

test('the demo data are possible on every day', () => {
  for (const now of days) {
    const { indicators, interventions, plans, financings } = cohesionFixtures(now);
    const today = new Date(now).toISOString().slice(0, 10);
    for (const one of indicators) {
      expect(one.valeur_courante, one.code).toBeGreaterThanOrEqual(0);
      if (one.unite === '%') expect(one.valeur_courante, one.code).toBeLessThanOrEqual(100);
      if (one.unite === '%') expect(one.cible_annuelle, one.code).toBeLessThanOrEqual(100);
      if (one.unite !== 'points') expect([one.code, one.valeur_courante % 1, one.cible_annuelle % 1]).toEqual([one.code, 0, 0]);
    }
    const impossible = interventions.filter(({ statut, date_debut, date_fin }) => {
      if (date_fin !== null && date_fin <= date_debut) return true;
      if (statut === 'brouillon' || statut === 'approuve') return false;
      if (date_debut > today) return true;
      return date_fin !== null && ((statut === 'en_cours' && date_fin < today) || (statut === 'termine' && date_fin > today));
    });
    expect({ today, impossible }).toEqual({ today, impossible: [] });
    expect(plans.filter(({ statut, closed_at }) => (statut === 'closed') !== (closed_at !== null && closed_at <= now))).toEqual(
      [],
    );
    expect(
      financings.filter(({ montant, exercice }) => !(Number(montant) > 0) || exercice > new Date(now).getUTCFullYear()),
    ).toEqual([]);
  }
});

test('on every day the demo data have what each event and each move needs', () => {
  for (const now of days) {
    const { interventions, indicators, plans } = cohesionFixtures(now);
    const of = (status: string) => interventions.filter(({ statut }) => statut === status).length;
    const scarce = interventionStatuses.filter((status) => of(status) < 3);
    expect({ now, scarce }).toEqual({ now, scarce: [] });
    expect(plans.some(({ statut }) => statut === 'open')).toBe(true);
    const rates = indicators.map(({ valeur_courante, cible_annuelle }) => valeur_courante / cible_annuelle);
    expect(Math.min(...rates)).toBeLessThan(0.5);
    expect(Math.max(...rates)).toBeGreaterThan(1.2);
  }
});
