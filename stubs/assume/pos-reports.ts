import type { Asked } from '../../contracts/tools/assumptions/alternative.ts';
import { data, on } from '../../contracts/tools/assumptions/changes.ts';
import { withFields } from '../../contracts/tools/assumptions/values.ts';
import { periodOf } from '../../gateway/api/pos/calls/report.ts';
import { dayMs, dayOf, startOf } from '../../gateway/api/pos/domain/days.ts';
import { sumOf } from '../../gateway/api/pos/domain/decimals.ts';
import { saleViews } from '../../gateway/api/pos/views.ts';
import type { Rows } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { storeIdsOf } from './pos-store-ids.ts';
import { seenBy } from './seen.ts';
import type { Around, Variant, Variants } from './types.ts';

const reports = 'GET /reports/sales';
const hourMs = 3_600_000;

/** The sales of a report, counted one by one. */
export interface Counted {
  sales: { row: Row<'sales'>; day: string }[];
  rows: Rows;
}

/** Reads the sales that a report counts under the active alternatives. Undefined if the call has no report. */
export async function countedSales(asked: Asked, around: Around): Promise<Counted | undefined> {
  const { operation, query } = asked;
  const stores = operation === reports ? await storeIdsOf(asked, around) : [];
  if (stores.length === 0) return undefined;
  const choice = around.alternativeOf('pos.report-sales');
  const zoneMs = choice === 'store-time-zone' ? hourMs : 0;
  const period = periodIn(query, around.now + zoneMs);
  if (period === undefined) return undefined;
  const within = { gte: startOf(period.start_date) - zoneMs, lt: startOf(period.end_date) + dayMs - zoneMs };
  const column = choice === 'by-creation' ? 'created_at' : 'completed_at';
  const rows = around.store as Rows;
  const found = await rows.list('sales', { where: { store_id: { in: stores }, [column]: within }, order: [['id', 'asc']] });
  return { rows, sales: found.map((row) => ({ row, day: dayOf((row[column] ?? 0) + zoneMs) })) };
}

/** A period that the reference refuses has no report. */
function periodIn({ start_date, end_date }: Asked['query'], now: number) {
  try {
    return periodOf({ start_date, end_date }, now);
  } catch {
    return undefined;
  }
}

/** Returns totals, days and products of the sales, as the reference shows them. */
export async function figuresOf({ sales, rows }: Counted) {
  const lines = await rows.list('sale_items', { where: { sale_id: { in: sales.map(({ row }) => row.id) } } });
  const byProduct = [...Map.groupBy(lines, ({ product_id }) => product_id)].sort(([one], [other]) => (one < other ? -1 : 1));
  const stores = [...new Set(sales.map(({ row }) => row.store_id))];
  const stock = await rows.list('stock', { where: { store_id: { in: stores } } });
  const names = new Map(stock.map(({ product_id, name }) => [product_id, name]));
  return {
    totals: {
      sales: sales.length,
      quantity: sumOf(lines.map(({ quantity }) => quantity)).toNumber(),
      amount: sumOf(sales.map(({ row }) => row.total)).toNumber(),
    },
    by_day: salesBy(sales, ({ day }) => day).map(({ key, ...sums }) => ({ date: key, ...sums })),
    by_product: byProduct.map(([product_id, own]) => ({
      product_id,
      name: names.get(product_id) ?? product_id,
      quantity: sumOf(own.map(({ quantity }) => quantity)).toNumber(),
      amount: sumOf(own.map(({ amount }) => amount)).toNumber(),
    })),
    by_payment_method: salesBy(sales, ({ row }) => row.payment_method).map(({ key, ...sums }) => ({
      payment_method: key,
      ...sums,
    })),
  };
}

/** Returns numbers and sums of the sales by a key, in its order. */
export const salesBy = (sales: Counted['sales'], keyOf: (sale: Counted['sales'][number]) => string) =>
  [...Map.groupBy(sales, keyOf)]
    .map(([key, own]) => ({ key, sales: own.length, amount: sumOf(own.map(({ row }) => row.total)).toNumber() }))
    .sort((one, other) => (one.key < other.key ? -1 : 1));

/** Counts a report again, sale by sale, with days that begin so long before those of UTC. */
const recounted = (assumed: string, zoneMs = 0): Variant => ({
  request: ({ operation, query }, { now }) => {
    if (operation !== reports || zoneMs === 0) return {};
    const period = periodIn(query, now + zoneMs);
    return period ? { query: { ...query, ...period } } : {};
  },
  async look(asked, around) {
    const counted = await countedSales(asked, around);
    if (counted === undefined) return undefined;
    const { by_payment_method, ...figures } = await figuresOf(counted);
    // Other words for the methods have counted them already.
    return around.alternativeOf('pos.payment-methods') === undefined ? { ...figures, by_payment_method } : figures;
  },
  reply: on(reports, (reply, asked) =>
    data((report) => (Array.isArray(report) ? report : withFields((seenBy(asked, assumed) ?? {}) as object as never)(report)))(
      reply,
      asked,
    ),
  ),
});

/** The sales of the report, one by one, as POST /sales answers them. */
const singleSales: Variant = {
  async look(asked, around) {
    const counted = await countedSales(asked, around);
    return (
      counted &&
      saleViews(
        counted.rows,
        counted.sales.map(({ row }) => row),
      )
    );
  },
  reply: on(reports, (reply, asked) => data(() => seenBy(asked, 'pos.report-response=single-sales') ?? [])(reply, asked)),
};

export const posReportVariants: Variants = {
  'pos.report-sales=by-creation': recounted('pos.report-sales=by-creation'),
  'pos.report-sales=store-time-zone': recounted('pos.report-sales=store-time-zone', hourMs),
  'pos.report-response=single-sales': singleSales,
};
