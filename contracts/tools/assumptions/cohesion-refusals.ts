import { STATUS_CODES } from 'node:http';
import { fieldsOf, type JsonReply } from '../json.ts';
import { type Alternative, type Asked, alternativesOf, type ReplyChange } from './alternative.ts';
import { allowing, headers, limitHeaders, messageIn, problemDetails, sequence, status, withoutHeaders } from './changes.ts';
import { both, type Condition, has, isError, isOperation, sent, succeeds, wantsJson, when } from './conditions.ts';
import { listOf, without } from './values.ts';
import { isRequired, messageOf, notAField, notOneOf, type WrongIn, wrongValue } from './wrong.ts';

/** Alternatives for the refusals of social cohesion: accepted, added or different refusals. */

const lists = ['GET /indicateurs', 'GET /interventions', 'GET /structures'];
const create = 'POST /financements';
const update = 'PUT /financements/{id}';

/** Turns a success into a refusal. */
const refused =
  (code: number, wrongIn: WrongIn): ReplyChange =>
  (reply, asked) => {
    const details = wrongIn(asked);
    const errors = Object.fromEntries(details.map(({ field, message }) => [field, [message]]));
    return { status: code, headers: reply.headers, body: { message: messageOf(details), errors } };
  };

/** Turns a success into a refusal of the whole call. */
const refusedWith =
  (code: number, message: string): ReplyChange =>
  (reply) => ({ status: code, headers: reply.headers, body: { message } });

const errorsOf = ({ body: held }: JsonReply) => fieldsOf(fieldsOf(held).errors);

const writes = isOperation(create, update);
const namesNoStructure: Condition = (_, reply) =>
  listOf(errorsOf(reply).structure_id).some((message) => String(message).startsWith('There is no active structure'));
const refuse = (wrongIn: WrongIn, ...conditions: Condition[]) => ({
  reply: when(both(succeeds, ...conditions), refused(422, wrongIn)),
});
const say = (code: number, ...conditions: Condition[]) => ({ reply: when(both(isError, ...conditions), status(code)) });

const required = ['structure_id', 'exercice', 'bailleur', 'type', 'intitule', 'montant', 'statut'];
const missingIn = (asked: Asked) => required.filter((field) => !(field in sent(asked)));
const notAfter: WrongIn = (asked) => wrongValue('statut', `must not follow ${statusBefore(asked)}`);
const goesBack: Condition = (asked) => {
  const forward = ['promis', 'obtenu', 'decaisse'];
  return (
    typeof sent(asked).statut === 'string' && forward.indexOf(String(sent(asked).statut)) < forward.indexOf(statusBefore(asked))
  );
};
const statusBefore = ({ states }: Asked) => String(states.find(({ name }) => name === 'a financing')?.params.statut ?? 'promis');

const financings = [
  ...alternativesOf('cohesion.devise-sent', {
    refused: refuse(
      () => notAField('devise'),
      writes,
      (asked) => 'devise' in sent(asked),
    ),
  }),
  ...alternativesOf('cohesion.financing-statuses', {
    'two-only': refuse(
      () => notOneOf('statut', ['promis', 'obtenu']),
      writes,
      (asked) => ['decaisse', 'annule'].includes(String(sent(asked).statut)),
    ),
  }),

  ...alternativesOf('cohesion.financing-update-required', {
    'all-fields': refuse(
      (asked) => isRequired(...missingIn(asked)),
      isOperation(update),
      (asked) => missingIn(asked).length > 0,
    ),
  }),
  ...alternativesOf('cohesion.financing-bounds', {
    'montant-above-zero': refuse(
      () => wrongValue('montant', 'must be more than 0'),
      writes,
      (asked) => sent(asked).montant === 0,
    ),
  }),

  ...alternativesOf('cohesion.financing-moves', {
    'forward-only': refuse(notAfter, isOperation(update), goesBack),
    'annule-final': refuse(
      notAfter,
      isOperation(update),
      (asked) => statusBefore(asked) === 'annule' && sent(asked).statut !== 'annule',
    ),
  }),
  // Rule 1 of the document has 403 for what lies outside a perimeter, so these are for a token that covers every structure.
  ...alternativesOf('cohesion.unknown-structure', {
    '403': say(403, has(422), writes, namesNoStructure),
    '404': say(404, has(422), writes, namesNoStructure),
  }),
];

const isEmpty: Condition = (_, reply) => {
  const { data } = fieldsOf(reply.body);
  return Array.isArray(data) && data.length === 0;
};
const filtersBy =
  (name: string, ...known: string[]): Condition =>
  ({ query }) =>
    (query[name] ?? '') !== '' && !known.includes(query[name] ?? '');
const pastTheLast: Condition = ({ query }, reply) => Number(query.page) > Number(fieldsOf(fieldsOf(reply.body).meta).last_page);
const structureTypes = ['ong', 'ministere', 'partenaire', 'collectivite', 'association'];
const interventionStatuses = ['approuve', 'en_cours', 'suspendu', 'termine'];
const asksStructureType = filtersBy('type', ...structureTypes);
const asksUnknown: Condition = (asked, reply) =>
  filtersBy('region')(asked, reply) ||
  (asked.operation === 'GET /structures' && asksStructureType(asked, reply)) ||
  filtersBy('statut', ...interventionStatuses, 'brouillon')(asked, reply);
/** Which filter gives nothing cannot be told, so each unknown value is named. */
const unknownFilters: WrongIn = ({ operation, query }) => [
  ...(query.region ? wrongValue('region', 'must be a known region') : []),
  ...(operation === 'GET /structures' && query.type && !structureTypes.includes(query.type)
    ? notOneOf('type', structureTypes)
    : []),
  ...(query.statut && ![...interventionStatuses, 'brouillon'].includes(query.statut)
    ? notOneOf('statut', interventionStatuses)
    : []),
];

const reading = [
  ...alternativesOf('cohesion.page-parameter', {
    cursor: refuse(
      () => notAField('page'),
      isOperation(...lists),
      ({ query }) => query.page !== undefined,
    ),
    '404-past-last': {
      reply: when(both(succeeds, isOperation(...lists), pastTheLast), (reply, asked) =>
        refusedWith(404, `There is no page ${asked.query.page}.`)(reply, asked),
      ),
    },
  }),

  ...alternativesOf('cohesion.kpi-values', {
    '0-refused': refuse(
      () => wrongValue('kpi', 'must be true, false or 1'),
      isOperation('GET /indicateurs'),
      ({ query }) => query.kpi === '0',
    ),
  }),
  ...alternativesOf('cohesion.open-filters', {
    '422': refuse(unknownFilters, isOperation('GET /interventions', 'GET /structures'), isEmpty, asksUnknown),
  }),
  ...alternativesOf('cohesion.structure-types', {
    '422': refuse(() => notOneOf('type', structureTypes), isOperation('GET /structures'), asksStructureType),
  }),
  ...alternativesOf('cohesion.hidden-records', {
    '422': refuse(
      () => notOneOf('statut', interventionStatuses),
      isOperation('GET /interventions'),
      ({ query }) => query.statut === 'brouillon',
    ),
  }),
];

/** Such as `unprocessable_entity`. */
const codeOf = ({ status: code }: JsonReply) => (STATUS_CODES[code] ?? 'error').toLowerCase().replace(/\W+/g, '_');

const laravelLimits: ReplyChange = headers((before) => ({
  ...(without(before, ...limitHeaders) as Record<string, string>),
  ...('ratelimit-limit' in before
    ? { 'x-ratelimit-limit': before['ratelimit-limit'] ?? '', 'x-ratelimit-remaining': before['ratelimit-remaining'] ?? '' }
    : {}),
}));

const statuses = [
  ...alternativesOf('cohesion.accept-header', {
    '406': {
      reply: when(
        both(succeeds, (asked) => !wantsJson(asked)),
        refusedWith(406, 'Replies are JSON. Send Accept: application/json.'),
      ),
    },
    '422': say(422, has(415)),
  }),
  ...alternativesOf('cohesion.unknown-method', {
    '405': {
      reply: when(
        both(has(404), (_, { body: held }) => String(fieldsOf(held).message).includes('This path takes')),
        sequence(status(405), allowing),
      ),
    },
  }),
  ...alternativesOf('cohesion.malformed-json', {
    '400': say(400, has(422), writes, (asked) => typeof asked.body === 'string'),
  }),
  // 429 is `cohesion.throttle-exceeded`.
  ...alternativesOf('cohesion.transport-statuses', { '422': say(422, has(413, 415)) }),
  ...alternativesOf('cohesion.throttle-exceeded', {
    'laravel-headers': { reply: laravelLimits },
    '503': {
      reply: sequence(withoutHeaders(...limitHeaders), when(has(429), sequence(status(503), withoutHeaders('retry-after')))),
    },
  }),

  ...alternativesOf('cohesion.error-body', {
    'error-object': {
      reply: when(isError, (reply) => ({ ...reply, body: { error: { code: codeOf(reply), message: messageIn(reply.body) } } })),
    },
    'problem-details': { reply: when(isError, problemDetails) },
  }),
];

export const cohesionRefusals: Alternative[] = [...financings, ...reading, ...statuses];
