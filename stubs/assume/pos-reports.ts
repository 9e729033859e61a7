import { data, on } from '../../contracts/gaps/is/changes.ts';
import { saleViews } from '../../gateway/api/pos/views.ts';
import type { Rows } from '../../gateway/store/port.ts';
import { askedOfReport } from './pos-store-ids.ts';
import type { Variant, Variants } from './types.ts';

/** The sales of the report, one by one, as POST /sales answers them. */
const singleSales: Variant = {
  at: 'subject',
  async look(asked, around) {
    const { storeIds, period } = (await askedOfReport(asked, around)) ?? {};
    if (!storeIds || !period) return undefined;
    const rows = around.store as Rows;
    const where = { store_id: { in: storeIds }, sold_on: { gte: period.start_date, lte: period.end_date } };
    return saleViews(rows, await rows.list('sales', { where, order: [['id', 'asc']] }));
  },
  reply: (reply, asked, seen) =>
    on(
      'GET /reports/sales',
      data(() => seen ?? []),
    )(reply, asked),
};

export const posReportVariants: Variants<'pos'> = { 'pos.report-response=single-sales': singleSales };
