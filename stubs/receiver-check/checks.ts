import type { Check, Context } from './check.ts';
import { accepted, direct, quick, refused } from './judges.ts';
import { newEventId, type Recipe, request, strangersSecret, without } from './requests.ts';

const ok = 'a 2xx response';
const no = 'a 401 response (or another 4xx)';

const sending =
  (recipe: (context: Context) => Recipe = () => ({})) =>
  (context: Context) => [request(context, recipe(context))];

const bigText = 'x'.repeat(200_000);
/** Writes JSON that changes when it is parsed and written again: with spaces, line ends and escapes. */
const notAsWritten = (envelope: object): string =>
  JSON.stringify(envelope, null, 1).replaceAll('/', '\\/').replace('"delivered_at"', '"\\u0064elivered_at"');

/** The checks, in the order in which they run: what the documents require comes first. */
export const checks: readonly Check[] = [
  {
    id: 'valid_event',
    level: 'documented',
    gaps: [],
    title: 'accepts a genuine event',
    sends: 'an event signed as the gateway signs it',
    expects: ok,
    why: 'Otherwise the gateway retries every delivery for three days, and every delivery fails.',
    requests: sending(),
    judge: accepted,
  },
  {
    id: 'raw_body',
    level: 'documented',
    gaps: [],
    title: 'verifies the bytes as received',
    sends: 'a genuine event with spaces, line ends and escapes that change when the JSON is parsed and written again',
    expects: ok,
    why: 'The signature covers the bytes. A body that is parsed and written again verifies only by luck.',
    requests: sending(() => ({ write: notAsWritten })),
    judge: accepted,
  },
  {
    id: 'non_ascii',
    level: 'documented',
    gaps: [],
    title: 'accepts characters beyond ASCII',
    sends: 'a genuine event with accents, Arabic, an emoji and U+2028',
    expects: ok,
    why: 'Bodies are UTF-8. A receiver that reads them in another encoding computes another signature.',
    requests: sending(({ event }) => ({ extra: { note: 'Bouaké, أبيدجان, 🥭 \u2028' }, type: event.type })),
    judge: accepted,
  },
  {
    id: 'wrong_signature',
    level: 'documented',
    gaps: [],
    title: 'refuses a wrong signature',
    sends: 'an event signed with another secret',
    expects: no,
    why: 'Otherwise anyone who knows the URL can send events.',
    requests: sending(() => ({ secrets: [strangersSecret()] })),
    judge: refused,
  },
  {
    id: 'changed_body',
    level: 'documented',
    gaps: [],
    title: 'refuses a changed body',
    sends: 'a genuine event with one more space at its end',
    expects: no,
    why: 'The signature must protect the body against changes.',
    requests: sending(() => ({ forge: (sent) => ({ ...sent, body: `${sent.body} ` }) })),
    judge: refused,
  },
  {
    id: 'missing_signature',
    level: 'documented',
    gaps: [],
    title: 'refuses a request without a signature',
    sends: 'an event without any signature header',
    expects: no,
    why: 'Otherwise a forged request only has to omit the signature.',
    requests: sending(({ signatureHeader }) => ({
      forge: (sent) => without(sent, (name) => name === signatureHeader.toLowerCase() || name.startsWith('webhook-')),
    })),
    judge: refused,
  },
  {
    id: 'slow_acknowledgement',
    level: 'recommended',
    gaps: ['cohesion.webhook-timeouts'],
    title: 'answers quickly',
    sends: 'a genuine event',
    expects: 'a response well before the deadline',
    why: 'After the deadline the attempt counts as failed and is retried. Respond first, then process the event.',
    requests: sending(),
    judge: quick,
  },
  {
    id: 'redirect',
    level: 'recommended',
    gaps: ['pos.webhook-target'],
    title: 'does not redirect',
    sends: 'a genuine event',
    expects: 'a response that is not a redirect',
    why: 'The gateway counts a redirect as a failure and does not follow it. Set the endpoint to the final address.',
    requests: sending(),
    judge: direct,
  },
  {
    id: 'big_body',
    level: 'recommended',
    gaps: [],
    title: 'accepts a big body',
    sends: 'a genuine event of 200 KB',
    expects: ok,
    why: 'Many frameworks reject bodies over 100 KB by default.',
    requests: sending(() => ({ extra: { note: bigText } })),
    judge: accepted,
  },
  {
    id: 'extra_fields',
    level: 'recommended',
    gaps: ['cohesion.webhook-envelope', 'pos.webhook-envelope'],
    title: 'accepts unknown fields',
    sends: 'a genuine event with more fields, in the envelope and in the data',
    expects: ok,
    why: 'Fields may be added at any time. A receiver that rejects unknown fields breaks then.',
    requests: sending(({ event }) => ({
      extra: { passerelle_new_field: { nested: [1, null] } },
      data: { ...(event.data as object), passerelle_new_field: true },
    })),
    judge: accepted,
  },
  {
    id: 'unknown_event',
    level: 'recommended',
    gaps: ['pos.webhook-subscription'],
    title: 'accepts an unknown event type',
    sends: 'a genuine event of the type passerelle.unknown_event',
    expects: ok,
    why: 'New event types may be added. Rejected events are retried for three days and can disable the endpoint.',
    requests: sending(() => ({ type: 'passerelle.unknown_event', data: { anything: true } })),
    judge: accepted,
  },
  {
    id: 'duplicate_id',
    level: 'recommended',
    gaps: ['cohesion.webhook-retries', 'pos.webhook-retries'],
    title: 'accepts the same event twice',
    sends: 'a genuine event, and the same again with the same webhook-id',
    expects: `${ok}, both times`,
    why: 'An event whose response was lost is sent again. Recognize it by its webhook-id, respond 2xx and process it once.',
    requests: (context) => {
      const id = newEventId();
      const first = request(context, { id, label: 'first' });
      return [first, request(context, { id, body: first.body, label: 'again' })];
    },
    judge: accepted,
  },
  {
    id: 'stale_timestamp',
    level: 'recommended',
    gaps: ['cohesion.webhook-standard-headers', 'pos.webhook-signing'],
    title: 'refuses an old timestamp',
    sends: 'an event signed ten minutes ago',
    expects: no,
    why: 'Otherwise a recorded request can be replayed at any time. Five minutes is the usual tolerance.',
    requests: sending(() => ({ agoSeconds: 600 })),
    judge: refused,
  },
  {
    id: 'forged_id',
    level: 'recommended',
    gaps: ['cohesion.webhook-standard-headers', 'pos.webhook-signing'],
    title: 'refuses another webhook-id',
    sends: 'a genuine event whose webhook-id was changed after it was signed',
    expects: no,
    why: 'The id identifies duplicates. If it is not verified, a replayed request passes as a new event.',
    requests: sending(() => ({ forge: (sent) => ({ ...sent, headers: { ...sent.headers, 'webhook-id': newEventId() } }) })),
    judge: refused,
  },
  {
    id: 'rotation_overlap',
    level: 'recommended',
    gaps: ['cohesion.webhook-secret', 'cohesion.webhook-standard-headers'],
    title: 'works while the secret is rotated',
    sends: 'an event with two signatures in webhook-signature, by a new secret and by the old one',
    expects: ok,
    why: 'During a rotation both secrets sign. Check every signature in the list. X-SERVICE-Signature keeps the old secret until it ends.',
    requests: sending(({ secret, rotatedSecret }) => ({
      secrets: [rotatedSecret ?? strangersSecret(), secret],
      documented: secret,
    })),
    judge: accepted,
  },
  {
    id: 'rotation_done',
    level: 'recommended',
    gaps: ['cohesion.webhook-secret'],
    title: 'knows the new secret',
    sends: 'an event signed with the new secret only',
    expects: ok,
    why: 'The test of a new secret, and every event after the overlap, are signed by the new secret only.',
    skip: ({ rotatedSecret }) =>
      rotatedSecret === undefined ? 'Needs --rotated-secret, and a receiver that knows both secrets.' : null,
    requests: sending(({ rotatedSecret = '' }) => ({ secrets: [rotatedSecret] })),
    judge: accepted,
  },
];
