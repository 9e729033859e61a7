import { type Alternative, alternativesOf } from './alternative.ts';
import { content, of, payload, unsigned, withMetadata } from './changes.ts';
import { fieldsOf, omit, only, otherNames, renamed, withFields } from './values.ts';

/** Alternatives for the webhooks of the point of sale. */

const payloadOf = (event: string, change: (value: unknown) => unknown) => ({ message: of(event, payload(change)) });
const isSignature = (name: string) => name === 'x-service-signature' || name.startsWith('webhook-');

const payloads = [
  ...alternativesOf('pos.sale-completed-payload', {
    'The sale’s reference only.': payloadOf('sale.completed', only('reference')),
    'Other names for its fields.': payloadOf('sale.completed', otherNames),
  }),
  ...alternativesOf('pos.payment-received-payload', {
    'The payment without its sale.': payloadOf('payment.received', omit('sale', 'store_id')),
    'Other names for its fields.': payloadOf('payment.received', otherNames),
  }),
  ...alternativesOf('pos.inventory-low-payload', {
    'One event for each sale, with a list of products.': payloadOf('inventory.low', (data) => ({
      store_id: fieldsOf(data).store_id,
      products: [omit('store_id')(data)],
    })),
    'Other names for its fields.': payloadOf('inventory.low', otherNames),
  }),
  ...alternativesOf('pos.sync-completed-payload', {
    'Start, end and errors of the synchronization.': payloadOf('sync.completed', (data) => {
      const { store_id, synchronized_at } = fieldsOf(data);
      return { store_id, started_at: synchronized_at, ended_at: synchronized_at, errors: [] };
    }),
    'Other names for its fields.': payloadOf('sync.completed', otherNames),
  }),
  ...alternativesOf('pos.inventory-low-condition', {
    'At every change while the quantity is low.': payloadOf(
      'inventory.low',
      withFields(({ low_threshold }) => ({ quantity: Number(low_threshold) - 1 })),
    ),
    'Only at zero.': payloadOf('inventory.low', withFields({ quantity: 0 })),
  }),
];

const deliveries = [
  ...alternativesOf('pos.webhook-envelope', {
    'type, created_at, data.': {
      message: content((held) => renamed('event', 'type')(renamed('delivered_at', 'created_at')(held))),
    },
    'The bare record, with the event’s name in a header.': {
      message: (message) => content((held) => fieldsOf(held).data)(withMetadata(({ event }) => ({ 'X-Event': event }))(message)),
    },
  }),
  ...alternativesOf('pos.webhook-signing', {
    'No signature.': { message: unsigned(isSignature) },
    'A shared token in a header.': {
      message: (message) => withMetadata(() => ({ 'X-Webhook-Token': '<SIGNING_SECRET>' }))(unsigned(isSignature)(message)),
    },
  }),
];

export const posMessages: Alternative[] = [...payloads, ...deliveries];
