import { type Alternative, type Asked, type JsonReply, otherwise, type ReplyChange } from './alternative.ts';
import { body, headers, inTurn, limitHeaders, problemDetails, status, withoutHeaders } from './changes.ts';
import { asks, both, type Condition, has, isError, sent, succeeds, whenever } from './conditions.ts';
import { fieldsOf, without } from './values.ts';

/** Social cohesion: refusals that would not come, would come for other requests, or would look different. */

const lists = ['GET /indicateurs', 'GET /interventions', 'GET /structures'];
const create = 'POST /financements';
const update = 'PUT /financements/{id}';

/** What is refused now would be done. */
const accepted: ReplyChange = ({ headers: before }, { operation }) => ({
  status: operation === create ? 201 : 200,
  headers: before,
  body: lists.includes(operation) ? { data: [], meta: { page: 1, per_page: 25, total: 0, last_page: 1 } } : { data: {} },
});

/** What is done now would be refused. */
const refused =
  (code: number): ReplyChange =>
  (reply) => ({ status: code, headers: reply.headers, body: { message: 'What was asked cannot be done.' } });

const errorsOf = ({ body: held }: JsonReply) => fieldsOf(fieldsOf(held).errors);

const writes = asks(create, update);
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

const accept = (...conditions: Condition[]) => ({ reply: whenever(both(isError, ...conditions), accepted) });
const refuse = (code: number, ...conditions: Condition[]) => ({ reply: whenever(both(succeeds, ...conditions), refused(code)) });
const say = (code: number, ...conditions: Condition[]) => ({ reply: whenever(both(isError, ...conditions), status(code)) });

const required = ['structure_id', 'exercice', 'bailleur', 'type', 'intitule', 'montant', 'statut'];
const goesBack: Condition = (asked) => {
  const forward = ['promis', 'obtenu', 'decaisse'];
  return (
    typeof sent(asked).statut === 'string' && forward.indexOf(String(sent(asked).statut)) < forward.indexOf(statusBefore(asked))
  );
};
const statusBefore = ({ states }: Asked) => String(states.find(({ name }) => name === 'a financing')?.params.statut ?? 'promis');

const financings = [
  ...otherwise('cohesion.financing-types', {
    'Any text.': accept(writes, names('type'), (asked) => typeof sent(asked).type === 'string'),
    'Kinds of financing: don, pret, subvention.': accept(writes, names('type'), (asked) =>
      ['don', 'pret', 'subvention'].includes(String(sent(asked).type)),
    ),
  }),
  ...otherwise('cohesion.devise-sent', {
    'No: a body with devise is refused.': refuse(422, writes, (asked) => 'devise' in sent(asked)),
    'It is ignored.': accept(writes, names('devise')),
  }),
  ...otherwise('cohesion.financing-statuses', {
    'promis and obtenu only.': refuse(422, writes, (asked) => ['decaisse', 'annule'].includes(String(sent(asked).statut))),
    'Further values: en_cours, cloture.': accept(writes, names('statut'), (asked) =>
      ['en_cours', 'cloture'].includes(String(sent(asked).statut)),
    ),
  }),
  ...otherwise('cohesion.financing-create-required', {
    'statut is optional and starts as promis.': accept(asks(create), names('statut'), lacks('statut')),
    'type is optional.': accept(asks(create), names('type'), lacks('type')),
  }),
  ...otherwise('cohesion.financing-update-required', {
    'All fields of create.': refuse(422, asks(update), (asked) => required.some((field) => !(field in sent(asked)))),
  }),
  ...otherwise('cohesion.financing-bounds', {
    'montant must be more than 0.': refuse(422, writes, (asked) => sent(asked).montant === 0),
  }),
  ...otherwise('cohesion.strict-bodies', {
    'Surplus fields are ignored, as Laravel does.': accept(writes, unknownField),
  }),
  ...otherwise('cohesion.financing-moves', {
    'Forward only: promis, obtenu, decaisse.': refuse(422, asks(update), goesBack),
    'annule is final.': refuse(422, asks(update), (asked) => statusBefore(asked) === 'annule' && sent(asked).statut !== 'annule'),
  }),
  // A structure that a state gives exists; any other id is nobody's.
  ...otherwise('cohesion.unknown-structure', {
    '422 in both cases.': say(422, has(403), writes, namesNoStructure),
    '404.': say(404, has(403), writes, namesNoStructure),
  }),
];

/** States of which each is a reason for 403 by itself. */
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
  ...otherwise('cohesion.page-parameter', {
    'A cursor.': refuse(422, asks(...lists), ({ query }) => query.page !== undefined),
    '404 after the last page.': refuse(404, asks(...lists), pastTheLast),
  }),
  ...otherwise('cohesion.per-page-bounds', {
    'It is cut to the nearest bound.': accept(asks(...lists), names('per_page', 'page')),
  }),
  ...otherwise('cohesion.kpi-values', {
    '0 is refused.': refuse(422, asks('GET /indicateurs'), ({ query }) => query.kpi === '0'),
  }),
  ...otherwise('cohesion.open-filters', {
    '422.': refuse(422, asks('GET /interventions', 'GET /structures'), isEmpty, asksUnknown),
  }),
  ...otherwise('cohesion.structure-types', {
    '422 for an unknown type.': refuse(422, asks('GET /structures'), asksStructureType),
  }),
  ...otherwise('cohesion.hidden-records', {
    '422 for statut=brouillon.': refuse(422, asks('GET /interventions'), ({ query }) => query.statut === 'brouillon'),
  }),
  ...otherwise('cohesion.strict-queries', {
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
  ...otherwise('cohesion.accept-header', {
    '406.': refuse(406, (asked) => !wantsJson(asked)),
    '422.': say(422, has(415)),
  }),
  ...otherwise('cohesion.unknown-method', {
    '405 with the header Allow, as Laravel does.': {
      reply: whenever(
        both(has(404), (_, { body: held }) => String(fieldsOf(held).message).includes('This path takes')),
        inTurn(
          status(405),
          headers((before) => ({ ...before, allow: 'GET, HEAD' })),
        ),
      ),
    },
  }),
  ...otherwise('cohesion.malformed-json', {
    '400.': say(400, has(422), writes, (asked) => typeof asked.body === 'string'),
  }),
  // 429 is `cohesion.throttle-exceeded`.
  ...otherwise('cohesion.transport-statuses', { '422 in their place.': say(422, has(413, 415)) }),
  ...otherwise('cohesion.throttle-exceeded', {
    'Laravel’s headers X-RateLimit-Limit and X-RateLimit-Remaining.': { reply: laravelLimits },
    'Another status, such as 503, without these headers.': {
      reply: inTurn(withoutHeaders(...limitHeaders), whenever(has(429), inTurn(status(503), withoutHeaders('retry-after')))),
    },
  }),
  ...otherwise('cohesion.body-size', { 'No limit.': accept(has(413)) }),
  ...otherwise('cohesion.error-body', {
    '{ "error": { "code", "message" } }': {
      reply: whenever(
        isError,
        body((held) => ({ error: { code: 'refused', message: fieldsOf(held).message } })),
      ),
    },
    'RFC 9457 problem details.': { reply: whenever(isError, problemDetails) },
  }),
];

export const cohesionRefusals: Alternative[] = [...financings, ...reading, ...statuses];
