import { expect, test } from 'vitest';
import { cohesionFixtures } from '../../../fixtures/cohesion.ts';

const days = Array.from({ length: 122 }, (_, step) => Date.UTC(2027, 0, 1 + step * 3, 9));

test('the demo data are possible through a year', () => {
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
    expect(financings.filter(({ montant, exercice }) => !(Number(montant) > 0) || exercice > 2028)).toEqual([]);
  }
});

test('some interventions are over through a year, and some indicators are in alert for too little and too much', () => {
  for (const now of days) {
    const { interventions, indicators } = cohesionFixtures(now);
    expect(new Set(interventions.map(({ statut }) => statut)).size).toBeGreaterThanOrEqual(4);
    expect(interventions.some(({ statut }) => statut === 'termine')).toBe(true);
    const rates = indicators.map(({ valeur_courante, cible_annuelle }) => valeur_courante / cible_annuelle);
    expect(Math.min(...rates)).toBeLessThan(0.5);
    expect(Math.max(...rates)).toBeGreaterThan(1.2);
  }
});
