import { boolean, column, decimal, integer, json, nullable, oneOf, real, serial, table, text, time } from './columns.ts';

export const userRoles = ['admin', 'gestionnaire', 'lecteur'] as const;
export type UserRole = (typeof userRoles)[number];

export const abilityNames = [
  'read:indicators',
  'read:interventions',
  'read:structures',
  'read:stats',
  'write:financements',
] as const;
export type Ability = (typeof abilityNames)[number];

/** The document names the first three as examples; the last two were chosen. */
export const structureTypes = ['ong', 'ministere', 'partenaire', 'collectivite', 'association'] as const;
export type StructureType = (typeof structureTypes)[number];

export const indicatorTypes = ['activite', 'resultat', 'impact'] as const;
export type IndicatorType = (typeof indicatorTypes)[number];

export const alertStates = ['none', 'under', 'over'] as const;
export type AlertState = (typeof alertStates)[number];

/** `brouillon` is the draft, which this API never shows (gap cohesion.intervention-statuses). */
export const interventionStatuses = ['brouillon', 'en_cours', 'suspendu', 'termine', 'approuve'] as const;
export type InterventionStatus = (typeof interventionStatuses)[number];

/** gap cohesion.financing-types */
export const financingTypes = ['etat', 'bailleur', 'collectivite', 'partenaire', 'prive'] as const;
export type FinancingType = (typeof financingTypes)[number];

/** gap cohesion.financing-statuses */
export const financingStatuses = ['promis', 'obtenu', 'decaisse', 'annule'] as const;
export type FinancingStatus = (typeof financingStatuses)[number];

export const planStatuses = ['open', 'closed'] as const;
export type PlanStatus = (typeof planStatuses)[number];

export const cohesionTables = {
  users: table({
    columns: {
      id: serial,
      name: text,
      email: text,
      role: oneOf(userRoles),
      /** The perimeter: structures whose events the user may see, and for which the user's own tokens may write; null means all. */
      structure_ids: nullable(json<number[]>()),
      active: boolean,
      created_at: time,
    },
    key: ['id'],
    unique: [['email']],
  }),
  tokens: table({
    columns: {
      id: serial,
      user_id: integer,
      name: text,
      token_hash: text,
      abilities: json<Ability[]>(),
      /** The perimeter: structures the token may write for; null means all of them. */
      structure_ids: nullable(json<number[]>()),
      created_at: time,
      last_used_at: nullable(time),
      last_used_ip: nullable(text),
      expires_at: nullable(time),
      revoked_at: nullable(time),
    },
    key: ['id'],
    unique: [['token_hash']],
    indexes: [['user_id', 'id']],
  }),
  structures: table({
    columns: {
      id: serial,
      nom: text,
      sigle: nullable(text),
      type: column<StructureType>('text'),
      region: text,
      active: boolean,
      created_at: time,
      /** Folded text (`base/text.ts`) that `q` searches in; `region_search` is the same for `region`. */
      search: text,
      region_search: text,
    },
    key: ['id'],
  }),
  indicators: table({
    columns: {
      id: serial,
      code: text,
      intitule: text,
      type: column<IndicatorType>('text'),
      unite: text,
      valeur_courante: real,
      cible_annuelle: real,
      alert_state: oneOf(alertStates),
      is_kpi: boolean,
      active: boolean,
      updated_at: time,
      search: text,
    },
    key: ['id'],
    unique: [['code']],
  }),
  interventions: table({
    columns: {
      id: serial,
      reference: text,
      intitule: text,
      statut: oneOf(interventionStatuses),
      structure_id: integer,
      region: text,
      annee: integer,
      date_debut: nullable(text),
      date_fin: nullable(text),
      budget: nullable(decimal),
      validated_by: nullable(integer),
      created_at: time,
      updated_at: time,
      search: text,
      region_search: text,
    },
    key: ['id'],
    unique: [['reference']],
    indexes: [
      ['statut', 'id'],
      ['annee', 'id'],
      ['structure_id', 'id'],
    ],
  }),
  financings: table({
    columns: {
      id: serial,
      structure_id: integer,
      exercice: integer,
      bailleur: text,
      type: column<FinancingType>('text'),
      intitule: text,
      montant: decimal,
      devise: text,
      statut: oneOf(financingStatuses),
      created_at: time,
      updated_at: time,
    },
    key: ['id'],
    indexes: [
      ['structure_id', 'id'],
      ['exercice', 'id'],
    ],
  }),
  /** Annual plans. */
  plans: table({
    columns: { annee: integer, statut: oneOf(planStatuses), closed_at: nullable(time), created_at: time },
    key: ['annee'],
  }),
  reports: table({
    columns: { id: serial, annee: integer, titre: text, format: text, content: json<unknown>(), created_at: time },
    key: ['id'],
  }),
} as const;
