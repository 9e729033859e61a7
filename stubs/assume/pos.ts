import { sent } from '../../contracts/gaps/is/conditions.ts';
import type { Asked } from '../../contracts/gaps/is/is.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { posReportVariants } from './pos-reports.ts';
import { posSaleVariants } from './pos-sales.ts';
import { posStoreVariants } from './pos-stores.ts';
import type { Around, Variants } from './types.ts';
import { withoutUnknownFields, withoutUnknownQuery } from './unknown-fields.ts';

/** The sale that a payment names. */
async function saleOf(asked: Asked, { store, account }: Around): Promise<Row<'sales'> | undefined> {
  const { reference } = sent(asked);
  if (asked.operation !== 'POST /payment/mobile' || typeof reference !== 'string') return undefined;
  const sale = await store.get('sales', reference.startsWith('sale_') ? { id: reference } : { reference });
  return sale?.account_id === account ? sale : undefined;
}

export const posVariants: Variants<'pos'> = {
  ...posReportVariants,
  ...posSaleVariants,
  ...posStoreVariants,
  'pos.strict-bodies=ignored': { at: 'outcome', request: withoutUnknownFields('pos') },
  'pos.strict-queries=ignored': { at: 'outcome', request: withoutUnknownQuery('pos') },
  'pos.payment-fields-required=phone-optional': {
    at: 'outcome',
    async request(asked, around) {
      const sale = sent(asked).phone === undefined ? await saleOf(asked, around) : undefined;
      return sale?.customer_phone ? { body: { ...sent(asked), phone: sale.customer_phone } } : {};
    },
  },
};
