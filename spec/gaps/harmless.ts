import type { ServiceName } from '../documents/services.ts';
import { client, type Gap, type GapAlternative, section } from './gap.ts';
import type { Is } from './is/is.ts';

/** A change that the documents and HTTP always allow. `text`: what a stub does. `why`: also what a client does to be ready for it. */
export interface HarmlessChange extends Pick<Gap, 'question' | 'choice' | 'why'>, Pick<GapAlternative, 'text' | 'is'> {
  /** True if it shows only to somebody who gets webhooks. */
  needsReceiver?: true;
  /** The APIs that a stub does not play it for, with the reason, as a sentence. */
  notFor?: Partial<Record<ServiceName, string>>;
}

/** The only alternative of each: `harmless.gzip=on`, or `harmless.gzip` for short. */
export const harmlessId = 'on';

/** One row less than the request asks for, so that a full page is shorter than it. */
const shorterPages: Is = {
  at: 'validation',
  request({ operation, query }) {
    const asked = Number(query.per_page);
    const isPage = operation.startsWith('GET') && /^\d+$/.test(query.per_page ?? '') && asked >= 2 && asked <= 100;
    return isPage ? { query: { ...query, per_page: String(asked - 1) } } : undefined;
  },
};

export const harmlessChanges: Readonly<Record<string, HarmlessChange>> = {
  'harmless.extra-fields': {
    question: 'May an object have fields that no document shows?',
    choice: 'Objects have the fields of the API reference only.',
    text: 'Every object of replies and webhooks has more fields, of several types.',
    why: 'The documents call no list of fields complete. Read the fields that you need and ignore the others.',
  },
  'harmless.key-order': {
    question: 'In which order are the fields of an object?',
    choice: 'In the order of the API reference.',
    text: 'The fields of every object are in reverse order.',
    why: 'The members of a JSON object have no order (RFC 8259). Parse the body, and compare values, not texts.',
  },
  'harmless.whitespace': {
    question: 'Is there whitespace in the JSON text?',
    choice: 'There is none.',
    text: 'The JSON text has lines, tabs and spaces, also before its start and after its end.',
    why: 'JSON allows whitespace between all tokens (RFC 8259). Use a JSON parser, and check signatures over the bytes as received.',
  },
  'harmless.escapes': {
    question: 'Which characters of a text are escaped?',
    choice: 'Those that JSON requires.',
    text: 'Slashes, letters outside of ASCII, and the first letter of every name and text are escaped, as \\u0041 for A.',
    why: 'JSON allows an escape for every character (RFC 8259). Use a JSON parser.',
  },
  'harmless.decimals': {
    question: 'How are whole amounts, quantities and values written?',
    choice: 'Without a decimal point: 1500.',
    text: 'With one: 1500.0.',
    why: 'The documents call them numbers, and JSON has one kind of number. Ids and counts, which are integers, stay as they are.',
  },
  'harmless.header-case': {
    question: 'In which case are header names?',
    choice: 'In lower case; the signature header is as the document writes it.',
    text: 'Header names begin with capitals, and the signature header is in lower case. Of a webhook, host, connection and content-length stay as they are.',
    why: 'Header names ignore case (RFC 9110). Compare them in lower case.',
  },
  'harmless.charset': {
    question: 'Does Content-Type name a charset?',
    choice: 'It does in replies, and does not in webhooks.',
    text: 'The other way round: application/json in replies, application/json; charset=utf-8 in webhooks.',
    why: 'JSON is UTF-8 with the parameter and without it (RFC 8259). Compare only the media type.',
  },
  'harmless.chunked': {
    question: 'Does a reply state its length?',
    choice: 'It has Content-Length.',
    text: 'It has Transfer-Encoding: chunked, and its body comes in pieces.',
    why: 'HTTP/1.1 allows both (RFC 9112). Let an HTTP client read the body to its end.',
  },
  'harmless.gzip': {
    question: 'Is a reply compressed if the request allows it?',
    choice: 'It never is.',
    text: 'It is, by gzip, if Accept-Encoding names gzip or *.',
    why: 'A request with Accept-Encoding asks for it (RFC 9110). Send the header only if your client decodes.',
  },
  'harmless.connection-close': {
    question: 'Does a connection stay open after a reply?',
    choice: 'It stays open for the next call.',
    text: 'It is closed after every reply, which says Connection: close.',
    why: 'A server may close a connection at any time (RFC 9112). Open another one for the next call.',
  },
  'harmless.longer-ids': {
    notFor: {
      pos: 'Ids are stored, and a stub changes only requests and replies.',
      cohesion: 'The ids of this API are integers, and the reference has none beyond 32 bits.',
    },
    question: 'How long are the ids and references that the service makes?',
    choice: 'An id has 36 characters, and the reference of a sale 17.',
    text: 'New sales and payments have ids and references with 20 more characters, everywhere.',
    why: 'The document shows a string without a length. Keep ids in fields with room, and do not take them apart.',
  },
  'harmless.shorter-pages': {
    notFor: { pos: 'No list of this API has pages.' },
    question: 'How many rows does a page have if per_page is sent?',
    choice: 'As many as per_page says, as long as there are so many.',
    text: 'One less than per_page, from 2 on; meta says so and counts its pages by it.',
    why: 'The document shows bounds and a default of per_page. Read on until meta.last_page, not until a page is short.',
    is: shorterPages,
  },
  'harmless.new-events': {
    needsReceiver: true,
    question: 'Can there be event types that no document shows?',
    choice: 'There are none.',
    text: 'Beside each event, endpoints for all events get one of a new type.',
    why: 'A service may add events. Answer types that you do not know with 2xx, and ignore them.',
  },
  'harmless.duplicate-webhooks': {
    needsReceiver: true,
    question: 'Can a webhook arrive twice?',
    choice: 'Only after an attempt whose answer did not arrive.',
    text: 'Each is sent once more after it was accepted, with the same bytes and the same webhook-id.',
    why: 'A sender that misses the answer must send again. Process each event once.',
  },
  'harmless.reordered-webhooks': {
    needsReceiver: true,
    question: 'Do webhooks arrive in the order of their events?',
    choice: 'Mostly, but nothing guarantees it.',
    text: 'Of two webhooks to an endpoint, the first arrives after the second, or after a second of waiting for one.',
    why: 'No document promises an order, and retries change it. Let no event depend on an earlier one.',
  },
  'harmless.late-webhooks': {
    needsReceiver: true,
    question: 'How soon does a webhook arrive?',
    choice: 'At once.',
    text: 'Its first attempt is made two seconds later, by the clock of the stub.',
    why: 'A network, a queue or a retry can delay every webhook. Wait for it, and do not let the next call depend on it.',
  },
};

export const isHarmless = (gap: string): boolean => gap === 'harmless' || gap.startsWith('harmless.');

/** The harmless changes in the form of the gap register, of which they are no part: they are no open questions. */
export function harmlessGaps(api: ServiceName): Gap[] {
  const entries = Object.entries(harmlessChanges).map(([id, { text, is, notFor, needsReceiver: _, ...words }]) => {
    const notPlayed = notFor?.[api];
    const further = { ...(is && { is }), ...(notPlayed && { notPlayed }) };
    return [id, { ...words, alternatives: [client(harmlessId, text, further)] }] as const;
  });
  return section(api, 'Harmless changes', Object.fromEntries(entries));
}
