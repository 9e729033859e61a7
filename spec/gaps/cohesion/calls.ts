import { unknownMethod, versioning } from '../both.ts';
import { client, owner, section, unplayed, untestable } from '../gap.ts';
import { bare, ignoresUnknownParameters, overLimit, recordOf, says, succeedsWith } from '../is/both.ts';
import { noBody, on, problemDetails, sequence, status } from '../is/changes.ts';
import {
  create,
  cutPages,
  errorObject,
  indicator,
  indicators,
  interventionStatuses,
  interventions,
  isTextBody,
  laravelLimits,
  notFoundPastLast,
  onlySent,
  saysOfUnknownStructure,
  unknownFiltersRefused,
  update,
  withoutPageLength,
} from '../is/cohesion.ts';
import { has, isError, when } from '../is/conditions.ts';
import { withFields } from '../is/values.ts';
import { acceptsJsonOnly, notOneOf, refuses, wrongValue } from '../is/wrong.ts';

const putReply = 'Updated financing. Body: not shown.';
const writeStatuses = 'Successful response statuses of POST and PUT: not shown.';
const throttles = 'Throttle for reads, and behavior when a throttle is exceeded: not shown.';
const errorBodies = 'Body shape of errors, including validation detail: not shown.';

const endpoints = section('cohesion', '4. Endpoints', {
  'cohesion.indicator-detail': {
    quote: 'Detail of one indicator. Body: not shown.',
    question: 'What does GET /api/v1/indicateurs/{id} answer?',
    choice: 'data: the indicator, with the fields of the list.',
    why: 'Section 2 shows one shape of an indicator.',
    alternatives: [
      client('further', 'Further fields: a history of values, a description.', {
        is: recordOf(indicator, withFields({ description: null, historique: [] })),
      }),
      client('bare', 'The bare record.', { is: bare(indicator) }),
    ],
  },
  'cohesion.financing-create-status': {
    quote: 'data: the created financing, with id and devise. Success status: not shown.',
    question: 'Which status does POST /api/v1/financements answer when it succeeds?',
    choice: '201.',
    why: 'It creates a record; Laravel answers so too.',
    alternatives: [client('200', '200.', { is: succeedsWith(create, 200) })],
  },
  'cohesion.financing-update-response': {
    quote: putReply,
    question: 'What does PUT /api/v1/financements/{id} answer?',
    choice: 'data: the updated financing, in the shape that POST answers.',
    why: 'One shape for one record.',
    alternatives: [
      client('no-body', 'No body.', { is: { at: 'envelope', reply: on(update, noBody) } }),
      client('changed-only', 'Only the changed fields.', { is: recordOf(update, onlySent) }),
    ],
  },
  'cohesion.financing-update-status': {
    quote: writeStatuses,
    question: 'Which status does PUT answer when it succeeds?',
    choice: '200 (and POST 201).',
    why: 'It answers with a body and creates nothing.',
    alternatives: [
      client('204', '204, without a body.', {
        excludes: { 'cohesion.financing-update-response=changed-only': 'a 204 has no body.' },
        is: { at: 'envelope', reply: on(update, sequence(status(204), noBody)) },
      }),
    ],
  },
  'cohesion.page-parameter': {
    question: 'How does a client ask for another page?',
    choice: 'With the query parameter page, from 1 (the default). A page after the last is empty.',
    why: 'The meta block shows page, and it is Laravel’s name for it.',
    alternatives: [
      owner('cursor', 'A cursor.', {
        notPlayed: 'How a client would send a cursor is not known either, so a stub could only make one up.',
      }),
      client('404-past-last', '404 after the last page.', { is: { at: 'outcome', reply: notFoundPastLast } }),
    ],
  },
  'cohesion.structures-per-page': {
    question: 'Does GET /api/v1/structures take per_page?',
    choice: 'Yes, as the other lists: 1 to 100, 25 by default.',
    why: 'Section 8 gives per_page "on paginated lists", and this list is one.',
    alternatives: [client('always-25', 'No: always 25.', { is: { at: 'outcome', request: withoutPageLength } })],
  },
  'cohesion.per-page-bounds': {
    question: 'What if per_page or page is out of bounds?',
    choice: '422, naming the parameter and its bounds.',
    why: 'A client that asks for 500 and silently gets 100 misses rows.',
    alternatives: [client('cut', 'It is cut to the nearest bound.', { is: { at: 'outcome', request: cutPages } })],
  },
  'cohesion.list-order': {
    question: 'In which order are lists?',
    choice: 'By id, rising.',
    why: 'An order that does not change while one turns the pages.',
    alternatives: [client('newest-first', 'Newest first.'), client('by-name', 'By code, name or reference.')],
    notPlayed: unplayed.rows,
  },
  'cohesion.kpi-values': {
    question: 'Which values does kpi take?',
    choice: 'true and 1, false and 0; anything else is refused with 422.',
    why: 'The document shows true, false and 1; 0 is the other half of 1.',
    alternatives: [
      client('0-refused', '0 is refused.', {
        is: refuses(422, indicators, ({ query }) => (query.kpi === '0' ? wrongValue('kpi', 'must be true, false or 1') : [])),
      }),
    ],
  },
  'cohesion.search': {
    question: 'Which texts does a search by q find?',
    choice:
      'For the text anywhere in the title (or name), whatever its case and accents; %, _ and quotes are plain characters. At most 200 characters; an empty q filters nothing.',
    why: 'Users type "sante" and mean "Santé".',
    alternatives: [owner('whole-words', 'Whole words.'), owner('exact-accents', 'Exact accents.')],
    notPlayed: 'A client gets a shorter list, as from a search for a text that fewer records have.',
  },
  'cohesion.open-filters': {
    question: 'What if statut, region or the type of a structure has a value that nobody knows?',
    choice: 'An empty list. Case and accents of region do not matter.',
    why: 'The document gives examples ("e.g."), not a closed list; the type of an indicator, which it closes, is refused with 422.',
    alternatives: [client('422', '422.', { is: { at: 'outcome', reply: unknownFiltersRefused } })],
  },
  'cohesion.hidden-records': {
    question: 'What of drafts and inactive records that are asked for by status or id?',
    choice:
      'statut=brouillon gives an empty list; an inactive indicator gives 404; a financing for an inactive structure gives 422.',
    why: 'What is hidden must not show by another way.',
    alternatives: [
      client('422', '422 for statut=brouillon.', {
        is: refuses(422, interventions, ({ query }) =>
          query.statut === 'brouillon' ? notOneOf('statut', interventionStatuses) : [],
        ),
      }),
    ],
  },
  'cohesion.unknown-structure': {
    question: 'What if structure_id on a write names no structure at all?',
    choice:
      '403 where the perimeter of the token is a list, since the id lies outside it (rule 1); 422, errors.structure_id, where the token covers every structure.',
    why: 'Rule 1 holds for any id outside the perimeter, and so nothing shows which other ids exist. Inside, a wrong value is a validation failure.',
    alternatives: [
      client('403', '403 in both cases.', { is: saysOfUnknownStructure(403) }),
      client('404', '404 where the token covers every structure.', { is: saysOfUnknownStructure(404) }),
    ],
  },
  'cohesion.strict-queries': {
    question: 'What of query parameters that the document does not show?',
    choice: '422, naming the parameter and those that are known.',
    why: 'A misspelt filter would otherwise give the whole list in silence. Laravel ignores such parameters, and elsewhere we follow its conventions; here we do not, because a test against us should find the mistake, and a client without one sees no difference.',
    alternatives: [client('ignored', 'They are ignored, as Laravel does.', { is: ignoresUnknownParameters })],
  },
  'cohesion.accept-header': {
    question: 'What if Accept or Content-Type is missing or asks for something else?',
    choice: 'Replies are JSON whatever Accept says; a write with a body that is not declared as JSON gets 415.',
    why: 'The document says "should" for Accept, and "JSON only" for bodies.',
    alternatives: [client('406', '406.', { is: acceptsJsonOnly }), client('422', '422.', { is: says(422, has(415)) })],
  },
  'cohesion.unknown-method': unknownMethod({ sender: 'Laravel sends', other: '405 with the header Allow, as Laravel does.' }),
});

const authentication = section('cohesion', '5. Authentication', {
  'cohesion.token-lifetime': {
    quote: 'Token lifetime and expiry: not shown.',
    question: 'How long does a token live?',
    choice: 'Until it is revoked, unless it was made with an expiry; then 401, saying when it expired.',
    why: 'Sanctum’s tokens do not expire by default.',
    alternatives: [client('fixed', 'A fixed lifetime, such as a year.')],
    notPlayed: 'A token that has ended gets the same 401 as one that was made with an expiry, which a test can make.',
  },
  'cohesion.perimeter': {
    quote: 'How the perimeter of a token is defined: not shown.',
    question: 'What is the perimeter of a token?',
    choice:
      'A list of structures given when the token is made, or all of them, narrowed by the structures of its user as they are at the call. It limits writes only: reads show every structure’s records.',
    why: 'The document names the perimeter for writes only, and by structure_id.',
    alternatives: [
      owner('of-user', 'The structures of the token’s user, or of the user’s region.', {
        notPlayed: 'A client gets the same 403 for a structure outside, however the perimeter came about.',
      }),
      owner('reads-too', 'It limits reads as well.', { notPlayed: unplayed.rows }),
    ],
    untestable: 'No answer shows the perimeter of a token.',
  },
  'cohesion.user-perimeter': {
    question: 'Which events does a user of cohesion receive at endpoints of their own?',
    choice:
      'Those about the structures of the user’s perimeter, a list that operators keep, or all of them. Events about no structure, such as plan.closed, indicator.alert and rapport.ready, go to admin and gestionnaire, not to lecteur.',
    why: 'The document names a perimeter for the writes of a token only. Events about a structure fit the same word, and those about none concern the whole programme, which the two roles that work on it follow.',
    alternatives: [
      client('every-event', 'Every user receives every event.', {
        notPlayed: 'It is how a stub treats an endpoint without an owner, which gets every event.',
      }),
      owner('other-roles', 'Events about no structure go to every role, or to admin only.', {
        notPlayed: 'A test chooses the owner of its endpoint, and an admin gets these events while a lecteur does not.',
      }),
    ],
    untestable: 'A delivery does not name its receiver’s user.',
  },
  'cohesion.me-ability': {
    quote: 'Ability needed by /me: not shown.',
    question: 'Which ability does /me need?',
    choice: 'None: any valid token of an active user.',
    why: 'The table says "none listed"; a client asks it to find out what its token may do.',
    alternatives: [client('any-ability', 'Any one of the five.')],
    notPlayed: 'A token holds at least one ability, so /me answers it in both.',
  },
  'cohesion.token-format': {
    question: 'What does a token look like?',
    choice: 'A number, a bar, then random characters (12|k3J...), shown once when it is made; clients should treat it as opaque.',
    why: 'It is the form of Laravel Sanctum, whose abilities the document has.',
    alternatives: [client('random', 'Random characters only.'), client('jwt', 'A JWT.')],
    notPlayed: 'A client sends a token as it got it, and no reply of this API contains one.',
  },
  'cohesion.token-creation': {
    question: 'How does a user create a token from the profile, and what may it do?',
    choice:
      'In the profile API (POST /profile/v1/tokens), within the user’s own structures. A user who came with a token makes and revokes none that may do more. An operator can create and revoke tokens too. A revoked token gives 401 from the next call (on other gateways of the same installation within 5 seconds).',
    why: 'The document says that the user creates it “from their profile”, and not how. A token that leaked must not turn into a stronger one.',
    alternatives: [
      owner('any-token', 'A token may create any token of its user.', {
        notPlayed: 'A user makes tokens in the profile, outside this API, and a client sees only what its own token may do.',
      }),
      owner('operator-only', 'Only an operator creates tokens.', {
        notPlayed: 'A client sees only what its token may do, and not who made it.',
      }),
    ],
    untestable: untestable.outside,
  },
  'cohesion.token-last-used': {
    question: 'Which calls are recorded on the token, and what does /me show of them?',
    choice:
      'Each call with a valid token, also one refused with 403, 404, 422 or 429; /me shows the time of that very call. It is written within a second.',
    why: '"Each call records last_used_at and the caller IP on the token"; a refused call is one, and the one that an owner wants to see.',
    alternatives: [
      client('successful-only', 'Successful calls only.', {
        notPlayed: '/me shows the time of its own call, which succeeds, and no other reply shows a call.',
      }),
      client('call-before', '/me shows the call before.', {
        notPlayed: 'The field has the same form, and a client cannot rely on a time that another process may have written.',
      }),
    ],
    untestable: untestable.overTime,
  },
});

const errorsAndLimits = [
  ...section('cohesion', '7. Errors', {
    'cohesion.error-body': {
      quote: errorBodies,
      question: 'What does an error’s body look like?',
      choice: '{ "message": "...", "errors": { "field": ["..."] } }; errors is there only where fields are named.',
      why: 'Tokens, abilities, 422 and the pagination block are those of Laravel, whose error bodies look so.',
      alternatives: [
        client('error-object', '{ "error": { "code", "message" } }', { is: { at: 'errors', reply: errorObject } }),
        client('problem-details', 'RFC 9457 problem details.', { is: { at: 'errors', reply: when(isError, problemDetails) } }),
      ],
    },
    'cohesion.malformed-json': {
      question: 'Which status does a body that is not JSON get?',
      choice: '422, as any other body that cannot be used.',
      why: 'The document does not list 400.',
      alternatives: [client('400', '400.', { is: says(400, has(422), isTextBody) })],
    },
    'cohesion.transport-statuses': {
      question: 'Which statuses does the gateway add to those listed?',
      choice: '413 (body too large), 415 (not JSON), 429 (limit), 503 (store not reachable, or overload) and 500 (our fault).',
      why: 'They belong to transport and limits, and HTTP clients know what to do about each.',
      alternatives: [client('422', '422 in their place.', { is: says(422, has(413, 415)) })],
    },
  }),
  ...section('cohesion', '8. Limits', {
    'cohesion.read-throttle': {
      quote: throttles,
      question: 'Is there a throttle for reads?',
      choice: 'None by default; a setting can put a limit on any operation.',
      why: 'The document calls the write throttle "dedicated" and shows no figure for reads.',
      alternatives: [client('60-per-minute', '60 requests per minute, Laravel’s usual figure.')],
      notPlayed: 'A client meets the same 429 as at the throttle of writes, and a fault rule of a stub makes it at any call.',
    },
    'cohesion.throttle-exceeded': {
      quote: throttles,
      question: 'What happens when the throttle is exceeded?',
      choice:
        '429 with Retry-After (seconds) and RateLimit-Limit, -Remaining, -Reset, RateLimit and RateLimit-Policy, and the body of an error; nothing is written. Limited replies carry the RateLimit headers too.',
      why: 'The usual status and headers (RFC 6585, draft-ietf-httpapi-ratelimit-headers, versions 6 and 11).',
      alternatives: [
        client('laravel-headers', 'Laravel’s headers X-RateLimit-Limit and X-RateLimit-Remaining.', {
          is: { at: 'status', reply: laravelLimits },
        }),
        client('503', 'Another status, such as 503, without these headers.', { is: overLimit(503) }),
      ],
    },
    'cohesion.write-throttle-scope': {
      question: 'Whose writes does the throttle count, and over which minute?',
      choice:
        'POST and PUT of one token together in the last 60 s, those included that fail: no minute has more, wherever it begins. Only a write that the throttle itself refuses does not count. A user may hold 100 tokens, each with its own throttle.',
      why: 'The document gives one figure for both, "dedicated" to them.',
      alternatives: [
        client('per-user', 'Each user or address.', { notPlayed: unplayed.counting }),
        client('per-method', '30 for each method.', { notPlayed: unplayed.counting }),
        client('fixed', 'Windows of 60 s that begin with the first write in them.', {
          notPlayed: 'A client that waits as Retry-After says never sees which minute is counted.',
        }),
      ],
      untestable: untestable.overTime,
    },
    'cohesion.body-size': {
      question: 'How large may a body be?',
      choice: '256 KiB (a setting); a larger one gets 413.',
      why: 'A hundred times the largest sensible financing.',
      alternatives: [client('unlimited', 'No limit.')],
      notPlayed:
        'A valid financing has at most 4 KiB of text, so only blanks between its fields or a body that is refused anyway could be longer.',
    },
  }),
  ...section('cohesion', '9. Versioning', {
    'cohesion.versioning': versioning({
      place: 'part of the path',
      notPlayed: 'There is one version, so no client can ask for another.',
    }),
  }),
];

/** Social cohesion: calls (sections 4, 5 and 7 to 9). */
export const cohesionCalls = [...endpoints, ...authentication, ...errorsAndLimits];
