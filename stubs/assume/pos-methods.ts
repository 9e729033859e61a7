import { data, on, payload } from '../../contracts/tools/assumptions/changes.ts';
import { everywhere, mappedValues } from '../../contracts/tools/assumptions/values.ts';
import { notTaken, ownWords } from './own-words.ts';
import { posPolicyOf } from './pos-store-ids.ts';
import type { Variants } from './types.ts';

const ownMethods = ownWords(['POST /sales'], 'payment_method', {
  reference: 'cash',
  refusal(value, { policy }) {
    const words = posPolicyOf(policy).paymentMethods;
    return words.includes(value) ? undefined : notTaken('payment_method', value, words);
  },
});

/** Sales of before the alternative have the reference's word. */
const named = everywhere(['payment_method'], mappedValues({ mobile_money: 'orange_money' }));

export const posMethodVariants: Variants = {
  'pos.payment-methods=one-per-operator': {
    ...ownMethods,
    reply: on('GET /reports/sales', data(named)),
    message: payload(named),
  },
  'pos.payment-methods=further': ownMethods,
};
