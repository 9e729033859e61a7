import { fieldsOf } from '../json.ts';
import { type Alternative, alternativesOf } from './alternative.ts';
import { content, of, payload, unsigned } from './changes.ts';
import { everywhere, mappedValues, only, otherNames, withFields } from './values.ts';

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
    'terminated-by': payloadOf('intervention.terminated', withFields({ terminated_by: someone, date_fin: '2026-09-30' })),
    'other-names': payloadOf('intervention.terminated', otherNames),
  }),
  ...alternativesOf('cohesion.intervention-suspended-payload', {
    'suspended-by': payloadOf('intervention.suspended', withFields({ suspended_by: someone, motif: 'Budget' })),
    'other-names': payloadOf('intervention.suspended', otherNames),
  }),
  ...alternativesOf('cohesion.indicator-alert-payload', {
    'id-only': payloadOf('indicator.alert', only('indicator_id')),
    'other-names': payloadOf('indicator.alert', otherNames),
  }),
  ...alternativesOf('cohesion.plan-closed-payload', {
    'plan-id': payloadOf('plan.closed', () => ({ plan_id: 5, intitule: 'Plan annuel' })),
    figures: payloadOf('plan.closed', withFields({ interventions: 12, montant: 25_000_000 })),
    'other-names': payloadOf('plan.closed', otherNames),
  }),
  ...alternativesOf('cohesion.rapport-ready-payload', {
    url: payloadOf('rapport.ready', withFields({ url: 'https://example.org/rapports/3' })),
    report: payloadOf('rapport.ready', (data) => ({
      annee: fieldsOf(data).annee,
      interventions: { total: 12 },
      indicateurs: { total: 7 },
    })),
    'other-names': payloadOf('rapport.ready', otherNames),
  }),
  ...alternativesOf('cohesion.alert-states', {
    degrees: payloadOf('indicator.alert', everywhere(['alert_state'], mappedValues({ under: 'warning', over: 'critical' }))),
    performance: payloadOf(
      'indicator.alert',
      everywhere(['alert_state'], mappedValues({ under: 'under_performance', over: 'over_performance' })),
    ),
  }),
];

const deliveries = [
  ...alternativesOf('cohesion.webhook-envelope', {
    'own-shapes': {
      // Not `type`, which an indicator has.
      message: of(
        undocumented,
        content((held) => ({ event_type: fieldsOf(held).event, ...fieldsOf(fieldsOf(held).data) })),
      ),
    },
  }),
  ...alternativesOf('cohesion.validated-by', {
    'token-user': payloadOf('intervention.validated', withFields({ validated_by: someone })),
  }),
  ...alternativesOf('cohesion.webhook-standard-headers', {
    none: { message: unsigned((name) => standardHeaders.includes(name)) },
  }),
];

export const cohesionMessages: Alternative[] = [...payloads, ...deliveries];
