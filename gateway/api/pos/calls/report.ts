import { invalid } from '../../../base/errors.ts';
import type { Rows } from '../../../store/port.ts';
import { dayMs, dayOf, startOf } from '../domain/days.ts';
import { sumOf } from '../domain/decimals.ts';
import { storeFor } from '../domain/stores.ts';
import type { PosCaller } from '../identity.ts';
import type { SalesReport } from '../schemas.ts';

const defaultDays = 30;
const maxDays = 366;

interface ReportRequest {
  store_id: string;
  start_date?: string | undefined;
  end_date?: string | undefined;
}

/**
 * Reports the completed sales of a store in a period of whole UTC days, by their day of completion (gap pos.report-sales).
 * Run it in one transaction, so that its sums agree.
 */
export async function reportSales(rows: Rows, caller: PosCaller, request: ReportRequest, now: number): Promise<SalesReport> {
  const period = periodOf(request, now);
  const { id, currency } = await storeFor(rows, caller.account, request.store_id);
  return { store_id: id, currency, ...(await sumsOf(rows, id, period)) };
}

async function sumsOf(rows: Rows, store_id: string, period: SalesReport['period']) {
  const where = { store_id, sold_on: { gte: period.start_date, lte: period.end_date } };
  const sales = await rows.summarize('sales', { where, by: ['sold_on', 'payment_method'], sum: ['total'] });
  const items = await rows.summarize('sale_items', { where, by: ['product_id'], sum: ['quantity', 'amount'] });
  const stock = await rows.list('stock', {
    where: { store_id, product_id: { in: items.map(({ product_id }) => product_id) } },
  });
  const nameOf = new Map(stock.map(({ product_id, name }) => [product_id, name]));

  const salesBy = <K extends string>(keyOf: (group: (typeof sales)[number]) => K) =>
    [...Map.groupBy(sales, keyOf)]
      .map(([key, groups]) => ({
        key,
        sales: groups.reduce((sum, { count }) => sum + count, 0),
        amount: sumOf(groups.map(({ total }) => total)).toNumber(),
      }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  return {
    period,
    totals: {
      sales: sales.reduce((sum, { count }) => sum + count, 0),
      quantity: sumOf(items.map(({ quantity }) => quantity)).toNumber(),
      amount: sumOf(sales.map(({ total }) => total)).toNumber(),
    },
    by_day: salesBy(({ sold_on }) => sold_on ?? '').map(({ key, ...sums }) => ({ date: key, ...sums })),
    by_product: items.map(({ product_id, quantity, amount }) => ({
      product_id,
      name: nameOf.get(product_id) ?? product_id,
      quantity: Number(quantity),
      amount: Number(amount),
    })),
    by_payment_method: salesBy(({ payment_method }) => payment_method).map(({ key, ...sums }) => ({
      payment_method: key,
      ...sums,
    })),
  };
}

/** Returns the requested period, both days included. The default is the last 30 days (gap pos.report-dates-required). */
function periodOf({ start_date, end_date }: Pick<ReportRequest, 'start_date' | 'end_date'>, now: number): SalesReport['period'] {
  const end = end_date ?? dayOf(now);
  const start = start_date ?? dayOf(Math.max(0, startOf(end) - (defaultDays - 1) * dayMs));
  if (start > end) {
    throw invalid(
      'end_date',
      'after_start',
      `The period ends on ${end}, before it begins on ${start}. Swap start_date and end_date.`,
    );
  }
  const days = (startOf(end) - startOf(start)) / dayMs + 1;
  if (days > maxDays)
    throw invalid('start_date', 'max_days', `The period from ${start} to ${end} has ${days} days; ask for at most ${maxDays}.`);
  return { start_date: start, end_date: end };
}
