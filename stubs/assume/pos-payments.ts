import { data, of, on, payload, sequence } from '../../contracts/tools/assumptions/changes.ts';
import { sent } from '../../contracts/tools/assumptions/conditions.ts';
import { everywhere, removeEverywhere } from '../../contracts/tools/assumptions/values.ts';
import { mapIn } from './memory.ts';
import type { Memory, Variant, Variants } from './types.ts';

const sales = 'POST /sales';
const payments = 'POST /payment/mobile';

/** Takes the place of a reference while the reference implementation validates the body. */
const noReference = 'none';

/** A payment without a reference is for no sale. */
const referenceOptional: Variant = {
  request(asked) {
    if (asked.operation !== payments || sent(asked).reference !== undefined) return {};
    return {
      body: { ...sent(asked), reference: noReference },
      afterValidation: ({ reference: _none, ...others }) => others,
    };
  },
};

/**
 * The service gives no references. A payment has the one that its client made, in its reply and event. If that is the id of a sale,
 * it pays this sale. Otherwise it is for no sale.
 */
const madeByClient = (memory: Memory): Variant => {
  /** References by the ids of their calls, which the events name. */
  const known = () => mapIn<string>(memory, 'references of payments');
  return {
    request(asked, { callId }) {
      const { reference } = sent(asked);
      if (asked.operation === payments && typeof reference === 'string') known().set(callId, reference);
      return {};
    },
    reply: sequence(
      on(sales, data(removeEverywhere('reference'))),
      on(payments, (reply, asked) => data(everywhere(['reference'], () => sent(asked).reference ?? null))(reply, asked)),
    ),
    message: (message) => {
      const reference = known().get(String(message.metadata.caused_by));
      const ofPayment = reference === undefined ? removeEverywhere('reference') : everywhere(['reference'], () => reference);
      return of('payment.received', payload(ofPayment))(of('sale.completed', payload(removeEverywhere('reference')))(message));
    },
  };
};

export const posPaymentVariants: Variants = {
  'pos.payment-fields-required=reference-optional': referenceOptional,
  'pos.payment-reference=made-by-client': madeByClient,
};
