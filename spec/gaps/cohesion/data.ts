import { client, owner, section, unplayed, untestable } from '../gap.ts';
import { bare, ignoresUnknownFields, payloadOf, recordOf, sentOtherwise } from '../is/both.ts';
import {
  alertStates,
  byDefault,
  emptied,
  indicator,
  indicators,
  interventions,
  missingFields,
  nullWithoutTarget,
  ownValues,
  rateAsFraction,
  someUser,
  stats,
  structureAsObject,
  structures,
  sumsInOneCurrency,
  unknownType,
  update,
  writes,
} from '../is/cohesion.ts';
import { sent } from '../is/conditions.ts';
import { otherNames, renamed, withFields } from '../is/values.ts';
import { notAField, notOneOf, refuses, wrongValue } from '../is/wrong.ts';

const required = 'Which financing fields are required on create and on update: not shown.';

const resources = section('cohesion', '2. Resources and their fields', {
  'cohesion.alert-states': {
    quote: 'the sample value is "none"; the other values: not shown',
    question: 'Which values does alert_state have?',
    choice: 'none, under and over.',
    why: 'indicator.alert speaks of "under or over performance".',
    alternatives: [
      owner('degrees', 'Degrees: none, warning, critical.', { is: alertStates({ under: 'warning', over: 'critical' }) }),
      owner('performance', 'under_performance and over_performance.', {
        is: alertStates({ under: 'under_performance', over: 'over_performance' }),
      }),
    ],
  },
  'cohesion.attainment-rate': {
    question: 'How is taux_atteinte computed?',
    choice: 'valeur_courante / cible_annuelle x 100, rounded to 2 digits after the point; 0 where the target is 0.',
    why: 'A rate of attainment is read as a percentage; a number must come also where nothing was aimed at.',
    alternatives: [
      owner('fraction', 'A fraction, 0 to 1.', { is: rateAsFraction }),
      client('null-without-target', 'null where the target is 0.', { is: recordOf([indicators, indicator], nullWithoutTarget) }),
    ],
    severalAtOnce: true,
  },
  'cohesion.financing-types': {
    quote: 'the sample value is "bailleur"; the allowed values: not shown',
    question: 'Which values may a financing’s type have?',
    choice: 'etat, bailleur, collectivite, partenaire and prive.',
    why: 'The kinds of funders that such programmes have; "bailleur" is the sample.',
    alternatives: [
      client('any-text', 'Any text.', { is: ownValues('cohesion.financing-types=any-text') }),
      owner('kinds', 'Kinds of financing: don, pret, subvention.', {
        requestsDiffer: true,
        is: ownValues('cohesion.financing-types=kinds'),
      }),
    ],
    untestable: untestable.asked,
  },
  'cohesion.devise-sent': {
    quote: 'currency code, present in responses; whether it can be sent: not shown',
    question: 'Can devise be sent?',
    choice: 'Yes, optionally: three capital letters, as in ISO 4217; XOF where it is not sent.',
    why: 'External funders pay in euros and dollars too; clients that send only the fields listed keep working.',
    alternatives: [
      client('refused', 'No: a body with devise is refused.', {
        is: refuses(422, writes, (asked) => ('devise' in sent(asked) ? notAField('devise') : [])),
      }),
      client('ignored', 'It is ignored.', { is: sentOtherwise(writes, () => ({ devise: undefined })) }),
      owner('other-default', 'Another currency than XOF where it is not sent.', { is: byDefault('devise', 'EUR') }),
    ],
    severalAtOnce: true,
  },
  'cohesion.financing-statuses': {
    quote: 'sample values are promis and obtenu; the full list of values: not shown',
    question: 'Which values may a financing’s statut have?',
    choice: 'promis, obtenu, decaisse and annule.',
    why: 'After promise and grant, money is paid out or the promise falls through.',
    alternatives: [
      client('two-only', 'promis and obtenu only.', {
        is: refuses(422, writes, (asked) =>
          /^(decaisse|annule)$/.test(String(sent(asked).statut)) ? notOneOf('statut', ['promis', 'obtenu']) : [],
        ),
      }),
      client('further', 'Further values: en_cours, cloture.', { is: ownValues('cohesion.financing-statuses=further') }),
    ],
    untestable: untestable.asked,
    severalAtOnce: true,
  },
  'cohesion.financing-create-required': {
    quote: required,
    question: 'Which fields does POST need?',
    choice:
      'structure_id, exercice, bailleur, type, intitule, montant and statut: all that the document lists for its body; devise is optional.',
    why: 'Each is a fact about the financing for which there is no sensible default.',
    alternatives: [
      client('statut-optional', 'statut is optional and starts as promis.', { is: byDefault('statut', 'promis') }),
      client('type-optional', 'type is optional.', { is: byDefault('type', 'bailleur') }),
    ],
    untestable: untestable.asked,
    severalAtOnce: true,
  },
  'cohesion.financing-update-required': {
    quote: required,
    question: 'Which fields does PUT need?',
    choice: 'Any, at least one; fields that are not sent stay as they are.',
    why: 'A client that sends all of them gets what it expects from a PUT; one that only moves the statut need not know the rest.',
    alternatives: [
      client('all-fields', 'All fields of create.', { is: refuses(422, update, missingFields) }),
      client('emptied', 'Fields not sent are emptied.', { is: emptied }),
    ],
  },
  'cohesion.financing-bounds': {
    question: 'Which numbers may a financing have?',
    choice: 'montant from 0 to 1e15 with at most 2 digits after the point; exercice from 1900 to 2100.',
    why: 'Amounts of money, exact as JSON numbers; years that are years.',
    alternatives: [
      client('montant-above-zero', 'montant must be more than 0.', {
        is: refuses(422, writes, (asked) => (sent(asked).montant === 0 ? wrongValue('montant', 'must be more than 0') : [])),
      }),
      owner('open-year-only', 'exercice must be the current year or a year with an open plan.', { notPlayed: unplayed.records }),
    ],
    untestable: 'No answer shows which years have an open plan.',
    severalAtOnce: true,
  },
  'cohesion.intervention-fields': {
    quote: 'Fields of an intervention record: not shown.',
    question: 'Which fields does an intervention have?',
    choice:
      'id, reference, intitule, statut, structure_id, region, annee, date_debut, date_fin, budget (the last three may be null).',
    why: 'The fields of intervention.validated and of the list’s filters, and what a dashboard draws: dates and budget.',
    alternatives: [
      owner('structure-object', 'The structure as an object.', { is: recordOf(interventions, structureAsObject) }),
      client('further', 'Descriptions, places, beneficiaries.', {
        is: recordOf(interventions, withFields({ description: null, lieu: null, beneficiaires: null })),
      }),
      owner('other-names', 'Other names for its fields.', { is: recordOf(interventions, otherNames) }),
    ],
  },
  'cohesion.structure-fields': {
    quote: 'Fields of a structure record: not shown.',
    question: 'Which fields does a structure have?',
    choice: 'id, nom, sigle (may be null), type, region.',
    why: 'The filters (type, region, q in the name) need them; partners are known by their initials.',
    alternatives: [
      owner('intitule', 'intitule instead of nom.', { is: recordOf(structures, renamed('nom', 'intitule')) }),
      client('contacts', 'Addresses and contacts.', { is: recordOf(structures, withFields({ adresse: null, contacts: [] })) }),
      owner('other-names', 'Other names for its fields.', { is: recordOf(structures, otherNames) }),
    ],
  },
  'cohesion.structure-types': {
    question: 'Which types of structure are there beside the examples ong, ministere and partenaire?',
    choice: 'collectivite and association too; a filter by any other text gives an empty list.',
    why: 'The document gives examples only, so a type that is not known here is not a mistake of the caller.',
    alternatives: [
      client('three-only', 'Only the three examples.', {
        notPlayed: 'A client that takes any type takes these three, and a test can give its structures only these.',
      }),
      client('422', '422 for an unknown type.', { is: refuses(422, structures, unknownType) }),
    ],
  },
  'cohesion.stats-fields': {
    quote: 'Fields of the statistics response: not shown.',
    question: 'Which fields do the statistics have?',
    choice:
      'data: annee; interventions (total, par_statut); indicateurs (total, par_type, kpi, en_alerte, taux_atteinte_moyen); structures (total, par_type); financements (total, par_statut with statut, devise, nombre, montant). Drafts and inactive records are not counted. Interventions and financings are those of the year; indicators and structures are as they are now.',
    why: 'One figure for each thing that the API lists; amounts in different currencies are never added up.',
    alternatives: [
      client('by-region', 'Breakdowns by region.', {
        notPlayed: 'A reader that ignores fields it does not know gets the same statistics.',
      }),
      owner('one-currency', 'Amounts converted to one currency.', { is: recordOf(stats, sumsInOneCurrency) }),
      owner('other-names', 'Other names for its fields.', { is: recordOf(stats, otherNames) }),
      client('bare', 'The bare record.', { is: bare(stats) }),
    ],
  },
  'cohesion.user-roles': {
    question: 'Which roles do users have?',
    choice: 'admin, gestionnaire and lecteur. A role does not limit a token: its abilities and perimeter do.',
    why: 'user.role is a string without values; permissions are said to be the token’s own.',
    alternatives: [
      owner('narrows-abilities', 'A role narrows the abilities that a token may hold.', { notPlayed: unplayed.records }),
      owner('other-roles', 'Other roles, such as editor and viewer.', {
        is: recordOf(
          'GET /me',
          withFields(({ user }) => ({ user: withFields({ role: 'editor' })(user) })),
        ),
      }),
    ],
  },
  'cohesion.strict-bodies': {
    question: 'May a body carry fields that the document does not show?',
    choice: 'No: 422, naming the field.',
    why: 'On an update a misspelt field would be lost in silence; a test harness should find it.',
    alternatives: [client('ignored', 'Surplus fields are ignored, as Laravel does.', { is: ignoresUnknownFields })],
  },
});

const moves = section('cohesion', '3. States and transitions', {
  'cohesion.validation-source': {
    quote: '(source state not shown)',
    question: 'From which states can an intervention be validated?',
    choice: 'From en_cours and from termine.',
    why: 'What was carried out is approved, sometimes while it still runs; a draft or a suspended one is not.',
    alternatives: [
      owner('termine-only', 'From termine only.', { notPlayed: unplayed.operators }),
      owner('own-state', 'From a state of its own, such as soumis.', {
        notPlayed: 'A client sees a further status, as under cohesion.intervention-statuses=further, and the same event.',
      }),
    ],
    untestable: untestable.outside,
  },
  'cohesion.intervention-transitions': {
    quote: 'Transitions other than validation: not shown.',
    question: 'Which other moves does an intervention have?',
    choice:
      'publish: brouillon to en_cours; suspend: en_cours to suspendu; resume: suspendu to en_cours; terminate: en_cours or suspendu to termine. approuve is final.',
    why: 'The events intervention.suspended and intervention.terminated need such moves, and what is suspended must be able to go on.',
    alternatives: [
      client('terminate-approuve', 'terminate also from approuve.', { notPlayed: unplayed.operators }),
      client('back-to-brouillon', 'A refusal that sends back to brouillon.', {
        notPlayed:
          'The move causes no event, and a draft is not listed, so a client only misses a row, as with any draft of its fixtures.',
      }),
    ],
    untestable: untestable.outside,
  },
  'cohesion.intervention-statuses': {
    quote: 'Complete list of intervention statuses: not shown beyond the three named.',
    question: 'Which statuses are there beside en_cours, termine and approuve?',
    choice: 'brouillon (hidden) and suspendu.',
    why: 'Drafts are spoken of, and so is suspension; nothing else is.',
    alternatives: [client('further', 'planifie, soumis, rejete, annule.')],
    notPlayed: unplayed.stored,
  },
  'cohesion.financing-moves': {
    quote: 'Which financing status moves are allowed: not shown.',
    question: 'Which moves of a financing’s statut are allowed?',
    choice: 'Any, to any of the four values.',
    why: 'The table says "any financing status" and "status given in the body".',
    alternatives: [owner('forward-only', 'Forward only: promis, obtenu, decaisse.'), owner('annule-final', 'annule is final.')],
    notPlayed: unplayed.records,
  },
  'cohesion.back-office': {
    question: 'How do users, structures, interventions, indicators, plans and reports come about and move?',
    choice:
      'Through the manage API (/manage/v1/cohesion), by an operator; a move that is not legal is refused and says which are.',
    why: 'The document shows no operation for them, yet its six events must come from real changes.',
    alternatives: [owner('in-this-api', 'Operations of this API that the document does not show.')],
    notPlayed: 'No client can call operations whose paths and bodies nobody knows.',
  },
  'cohesion.validated-by': {
    question: 'Who is validated_by?',
    choice: 'The user whom the operator names; by default the first active user with the role admin.',
    why: 'The payload needs a user, and the move is made outside of this API.',
    alternatives: [
      client('token-user', 'The user of a token.', {
        is: payloadOf('intervention.validated', (data) => ({ ...data, validated_by: someUser })),
        notPlayed: 'The webhook names a user either way, and a receiver cannot know how the service chose one.',
      }),
    ],
  },
});

/** Social cohesion: fields and states of records (sections 2 and 3). */
export const cohesionData = [...resources, ...moves];
