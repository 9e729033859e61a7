import type { Check, Context } from './check.ts';
import { accepted, direct, keptAlive, quick, refused } from './judges.ts';
import { newEventId, type Recipe, request, strangersSecret, without } from './requests.ts';

const ok = 'an answer of 2xx';
const no = 'an answer of 401 (or another 4xx)';

const sending =
  (recipe: (context: Context) => Recipe = () => ({})) =>
  (context: Context) => [request(context, recipe(context))];

const bigText = 'x'.repeat(200_000);
/** Bytes that a parser and a writer do not give back. */
const notAsWritten = '{ "event": "sale.completed",  "data": {"ville": "Bouak\\u00e9", "total": 1500.00, "url": "a\\/b"} }';

/** What a receiver is asked, in this order. */
export const checks: readonly Check[] = [
  {
    id: 'valid_event',
    title: 'accepts a genuine event',
    sends: 'an event that is signed as the gateway signs',
    expects: ok,
    why: 'Otherwise every delivery is tried again for more than a day, and fails at last.',
    requests: sending(),
    judge: accepted,
  },
  {
    id: 'slow_acknowledgement',
    title: 'answers quickly',
    sends: 'a genuine event',
    expects: 'an answer well before the deadline',
    why: 'Past the deadline the attempt counts as failed and the event comes again. Answer at once, work afterwards.',
    requests: sending(),
    judge: quick,
  },
  {
    id: 'redirect',
    title: 'answers itself',
    sends: 'a genuine event',
    expects: 'an answer that is no redirect',
    why: 'A redirect is a failure and never followed: the endpoint must be the final address.',
    requests: sending(),
    judge: direct,
  },
  {
    id: 'raw_body',
    title: 'verifies the bytes as received',
    sends: 'a genuine event with spaces, escapes and a number that would not survive being parsed and written again',
    expects: ok,
    why: 'The signature is over the bytes. A body that is parsed first fits only as long as it happens to look the same.',
    requests: sending(() => ({ body: notAsWritten })),
    judge: accepted,
  },
  {
    id: 'non_ascii',
    title: 'accepts characters beyond ASCII',
    sends: 'a genuine event with accents, Arabic, an emoji and U+2028',
    expects: ok,
    why: 'Names are in UTF-8. A receiver that reads bytes in another encoding computes another signature.',
    requests: sending(({ event }) => ({ extra: { note: 'Bouaké, أبيدجان, 🥭 \u2028' }, type: event.type })),
    judge: accepted,
  },
  {
    id: 'big_body',
    title: 'accepts a big body',
    sends: 'a genuine event of 200 KB',
    expects: ok,
    why: 'Many frameworks refuse bodies over 100 KB unless told.',
    requests: sending(() => ({ extra: { note: bigText } })),
    judge: accepted,
  },
  {
    id: 'extra_fields',
    title: 'accepts fields that it does not know',
    sends: 'a genuine event with more fields, in the envelope and in the data',
    expects: ok,
    why: 'Fields may be added at any time; a receiver that refuses them breaks on that day.',
    requests: sending(({ event }) => ({
      extra: { passerelle_new_field: { nested: [1, null] } },
      data: { ...(event.data as object), passerelle_new_field: true },
    })),
    judge: accepted,
  },
  {
    id: 'unknown_event',
    title: 'accepts an event type that it does not know',
    sends: 'a genuine event of the type passerelle.unknown_event',
    expects: ok,
    why: 'New types may come. What is not accepted is sent again for a day, and can get the endpoint disabled.',
    requests: sending(() => ({ type: 'passerelle.unknown_event', data: { anything: true } })),
    judge: accepted,
  },
  {
    id: 'duplicate_id',
    title: 'accepts the same event twice',
    sends: 'a genuine event, and the same again with the same webhook-id',
    expects: `${ok}, both times`,
    why: 'An event whose answer was lost is sent again. Know it by its webhook-id, answer 2xx, and do nothing twice.',
    requests: (context) => {
      const id = newEventId();
      const first = request(context, { id, label: 'first' });
      return [first, request(context, { id, body: first.body, label: 'again' })];
    },
    judge: accepted,
  },
  {
    id: 'wrong_signature',
    title: 'refuses a wrong signature',
    sends: 'an event that is signed with another secret',
    expects: no,
    why: 'Otherwise anyone who knows the address can send events.',
    requests: sending(() => ({ secrets: [strangersSecret()] })),
    judge: refused,
  },
  {
    id: 'changed_body',
    title: 'refuses a changed body',
    sends: 'a genuine event with one more space at its end',
    expects: no,
    why: 'The signature is to say that nothing was changed on the way.',
    requests: sending(() => ({ forge: (sent) => ({ ...sent, body: `${sent.body} ` }) })),
    judge: refused,
  },
  {
    id: 'missing_signature',
    title: 'refuses a request without a signature',
    sends: 'an event without any signature header',
    expects: no,
    why: 'Otherwise leaving the signature out is enough to be believed.',
    requests: sending(({ signatureHeader }) => ({
      forge: (sent) => without(sent, (name) => name === signatureHeader.toLowerCase() || name.startsWith('webhook-')),
    })),
    judge: refused,
  },
  {
    id: 'stale_timestamp',
    title: 'refuses an old timestamp',
    sends: 'an event that was signed ten minutes ago',
    expects: no,
    why: 'Otherwise who recorded a request once can send it again at any time. Five minutes is the usual tolerance.',
    requests: sending(() => ({ agoSeconds: 600 })),
    judge: refused,
  },
  {
    id: 'forged_id',
    title: 'refuses another webhook-id',
    sends: 'a genuine event whose webhook-id was changed after it was signed',
    expects: no,
    why: 'The id tells duplicates. Where it is not verified, a recorded request passes as a new event.',
    requests: sending(() => ({ forge: (sent) => ({ ...sent, headers: { ...sent.headers, 'webhook-id': newEventId() } }) })),
    judge: refused,
  },
  {
    id: 'rotation_overlap',
    title: 'goes on while the secret is rotated',
    sends: 'an event with two signatures in webhook-signature, by a new secret and by the old one',
    expects: ok,
    why: 'During a rotation both sign. Look at each signature of the list; X-SERVICE-Signature is by the new secret only.',
    requests: sending(({ secret, rotatedSecret }) => ({ secrets: [rotatedSecret ?? strangersSecret(), secret] })),
    judge: accepted,
  },
  {
    id: 'rotation_done',
    title: 'knows the new secret',
    sends: 'an event that is signed with the rotated secret alone',
    expects: ok,
    why: 'When the overlap is over only the new secret signs.',
    skip: ({ rotatedSecret }) =>
      rotatedSecret === undefined ? 'It needs --rotated-secret, with a receiver that was given both secrets.' : null,
    requests: sending(({ rotatedSecret = '' }) => ({ secrets: [rotatedSecret] })),
    judge: accepted,
  },
  {
    id: 'keep_alive',
    title: 'keeps the connection',
    sends: 'two genuine events, one after the other',
    expects: 'both over one connection (only a warning otherwise)',
    why: 'A new connection, and TLS, for each event costs more than the event.',
    requests: (context) => [request(context, { label: 'first' }), request(context, { label: 'second' })],
    judge: keptAlive,
  },
];
