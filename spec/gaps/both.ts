import { client, owner, unplayed, untestable } from './gap.ts';
import { challengeWithError, methodNotAllowed, upperCaseSignature, withoutChallenge, withoutCharset } from './is/both.ts';

/** Entries that ask the same of both APIs. */

/** `words`: those of the document. */
export const plainHttp = ({ words, notPlayed }: { words: string; notPlayed: string }) => ({
  question: 'What does a call over plain http get?',
  choice:
    'The gateway listens on http behind the operator’s TLS, and answers the same there. It sends no redirect and no Strict-Transport-Security: both are left to what ends the TLS.',
  why: `The document says "${words}". A redirect would come too late: the token has been sent in clear by then.`,
  alternatives: [client('redirect', '301 or 308 to the https address.'), client('no-answer', 'Nothing listens there.')],
  notPlayed,
});

export const replyCharset = ({ why, none }: { why: string; none: string }) => ({
  question: 'Does the Content-Type of replies name a charset?',
  choice: 'Yes: application/json; charset=utf-8.',
  why,
  alternatives: [client('none', none, { is: withoutCharset })],
});

export const wwwAuthenticate = (none: string) => ({
  question: 'Which WWW-Authenticate does a 401 carry?',
  choice: 'Bearer, and nothing more.',
  why: 'HTTP demands the header on a 401 (RFC 9110); the message of the body says what is wrong.',
  alternatives: [
    client('none', none, { is: withoutChallenge }),
    client('with-error', 'Bearer error="invalid_token", if a token was sent (RFC 6750).', { is: challengeWithError }),
  ],
});

/** `sender`: what sends a 405. */
export const unknownMethod = ({ sender, other }: { sender: string; other: string }) => ({
  question: 'What is answered to a known path with another method?',
  choice: '404; the message says which methods the path takes.',
  why: `HTTP has 405 for it, and ${sender} that. The document lists its statuses, 405 is not one of them, and a client can do no more about a 405 than about a 404.`,
  alternatives: [client('405', other, { is: methodNotAllowed })],
});

/** `end`: of the choice. `some`: the alternative with few retries. */
export const webhookRetries = <const I extends string>({
  quote,
  end,
  some,
}: {
  quote: string;
  end: string;
  some: readonly [id: I, text: string];
}) => ({
  quote,
  question: 'When is a webhook sent again that was not accepted?',
  choice: `After any answer but 2xx, at once at first, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h (a setting), with jitter; Retry-After is honoured within bounds; 410 disables the endpoint. ${end}`,
  why: 'The schedule of Standard Webhooks: a receiver may be down for three days and loses nothing.',
  alternatives: [owner('none', 'No retries.'), owner(...some)],
  notPlayed: unplayed.attempts,
  untestable: untestable.overTime,
});

export const eventOrder = {
  question: 'May an event arrive twice, or after one that happened later?',
  choice:
    'Both. A delivery whose answer was lost is sent again with the same webhook-id, and an event that is retried arrives after later ones. An endpoint may be made ordered: then a failed delivery holds back those after it.',
  why: 'A receiver that must see each event can only be served at least once; and one event that a receiver cannot read must not stop all others.',
  alternatives: [
    client('in-order', 'In the order of the changes, to every endpoint.', {
      notPlayed: 'A receiver that takes events in any order takes them in this one too; an endpoint can be made ordered.',
    }),
    client('twice', 'Twice, though the first was accepted.', {
      notPlayed: 'The harmless change harmless.duplicate-webhooks does the same.',
    }),
  ],
  untestable: untestable.overTime,
} as const;

export const signatureHex = (why: string) => ({
  question: 'Are the hexadecimal digits of the signature in lower or upper case?',
  choice: 'Lower case.',
  why,
  alternatives: [client('upper-case', 'Upper case.', { is: upperCaseSignature })],
});

/** `place`: of the version. */
export const versioning = ({ place, notPlayed }: { place: string; notPlayed: string }) => ({
  quote: 'Policy for future versions and deprecation: not shown.',
  question: 'What may change within v1, and how does a version end?',
  choice:
    'Within v1 only additions (fields, events, operations); anything else would be /api/v2 beside it. Nothing is deprecated, so no Deprecation or Sunset header is sent.',
  why: `The version is ${place}; clients expect it to stay as it is.`,
  alternatives: [owner('header-or-date', 'Versions by header or date.')],
  notPlayed,
});
