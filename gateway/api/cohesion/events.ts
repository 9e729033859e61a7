import { z } from 'zod';
import { alertStates, indicatorTypes } from '../../store/tables/cohesion.ts';
import { defineEvent } from '../../webhooks/outbox/event.ts';

const interventionFields = {
  intervention_id: z.int(),
  reference: z.string(),
  intitule: z.string(),
  structure_id: z.int(),
  region: z.string(),
};

const interventionExample = {
  intervention_id: 31,
  reference: 'INT-2026-0031',
  intitule: 'Dialogue intercommunautaire à Bouaké',
  structure_id: 4,
  region: 'Gbêkê',
};

/** Exactly the payload of the document's section 6. */
export const interventionValidated = defineEvent({
  type: 'intervention.validated',
  service: 'cohesion',
  summary: 'Intervention validated (moved to approuve)',
  data: z.object({ ...interventionFields, validated_by: z.object({ id: z.int(), name: z.string() }) }),
  example: { ...interventionExample, validated_by: { id: 1, name: 'Aya Kouassi' } },
  gaps: ['cohesion.validated-by', 'cohesion.delivered-at'],
});

export const interventionTerminated = defineEvent({
  type: 'intervention.terminated',
  service: 'cohesion',
  summary: 'Intervention terminated',
  data: z.object(interventionFields),
  example: interventionExample,
  gaps: ['cohesion.intervention-terminated-payload', 'cohesion.webhook-envelope'],
});

export const interventionSuspended = defineEvent({
  type: 'intervention.suspended',
  service: 'cohesion',
  summary: 'Intervention suspended',
  data: z.object(interventionFields),
  example: interventionExample,
  gaps: ['cohesion.intervention-suspended-payload', 'cohesion.webhook-envelope'],
});

export const indicatorAlert = defineEvent({
  type: 'indicator.alert',
  service: 'cohesion',
  summary: 'Indicator in alert (under or over performance)',
  data: z.object({
    indicator_id: z.int(),
    code: z.string(),
    intitule: z.string(),
    type: z.enum(indicatorTypes),
    unite: z.string(),
    valeur_courante: z.number(),
    cible_annuelle: z.number(),
    taux_atteinte: z.number(),
    alert_state: z.enum(alertStates).exclude(['none']),
  }),
  example: {
    indicator_id: 7,
    code: 'IND-007',
    intitule: 'Nombre de comités de paix opérationnels',
    type: 'resultat',
    unite: 'comités',
    valeur_courante: 24,
    cible_annuelle: 60,
    taux_atteinte: 40,
    alert_state: 'under',
  },
  gaps: [
    'cohesion.indicator-alert-payload',
    'cohesion.indicator-alert-condition',
    'cohesion.webhook-envelope',
    'cohesion.alert-states',
    'cohesion.attainment-rate',
  ],
});

export const planClosed = defineEvent({
  type: 'plan.closed',
  service: 'cohesion',
  summary: 'Annual plan closed',
  data: z.object({ annee: z.int(), closed_at: z.string().meta({ format: 'date-time' }) }),
  example: { annee: 2026, closed_at: '2026-12-31T17:00:00.000Z' },
  gaps: ['cohesion.plan-closed-payload', 'cohesion.plan-closed-condition', 'cohesion.webhook-envelope'],
});

export const reportReady = defineEvent({
  type: 'rapport.ready',
  service: 'cohesion',
  summary: 'Generated report available',
  data: z.object({
    rapport_id: z.int(),
    annee: z.int(),
    titre: z.string(),
    format: z.literal('json'),
  }),
  example: { rapport_id: 3, annee: 2026, titre: 'Rapport annuel 2026', format: 'json' },
  gaps: ['cohesion.rapport-ready-payload', 'cohesion.rapport-ready-condition', 'cohesion.webhook-envelope'],
});

export const cohesionEvents = [
  interventionValidated,
  interventionTerminated,
  interventionSuspended,
  indicatorAlert,
  planClosed,
  reportReady,
] as const;
