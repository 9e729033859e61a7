import { type Alternative, alternativesOf } from './alternative.ts';
import { content, of, payload, unsigned } from './changes.ts';
import { everywhere, fieldsOf, mappedValues, only, otherNames, withFields } from './values.ts';

/** Alternatives for the webhooks of social cohesion. The document shows only the payload of intervention.validated. */

const undocumented = [
  'intervention.terminated',
  'intervention.suspended',
  'indicator.alert',
  'plan.closed',
  'rapport.ready',
] as const;

const payloadOf = (event: string, change: (value: unknown) => unknown) => ({ message: of(event, payload(change)) });
const someone = { id: 99, name: 'Issa Traoré' };
const standardHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

const payloads = [
  ...alternativesOf('cohesion.intervention-terminated-payload', {
    'terminated_by, and the date of the end.': payloadOf(
      'intervention.terminated',
      withFields({ terminated_by: someone, date_fin: '2026-09-30' }),
    ),
    'Other names for its fields.': payloadOf('intervention.terminated', otherNames),
  }),
  ...alternativesOf('cohesion.intervention-suspended-payload', {
    'suspended_by, and a reason.': payloadOf('intervention.suspended', withFields({ suspended_by: someone, motif: 'Budget' })),
    'Other names for its fields.': payloadOf('intervention.suspended', otherNames),
  }),
  ...alternativesOf('cohesion.indicator-alert-payload', {
    'The state before as well.': payloadOf('indicator.alert', withFields({ previous_alert_state: 'none' })),
    'The id only.': payloadOf('indicator.alert', only('indicator_id')),
    'Other names for its fields.': payloadOf('indicator.alert', otherNames),
  }),
  ...alternativesOf('cohesion.plan-closed-payload', {
    'A plan id and title.': payloadOf('plan.closed', () => ({ plan_id: 5, intitule: 'Plan annuel' })),
    'Figures of the year.': payloadOf('plan.closed', withFields({ interventions: 12, montant: 25_000_000 })),
    'Other names for its fields.': payloadOf('plan.closed', otherNames),
  }),
  ...alternativesOf('cohesion.rapport-ready-payload', {
    'A URL for download.': payloadOf('rapport.ready', withFields({ url: 'https://example.org/rapports/3' })),
    'The report itself.': payloadOf('rapport.ready', (data) => ({
      annee: fieldsOf(data).annee,
      interventions: { total: 12 },
      indicateurs: { total: 7 },
    })),
    'Other names for its fields.': payloadOf('rapport.ready', otherNames),
  }),
  ...alternativesOf('cohesion.alert-states', {
    'Degrees: none, warning, critical.': payloadOf(
      'indicator.alert',
      everywhere(['alert_state'], mappedValues({ under: 'warning', over: 'critical' })),
    ),
    'under_performance and over_performance.': payloadOf(
      'indicator.alert',
      everywhere(['alert_state'], mappedValues({ under: 'under_performance', over: 'over_performance' })),
    ),
  }),
];

const deliveries = [
  ...alternativesOf('cohesion.webhook-envelope', {
    'Each event has a shape of its own.': {
      message: of(
        undocumented,
        content((held) => ({ type: fieldsOf(held).event, ...fieldsOf(fieldsOf(held).data) })),
      ),
    },
  }),
  ...alternativesOf('cohesion.validated-by', {
    'The user of a token.': payloadOf('intervention.validated', withFields({ validated_by: someone })),
  }),
  ...alternativesOf('cohesion.webhook-standard-headers', {
    'None.': { message: unsigned((name) => standardHeaders.includes(name)) },
  }),
];

export const cohesionMessages: Alternative[] = [...payloads, ...deliveries];
