import { fieldsOf, isRecord } from '../../json.ts';
import { unknownMethod, versioning } from '../both.ts';
import { client, owner, section, unplayed, untestable } from '../gap.ts';
import { bare, bodyOf, ignoresUnknownParameters, overLimit, recordOf, says, succeedsWith } from '../is/both.ts';
import { limitHeaders, problemDetails, withoutHeaders } from '../is/changes.ts';
import { has, isError, isOperation, not, when } from '../is/conditions.ts';
import {
  all,
  coded,
  conflicts,
  errorText,
  inToken,
  inventory,
  missingDates,
  onlyBesideBase,
  pagesOfInventory,
  payments,
  randomTokens,
  reports,
  rs256Tokens,
  sales,
  token,
  tokenInOwnHeader,
  transactionOnly,
  withoutKeys,
} from '../is/pos.ts';
import { only, otherNames, scaled, without } from '../is/values.ts';
import { refuses } from '../is/wrong.ts';

const saleReply = 'Body and success status: not shown.';
const storeAndDates = 'Whether store_id, start_date and end_date are required: not shown.';
const tokenUse = 'How the token is sent on later requests and which endpoints require it: not shown.';
const limits = 'Behavior when a limit is exceeded, and any other limit such as body size: not shown.';

const endpoints = section('pos', '4. Endpoints', {
  'pos.success-envelope': {
    question: 'What do the bodies of successful replies have in common?',
    choice: '{ "success": true, "data": { ... } }, beside the token response, which is exactly as shown.',
    why: 'The token response carries success: true at its top; the other operations of one service are likely to do the same.',
    alternatives: [
      client('bare', 'The bare record.', { is: bare(all) }),
      client('beside-success', 'The record’s fields beside success, without data.', {
        excludes: { 'pos.inventory-response=bare-array': 'an array has no fields to stand beside success.' },
        is: bodyOf(all, (value) => (isRecord(value) ? { ...without(value, 'data'), ...fieldsOf(value.data) } : value)),
      }),
    ],
  },
  'pos.sale-response': {
    quote: saleReply,
    question: 'Which fields does the reply to POST /sales have?',
    choice:
      'data: the fields of the request (items with name and amount), and id, reference, status, paid, currency, created_at, completed_at.',
    why: 'The sale as stored, with the reference that its payment needs.',
    alternatives: [
      owner('id-only', 'Only an id.', { is: recordOf(sales, only('id')) }),
      owner('reference-only', 'Only a reference.', {
        excludes: { 'pos.payment-reference=sale-id': 'a client would never learn the id that a payment needs.' },
        is: recordOf(sales, only('reference')),
      }),
      owner('under-sale', 'The sale under data.sale.', { is: recordOf(sales, (sale) => ({ sale })) }),
      owner('other-names', 'Other names for its fields.', { is: recordOf(sales, otherNames) }),
    ],
  },
  'pos.sale-status': {
    quote: saleReply,
    question: 'Which status does POST /sales answer when it succeeds?',
    choice: '201.',
    why: 'The document lists 201 as "resource created successfully", and this operation creates a sale.',
    alternatives: [client('200', '200.', { is: succeedsWith(sales, 200) })],
  },
  'pos.inventory-response': {
    quote: 'Current inventory of the store. Body: not shown.',
    question: 'Which fields does the reply to GET /inventory have?',
    choice:
      'data: store_id, currency, updated_at and items (product_id, name, category, price, quantity, low_threshold, low) in the order of product_id, all of them in one reply.',
    why: 'A till needs the whole stock of its store; the document shows no paging parameters.',
    alternatives: [
      client('bare-array', 'A bare array of products.', { is: recordOf(inventory, (held) => fieldsOf(held).items) }),
      owner('pages', 'Pages.', { is: pagesOfInventory }),
      owner('other-names', 'Other names for its fields.', { is: recordOf(inventory, otherNames) }),
    ],
  },
  'pos.payment-response': {
    quote: 'Mobile payment | Body: not shown.',
    question: 'Which fields does the reply to POST /payment/mobile have?',
    choice:
      'data: id, reference, amount, currency, phone, provider, status, created_at, and sale with reference, status, total, paid, remaining.',
    why: 'The payer must see what was taken, and the till whether the sale is settled.',
    alternatives: [
      owner('transaction-id', 'A transaction id and a status only.', { is: recordOf(payments, transactionOnly) }),
      owner('other-names', 'Other names for its fields.', { is: recordOf(payments, otherNames) }),
    ],
  },
  'pos.payment-status': {
    question: 'Which status does POST /payment/mobile answer when it succeeds?',
    choice: '201.',
    why: 'It creates a payment, as POST /sales creates a sale.',
    alternatives: [
      client('200', '200.', { is: succeedsWith(payments, 200) }),
      client('202', '202, the payment being confirmed later (a status that the document does not list).', {
        is: succeedsWith(payments, 202),
      }),
    ],
  },
  'pos.report-response': {
    quote: 'Detailed sales reports. Body: not shown.',
    question: 'Which fields does the reply to GET /reports/sales have?',
    choice:
      'data: store_id, currency, period (start_date, end_date), totals (sales, quantity, amount), by_day, by_product and by_payment_method.',
    why: '"Detailed" asks for more than a total; day, product and means of payment are what shops look at.',
    alternatives: [
      owner('single-sales', 'The list of the single sales.', {
        notPlayed: 'Which fields such a report has of a sale would be a guess.',
      }),
      owner('totals-only', 'Totals only.', { is: recordOf(reports, only('store_id', 'currency', 'period', 'totals')) }),
      owner('other-names', 'Other names for its fields.', { is: recordOf(reports, otherNames) }),
    ],
  },
  'pos.report-sales': {
    question: 'Which sales does a report count, and on which day?',
    choice: 'Completed sales only, on the day (UTC) on which they were completed; both dates are included.',
    why: 'A pending sale is not yet sold. The region of the fixtures keeps UTC.',
    alternatives: [
      owner('by-creation', 'By the day of creation, pending ones included.'),
      owner('store-time-zone', 'Days in the store’s own time zone.'),
    ],
    notPlayed: unplayed.records,
    untestable: 'Days of another time zone show only in sales around midnight.',
  },
  'pos.auth-path': {
    quote: 'How /api/auth relates to the base address: not shown.',
    question: 'Where is the token operation, if the base address already ends in /api/v1?',
    choice: 'At /api/auth beside /api/v1, and at /api/v1/auth as well, with the same behaviour.',
    why: 'The shown path is kept as it is; a client that appends /auth to its base address works too.',
    alternatives: [
      client('beside-only', 'Only /api/auth.', { is: { at: 'outcome', request: onlyBesideBase } }),
      owner('below-base-only', 'Only {base_url}/api/auth, that is /api/v1/api/auth.', {
        notPlayed:
          'The document shows the token operation under the path /api/auth, and a stub that answers 404 there would contradict it.',
      }),
    ],
    untestable: 'It affects the request, not the answer.',
  },
  'pos.store-id-required': {
    quote: storeAndDates,
    question: 'Is store_id required on GET /inventory and GET /reports/sales?',
    choice: 'Yes, on both: 400 without it.',
    why: 'The document speaks of the inventory "of the store": one store.',
    alternatives: [client('all-stores', 'Without it, all stores of the account.')],
    notPlayed: 'A client that names a store, as the reference wants it, gets the same reply.',
  },
  'pos.report-dates-required': {
    quote: storeAndDates,
    question: 'Are start_date and end_date required?',
    choice:
      'No. end_date defaults to today, start_date to 29 days before end_date (30 days in all). At most 366 days; a reversed period is refused with 400.',
    why: 'A month is what a report shows by habit; the bound keeps one call from reading years.',
    alternatives: [
      client('required', 'Both are required.', { is: refuses(400, reports, missingDates) }),
      client('current-day', 'Without them, the current day.', { notPlayed: unplayed.time }),
    ],
  },
  'pos.strict-queries': {
    question: 'What of query parameters that the document does not show?',
    choice: '400, naming the parameter.',
    why: 'A misspelt startdate would otherwise give the default period in silence.',
    alternatives: [client('ignored', 'They are ignored.', { is: ignoresUnknownParameters })],
  },
  'pos.store-access': {
    question: 'Which stores may an account see and sell in?',
    choice:
      'Those that its operator named, or all. Any other store, and any other account’s sale, is answered like an unknown one: 404.',
    why: 'The document lists no 403, and whether a store exists is nobody else’s business.',
    alternatives: [client('every-store', 'Every account reaches every store.'), client('401', '401 for another’s store.')],
    notPlayed: unplayed.records,
    untestable: 'Another account’s store is answered like an unknown one, and no state creates one.',
  },
  'pos.idempotency-keys': {
    question: 'How does a client repeat a POST whose reply it never received?',
    choice:
      'With the header Idempotency-Key (1 to 255 visible ASCII characters, kept 24 h): a repeat gets the first reply, byte for byte, with Idempotency-Replayed: true; a key used with another request is refused with 400.',
    why: 'Without it a till on a bad line sells twice. Clients that do not send the header see no difference.',
    alternatives: [
      owner('by-content', 'The service finds duplicates by their content.', {
        notPlayed: 'Which fields such a service compares, and for how long, would be a guess.',
      }),
      owner('none', 'None: every POST is a new one.', { is: { at: 'outcome', request: withoutKeys } }),
    ],
    untestable: untestable.twoRequests,
  },
  'pos.unknown-method': unknownMethod({ sender: 'most frameworks send', other: '405 with the header Allow.' }),
});

const authentication = section('pos', '5. Authentication', {
  'pos.token-transport': {
    quote: tokenUse,
    question: 'In which header is the token sent?',
    choice: 'In the header Authorization: Bearer <ACCESS_TOKEN>.',
    why: 'token_type is "Bearer" (RFC 6750).',
    alternatives: [
      owner('own-header', 'A header of its own, such as X-API-Token.', { requestsDiffer: true, is: tokenInOwnHeader }),
    ],
    untestable: untestable.asked,
  },
  'pos.token-endpoints': {
    quote: tokenUse,
    question: 'Which endpoints require the token?',
    choice: 'All but the token operation.',
    why: 'Each of them shows or changes an account’s business.',
    alternatives: [client('inventory-open', 'GET /inventory is open.')],
    notPlayed: 'A client that sends its token with every call sees no difference.',
  },
  'pos.expires-in-unit': {
    quote: 'Unit of expires_in: not shown.',
    question: 'In which unit is expires_in?',
    choice: 'Seconds.',
    why: 'It is so in OAuth 2.0 (RFC 6749), whose field names the response uses.',
    alternatives: [
      owner('milliseconds', 'Milliseconds.', { is: { at: 'values', reply: inToken('expires_in', scaled(1000)) } }),
      owner('minutes', 'Minutes.', { is: { at: 'values', reply: inToken('expires_in', scaled(1 / 60)) } }),
    ],
  },
  'pos.token-lifetime': {
    question: 'How long does a token live?',
    choice: '3600 seconds; then 401, saying when it expired, and the client obtains another.',
    why: 'The usual lifetime of an access token that is obtained again without a person.',
    alternatives: [client('24-hours', '24 hours.')],
    notPlayed: 'When a token ends is part of the token, which the reference signs.',
  },
  'pos.token-format': {
    question: 'What is a "JWT-style string"?',
    choice: 'A JWT signed with HS256 by the gateway, naming account and key; clients should treat it as opaque.',
    why: 'It can be checked at each call without a look-up, and its expiry can be read by a developer.',
    alternatives: [
      client('rs256', 'Another signature, such as RS256.', { is: rs256Tokens }),
      client('random', 'A random string with dots.', { is: randomTokens }),
    ],
  },
  'pos.revocation': {
    question: 'What happens to tokens of a revoked key or an inactive account?',
    choice: '401, from the next call (on other gateways of the same installation within 5 seconds).',
    why: 'An operator who revokes a key expects it to stop.',
    alternatives: [client('valid-until-expiry', 'Tokens stay valid until they expire.')],
    notPlayed: 'A client whose key was revoked sees only that its token works for some time more.',
  },
});

const errors = section('pos', '7. Errors', {
  'pos.error-body': {
    quote: 'Error body shape and the condition that yields each status on each endpoint: not shown.',
    question: 'What does an error’s body look like?',
    choice: '{ "success": false, "error": { "code", "message", "details": [{ "field", "rule", "message" }] } }',
    why: 'success is shown as a boolean that is true when the token is issued; so it is false here.',
    alternatives: [
      client('error-text', '{ "error": "text" }', { is: { at: 'errors', reply: errorText } }),
      client('problem-details', 'RFC 9457 problem details.', { is: { at: 'errors', reply: when(isError, problemDetails) } }),
    ],
  },
  'pos.error-conditions': {
    quote: 'Error body shape and the condition that yields each status on each endpoint: not shown.',
    question: 'Which condition gives which status?',
    choice:
      '400: anything wrong with what was sent, also a move that the sale’s state or the stock does not allow. 401: no valid token, or wrong credentials (one message for unknown key and wrong secret). 404: unknown store, product, sale or path. 500: our fault.',
    why: 'The document lists neither 403, 409 nor 422, so 400 and 404 stand for them.',
    alternatives: [
      client('409-conflicts', '409 for a reused key, a completed sale or too little stock.', { is: says(409, conflicts) }),
      client('422-validation', '422 for validation.', { is: says(422, has(400), not(conflicts)) }),
      client('400-unknown', '400 where a body or query names an unknown store, product or sale.', {
        is: says(400, has(404), not(coded('unknown_operation'))),
      }),
      client('400-credentials', '400 for wrong credentials.', { is: says(400, isOperation(token), has(401)) }),
    ],
    severalAtOnce: true,
  },
  'pos.transport-statuses': {
    question: 'Which statuses does the gateway add to those listed?',
    choice: '413 (body too large), 415 (not JSON), 429 (limit) and 503 (store not reachable, or overload).',
    why: 'They belong to transport and limits, and HTTP clients know what to do about each.',
    alternatives: [client('400-and-500', '400 and 500 in their place.', { is: says(400, has(413, 415)) })],
  },
});

const limitsAndVersions = [
  ...section('pos', '8. Limits', {
    'pos.limit-exceeded': {
      quote: limits,
      question: 'What happens when a limit is exceeded?',
      choice:
        '429 with Retry-After (seconds) and RateLimit-Limit, -Remaining, -Reset, RateLimit and RateLimit-Policy; the call is not carried out. Limited replies carry the RateLimit headers too.',
      why: 'The usual status and headers (RFC 6585, draft-ietf-httpapi-ratelimit-headers, versions 6 and 11).',
      alternatives: [
        client('403', '403.', { is: overLimit(403) }),
        client('delayed', 'The call is delayed.', {
          notPlayed: 'To a client it is a slow reply, which a fault rule of a stub makes.',
        }),
        client('429-other-headers', '429 with other headers, or none.', {
          is: { at: 'status', reply: withoutHeaders(...limitHeaders, 'retry-after') },
        }),
      ],
    },
    'pos.body-size': {
      quote: limits,
      question: 'How large may a body be?',
      choice: '256 KiB (a setting), and 4 KiB at the token operation; a larger one gets 413. A sale has at most 200 lines.',
      why: 'Ten times the largest sensible sale.',
      alternatives: [client('1-mb', '1 MB.'), client('unlimited', 'No limit.')],
      notPlayed: 'A valid body has at most 200 lines, far below 256 KiB.',
    },
    'pos.plan-scope': {
      question: 'Whose calls does a plan’s limit count, and over which minute?',
      choice:
        'All calls of an account together, over all its keys and tokens, in the last 60 s: no minute has more, wherever it begins. A call that the limit refuses does not count, nor does the token operation.',
      why: 'Plans belong to customers, not to tokens; and at the token operation the caller is not yet known.',
      alternatives: [
        client('per-key', 'Each key or address apart.', { notPlayed: unplayed.counting }),
        client('fixed', 'Windows of 60 s that begin with the first call in them.', {
          notPlayed: 'A client sees only another time in Retry-After, which it must read in any case.',
        }),
      ],
      untestable: untestable.overTime,
    },
    'pos.token-guard': {
      quote: limits,
      question: 'Is there a limit on attempts to obtain a token?',
      choice:
        '60 refused credentials a minute for each client address, apart from the plan; then 429. Attempts that succeed do not count.',
      why: 'Secrets must not be guessed, and a forgotten loop must not keep out others.',
      alternatives: [
        client('none', 'None.', { notPlayed: unplayed.counting }),
        client('every-attempt', 'Every attempt counts.', {
          notPlayed: 'It shows only to a client that obtains more than 60 tokens in a minute.',
        }),
      ],
      untestable: untestable.overTime,
    },
  }),
  ...section('pos', '9. Versioning', {
    'pos.versioning': versioning({
      place: 'a segment of the path',
      notPlayed: 'There is one version, so a client that asks for one gets the same as a client that does not.',
    }),
  }),
];

/** Point of sale: calls (sections 4, 5 and 7 to 9). */
export const posCalls = [...endpoints, ...authentication, ...errors, ...limitsAndVersions];
