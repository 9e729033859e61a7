import { toInstant } from '../../http/fields.ts';
import type { Row } from '../../store/tables/index.ts';
import { attainmentRate } from './domain/attainment.ts';
import type { CohesionCaller } from './identity.ts';
import type { FinancingView, IndicatorView, InterventionView, MeView, StructureView } from './schemas.ts';

/** Rows as replies show them. */

export const toIndicator = (row: Row<'indicators'>): IndicatorView => ({
  id: row.id,
  code: row.code,
  intitule: row.intitule,
  type: row.type,
  unite: row.unite,
  valeur_courante: row.valeur_courante,
  cible_annuelle: row.cible_annuelle,
  taux_atteinte: attainmentRate(row.valeur_courante, row.cible_annuelle),
  alert_state: row.alert_state,
  is_kpi: row.is_kpi,
});

export const toIntervention = (row: Row<'interventions'>): InterventionView => ({
  id: row.id,
  reference: row.reference,
  intitule: row.intitule,
  statut: row.statut,
  structure_id: row.structure_id,
  region: row.region,
  annee: row.annee,
  date_debut: row.date_debut,
  date_fin: row.date_fin,
  budget: row.budget === null ? null : Number(row.budget),
});

export const toStructure = (row: Row<'structures'>): StructureView => ({
  id: row.id,
  nom: row.nom,
  sigle: row.sigle,
  type: row.type,
  region: row.region,
});

export const toFinancing = (row: Row<'financings'>): FinancingView => ({
  id: row.id,
  structure_id: row.structure_id,
  exercice: row.exercice,
  bailleur: row.bailleur,
  type: row.type,
  intitule: row.intitule,
  montant: Number(row.montant),
  devise: row.devise,
  statut: row.statut,
});

export const toMe = ({ user, token }: CohesionCaller): MeView => ({
  data: {
    user: { id: user.id, name: user.name, email: user.email, role: user.role },
    token: { name: token.name, abilities: [...token.abilities], last_used_at: toInstant(token.last_used_at) },
  },
});
