import type { Alternative } from './alternative.ts';
import { posMessages } from './pos-messages.ts';
import { posRefusals } from './pos-refusals.ts';
import { posReplies } from './pos-replies.ts';

/** Point of sale: what it would have said, had it chosen otherwise. */
export const posAlternatives: readonly Alternative[] = [...posReplies, ...posRefusals, ...posMessages];

const asked = 'What a client asks rests on it, not what it is answered.';
const overTime = 'It shows over many calls only.';

/** Gaps of which some alternative cannot show in an answer to one request, and why. */
export const posUnseen: Readonly<Record<string, string>> = {
  'pos.payment-methods': asked,
  'pos.providers': asked,
  'pos.currency': asked,
  'pos.payment-reference': asked,
  'pos.phone-format': asked,
  'pos.sale-fields-required': asked,
  'pos.payment-fields-required': asked,
  'pos.amount-bounds': asked,
  'pos.item-price': 'It depends on the catalogue, which no answer to a sale shows.',
  'pos.sale-states': 'No operation reads a sale later, so that a further state never shows.',
  'pos.stock-at-creation': 'It shows in the stock between a sale and its payment.',
  'pos.back-office': 'It is outside of this API.',
  'pos.auth-path': 'It is where a client sends its request.',
  'pos.store-access': 'Another account’s store is answered as an unknown one, and no state makes one.',
  'pos.idempotency-keys': 'It takes two requests.',
  'pos.token-transport': asked,
  'pos.token-endpoints': asked,
  'pos.revocation': overTime,
  'pos.plan-scope': overTime,
  'pos.token-guard': overTime,
  'pos.versioning': overTime,
  'pos.sync-completed-condition': 'It is when the event comes; its payload is an entry of its own.',
  'pos.webhook-subscription': 'It is outside of this API.',
  'pos.webhook-target': 'It is where webhooks go.',
  'pos.webhook-retries': overTime,
};
