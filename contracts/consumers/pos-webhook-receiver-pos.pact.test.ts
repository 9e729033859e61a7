import { test } from 'vitest';
import { expectMessage } from './messages.ts';
import { openPact } from './pact.ts';

const pact = openPact({ consumer: 'pos-webhook-receiver', provider: 'pos', interactions: 4 });

const gaps = {
  'pos.webhook-envelope': 'the name in the field event',
  'pos.webhook-signing': 'the header X-SERVICE-Signature and its form',
  'pos.webhook-target': 'a JSON body',
};

test.each([
  { event: 'sale.completed', state: 'a sale was completed', holding: ['pos/sale-completed'] },
  { event: 'payment.received', state: 'a payment was received', holding: ['pos/payment-received'] },
  { event: 'inventory.low', state: 'stock fell to its threshold', holding: ['pos/inventory-low'] },
  { event: 'sync.completed', state: 'a synchronization finished', holding: ['pos/sync-completed'] },
])('$event is handled', ({ state, ...one }) => expectMessage(pact, { ...one, state: [state], gaps }));
