import type { Asked, JsonReply } from '../../contracts/tools/assumptions/alternative.ts';
import { body, data, on, payload } from '../../contracts/tools/assumptions/changes.ts';
import { isError, sent, when } from '../../contracts/tools/assumptions/conditions.ts';
import { fieldsOf, isRecord, type Json } from '../../contracts/tools/json.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { paymentMethods } from '../../gateway/store/tables/pos.ts';
import { mapIn } from './memory.ts';
import { type Counted, countedSales, salesBy } from './pos-reports.ts';
import { wordsOfSeed } from './seeds.ts';
import { seenBy } from './seen.ts';
import { textsIn, unknownMark } from './texts.ts';
import type { Around, Memory, Variant, Variants } from './types.ts';

const sales = 'POST /sales';
const payments = 'POST /payment/mobile';
const reports = 'GET /reports/sales';

type Words = Readonly<Record<string, string>>;

const perOperator: Words = {
  cash: 'cash',
  card: 'card',
  orange_money: 'mobile_money',
  mtn_momo: 'mobile_money',
  moov_money: 'mobile_money',
};
const further: Words = {
  cash: 'cash',
  card: 'card',
  mobile_money: 'mobile_money',
  cheque: 'cash',
  bank_transfer: 'cash',
  credit: 'cash',
};

/** How sales are paid, in the service's own words by the ids of sales, and by the ids of calls that have no sale yet. */
const methodsIn = (memory: Memory) => mapIn<string>(memory, 'payment methods');

/** The own word for a sale's method: the one that was sent, or else the operator that took a payment of it. */
async function methodsOf(rows: readonly Row<'sales'>[], words: Words, memory: Memory, { store }: Around) {
  const known = methodsIn(memory);
  const own = (row: Row<'sales'>) => known.get(row.id) ?? (row.payment_method in words ? row.payment_method : undefined);
  const ids = rows.filter((row) => own(row) === undefined).map(({ id }) => id);
  const paid = ids.length === 0 ? [] : await store.list('payments', { where: { sale_id: { in: ids } }, order: [['id', 'desc']] });
  const providers = new Map(paid.map(({ sale_id, provider }) => [sale_id, provider]));
  return new Map(rows.map((row) => [row.id, own(row) ?? providers.get(row.id) ?? 'orange_money']));
}

interface Seen {
  /** The own words of the sales that the reply may show, by their ids. */
  methods: Map<string, string>;
  /** The report's sums by own words. */
  sums?: Json[];
  /** The own word of the sale that a payment names. */
  paid?: string | undefined;
}

/** Values of payment_method that stand for the reference's. The sale keeps the one that was sent. */
const methods =
  (assumed: string, words: Words) =>
  (memory: Memory): Variant => {
    const known = methodsIn(memory);
    const inRecord = (method: string | undefined) => (value: unknown) =>
      isRecord(value) && 'payment_method' in value && method !== undefined ? { ...value, payment_method: method } : value;
    return {
      seed: wordsOfSeed({
        ...{ table: 'sales', field: 'payment_method', reference: paymentMethods, words: known },
        standsFor: (word) => (Object.hasOwn(words, word) ? words[word] : undefined),
      }),
      request(asked, { callId }) {
        const method = sent(asked).payment_method;
        if (asked.operation !== sales || typeof method !== 'string') return {};
        const isKnown = Object.hasOwn(words, method);
        if (isKnown) known.set(callId, method);
        return { body: { ...sent(asked), payment_method: isKnown ? words[method] : `${unknownMark}${method}` } };
      },
      async look(asked, around): Promise<Seen | undefined> {
        if (asked.operation === payments) return { methods: new Map(), paid: await paidWith(asked, around, words, memory) };
        const counted = await countedSales(asked, around);
        return counted && { ...(await sumsOf(counted, words, memory, around)) };
      },
      reply(reply, asked) {
        const seen = seenBy(asked, assumed) as Seen | undefined;
        return [
          on(
            sales,
            data((record) => {
              const { id } = fieldsOf(record);
              const method = known.get(String(id)) ?? String(sent(asked).payment_method);
              if (typeof id === 'string') known.set(id, method);
              return inRecord(method)(record);
            }),
          ),
          on(
            reports,
            data((report) =>
              Array.isArray(report)
                ? report.map((sale) => inRecord(seen?.methods.get(String(fieldsOf(sale).id)))(sale))
                : { ...fieldsOf(report), ...(seen?.sums && { by_payment_method: seen.sums }) },
            ),
          ),
          inRefusal(words, seen?.paid),
        ].reduce((changed: JsonReply, change) => change(changed, asked), reply);
      },
      message: (message) =>
        payload((value) => {
          const { id } = fieldsOf(value);
          const method = known.get(String(id)) ?? known.get(String(message.metadata.caused_by)) ?? wordOf(value, words);
          return inRecord(method)(value);
        })(message),
    };
  };

/** A sale of which nothing is known, such as that of an example. */
function wordOf(value: unknown, words: Words): string | undefined {
  const { payment_method: method } = fieldsOf(value);
  return typeof method === 'string' && !(method in words) ? 'orange_money' : undefined;
}

async function paidWith(asked: Asked, around: Around, words: Words, memory: Memory): Promise<string | undefined> {
  const { reference } = sent(asked);
  if (typeof reference !== 'string') return undefined;
  const sale = await around.store.get('sales', reference.startsWith('sale_') ? { id: reference } : { reference });
  return sale && (await methodsOf([sale], words, memory, around)).get(sale.id);
}

async function sumsOf(counted: Counted, words: Words, memory: Memory, around: Around): Promise<Seen> {
  const rows = counted.sales.map(({ row }) => row);
  const own = await methodsOf(rows, words, memory, around);
  const sums = salesBy(counted.sales, ({ row }) => own.get(row.id) ?? row.payment_method);
  return { methods: own, sums: sums.map(({ key, ...figures }) => ({ payment_method: key, ...figures })) };
}

/** Names the own words in refusals, and the value as it was sent. */
const inRefusal = (words: Words, paid: string | undefined) =>
  when(
    isError,
    body((held) =>
      textsIn(held, (text) =>
        text
          .replace(/\bcash, card, mobile_money\b/, Object.keys(words).join(', '))
          .replace(`"${unknownMark}`, '"')
          .replace(/ is paid by \w+,/, (part) => (paid === undefined ? part : ` is paid by ${paid},`)),
      ),
    ),
  );

export const posMethodVariants: Variants = {
  'pos.payment-methods=one-per-operator': methods('pos.payment-methods=one-per-operator', perOperator),
  'pos.payment-methods=further': methods('pos.payment-methods=further', further),
};
