import { fieldsOf } from '../json.ts';
import { type Alternative, alternativesOf } from './alternative.ts';
import { content, of, payload, unsigned, withMetadata } from './changes.ts';
import { omit, only, otherNames, renamed, withFields } from './values.ts';

/** Alternatives for the webhooks of the point of sale. */

const payloadOf = (event: string, change: (value: unknown) => unknown) => ({ message: of(event, payload(change)) });
const isSignature = (name: string) => name === 'x-service-signature' || name.startsWith('webhook-');

const payloads = [
  ...alternativesOf('pos.sale-completed-payload', {
    'reference-only': payloadOf('sale.completed', only('reference')),
    'other-names': payloadOf('sale.completed', otherNames),
  }),
  ...alternativesOf('pos.payment-received-payload', {
    'without-sale': payloadOf('payment.received', omit('sale', 'store_id')),
    'other-names': payloadOf('payment.received', otherNames),
  }),
  ...alternativesOf('pos.inventory-low-payload', {
    'per-sale': payloadOf('inventory.low', (data) => ({
      store_id: fieldsOf(data).store_id,
      products: [omit('store_id')(data)],
    })),
    'other-names': payloadOf('inventory.low', otherNames),
  }),
  ...alternativesOf('pos.sync-completed-payload', {
    'start-and-end': payloadOf('sync.completed', (data) => {
      const { store_id, synchronized_at } = fieldsOf(data);
      return { store_id, started_at: synchronized_at, ended_at: synchronized_at, errors: [] };
    }),
    'other-names': payloadOf('sync.completed', otherNames),
  }),
  ...alternativesOf('pos.inventory-low-condition', {
    'every-change': payloadOf(
      'inventory.low',
      withFields(({ low_threshold }) => ({ quantity: Number(low_threshold) - 1 })),
    ),
    'at-zero': payloadOf('inventory.low', withFields({ quantity: 0 })),
  }),
];

const deliveries = [
  ...alternativesOf('pos.webhook-envelope', {
    'type-created-at': {
      message: content((held) => renamed('event', 'type')(renamed('delivered_at', 'created_at')(held))),
    },
    bare: {
      message: (message) => content((held) => fieldsOf(held).data)(withMetadata(({ event }) => ({ 'X-Event': event }))(message)),
    },
  }),
  ...alternativesOf('pos.webhook-signing', {
    none: { message: unsigned(isSignature) },
    'token-header': {
      message: (message) => withMetadata(() => ({ 'X-Webhook-Token': '<SIGNING_SECRET>' }))(unsigned(isSignature)(message)),
    },
  }),
];

export const posMessages: Alternative[] = [...payloads, ...deliveries];
