import { plainHttp, replyCharset, wwwAuthenticate } from '../both.ts';
import { client, owner, section, unplayed, untestable } from '../gap.ts';
import { noCachePrivate, withMicroseconds, withOffset, withoutCacheControl, withoutMilliseconds } from '../is/both.ts';
import { on } from '../is/changes.ts';
import { lists, noLastPage, statsOfKnownYears } from '../is/cohesion.ts';

/** Social cohesion: what HTTP and JSON leave open around the calls (sections 1, 2, 4, 5 and 7). */
export const cohesionHttp = [
  ...section('cohesion', '1. What the service does', {
    'cohesion.plain-http': plainHttp({
      words: 'over HTTPS',
      notPlayed: 'A stub is itself reached over plain http, so it cannot show what another port would answer.',
    }),
    'cohesion.cache-control': {
      question: 'How does a reply say that it must not be cached?',
      choice: 'Cache-Control: no-store on every reply, and no ETag.',
      why: '"no HTTP caching, every call is served live": no-store is the only value that forbids a copy.',
      alternatives: [
        client('none', 'It does not: replies carry no Cache-Control.', { is: withoutCacheControl }),
        client('no-cache-private', 'Cache-Control: no-cache, private, as Laravel sends it.', { is: noCachePrivate }),
      ],
    },
  }),
  ...section('cohesion', '2. Resources and their fields', {
    'cohesion.timestamps': {
      question: 'How precise are times, and how do they say that they are UTC?',
      choice:
        'last_used_at and the times in payloads have milliseconds and Z, such as 2026-11-21T08:53:00.000Z. delivered_at has seconds and the offset +00:00.',
      why: 'The document says "ISO 8601 UTC timestamp" and "ISO 8601 timestamp with offset", and shows none.',
      alternatives: [
        client('no-milliseconds', 'Without milliseconds: 2026-11-21T08:53:00Z.', { is: withoutMilliseconds }),
        client('microseconds', 'With microseconds, as Laravel writes them: 2026-11-21T08:53:00.000000Z.', {
          is: withMicroseconds,
        }),
        client('offset', 'With an offset in place of Z: 2026-11-21T08:53:00.000+00:00.', { is: withOffset }),
      ],
    },
    'cohesion.empty-last-page': {
      question: 'What is last_page of a list without rows?',
      choice: '1: the empty page is the first and the last.',
      why: 'Laravel’s paginator answers so, and a client that goes from page 1 to last_page makes one call.',
      alternatives: [client('0', '0.', { is: { at: 'values', reply: on(lists, noLastPage) } })],
    },
    'cohesion.indicator-without-value': {
      question: 'How does an indicator look that has no value yet?',
      choice:
        'Its valeur_courante and its taux_atteinte are 0, and its alert_state is none: it is in alert only once a value is set.',
      why: 'The document says that both are numbers.',
      alternatives: [client('not-listed', 'It is not listed before it has a value.')],
      notPlayed: unplayed.rows,
    },
  }),
  ...section('cohesion', '4. Endpoints', {
    'cohesion.current-year': {
      question: 'In which time zone does the current year of GET /stats begin?',
      choice: 'In UTC.',
      why: 'Times of the document are UTC, and the region of the fixtures keeps UTC.',
      alternatives: [client('hour-ahead', 'In the service’s own zone, one hour ahead of UTC.')],
      notPlayed: unplayed.time,
      untestable: 'It shows at the turn of the year only.',
    },
    'cohesion.annee-values': {
      question: 'Which years may annee name?',
      choice:
        'Any of four digits, 1000 to 9999; a year of which nothing is known has an empty list and zeros. Anything else gets 422.',
      why: 'The document says "YYYY". A dashboard asks for the next year before there is anything in it.',
      alternatives: [
        client('past-or-current', '422 for a year to come.', { notPlayed: unplayed.time }),
        client('unknown-404', '404 for statistics of a year of which nothing is known.', { is: statsOfKnownYears }),
      ],
      untestable: 'No answer shows which years are known.',
    },
    'cohesion.repeated-post': {
      question: 'What happens if the same POST is sent a second time?',
      choice: 'It stores a second financing: the document shows no key by which a repeat could be known.',
      why: 'One funder may give one structure the same amount twice, and a service that guesses loses one of them.',
      alternatives: [owner('refused', '422 for a financing that equals one already stored.')],
      notPlayed: unplayed.earlierCalls,
      untestable: untestable.twoRequests,
    },
    'cohesion.reply-charset': replyCharset({
      why: '"UTF-8 everywhere"; older clients read JSON as Latin-1 if nothing says so.',
      none: 'No: application/json, as Laravel sends it.',
    }),
  }),
  ...section('cohesion', '5. Authentication', { 'cohesion.www-authenticate': wwwAuthenticate('None, as Laravel does.') }),
  ...section('cohesion', '7. Errors', {
    'cohesion.check-order': {
      question: 'If several things are wrong with a call, which one is answered?',
      choice:
        'The first of these: no such path (404), the token (401), the ability (403), the write throttle (429; refused writes count too), form and fields (422), the financing (404), the perimeter (403), the structure (422).',
      why: 'What needs no look at the records comes first. The perimeter is judged before a structure is looked up, so that nothing shows which others exist.',
      alternatives: [
        client('perimeter-first', '403 for a structure outside the perimeter before other fields are looked at.', {
          notPlayed: 'A client that makes several mistakes in one call is refused either way.',
        }),
        client('refused-uncounted', 'Writes that validation refuses do not count for the throttle.', {
          notPlayed: 'A client then has more writes than it counts on, and none fewer.',
        }),
      ],
      untestable: 'It shows only where several things are wrong.',
    },
  }),
];
