import { fieldsOf } from '../../json.ts';
import { eventOrder, signatureHex, webhookRetries } from '../both.ts';
import { client, owner, section, untestable } from '../gap.ts';
import { payloadOf } from '../is/both.ts';
import { content, unsigned, withMetadata } from '../is/changes.ts';
import { isSignature, startAndEnd } from '../is/pos.ts';
import { omit, only, otherNames, renamed } from '../is/values.ts';

const payloads = 'Payload shape of the webhook events: not shown.';
const webhooks = 'Subscription, delivery target, signing and retries of webhooks: not shown.';

/** Point of sale: events (section 6). */
export const posEvents = section('pos', '6. Events', {
  'pos.webhook-envelope': {
    quote: payloads,
    question: 'What do all webhook bodies have in common?',
    choice: 'event (the name), delivered_at (ISO 8601 with offset), data: the envelope that the social-cohesion document shows.',
    why: 'A receiver of both services needs one parser only.',
    alternatives: [
      owner('type-created-at', 'type, created_at, data.', {
        is: { at: 'envelope', message: content((held) => renamed('event', 'type')(renamed('delivered_at', 'created_at')(held))) },
      }),
      owner('bare', 'The bare record, with the event’s name in a header.', {
        is: {
          at: 'envelope',
          message: (message) =>
            content((held) => fieldsOf(held).data)(withMetadata(({ event }) => ({ 'X-Event': event }))(message)),
        },
      }),
    ],
  },
  'pos.sale-completed-payload': {
    quote: payloads,
    question: 'Which data does the webhook sale.completed carry?',
    choice: 'The sale as POST /sales answers it, completed.',
    why: 'There is no operation to read a sale, so the event must carry all of it.',
    alternatives: [
      owner('reference-only', 'The sale’s reference only.', {
        excludes: { 'pos.payment-reference=sale-id': 'its sales have no reference, so that the event would be empty.' },
        is: payloadOf('sale.completed', only('reference')),
      }),
      owner('other-names', 'Other names for its fields.', { is: payloadOf('sale.completed', otherNames) }),
    ],
  },
  'pos.payment-received-payload': {
    quote: payloads,
    question: 'Which data does the webhook payment.received carry?',
    choice: 'The payment as POST /payment/mobile answers it, with the sale’s state after it, and store_id.',
    why: 'The receiver sees whether the sale is settled without another call.',
    alternatives: [
      owner('without-sale', 'The payment without its sale.', { is: payloadOf('payment.received', omit('sale', 'store_id')) }),
      owner('other-names', 'Other names for its fields.', { is: payloadOf('payment.received', otherNames) }),
    ],
  },
  'pos.inventory-low-payload': {
    quote: payloads,
    question: 'Which data does the webhook inventory.low carry?',
    choice: 'store_id, product_id, name, quantity, low_threshold: one event for each product.',
    why: 'It is what one needs to order again.',
    alternatives: [
      owner('per-sale', 'One event for each sale, with a list of products.', {
        is: payloadOf('inventory.low', ({ store_id, ...product }) => ({ store_id, products: [product] })),
      }),
      owner('other-names', 'Other names for its fields.', { is: payloadOf('inventory.low', otherNames) }),
    ],
  },
  'pos.sync-completed-payload': {
    quote: payloads,
    question: 'Which data does the webhook sync.completed carry?',
    choice: 'store_id, synchronized_at, products (how many the store has) and changed (how many quantities were corrected).',
    why: 'The figures say whether the synchronization did anything.',
    alternatives: [
      owner('start-and-end', 'Start, end and errors of the synchronization.', { is: payloadOf('sync.completed', startAndEnd) }),
      owner('other-names', 'Other names for its fields.', { is: payloadOf('sync.completed', otherNames) }),
    ],
  },
  'pos.inventory-low-condition': {
    question: 'When is inventory.low sent?',
    choice:
      'When a sale or a synchronization takes a product’s quantity from above its threshold to the threshold or below it: once a crossing, not at each sale after it.',
    why: 'An event at every sale of a scarce product would bury the first.',
    alternatives: [client('every-change', 'At every change while the quantity is low.'), owner('at-zero', 'Only at zero.')],
    notPlayed: 'It changes which events there are, and a stub changes only their content.',
    untestable: untestable.condition,
  },
  'pos.sync-completed-condition': {
    question: 'What is synchronized?',
    choice: 'A store’s stock with a count: the counted quantities replace those held (manage API, POST /pos/stores/:id/sync).',
    why: 'Inventory is the one record of the document that drifts from reality.',
    alternatives: [
      owner('offline-sales', 'Sales made offline being sent by a till.'),
      owner('catalogue-copy', 'The catalogue being copied to another system.'),
    ],
    notPlayed: 'What is synchronized happens outside this API, and the event says only when it was and how much changed.',
  },
  'pos.webhook-subscription': {
    quote: webhooks,
    question: 'How does one subscribe?',
    choice:
      'An operator makes an endpoint in the manage API: URL, events wanted (all by default), stores wanted (all by default).',
    why: 'The document shows no operation for it.',
    alternatives: [
      owner('dashboard', 'In a dashboard of the service.'),
      owner('one-per-account', 'One fixed endpoint for each account.'),
    ],
    notPlayed: 'The document shows no operation that subscribes, so a client cannot, and a receiver gets the same webhooks.',
  },
  'pos.webhook-target': {
    quote: webhooks,
    question: 'Where may webhooks go?',
    choice:
      'To https URLs at public addresses, by POST with a JSON body; redirects are not followed. A development setting allows loopback.',
    why: 'The service is reachable over https only, and a webhook must not become a way into the operator’s network.',
    alternatives: [owner('any-url', 'Any URL.')],
    notPlayed: 'Which URLs are taken shows only to who subscribes, for which the document shows no operation.',
  },
  'pos.webhook-signing': {
    quote: webhooks,
    question: 'How are webhooks signed?',
    choice:
      'As the social-cohesion document shows: X-SERVICE-Signature: sha256=<hex HMAC-SHA256 of the raw body>; beside it the Standard Webhooks headers webhook-id, webhook-timestamp, webhook-signature.',
    why: 'One signature for both services; the standard’s headers add protection against replay.',
    alternatives: [
      owner('none', 'No signature.', { is: { at: 'envelope', message: unsigned(isSignature) } }),
      owner('token-header', 'A shared token in a header.', {
        is: {
          at: 'envelope',
          message: (message) =>
            withMetadata(({ token = 'shared-token' }) => ({ 'X-Webhook-Token': token }))(unsigned(isSignature)(message)),
        },
      }),
    ],
  },
  'pos.webhook-retries': webhookRetries({
    quote: webhooks,
    end: 'One deadline of 15 s for each attempt.',
    some: ['few', 'A fixed number of retries within minutes.'],
  }),
  'pos.event-order': eventOrder,
  'pos.signature-hex': signatureHex('Most libraries write it so. Receivers should compare the bytes, or both in lower case.'),
});
