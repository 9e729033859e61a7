import { type Alternative, type Asked, alternativesOf, type JsonReply, type ReplyChange } from './alternative.ts';
import { body, headers, limitHeaders, problemDetails, sequence, status, withoutHeaders } from './changes.ts';
import { both, type Condition, has, isError, isOperation, sent, succeeds, when } from './conditions.ts';
import { fieldsOf, without } from './values.ts';

/** Alternatives for the refusals of social cohesion: accepted, added or different refusals. */

const lists = ['GET /indicateurs', 'GET /interventions', 'GET /structures'];
const create = 'POST /financements';
const update = 'PUT /financements/{id}';

/** Turns a refusal into a success. */
const accepted: ReplyChange = ({ headers: before }, { operation }) => ({
  status: operation === create ? 201 : 200,
  headers: before,
  body: lists.includes(operation) ? { data: [], meta: { page: 1, per_page: 25, total: 0, last_page: 1 } } : { data: {} },
});

/** Turns a success into a refusal. */
const refused =
  (code: number): ReplyChange =>
  (reply) => ({ status: code, headers: reply.headers, body: { message: 'The request cannot be processed.' } });

const errorsOf = ({ body: held }: JsonReply) => fieldsOf(fieldsOf(held).errors);

const writes = isOperation(create, update);
const names =
  (...fields: string[]): Condition =>
  (_, reply) =>
    reply.status === 422 && fields.some((field) => field in errorsOf(reply));
const lacks =
  (field: string): Condition =>
  (asked) =>
    sent(asked)[field] === undefined;
const unknownField: Condition = (_, reply) =>
  Object.values(errorsOf(reply))
    .flat()
    .some((message) => String(message).startsWith('is not a field of this request'));

const accept = (...conditions: Condition[]) => ({ reply: when(both(isError, ...conditions), accepted) });
const refuse = (code: number, ...conditions: Condition[]) => ({ reply: when(both(succeeds, ...conditions), refused(code)) });
const say = (code: number, ...conditions: Condition[]) => ({ reply: when(both(isError, ...conditions), status(code)) });

const required = ['structure_id', 'exercice', 'bailleur', 'type', 'intitule', 'montant', 'statut'];
const goesBack: Condition = (asked) => {
  const forward = ['promis', 'obtenu', 'decaisse'];
  return (
    typeof sent(asked).statut === 'string' && forward.indexOf(String(sent(asked).statut)) < forward.indexOf(statusBefore(asked))
  );
};
const statusBefore = ({ states }: Asked) => String(states.find(({ name }) => name === 'a financing')?.params.statut ?? 'promis');

const financings = [
  ...alternativesOf('cohesion.financing-types', {
    'Any text.': accept(writes, names('type'), (asked) => typeof sent(asked).type === 'string'),
    'Kinds of financing: don, pret, subvention.': accept(writes, names('type'), (asked) =>
      ['don', 'pret', 'subvention'].includes(String(sent(asked).type)),
    ),
  }),
  ...alternativesOf('cohesion.devise-sent', {
    'No: a body with devise is refused.': refuse(422, writes, (asked) => 'devise' in sent(asked)),
    'It is ignored.': accept(writes, names('devise')),
  }),
  ...alternativesOf('cohesion.financing-statuses', {
    'promis and obtenu only.': refuse(422, writes, (asked) => ['decaisse', 'annule'].includes(String(sent(asked).statut))),
    'Further values: en_cours, cloture.': accept(writes, names('statut'), (asked) =>
      ['en_cours', 'cloture'].includes(String(sent(asked).statut)),
    ),
  }),
  ...alternativesOf('cohesion.financing-create-required', {
    'statut is optional and starts as promis.': accept(isOperation(create), names('statut'), lacks('statut')),
    'type is optional.': accept(isOperation(create), names('type'), lacks('type')),
  }),
  ...alternativesOf('cohesion.financing-update-required', {
    'All fields of create.': refuse(422, isOperation(update), (asked) => required.some((field) => !(field in sent(asked)))),
  }),
  ...alternativesOf('cohesion.financing-bounds', {
    'montant must be more than 0.': refuse(422, writes, (asked) => sent(asked).montant === 0),
  }),
  ...alternativesOf('cohesion.strict-bodies', {
    'Surplus fields are ignored, as Laravel does.': accept(writes, unknownField),
  }),
  ...alternativesOf('cohesion.financing-moves', {
    'Forward only: promis, obtenu, decaisse.': refuse(422, isOperation(update), goesBack),
    'annule is final.': refuse(
      422,
      isOperation(update),
      (asked) => statusBefore(asked) === 'annule' && sent(asked).statut !== 'annule',
    ),
  }),
  // Only structures from a state exist.
  ...alternativesOf('cohesion.unknown-structure', {
    '422 in both cases.': say(422, has(403), writes, namesNoStructure),
    '404.': say(404, has(403), writes, namesNoStructure),
  }),
];

/** States that cause a 403 themselves. */
const otherwiseForbidden = [
  'an access token of an inactive user',
  'an access token without the ability',
  'a financing outside the perimeter',
];

function namesNoStructure(asked: Asked): boolean {
  const { states, fromStates } = asked;
  if (states.some(({ name }) => otherwiseForbidden.includes(name))) return false;
  return typeof sent(asked).structure_id === 'number' && !fromStates.includes('$.structure_id');
}

const isEmpty: Condition = (_, reply) => {
  const { data } = fieldsOf(reply.body);
  return Array.isArray(data) && data.length === 0;
};
const filtersBy =
  (name: string, ...known: string[]): Condition =>
  ({ query }) =>
    (query[name] ?? '') !== '' && !known.includes(query[name] ?? '');
const pastTheLast: Condition = ({ query }, reply) => Number(query.page) > Number(fieldsOf(fieldsOf(reply.body).meta).last_page);
const asksStructureType = filtersBy('type', 'ong', 'ministere', 'partenaire', 'collectivite', 'association');
const asksUnknown: Condition = (asked, reply) =>
  filtersBy('region')(asked, reply) ||
  (asked.operation === 'GET /structures' && asksStructureType(asked, reply)) ||
  filtersBy('statut', 'en_cours', 'suspendu', 'termine', 'approuve', 'brouillon')(asked, reply);

const reading = [
  ...alternativesOf('cohesion.page-parameter', {
    'A cursor.': refuse(422, isOperation(...lists), ({ query }) => query.page !== undefined),
    '404 after the last page.': refuse(404, isOperation(...lists), pastTheLast),
  }),
  ...alternativesOf('cohesion.per-page-bounds', {
    'It is cut to the nearest bound.': accept(isOperation(...lists), names('per_page', 'page')),
  }),
  ...alternativesOf('cohesion.kpi-values', {
    '0 is refused.': refuse(422, isOperation('GET /indicateurs'), ({ query }) => query.kpi === '0'),
  }),
  ...alternativesOf('cohesion.open-filters', {
    '422.': refuse(422, isOperation('GET /interventions', 'GET /structures'), isEmpty, asksUnknown),
  }),
  ...alternativesOf('cohesion.structure-types', {
    '422 for an unknown type.': refuse(422, isOperation('GET /structures'), asksStructureType),
  }),
  ...alternativesOf('cohesion.hidden-records', {
    '422 for statut=brouillon.': refuse(422, isOperation('GET /interventions'), ({ query }) => query.statut === 'brouillon'),
  }),
  ...alternativesOf('cohesion.strict-queries', {
    'They are ignored, as Laravel does.': accept(({ operation }) => operation.startsWith('GET'), unknownField),
  }),
];

const wantsJson = ({ headers: asked }: Asked) => /^$|json|\*\/\*/.test(asked.accept ?? '');
const laravelLimits: ReplyChange = headers((before) => ({
  ...(without(before, ...limitHeaders) as Record<string, string>),
  ...('ratelimit-limit' in before
    ? { 'x-ratelimit-limit': before['ratelimit-limit'] ?? '', 'x-ratelimit-remaining': before['ratelimit-remaining'] ?? '' }
    : {}),
}));

const statuses = [
  ...alternativesOf('cohesion.accept-header', {
    '406.': refuse(406, (asked) => !wantsJson(asked)),
    '422.': say(422, has(415)),
  }),
  ...alternativesOf('cohesion.unknown-method', {
    '405 with the header Allow, as Laravel does.': {
      reply: when(
        both(has(404), (_, { body: held }) => String(fieldsOf(held).message).includes('This path takes')),
        sequence(
          status(405),
          headers((before) => ({ ...before, allow: 'GET, HEAD' })),
        ),
      ),
    },
  }),
  ...alternativesOf('cohesion.malformed-json', {
    '400.': say(400, has(422), writes, (asked) => typeof asked.body === 'string'),
  }),
  // 429 is `cohesion.throttle-exceeded`.
  ...alternativesOf('cohesion.transport-statuses', { '422 in their place.': say(422, has(413, 415)) }),
  ...alternativesOf('cohesion.throttle-exceeded', {
    'Laravel’s headers X-RateLimit-Limit and X-RateLimit-Remaining.': { reply: laravelLimits },
    'Another status, such as 503, without these headers.': {
      reply: sequence(withoutHeaders(...limitHeaders), when(has(429), sequence(status(503), withoutHeaders('retry-after')))),
    },
  }),
  ...alternativesOf('cohesion.body-size', { 'No limit.': accept(has(413)) }),
  ...alternativesOf('cohesion.error-body', {
    '{ "error": { "code", "message" } }': {
      reply: when(
        isError,
        body((held) => ({ error: { code: 'refused', message: fieldsOf(held).message } })),
      ),
    },
    'RFC 9457 problem details.': { reply: when(isError, problemDetails) },
  }),
];

export const cohesionRefusals: Alternative[] = [...financings, ...reading, ...statuses];
