import { fieldsOf } from '../../json.ts';
import { eventOrder, signatureHex, webhookRetries } from '../both.ts';
import { client, owner, section, unplayed, untestable } from '../gap.ts';
import { payloadOf, standardHeaders } from '../is/both.ts';
import { content, of, unsigned } from '../is/changes.ts';
import { someUser, undocumented } from '../is/cohesion.ts';
import { only, otherNames } from '../is/values.ts';

const payloads = 'Payloads of events other than intervention.validated: not shown.';
const conditions = 'Conditions that trigger indicator.alert and rapport.ready, retries and time-outs of delivery: not shown.';
const sameToReaders = 'A reader that ignores fields it does not know gets the same event.';

/** Social cohesion: events (section 6). */
export const cohesionEvents = section('cohesion', '6. Events', {
  'cohesion.webhook-envelope': {
    quote: payloads,
    question: 'Do the other events have the envelope of intervention.validated?',
    choice: 'Yes: event, delivered_at, data.',
    why: 'A receiver tells events apart by one field.',
    alternatives: [
      owner('own-shapes', 'Each event has a shape of its own.', {
        is: {
          at: 'envelope',
          message: of(
            undocumented,
            content((held) => ({ event_type: fieldsOf(held).event, ...fieldsOf(fieldsOf(held).data) })),
          ),
        },
      }),
    ],
  },
  'cohesion.intervention-terminated-payload': {
    quote: payloads,
    question: 'Which data does the webhook intervention.terminated carry?',
    choice: 'intervention_id, reference, intitule, structure_id, region: as intervention.validated, without validated_by.',
    why: 'The same record in another state.',
    alternatives: [
      client('terminated-by', 'terminated_by, and the date of the end.', {
        is: payloadOf('intervention.terminated', (data) => ({ ...data, terminated_by: someUser, date_fin: '2026-09-30' })),
        notPlayed: sameToReaders,
      }),
      owner('other-names', 'Other names for its fields.', { is: payloadOf('intervention.terminated', otherNames) }),
    ],
  },
  'cohesion.intervention-suspended-payload': {
    quote: payloads,
    question: 'Which data does the webhook intervention.suspended carry?',
    choice: 'intervention_id, reference, intitule, structure_id, region: as intervention.validated, without validated_by.',
    why: 'The same record in another state.',
    alternatives: [
      client('suspended-by', 'suspended_by, and a reason.', {
        is: payloadOf('intervention.suspended', (data) => ({ ...data, suspended_by: someUser, motif: 'Budget' })),
        notPlayed: sameToReaders,
      }),
      owner('other-names', 'Other names for its fields.', { is: payloadOf('intervention.suspended', otherNames) }),
    ],
  },
  'cohesion.indicator-alert-payload': {
    quote: payloads,
    question: 'Which data does the webhook indicator.alert carry?',
    choice: 'indicator_id, code, intitule, type, unite, valeur_courante, cible_annuelle, taux_atteinte, alert_state.',
    why: 'The indicator as listed, named as intervention_id names an intervention, with the state that raised the alert.',
    alternatives: [
      client('state-before', 'The state before as well.', { notPlayed: sameToReaders }),
      owner('id-only', 'The id only.', { is: payloadOf('indicator.alert', only('indicator_id')) }),
      owner('other-names', 'Other names for its fields.', { is: payloadOf('indicator.alert', otherNames) }),
    ],
  },
  'cohesion.plan-closed-payload': {
    quote: payloads,
    question: 'Which data does the webhook plan.closed carry?',
    choice: 'annee and closed_at.',
    why: 'An annual plan is known by its year.',
    alternatives: [
      owner('plan-id', 'A plan id and title.', {
        is: payloadOf('plan.closed', ({ annee }) => ({ plan_id: 5, intitule: `Plan annuel ${annee}` })),
        notPlayed: 'A plan of the reference has no id, so a stub could only make one up.',
      }),
      client('figures', 'Figures of the year.', {
        is: payloadOf('plan.closed', (data) => ({ ...data, interventions: 12, montant: 25_000_000 })),
        notPlayed: sameToReaders,
      }),
      owner('other-names', 'Other names for its fields.', { is: payloadOf('plan.closed', otherNames) }),
    ],
  },
  'cohesion.rapport-ready-payload': {
    quote: payloads,
    question: 'Which data does the webhook rapport.ready carry?',
    choice: 'rapport_id, annee, titre, format.',
    why: 'It says which report; the document shows no address to fetch it from.',
    alternatives: [
      client('url', 'A URL for download.', {
        is: payloadOf('rapport.ready', (data) => ({
          ...data,
          // `.example` is reserved for addresses that lead nowhere.
          url: `https://cohesion.example/rapports/${data.rapport_id}.${data.format}`,
        })),
      }),
      owner('report', 'The report itself.', {
        is: payloadOf('rapport.ready', ({ annee }) => ({ annee, interventions: { total: 12 }, indicateurs: { total: 7 } })),
        notPlayed: 'Which figures such an event has of a report would be a guess.',
      }),
      owner('other-names', 'Other names for its fields.', { is: payloadOf('rapport.ready', otherNames) }),
    ],
  },
  'cohesion.indicator-alert-condition': {
    quote: conditions,
    question: 'When is an indicator in alert?',
    choice:
      'When its taux_atteinte is under 50 (under) or over 120 (over); the event is sent when the state changes to one of them, not at each value in it. Without a target (0) it never is.',
    why: '"Under or over performance"; half of the target and a fifth above it are usual thresholds.',
    alternatives: [
      owner('per-indicator', 'Thresholds of each indicator.'),
      owner('rising', 'Thresholds that rise over the year.'),
    ],
    notPlayed: 'Only which indicators are in alert differs, and a test can set a value that is an alert under any threshold.',
  },
  'cohesion.rapport-ready-condition': {
    quote: conditions,
    question: 'When is a report ready?',
    choice:
      'When an operator has one produced (manage API): it holds the statistics of its year at that moment and is ready at once.',
    why: 'The document says "generated report available" and shows nothing that generates one.',
    alternatives: [
      owner('by-period', 'At the end of each month or year.', {
        notPlayed: 'The event is the same whatever causes it, and trigger sends it at any time.',
      }),
      owner('on-demand', 'On a user’s demand, some minutes later.', {
        notPlayed: 'A report is asked for outside this API, so no receiver can tell how long it took.',
      }),
    ],
    untestable: untestable.condition,
  },
  'cohesion.plan-closed-condition': {
    question: 'What closes an annual plan, and what follows from it?',
    choice: 'An operator closes it, once; it cannot be opened again. Interventions and financings of the year stay as they are.',
    why: 'The document shows the event only.',
    alternatives: [
      owner('end-of-year', 'The end of the year closes it.', {
        notPlayed: 'The event is the same whatever causes it, and trigger sends it at any time.',
      }),
      owner('writes-refused', 'Writes to a closed year are refused.', { notPlayed: unplayed.records }),
    ],
    untestable: untestable.condition,
  },
  'cohesion.webhook-retries': webhookRetries({
    quote: conditions,
    end: 'Redirects are failures.',
    some: ['three', 'Three retries within minutes.'],
  }),
  'cohesion.webhook-timeouts': {
    quote: conditions,
    question: 'How long may a receiver take?',
    choice: '15 s for connecting, headers and body together (a setting); of the reply at most 16 KiB are kept.',
    why: 'One deadline that a slow receiver cannot stretch.',
    alternatives: [client('5-s', '5 s.'), client('30-s', '30 s.')],
    notPlayed: unplayed.attempts,
    untestable: untestable.overTime,
  },
  'cohesion.webhook-configuration': {
    question: 'What does a user configure of an endpoint, and which events does it get?',
    choice:
      'The user makes endpoints at /profile/v1: URL (https, public address), events wanted (all by default), structures wanted within the user’s perimeter (all of it by default). An endpoint counts once its receiver has accepted a signed test event, and gets the events of its user’s perimeter only. Signing in with a token needs all abilities to read. An operator can make endpoints for users, and of the gateway’s own, which get every event. A development setting allows loopback.',
    why: 'The document has users configure endpoints from their profile. A test shows that the receiver wants the events, and a leaked token of few abilities must not become an endpoint that is told everything.',
    alternatives: [
      client('every-event', 'An endpoint gets every event, whoever made it.', {
        notPlayed: 'It is how a stub treats an endpoint without an owner, which gets every event.',
      }),
      client('at-once', 'An endpoint counts at once.', {
        notPlayed: 'It is how a stub treats the endpoints of its options and of trigger, which count at once.',
      }),
      owner('any-token', 'Any token may configure endpoints.', {
        notPlayed: 'A profile is signed in to outside this API, and the endpoints that come of it are the same.',
      }),
    ],
    untestable: untestable.outside,
  },
  'cohesion.delivered-at': {
    question: 'Is delivered_at the time of the change or of the attempt?',
    choice:
      'Of the change: the body is fixed then, so that every retry is byte-identical. The attempt’s time is in webhook-timestamp.',
    why: 'A receiver that finds duplicates by the body, or checks a signature that it stored, needs the same bytes. So delivered_at is up to 76 hours old at the last retry, which its name does not suggest: a receiver that refuses old messages must look at webhook-timestamp.',
    alternatives: [owner('attempt', 'The time of each attempt.')],
    notPlayed: 'A stub changes the body of a webhook once, when its event is stored.',
    untestable: 'Any time has the same form.',
  },
  'cohesion.webhook-secret': {
    question: 'What exactly is the key of the signature?',
    choice:
      'The whole secret as shown when the endpoint is made, its prefix whsec_ included, as UTF-8. During a rotation X-SERVICE-Signature uses the old secret until the overlap ends.',
    why: '"Keyed with the webhook secret": a receiver should not have to decode anything.',
    alternatives: [owner('decoded-bytes', 'The bytes that the part after the prefix encodes.')],
    notPlayed: 'A stub changes the content of a webhook, and not the key that signs it.',
    untestable: 'A signature has the same form with any key.',
  },
  'cohesion.webhook-standard-headers': {
    question: 'Which headers does a delivery carry beside the signature?',
    choice: 'The Standard Webhooks headers webhook-id, webhook-timestamp and webhook-signature, with the same secret.',
    why: 'X-SERVICE-Signature alone protects neither against replay nor during a rotation; receivers may ignore them.',
    alternatives: [
      client('none', 'None.', { is: { at: 'envelope', message: unsigned((name) => standardHeaders.includes(name)) } }),
    ],
  },
  'cohesion.event-order': eventOrder,
  'cohesion.signature-hex': signatureHex(
    'The document says “hexadecimal”. Most libraries write it in lower case; receivers should compare the bytes, or both in lower case.',
  ),
});
