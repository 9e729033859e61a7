import type { Alternative } from './alternative.ts';
import { posMessages } from './pos-messages.ts';
import { posRefusals } from './pos-refusals.ts';
import { posReplies } from './pos-replies.ts';
import { transportOf } from './transport.ts';

/** All executable alternatives of the Point-of-Sale API. */
export const posAlternatives: readonly Alternative[] = [...posReplies, ...posRefusals, ...posMessages, ...transportOf('pos')];

const asked = 'It affects the client’s request, not the answer.';
const overTime = 'It shows only over many calls.';

/** Gaps with an alternative that one answer cannot show, and the reason. */
export const posUntestable: Readonly<Record<string, string>> = {
  'pos.payment-methods': asked,
  'pos.providers': asked,
  'pos.currency': asked,
  'pos.payment-reference': asked,
  'pos.phone-format': asked,
  'pos.sale-fields-required': asked,
  'pos.payment-fields-required': asked,
  'pos.amount-bounds': asked,
  'pos.item-price': 'It depends on the catalogue, which the reply to a sale does not show.',
  'pos.sale-states': 'No operation reads a sale again, so another state never shows.',
  'pos.stock-at-creation': 'It shows in the stock between a sale and its payment.',
  'pos.back-office': 'It is outside this API.',
  'pos.auth-path': 'It affects the request, not the answer.',
  'pos.store-access': 'Another account’s store is answered like an unknown one, and no state creates one.',
  'pos.idempotency-keys': 'It needs two requests.',
  'pos.token-transport': asked,
  'pos.token-endpoints': asked,
  'pos.revocation': overTime,
  'pos.plan-scope': overTime,
  'pos.token-guard': overTime,
  'pos.versioning': overTime,
  'pos.sync-completed-condition': 'It affects when the event is sent; its payload is a separate gap.',
  'pos.webhook-subscription': 'It is outside this API.',
  'pos.webhook-target': 'It affects the webhook’s URL, not its content.',
  'pos.webhook-retries': overTime,
  'pos.plain-http': 'It is outside of the calls that a pact has.',
  'pos.repeated-post': 'It needs two requests.',
  'pos.new-token': 'It needs two tokens.',
  'pos.check-order': 'It shows only where several things are wrong.',
  'pos.event-order': overTime,
};
