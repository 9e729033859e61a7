import { type Gap, section } from '../gap.ts';
import { notLookedAt, untestable } from '../reasons.ts';

const saleReply = 'Body and success status: not shown.';
const storeAndDates = 'Whether store_id, start_date and end_date are required: not shown.';
const tokenUse = 'How the token is sent on later requests and which endpoints require it: not shown.';
const limits = 'Behavior when a limit is exceeded, and any other limit such as body size: not shown.';

const endpoints = section('pos', '4. Endpoints', [
  {
    id: 'pos.success-envelope',
    quote: '',
    question: 'What do the bodies of successful replies have in common?',
    choice: '{ "success": true, "data": { ... } }, beside the token response, which is exactly as shown.',
    why: 'The token response carries success: true at its top; the other operations of one service are likely to do the same.',
    alternatives: [
      { id: 'bare', settledBy: 'client', text: 'The bare record.' },
      {
        id: 'beside-success',
        settledBy: 'client',
        text: 'The record’s fields beside success, without data.',
        excludes: {
          'pos.inventory-response=bare-array': 'an array has no fields to stand beside success.',
          'pos.report-response=single-sales': 'an array has no fields to stand beside success.',
        },
      },
    ],
    status: 'assumed',
  },
  {
    id: 'pos.sale-response',
    quote: saleReply,
    question: 'Which fields does the reply to POST /sales have?',
    choice:
      'data: id, reference, store_id, status, payment_method, customer_phone, items (with name and amount), total, paid, currency, created_at, completed_at.',
    why: 'The sale as stored, with the reference that its payment needs.',
    alternatives: [
      { id: 'id-only', settledBy: 'owner', text: 'Only an id.' },
      {
        id: 'reference-only',
        settledBy: 'owner',
        text: 'Only a reference.',
        excludes: {
          'pos.payment-reference=sale-id': 'a client would never learn the id that a payment needs.',
        },
      },
      { id: 'under-sale', settledBy: 'owner', text: 'The sale under data.sale.' },
      { id: 'other-names', settledBy: 'owner', text: 'Other names for its fields.' },
    ],
    status: 'assumed',
  },
  {
    id: 'pos.sale-status',
    quote: saleReply,
    question: 'Which status does POST /sales answer when it succeeds?',
    choice: '201.',
    why: 'The document lists 201 as "resource created successfully", and this operation creates a sale.',
    alternatives: [{ id: '200', settledBy: 'client', text: '200.' }],
    status: 'assumed',
  },
  {
    id: 'pos.inventory-response',
    quote: 'Current inventory of the store. Body: not shown.',
    question: 'Which fields does the reply to GET /inventory have?',
    choice:
      'data: store_id, currency, updated_at and items (product_id, name, category, price, quantity, low_threshold, low) in the order of product_id, all of them in one reply.',
    why: 'A till needs the whole stock of its store; the document shows no paging parameters.',
    alternatives: [
      { id: 'bare-array', settledBy: 'client', text: 'A bare array of products.' },
      { id: 'pages', settledBy: 'owner', text: 'Pages.' },
      { id: 'other-names', settledBy: 'owner', text: 'Other names for its fields.' },
    ],
    status: 'assumed',
  },
  {
    id: 'pos.payment-response',
    quote: 'Mobile payment | Body: not shown.',
    question: 'Which fields does the reply to POST /payment/mobile have?',
    choice:
      'data: id, reference, amount, currency, phone, provider, status, created_at, and sale with reference, status, total, paid, remaining.',
    why: 'The payer must see what was taken, and the till whether the sale is settled.',
    alternatives: [
      { id: 'transaction-id', settledBy: 'owner', text: 'A transaction id and a status only.' },
      { id: 'other-names', settledBy: 'owner', text: 'Other names for its fields.' },
    ],
    status: 'assumed',
  },
  {
    id: 'pos.payment-status',
    quote: '',
    question: 'Which status does POST /payment/mobile answer when it succeeds?',
    choice: '201.',
    why: 'It creates a payment, as POST /sales creates a sale.',
    alternatives: [
      { id: '200', settledBy: 'client', text: '200.' },
      {
        id: '202',
        settledBy: 'client',
        text: '202, the payment being confirmed later (a status that the document does not list).',
      },
    ],
    status: 'assumed',
  },
  {
    id: 'pos.report-response',
    quote: 'Detailed sales reports. Body: not shown.',
    question: 'Which fields does the reply to GET /reports/sales have?',
    choice:
      'data: store_id, currency, period (start_date, end_date), totals (sales, quantity, amount), by_day, by_product and by_payment_method.',
    why: '"Detailed" asks for more than a total; day, product and means of payment are what shops look at.',
    alternatives: [
      { id: 'single-sales', settledBy: 'owner', text: 'The list of the single sales.' },
      { id: 'totals-only', settledBy: 'owner', text: 'Totals only.' },
      { id: 'other-names', settledBy: 'owner', text: 'Other names for its fields.' },
    ],
    status: 'assumed',
  },
  {
    id: 'pos.report-sales',
    quote: '',
    question: 'Which sales does a report count, and on which day?',
    choice: 'Completed sales only, on the day (UTC) on which they were completed; both dates are included.',
    why: 'A pending sale is not yet sold. The region of the fixtures keeps UTC.',
    alternatives: [
      { id: 'by-creation', settledBy: 'owner', text: 'By the day of creation, pending ones included.' },
      { id: 'store-time-zone', settledBy: 'owner', text: 'Days in the store’s own time zone.' },
    ],
    notLookedAt: 'Others sell in the same stores, so no report can be added up from the calls of one partner.',
    untestable: 'Days of another time zone show only in sales around midnight.',
    status: 'assumed',
  },
  {
    id: 'pos.auth-path',
    quote: 'How /api/auth relates to the base address: not shown.',
    question: 'Where is the token operation, if the base address already ends in /api/v1?',
    choice: 'At /api/auth beside /api/v1, and at /api/v1/auth as well, with the same behaviour.',
    why: 'The shown path is kept as it is; a client that appends /auth to its base address works too.',
    alternatives: [
      { id: 'beside-only', settledBy: 'client', text: 'Only /api/auth.' },
      {
        id: 'below-base-only',
        settledBy: 'owner',
        text: 'Only {base_url}/api/auth, that is /api/v1/api/auth.',
        notPlayed:
          'The document shows the token operation under the path /api/auth, and a stub that answers 404 there would contradict it.',
      },
    ],
    untestable: 'It affects the request, not the answer.',
    status: 'assumed',
  },
  {
    id: 'pos.store-id-required',
    quote: storeAndDates,
    question: 'Is store_id required on GET /inventory and GET /reports/sales?',
    choice: 'Yes, on both: 400 without it.',
    why: 'The document speaks of the inventory "of the store": one store.',
    alternatives: [{ id: 'all-stores', settledBy: 'client', text: 'Without it, all stores of the account.' }],
    status: 'assumed',
  },
  {
    id: 'pos.report-dates-required',
    quote: storeAndDates,
    question: 'Are start_date and end_date required?',
    choice:
      'No. end_date defaults to today, start_date to 29 days before end_date (30 days in all). At most 366 days; a reversed period is refused with 400.',
    why: 'A month is what a report shows by habit; the bound keeps one call from reading years.',
    alternatives: [
      { id: 'required', settledBy: 'client', text: 'Both are required.' },
      { id: 'current-day', settledBy: 'client', text: 'Without them, the current day.' },
    ],
    status: 'assumed',
  },
  {
    id: 'pos.strict-queries',
    quote: '',
    question: 'What of query parameters that the document does not show?',
    choice: '400, naming the parameter.',
    why: 'A misspelt startdate would otherwise give the default period in silence.',
    alternatives: [{ id: 'ignored', settledBy: 'client', text: 'They are ignored.' }],
    status: 'assumed',
  },
  {
    id: 'pos.store-access',
    quote: '',
    question: 'Which stores may an account see and sell in?',
    choice:
      'Those that its operator named, or all. Any other store, and any other account’s sale, is answered like an unknown one: 404.',
    why: 'The document lists no 403, and whether a store exists is nobody else’s business.',
    alternatives: [
      { id: 'every-store', settledBy: 'client', text: 'Every account reaches every store.' },
      { id: '401', settledBy: 'client', text: '401 for another’s store.' },
    ],
    untestable: 'Another account’s store is answered like an unknown one, and no state creates one.',
    status: 'assumed',
  },
  {
    id: 'pos.idempotency-keys',
    quote: '',
    question: 'How does a client repeat a POST whose reply it never received?',
    choice:
      'With the header Idempotency-Key (1 to 255 visible ASCII characters, kept 24 h): a repeat gets the first reply, byte for byte, with Idempotency-Replayed: true; a key used with another request is refused with 400.',
    why: 'Without it a till on a bad line sells twice. Clients that do not send the header see no difference.',
    alternatives: [
      {
        id: 'by-content',
        settledBy: 'owner',
        text: 'The service finds duplicates by their content.',
        notPlayed: 'Which fields such a service compares, and for how long, would be a guess.',
      },
      { id: 'none', settledBy: 'owner', text: 'None: every POST is a new one.' },
    ],
    untestable: untestable.twoRequests,
    status: 'assumed',
  },
  {
    id: 'pos.unknown-method',
    quote: '',
    question: 'What is answered to a known path with another method?',
    choice: '404; the message says which methods the path takes.',
    why: 'HTTP has 405 for it, and most frameworks send that. The document lists its statuses, 405 is not one of them, and a client can do no more about a 405 than about a 404.',
    alternatives: [{ id: '405', settledBy: 'client', text: '405 with the header Allow.' }],
    status: 'assumed',
  },
]);

const authentication = section('pos', '5. Authentication', [
  {
    id: 'pos.token-transport',
    quote: tokenUse,
    question: 'In which header is the token sent?',
    choice: 'In the header Authorization: Bearer <ACCESS_TOKEN>.',
    why: 'token_type is "Bearer" (RFC 6750).',
    alternatives: [
      { id: 'own-header', settledBy: 'owner', text: 'A header of its own, such as X-API-Token.', pactsDiffer: 'request' },
    ],
    untestable: untestable.asked,
    status: 'assumed',
  },
  {
    id: 'pos.token-endpoints',
    quote: tokenUse,
    question: 'Which endpoints require the token?',
    choice: 'All but the token operation.',
    why: 'Each of them shows or changes an account’s business.',
    alternatives: [
      {
        id: 'inventory-open',
        settledBy: 'client',
        text: 'GET /inventory is open.',
        notPlayed: 'A client that sends its token with every call sees no difference.',
      },
    ],
    untestable: untestable.asked,
    notLookedAt: 'A client sends its token with every call.',
    status: 'assumed',
  },
  {
    id: 'pos.expires-in-unit',
    quote: 'Unit of expires_in: not shown.',
    question: 'In which unit is expires_in?',
    choice: 'Seconds.',
    why: 'It is so in OAuth 2.0 (RFC 6749), whose field names the response uses.',
    alternatives: [
      { id: 'milliseconds', settledBy: 'owner', text: 'Milliseconds.' },
      { id: 'minutes', settledBy: 'owner', text: 'Minutes.' },
    ],
    status: 'assumed',
  },
  {
    id: 'pos.token-lifetime',
    quote: '',
    question: 'How long does a token live?',
    choice: '3600 seconds; then 401, saying when it expired, and the client obtains another.',
    why: 'The usual lifetime of an access token that is obtained again without a person.',
    alternatives: [{ id: '24-hours', settledBy: 'client', text: '24 hours.' }],
    status: 'assumed',
  },
  {
    id: 'pos.token-format',
    quote: '',
    question: 'What is a "JWT-style string"?',
    choice: 'A JWT signed with HS256 by the gateway, naming account and key; clients should treat it as opaque.',
    why: 'It can be checked at each call without a look-up, and its expiry can be read by a developer.',
    alternatives: [
      { id: 'rs256', settledBy: 'client', text: 'Another signature, such as RS256.' },
      { id: 'random', settledBy: 'client', text: 'A random string with dots.' },
    ],
    status: 'assumed',
  },
  {
    id: 'pos.revocation',
    quote: '',
    question: 'What happens to tokens of a revoked key or an inactive account?',
    choice: '401, from the next call (on other gateways of the same installation within 5 seconds).',
    why: 'An operator who revokes a key expects it to stop.',
    alternatives: [
      {
        id: 'valid-until-expiry',
        settledBy: 'client',
        text: 'Tokens stay valid until they expire.',
        notPlayed: 'A client whose key was revoked sees only that its token works for some time more.',
      },
    ],
    untestable: untestable.overTime,
    notLookedAt: notLookedAt.outside,
    status: 'assumed',
  },
]);

const errors = section('pos', '7. Errors', [
  {
    id: 'pos.error-body',
    quote: 'Error body shape and the condition that yields each status on each endpoint: not shown.',
    question: 'What does an error’s body look like?',
    choice: '{ "success": false, "error": { "code", "message", "details": [{ "field", "rule", "message" }] } }',
    why: 'success is shown as a boolean that is true when the token is issued; so it is false here.',
    alternatives: [
      { id: 'error-text', settledBy: 'client', text: '{ "error": "text" }' },
      { id: 'problem-details', settledBy: 'client', text: 'RFC 9457 problem details.' },
    ],
    status: 'assumed',
  },
  {
    id: 'pos.error-conditions',
    quote: 'Error body shape and the condition that yields each status on each endpoint: not shown.',
    question: 'Which condition gives which status?',
    choice:
      '400: anything wrong with what was sent, also a move that the sale’s state or the stock does not allow. 401: no valid token, or wrong credentials (one message for unknown key and wrong secret). 404: unknown store, product, sale or path. 500: our fault.',
    why: 'The document lists neither 403, 409 nor 422, so 400 and 404 stand for them.',
    alternatives: [
      { id: '409-conflicts', settledBy: 'client', text: '409 for a reused key, a completed sale or too little stock.' },
      { id: '422-validation', settledBy: 'client', text: '422 for validation.' },
      { id: '400-unknown', settledBy: 'client', text: '400 where a body or query names an unknown store, product or sale.' },
      { id: '400-credentials', settledBy: 'client', text: '400 for wrong credentials.' },
    ],
    severalAtOnce: true,
    status: 'assumed',
  },
  {
    id: 'pos.transport-statuses',
    quote: '',
    question: 'Which statuses does the gateway add to those listed?',
    choice: '413 (body too large), 415 (not JSON), 429 (limit) and 503 (store not reachable).',
    why: 'They belong to transport and limits, and HTTP clients know what to do about each.',
    alternatives: [{ id: '400-and-500', settledBy: 'client', text: '400 and 500 in their place.' }],
    status: 'assumed',
  },
]);

const limitsAndVersions = [
  ...section('pos', '8. Limits', [
    {
      id: 'pos.limit-exceeded',
      quote: limits,
      question: 'What happens when a limit is exceeded?',
      choice:
        '429 with Retry-After (seconds) and RateLimit-Limit, -Remaining, -Reset; the call is not carried out. Limited replies carry the RateLimit headers too.',
      why: 'The usual status and headers (RFC 6585, draft-ietf-httpapi-ratelimit-headers).',
      alternatives: [
        { id: '403', settledBy: 'client', text: '403.' },
        {
          id: 'delayed',
          settledBy: 'client',
          text: 'The call is delayed.',
          notPlayed: 'To a client it is a slow reply, which a fault rule of a stub makes.',
        },
        { id: '429-other-headers', settledBy: 'client', text: '429 with other headers, or none.' },
      ],
      status: 'assumed',
    },
    {
      id: 'pos.body-size',
      quote: limits,
      question: 'How large may a body be?',
      choice: '256 KiB (a setting), and 4 KiB at the token operation; a larger one gets 413. A sale has at most 200 lines.',
      why: 'Ten times the largest sensible sale.',
      alternatives: [
        { id: '1-mb', settledBy: 'client', text: '1 MB.', notPlayed: 'A valid body has at most 200 lines, far below 256 KiB.' },
        {
          id: 'unlimited',
          settledBy: 'client',
          text: 'No limit.',
          notPlayed: 'A valid body has at most 200 lines, far below 256 KiB.',
        },
      ],
      untestable: 'A pact has no body of that size.',
      status: 'assumed',
    },
    {
      id: 'pos.plan-scope',
      quote: '',
      question: 'Whose calls does a plan’s limit count, and over which minute?',
      choice:
        'All calls of an account together, over all its keys and tokens, in the last 60 s: no minute has more, wherever it begins. A call that the limit refuses does not count, nor does the token operation.',
      why: 'Plans belong to customers, not to tokens; and at the token operation the caller is not yet known.',
      alternatives: [
        { id: 'per-key', settledBy: 'client', text: 'Each key or address apart.', pactsDiffer: 'state' },
        {
          id: 'fixed',
          settledBy: 'client',
          text: 'Windows of 60 s that begin with the first call in them.',
          notPlayed: 'A client sees only another time in Retry-After, which it must read in any case.',
        },
      ],
      untestable: untestable.overTime,
      notLookedAt: 'It differs only in which call of an account is the first over its limit.',
      status: 'assumed',
    },
    {
      id: 'pos.token-guard',
      quote: limits,
      question: 'Is there a limit on attempts to obtain a token?',
      choice:
        '60 refused credentials and 60 refused bodies a minute for each client address, apart from the plan; then 429. Attempts that succeed do not count.',
      why: 'Secrets must not be guessed, and a forgotten loop must not keep out others.',
      alternatives: [
        { id: 'none', settledBy: 'client', text: 'None.' },
        {
          id: 'every-attempt',
          settledBy: 'client',
          text: 'Every attempt counts.',
          notPlayed: 'It shows only to a client that obtains more than 60 tokens in a minute.',
        },
      ],
      untestable: untestable.overTime,
      status: 'assumed',
    },
  ]),
  ...section('pos', '9. Versioning', [
    {
      id: 'pos.versioning',
      quote: 'Policy for future versions and deprecation: not shown.',
      question: 'What may change within v1, and how does a version end?',
      choice:
        'Within v1 only additions (fields, events, operations); anything else would be /api/v2 beside it. Nothing is deprecated, so no Deprecation or Sunset header is sent.',
      why: 'The version is a segment of the path; clients expect it to stay as it is.',
      alternatives: [
        {
          id: 'header-or-date',
          settledBy: 'owner',
          text: 'Versions by header or date.',
          notPlayed: 'There is one version, so a client that asks for one gets the same as a client that does not.',
        },
      ],
      untestable: untestable.overTime,
      notLookedAt: 'A service has one version, so no call asks for another.',
      status: 'assumed',
    },
  ]),
];

/** Point of sale: calls (sections 4, 5 and 7 to 9). */
export const posCalls: Gap[] = [...endpoints, ...authentication, ...errors, ...limitsAndVersions];
