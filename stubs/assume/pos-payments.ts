import { sent } from '../../contracts/tools/assumptions/conditions.ts';
import type { Variants } from './types.ts';

/** Takes the place of a reference while the reference implementation validates the body. */
const noReference = 'none';

export const posPaymentVariants: Variants = {
  // A payment without a reference is for no sale.
  'pos.payment-fields-required=reference-optional': {
    request(asked) {
      if (asked.operation !== 'POST /payment/mobile' || sent(asked).reference !== undefined) return {};
      return {
        body: { ...sent(asked), reference: noReference },
        afterValidation: ({ reference: _none, ...others }) => others,
      };
    },
  },
};
