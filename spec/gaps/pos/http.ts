import { plainHttp, replyCharset, wwwAuthenticate } from '../both.ts';
import { client, owner, section, unplayed, untestable } from '../gap.ts';
import {
  inUnixSeconds,
  noCachePrivate,
  withMicroseconds,
  withOffset,
  withoutCacheControl,
  withoutMilliseconds,
} from '../is/both.ts';
import { acceptsJsonOnly } from '../is/wrong.ts';

/** Point of sale: what HTTP and JSON leave open around the calls (sections 1, 2, 4, 5 and 7). */
export const posHttp = [
  ...section('pos', '1. What the service does', {
    'pos.plain-http': plainHttp({
      words: 'reachable over HTTPS only',
      notPlayed: 'A stub is reached over plain http only, so a stub that did not answer there would answer no call at all.',
    }),
  }),
  ...section('pos', '2. Resources and their fields', {
    'pos.timestamps': {
      question: 'In which form are times?',
      choice:
        'ISO 8601 in UTC with milliseconds and Z, such as 2026-11-21T08:53:00.000Z. delivered_at of a webhook has seconds and the offset +00:00, as in the social-cohesion document.',
      why: 'The document shows no time. ISO 8601 in UTC is read by every language, sorts as text and depends on no time zone.',
      alternatives: [
        client('no-milliseconds', 'Without milliseconds: 2026-11-21T08:53:00Z.', { is: withoutMilliseconds }),
        client('microseconds', 'With microseconds: 2026-11-21T08:53:00.000000Z.', { is: withMicroseconds }),
        client('offset', 'With an offset in place of Z: 2026-11-21T08:53:00.000+00:00.', { is: withOffset }),
        owner('unix-seconds', 'A number: seconds since 1970.', { is: inUnixSeconds }),
      ],
    },
  }),
  ...section('pos', '4. Endpoints', {
    'pos.repeated-post': {
      question: 'What happens if the same POST is sent a second time, without an idempotency key?',
      choice: 'It is carried out again: a second sale, a second payment.',
      why: 'Two customers may buy the same thing within a minute. Only the client knows whether it repeats itself, and says so with a key.',
      alternatives: [owner('refused', 'A sale that equals one of the last minute is refused with 400.')],
      notPlayed: unplayed.earlierCalls,
      untestable: untestable.twoRequests,
    },
    'pos.accept-header': {
      question: 'What if Accept asks for something other than JSON?',
      choice: 'It is ignored: replies are JSON. A body that is not JSON in UTF-8 gets 415.',
      why: 'The document says that all calls use JSON, and many clients send an Accept that nobody chose.',
      alternatives: [client('406', '406.', { is: acceptsJsonOnly })],
    },
    'pos.reply-charset': replyCharset({
      why: 'JSON is UTF-8 in any case (RFC 8259); older clients read it as Latin-1 if nothing says so.',
      none: 'No: application/json.',
    }),
    'pos.cache-control': {
      question: 'May replies be cached?',
      choice: 'No: each carries Cache-Control: no-store, and none an ETag.',
      why: 'A token must not be kept by a proxy, and stock changes with each sale.',
      alternatives: [
        client('none', 'Replies carry no Cache-Control.', { is: withoutCacheControl }),
        client('no-cache-private', 'Cache-Control: no-cache, private, as Laravel sends it.', { is: noCachePrivate }),
      ],
    },
  }),
  ...section('pos', '5. Authentication', {
    'pos.www-authenticate': wwwAuthenticate('None.'),
    'pos.new-token': {
      question: 'Does a new token end the one that the same key obtained before?',
      choice: 'No: each lives until it expires.',
      why: 'Several tills may share a key, and each obtains its own token.',
      alternatives: [client('revokes', 'Yes: the token before is answered with 401.')],
      notPlayed: 'The tokens of the reference are signed and not stored, so that none can be replaced.',
    },
  }),
  ...section('pos', '7. Errors', {
    'pos.check-order': {
      question: 'If several things are wrong with a call, which one is answered?',
      choice:
        'The first of these: no such path (404), the token (401), the plan’s limit (429; refused calls count too), form and fields of the body or query (400), the total of a sale (400), its store, then its products (404), the stock (400).',
      why: 'What needs no look at the records comes first, so that a refusal costs little and shows nothing of them.',
      alternatives: [
        client('store-first', 'An unknown store is answered with 404 before other fields are looked at.', {
          notPlayed: 'A client that makes several mistakes in one call is refused either way.',
        }),
        client('refused-uncounted', 'Calls that validation refuses do not count for the limit.', {
          notPlayed: 'It differs only in which call of an account is the first over its limit.',
        }),
      ],
      untestable: 'It shows only where several things are wrong.',
    },
  }),
];
