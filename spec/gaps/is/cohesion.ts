import { fieldsOf, type Json, type JsonReply } from '../../json.ts';
import { says, sentOtherwise, valuesIn } from './both.ts';
import { body, headers, limitHeaders, messageIn, STATUS_CODES } from './changes.ts';
import { both, type Condition, has, isError, isOperation, sent, succeeds, when } from './conditions.ts';
import type { Is, ReplyChange, RequestChange } from './is.ts';
import { everywhere, listOf, mappedValues, only, scaled, type ValueChange, withFields, without } from './values.ts';
import { isRequired, messageOf, notOneOf, ownWords, type WrongIn, wrong, wrongValue } from './wrong.ts';

/** What alternatives of social cohesion do. */

export const interventions = 'GET /interventions';
export const structures = 'GET /structures';
export const indicators = 'GET /indicateurs';
export const indicator = 'GET /indicateurs/{id}';
export const lists = [indicators, interventions, structures];
export const stats = 'GET /stats';
export const create = 'POST /financements';
export const update = 'PUT /financements/{id}';
export const writes = [create, update];

const pastTheLast: Condition = ({ query }, reply) => Number(query.page) > Number(fieldsOf(fieldsOf(reply.body).meta).last_page);
export const notFoundPastLast: ReplyChange = when(
  both(succeeds, isOperation(...lists), pastTheLast),
  ({ headers: sentHeaders }, { query }) => ({
    status: 404,
    headers: sentHeaders,
    body: { message: `There is no page ${query.page}.` },
  }),
);

const knowsNothing: Condition = (_, { body: held }) => {
  const { interventions: own, financements } = fieldsOf(fieldsOf(held).data);
  return fieldsOf(own).total === 0 && fieldsOf(financements).total === 0;
};

/** Without a year, the statistics are of the current one. */
export const statsOfKnownYears: Is = {
  at: 'subject',
  reply: when(
    both(succeeds, isOperation(stats), ({ query }) => query.annee !== undefined, knowsNothing),
    (reply, { query }) => {
      const message = `There are no statistics of ${query.annee}.`;
      return { ...reply, status: 404, body: { message, errors: { annee: [message] } } };
    },
  ),
};

/** The nearest number within bounds; anything but a whole number stays as it is. */
const cut = (value: string, least: number, most: number) =>
  /^-?\d+$/.test(value) ? String(Math.min(Math.max(Number(value), least), most)) : value;

export const cutPages: RequestChange = ({ query }) => ({
  query: {
    ...query,
    ...(query.per_page !== undefined && { per_page: cut(query.per_page, 1, 100) }),
    ...(query.page !== undefined && { page: cut(query.page, 1, Number.MAX_SAFE_INTEGER) }),
  },
});

export const structureTypes = ['ong', 'ministere', 'partenaire', 'collectivite', 'association'];
export const interventionStatuses = ['approuve', 'en_cours', 'suspendu', 'termine'];

export const unknownType: WrongIn = ({ operation, query: { type = '' } }) =>
  operation !== structures || type === '' || structureTypes.includes(type) ? [] : notOneOf('type', structureTypes);

/** Which filter gives nothing cannot be told, so each unknown value is named. */
const unknownFilters: WrongIn = (asked) => {
  const { region = '', statut = '' } = asked.query;
  return [
    ...(region === '' ? [] : wrongValue('region', 'must be a known region')),
    ...unknownType(asked),
    ...(['', 'brouillon', ...interventionStatuses].includes(statut) ? [] : notOneOf('statut', interventionStatuses)),
  ];
};

const isEmpty: Condition = (_, reply) => {
  const { data: held } = fieldsOf(reply.body);
  return Array.isArray(held) && held.length === 0;
};

/** Whether a value is known shows in what it finds. */
export const unknownFiltersRefused: ReplyChange = when(
  both(succeeds, isOperation(interventions, structures), isEmpty),
  (reply, asked) => {
    const details = unknownFilters(asked);
    if (details.length === 0) return reply;
    const errors = Object.fromEntries(details.map(({ field, message }) => [field, [message]]));
    return { ...reply, status: 422, body: { message: messageOf(details), errors } };
  },
);

const errorsOf = ({ body: held }: JsonReply) => fieldsOf(fieldsOf(held).errors);
const namesNoStructure: Condition = (_, reply) =>
  listOf(errorsOf(reply).structure_id).some((message) => String(message).startsWith('There is no active structure'));

/** Rule 1 of the document has 403 for what lies outside a perimeter, so this is for a token that covers every structure. */
export const saysOfUnknownStructure = (code: number): Is => says(code, has(422), isOperation(...writes), namesNoStructure);

export const isTextBody: Condition = ({ operation, body }) => writes.includes(operation) && typeof body === 'string';

export const laravelLimits: ReplyChange = headers(
  ({ 'ratelimit-limit': limit, 'ratelimit-remaining': left = '', ...others }) => ({
    ...without(others, ...limitHeaders),
    ...(limit !== undefined && { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': left }),
  }),
);

/** Such as `unprocessable_entity`. */
const codeOf = ({ status: code }: JsonReply) => (STATUS_CODES[code] ?? 'error').toLowerCase().replace(/\W+/g, '_');

export const errorObject: ReplyChange = when(isError, (reply) => ({
  ...reply,
  body: { error: { code: codeOf(reply), message: messageIn(reply.body) } },
}));

const required = ['structure_id', 'exercice', 'bailleur', 'type', 'intitule', 'montant', 'statut'];
export const missingFields: WrongIn = (asked) => isRequired(...required.filter((field) => !(field in sent(asked))));

/** The fields of a financing that have an empty value. The others are numbers, a year, and closed lists of words. */
export const emptied: Is = {
  at: 'validation',
  request: ({ operation }) =>
    operation === update ? { afterValidation: (fields) => ({ bailleur: '', intitule: '', ...fields }) } : {},
};

export const byDefault = (field: string, value: unknown): Is =>
  sentOtherwise(create, (fields) => (fields[field] === undefined ? { [field]: value } : undefined));

export interface FinancingValues {
  field: 'type' | 'statut';
  takes(value: string): boolean;
  /** What refusals say of another value. */
  known: string;
}

const oneOf = (field: FinancingValues['field'], ...words: string[]): FinancingValues => ({
  field,
  takes: (value) => words.includes(value),
  known: `must be one of ${words.join(', ')}`,
});

/** The service's own values under alternatives. A stub takes them in the data that tests give it, too. */
export const financingValues = {
  'cohesion.financing-types=any-text': {
    field: 'type',
    takes: (value: string) => value.trim() !== '' && value.length <= 200,
    known: 'must be a text of 1 to 200 characters',
  },
  'cohesion.financing-types=kinds': oneOf('type', 'bailleur', 'don', 'pret', 'subvention'),
  'cohesion.financing-statuses=further': oneOf('statut', 'promis', 'obtenu', 'decaisse', 'annule', 'en_cours', 'cloture'),
} satisfies Record<string, FinancingValues>;

const standIns = { type: 'bailleur', statut: 'promis' };

export const ownValues = (name: keyof typeof financingValues): Is => {
  const { field, takes, known }: FinancingValues = financingValues[name];
  const refusal = (value: string) => (takes(value) ? undefined : wrong(422, wrongValue(field, known)));
  return ownWords(writes, field, standIns[field], refusal);
};

/** The words for the reference's alert states, whose thresholds stay the same: so `/stats` counts as the rows say. */
export const alertStates = (words: Readonly<Record<string, string>>): Is =>
  valuesIn([indicators, indicator], everywhere(['alert_state'], mappedValues(words)));

export const rateAsFraction = valuesIn(
  [indicators, indicator, stats],
  everywhere(['taux_atteinte', 'taux_atteinte_moyen'], scaled(0.01)),
);

export const nullWithoutTarget = withFields(({ cible_annuelle, taux_atteinte }) => ({
  taux_atteinte: cible_annuelle === 0 ? null : taux_atteinte,
}));

export const structureAsObject = (record: unknown): Json => {
  const { structure_id: id, ...others } = fieldsOf(record);
  return { ...others, structure: { id } };
};

/** What one unit is worth in XOF. The euro has a fixed rate. The others are round figures of ours, which no reply shows. */
const rates: Readonly<Record<string, number>> = { XOF: 1, EUR: 655.957, USD: 600, GBP: 780, CHF: 690 };

const inFrancs = ({ devise, montant }: Json) => scaled(rates[String(devise)] ?? 100)(montant) as number;

/** Adds up the sums of a status in all currencies, in whole francs. */
const inOneCurrency = (sums: readonly Json[]): Json[] =>
  [...Map.groupBy(sums, ({ statut }) => statut)].map(([statut, own]) => ({
    statut,
    nombre: own.reduce((total, { nombre }) => total + Number(nombre), 0),
    montant: Math.round(own.reduce((total, one) => total + inFrancs(one), 0)),
  }));

export const sumsInOneCurrency = withFields(({ financements }) => ({
  financements: withFields(({ par_statut }) => ({ par_statut: inOneCurrency(listOf(par_statut).map(fieldsOf)) }))(financements),
}));

export const someUser = { id: 99, name: 'Issa Traoré' };

/** The document shows the payload of intervention.validated only. */
export const undocumented: readonly string[] = [
  ...['intervention.terminated', 'intervention.suspended', 'indicator.alert', 'plan.closed', 'rapport.ready'],
];

export const onlySent: ValueChange = (record, asked) => only(...Object.keys(asked ? sent(asked) : {}))(record);

export const withoutPageLength: RequestChange = ({ operation, query: { per_page: _perPage, ...query } }) =>
  operation === structures ? { query } : {};

export const noLastPage: ReplyChange = when(
  (_, reply) => fieldsOf(fieldsOf(reply.body).meta).total === 0,
  body(withFields(({ meta }) => ({ meta: withFields({ last_page: 0 })(meta) }))),
);
