import { type Gap, section } from './gap.ts';

const putReply = 'Updated financing. Body: not shown.';
const writeStatuses = 'Successful response statuses of POST and PUT: not shown.';
const throttles = 'Throttle for reads, and behavior when a throttle is exceeded: not shown.';
const errorBodies = 'Body shape of errors, including validation detail: not shown.';

const endpoints = section('cohesion', '4. Endpoints', [
  {
    id: 'cohesion.indicator-detail',
    quote: 'Detail of one indicator. Body: not shown.',
    question: 'What does GET /api/v1/indicateurs/{id} answer?',
    choice: 'data: the indicator, with the fields of the list.',
    why: 'Section 2 shows one shape of an indicator.',
    alternatives: ['Further fields: a history of values, a description.', 'The bare record.'],
    status: 'assumed',
  },
  {
    id: 'cohesion.financing-create-status',
    quote: 'data: the created financing, with id and devise. Success status: not shown.',
    question: 'Which status does POST /api/v1/financements answer when it succeeds?',
    choice: '201.',
    why: 'It creates a record; Laravel answers so too.',
    alternatives: ['200.'],
    status: 'assumed',
  },
  {
    id: 'cohesion.financing-update-response',
    quote: putReply,
    question: 'What does PUT /api/v1/financements/{id} answer?',
    choice: 'data: the updated financing, in the shape that POST answers.',
    why: 'One shape for one record.',
    alternatives: ['No body.', 'Only the changed fields.'],
    status: 'assumed',
  },
  {
    id: 'cohesion.financing-update-status',
    quote: writeStatuses,
    question: 'Which status does PUT answer when it succeeds?',
    choice: '200 (and POST 201).',
    why: 'It answers with a body and creates nothing.',
    alternatives: ['204, without a body.'],
    status: 'assumed',
  },
  {
    id: 'cohesion.page-parameter',
    quote: '',
    question: 'How does one ask for another page?',
    choice: 'With the query parameter page, from 1 (the default). A page after the last is empty.',
    why: 'The meta block shows page, and it is Laravel’s name for it.',
    alternatives: ['A cursor.', '404 after the last page.'],
    status: 'assumed',
  },
  {
    id: 'cohesion.structures-per-page',
    quote: '',
    question: 'Does GET /api/v1/structures take per_page?',
    choice: 'Yes, as the other lists: 1 to 100, 25 by default.',
    why: 'Section 8 gives per_page "on paginated lists", and this list is one.',
    alternatives: ['No: always 25.'],
    status: 'assumed',
  },
  {
    id: 'cohesion.per-page-bounds',
    quote: '',
    question: 'What if per_page or page is out of bounds?',
    choice: '422, naming the parameter and its bounds.',
    why: 'A client that asks for 500 and silently gets 100 misses rows.',
    alternatives: ['It is cut to the nearest bound.'],
    status: 'assumed',
  },
  {
    id: 'cohesion.list-order',
    quote: '',
    question: 'In which order are lists?',
    choice: 'By id, rising.',
    why: 'An order that does not change while one turns the pages.',
    alternatives: ['Newest first.', 'By code, name or reference.'],
    status: 'assumed',
  },
  {
    id: 'cohesion.kpi-values',
    quote: '',
    question: 'Which values does kpi take?',
    choice: 'true and 1, false and 0; anything else is refused with 422.',
    why: 'The document shows true, false and 1; 0 is the other half of 1.',
    alternatives: ['0 is refused.'],
    status: 'assumed',
  },
  {
    id: 'cohesion.search',
    quote: '',
    question: 'How does q search?',
    choice:
      'For the text anywhere in the title (or name), whatever its case and accents; %, _ and quotes are plain characters. At most 200 characters; an empty q filters nothing.',
    why: 'Users type "sante" and mean "Santé".',
    alternatives: ['Whole words.', 'Exact accents.'],
    status: 'assumed',
  },
  {
    id: 'cohesion.open-filters',
    quote: '',
    question: 'What if statut, region or the type of a structure has a value that nobody knows?',
    choice: 'An empty list. Case and accents of region do not matter.',
    why: 'The document gives examples ("e.g."), not a closed list; the type of an indicator, which it closes, is refused with 422.',
    alternatives: ['422.'],
    status: 'assumed',
  },
  {
    id: 'cohesion.hidden-records',
    quote: '',
    question: 'What of drafts and inactive records that are asked for by status or id?',
    choice:
      'statut=brouillon gives an empty list; an inactive indicator gives 404; a financing for an inactive structure gives 422.',
    why: 'What is hidden must not show by another way.',
    alternatives: ['422 for statut=brouillon.'],
    status: 'assumed',
  },
  {
    id: 'cohesion.unknown-structure',
    quote: '',
    question: 'What if structure_id on a write names no structure at all?',
    choice:
      '403 where the perimeter of the token is a list, since the id lies outside it (rule 1); 422, errors.structure_id, where the token covers every structure.',
    why: 'Rule 1 holds for any id outside the perimeter, and so nothing shows which other ids exist. Inside, a wrong value is a validation failure.',
    alternatives: ['422 in both cases.', '404.'],
    status: 'assumed',
  },
  {
    id: 'cohesion.strict-queries',
    quote: '',
    question: 'What of query parameters that the document does not show?',
    choice: '422, naming the parameter and those that are known.',
    why: 'A misspelt filter would otherwise give the whole list in silence.',
    alternatives: ['They are ignored, as Laravel does.'],
    status: 'assumed',
  },
  {
    id: 'cohesion.accept-header',
    quote: '',
    question: 'What if Accept or Content-Type is missing or asks for something else?',
    choice: 'Replies are JSON whatever Accept says; a write with a body that is not declared as JSON gets 415.',
    why: 'The document says "should" for Accept, and "JSON only" for bodies.',
    alternatives: ['406.', '422.'],
    status: 'assumed',
  },
  {
    id: 'cohesion.unknown-method',
    quote: '',
    question: 'What is answered to a known path with another method?',
    choice: '404; the message says which methods the path takes.',
    why: 'The document does not list 405.',
    alternatives: ['405 with the header Allow, as Laravel does.'],
    status: 'assumed',
  },
]);

const authentication = section('cohesion', '5. Authentication', [
  {
    id: 'cohesion.token-lifetime',
    quote: 'Token lifetime and expiry: not shown.',
    question: 'How long does a token live?',
    choice: 'Until it is revoked, unless it was made with an expiry; then 401, saying when it expired.',
    why: 'Sanctum’s tokens do not expire by default.',
    alternatives: ['A fixed lifetime, such as a year.'],
    status: 'assumed',
  },
  {
    id: 'cohesion.perimeter',
    quote: 'How the perimeter of a token is defined: not shown.',
    question: 'What is the perimeter of a token?',
    choice:
      'A list of structures given when the token is made, or all of them. It limits writes only: reads show every structure’s records.',
    why: 'The document names the perimeter for writes only, and by structure_id.',
    alternatives: ['The structures of the token’s user, or of the user’s region.', 'It limits reads as well.'],
    status: 'assumed',
  },
  {
    id: 'cohesion.me-ability',
    quote: 'Ability needed by /me: not shown.',
    question: 'Which ability does /me need?',
    choice: 'None: any valid token of an active user.',
    why: 'The table says "none listed"; a client asks it to find out what its token may do.',
    alternatives: ['Any one of the five.'],
    status: 'assumed',
  },
  {
    id: 'cohesion.token-format',
    quote: '',
    question: 'What does a token look like?',
    choice: 'A number, a bar, then random characters (12|k3J...), shown once when it is made; clients should treat it as opaque.',
    why: 'It is the form of Laravel Sanctum, whose abilities the document has.',
    alternatives: ['Random characters only.', 'A JWT.'],
    status: 'assumed',
  },
  {
    id: 'cohesion.token-creation',
    quote: '',
    question: 'Where does the user create a token, if there is no profile page here?',
    choice:
      'An operator creates and revokes it for the user in the manage API. A revoked token gives 401 from the next call (on other gateways of the same installation within 5 seconds).',
    why: 'The gateway stands in front of the API, not of the users’ profile.',
    alternatives: ['A profile page.'],
    status: 'assumed',
  },
  {
    id: 'cohesion.token-last-used',
    quote: '',
    question: 'Which calls are recorded on the token, and what does /me show of them?',
    choice:
      'Each call with a valid token, also one refused with 403, 404, 422 or 429; /me shows the time of that very call. It is written within a second.',
    why: '"Each call records last_used_at and the caller IP on the token"; a refused call is one, and the one that an owner wants to see.',
    alternatives: ['Successful calls only.', '/me shows the call before.'],
    status: 'assumed',
  },
]);

const errorsAndLimits = [
  ...section('cohesion', '7. Errors', [
    {
      id: 'cohesion.error-body',
      quote: errorBodies,
      question: 'What does an error’s body look like?',
      choice: '{ "message": "...", "errors": { "field": ["..."] } }; errors is there only where fields are named.',
      why: 'Tokens, abilities, 422 and the pagination block are those of Laravel, whose error bodies look so.',
      alternatives: ['{ "error": { "code", "message" } }', 'RFC 9457 problem details.'],
      status: 'assumed',
    },
    {
      id: 'cohesion.malformed-json',
      quote: '',
      question: 'Which status does a body that is not JSON get?',
      choice: '422, as any other body that cannot be used.',
      why: 'The document does not list 400.',
      alternatives: ['400.'],
      status: 'assumed',
    },
    {
      id: 'cohesion.transport-statuses',
      quote: '',
      question: 'Which statuses does the gateway add to those listed?',
      choice: '413 (body too large), 415 (not JSON), 429 (limit), 503 (store not reachable) and 500 (our fault).',
      why: 'They belong to transport and limits, and HTTP clients know what to do about each.',
      alternatives: ['422 in their place.'],
      status: 'assumed',
    },
  ]),
  ...section('cohesion', '8. Limits', [
    {
      id: 'cohesion.read-throttle',
      quote: throttles,
      question: 'Is there a throttle for reads?',
      choice: 'None by default; a setting can put a limit on any operation.',
      why: 'The document calls the write throttle "dedicated" and shows no figure for reads.',
      alternatives: ['60 requests per minute, Laravel’s usual figure.'],
      status: 'assumed',
    },
    {
      id: 'cohesion.throttle-exceeded',
      quote: throttles,
      question: 'What happens when the throttle is exceeded?',
      choice:
        '429 with Retry-After (seconds) and RateLimit-Limit, -Remaining, -Reset, and the body of an error; nothing is written. Limited replies carry the RateLimit headers too.',
      why: 'The usual status and headers (RFC 6585, draft-ietf-httpapi-ratelimit-headers).',
      alternatives: [
        'Laravel’s headers X-RateLimit-Limit and X-RateLimit-Remaining.',
        'Another status, such as 503, without these headers.',
      ],
      status: 'assumed',
    },
    {
      id: 'cohesion.write-throttle-scope',
      quote: '',
      question: 'Whose writes does the throttle count, and over which minute?',
      choice:
        'POST and PUT of one token together, refused ones included, in windows of 60 s that begin with the first write in them.',
      why: 'The document gives one figure for both, "dedicated" to them.',
      alternatives: ['Each user or address.', '30 for each method.', 'A sliding minute.'],
      status: 'assumed',
    },
    {
      id: 'cohesion.body-size',
      quote: '',
      question: 'How large may a body be?',
      choice: '256 KiB (a setting); a larger one gets 413.',
      why: 'A hundred times the largest sensible financing.',
      alternatives: ['No limit.'],
      status: 'assumed',
    },
  ]),
  ...section('cohesion', '9. Versioning', [
    {
      id: 'cohesion.versioning',
      quote: 'Policy for future versions and deprecation: not shown.',
      question: 'What may change within v1, and how does a version end?',
      choice:
        'Within v1 only additions (fields, events, operations); anything else would be /api/v2 beside it. Nothing is deprecated, so no Deprecation or Sunset header is sent.',
      why: 'The version is part of the path; clients expect it to stay as it is.',
      alternatives: ['Versions by header or date.'],
      status: 'assumed',
    },
  ]),
];

/** Social cohesion: calls (sections 4, 5 and 7 to 9). */
export const cohesionCalls: Gap[] = [...endpoints, ...authentication, ...errorsAndLimits];
