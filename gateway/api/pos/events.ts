import { z } from 'zod';
import { instant } from '../../http/fields.ts';
import { defineEvent } from '../../webhooks/outbox/event.ts';
import { payment, sale } from './schemas.ts';

/** The four events of the document's section 6. Their subject is the store. The document shows no payloads. */

const at = '2026-11-21T08:53:00.000Z';

export const saleCompleted = defineEvent({
  type: 'sale.completed',
  service: 'pos',
  summary: 'A sale has been completed',
  data: sale,
  example: {
    id: 'sale_019aa5b0c1d27e3f8a4b5c6d7e8f9012',
    reference: 'S-20261121-7K3M9Q',
    store_id: 'STORE-ABJ-01',
    status: 'completed',
    payment_method: 'cash',
    customer_phone: null,
    items: [{ product_id: 'PRD-0001', name: 'Riz parfumé 5 kg', quantity: 2, price: 4500, amount: 9000 }],
    total: 9000,
    paid: 9000,
    currency: 'XOF',
    created_at: at,
    completed_at: at,
  },
  gaps: ['pos.webhook-envelope', 'pos.sale-completed-payload', 'pos.currency', 'pos.payment-methods', 'pos.payment-reference'],
});

export const paymentReceived = defineEvent({
  type: 'payment.received',
  service: 'pos',
  summary: 'A payment has been received',
  data: payment.extend({ store_id: z.string() }),
  example: {
    id: 'pay_019aa5b0c1d27e3f8a4b5c6d7e8f9012',
    reference: 'S-20261121-7K3M9Q',
    amount: 9000,
    currency: 'XOF',
    phone: '+2250700000000',
    provider: 'orange_money',
    status: 'received',
    created_at: at,
    sale: { reference: 'S-20261121-7K3M9Q', status: 'completed', total: 9000, paid: 9000, remaining: 0 },
    store_id: 'STORE-ABJ-01',
  },
  gaps: ['pos.webhook-envelope', 'pos.payment-received-payload', 'pos.currency', 'pos.providers', 'pos.payment-reference'],
});

export const inventoryLow = defineEvent({
  type: 'inventory.low',
  service: 'pos',
  summary: 'Low stock detected: a quantity fell to its threshold or below',
  data: z.object({
    store_id: z.string(),
    product_id: z.string(),
    name: z.string(),
    quantity: z.number().describe('The quantity left.'),
    low_threshold: z.number(),
  }),
  example: { store_id: 'STORE-ABJ-01', product_id: 'PRD-0001', name: 'Riz parfumé 5 kg', quantity: 9, low_threshold: 10 },
  gaps: [
    'pos.webhook-envelope',
    'pos.inventory-low-payload',
    'pos.inventory-low-condition',
    'pos.stock-at-creation',
    'pos.insufficient-stock',
  ],
});

export const syncCompleted = defineEvent({
  type: 'sync.completed',
  service: 'pos',
  summary: 'Synchronization finished: counted quantities replaced the stored ones',
  data: z.object({
    store_id: z.string(),
    synchronized_at: instant(),
    products: z.int().describe('Number of products in the store.'),
    changed: z.int().describe('Number of products whose quantity was corrected.'),
  }),
  example: { store_id: 'STORE-ABJ-01', synchronized_at: at, products: 40, changed: 3 },
  gaps: ['pos.webhook-envelope', 'pos.sync-completed-payload', 'pos.sync-completed-condition'],
});

export const posEvents = [saleCompleted, paymentReceived, inventoryLow, syncCompleted] as const;
