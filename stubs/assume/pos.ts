import type { Asked, JsonReply, ReplyChange } from '../../contracts/tools/assumptions/alternative.ts';
import { body, data, on, payload, sequence } from '../../contracts/tools/assumptions/changes.ts';
import { both, isError, isOperation, sent, when } from '../../contracts/tools/assumptions/conditions.ts';
import { everywhere, listOf, mappedValues, withFields } from '../../contracts/tools/assumptions/values.ts';
import { wrongValue } from '../../contracts/tools/assumptions/wrong.ts';
import { fieldsOf, type Json } from '../../contracts/tools/json.ts';
import { exact, sumOf } from '../../gateway/api/pos/domain/decimals.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { someStore } from './learn.ts';
import { posLimitVariants } from './pos-limits.ts';
import { posMethodVariants } from './pos-methods.ts';
import { posMoneyVariants } from './pos-money.ts';
import { posPaymentVariants } from './pos-payments.ts';
import { posReportVariants } from './pos-reports.ts';
import { posSaleVariants } from './pos-sales.ts';
import { posStoreVariants } from './pos-stores.ts';
import { notFound, wrong } from './refused.ts';
import { textsIn, unknownMark } from './texts.ts';
import type { Around, Changed, Variant, Variants } from './types.ts';
import { withoutUnknownFields, withoutUnknownQuery } from './unknown-fields.ts';

const sales = 'POST /sales';
const payments = 'POST /payment/mobile';
const inventory = 'GET /inventory';
const reports = 'GET /reports/sales';

type RequestChange = NonNullable<Variant['request']>;

/** Changes the bodies of these operations. */
const bodies =
  (operations: readonly string[], change: (fields: Json, asked: Asked) => Json): RequestChange =>
  (asked): Changed =>
    operations.includes(asked.operation) ? { body: { ...sent(asked), ...change(sent(asked), asked) } } : {};

const isText = (value: unknown): value is string => typeof value === 'string';

/** The sale that a payment names. */
async function saleOf(asked: Asked, { store, account }: Around): Promise<Row<'sales'> | undefined> {
  const { reference } = sent(asked);
  if (asked.operation !== payments || !isText(reference)) return undefined;
  const sale = await store.get('sales', reference.startsWith('sale_') ? { id: reference } : { reference });
  return sale?.account_id === account ? sale : undefined;
}

const linesOf = (fields: Json) => listOf(fields.items).map(fieldsOf);

function totalOf(fields: Json): number | undefined {
  const lines = linesOf(fields);
  const isComputable = lines.every(({ quantity, price }) => [quantity, price].every(Number.isFinite));
  if (!isComputable) return undefined;
  return sumOf(lines.map(({ quantity, price }) => exact(quantity as number).times(price as number))).toNumber();
}

/** Names the service's own words in the texts of a refusal, and shows the refused value as it was sent. */
const inRefusal = (words: Readonly<Record<string, string>>): ReplyChange => {
  const own = reversed(words);
  const word = new RegExp(`"${unknownMark}([^"]*)"|\\b(${Object.keys(own).join('|')})\\b`, 'g');
  const renamed = (text: string) =>
    text.replace(word, (_, sentValue?: string, reference?: string) =>
      reference === undefined ? `"${sentValue}"` : (own[reference] ?? reference),
    );
  return when(
    both(isError, isOperation(payments)),
    body((held) => textsIn(held, renamed)),
  );
};

/** Values that the service takes in place of the reference's. The reference's own are then unknown, and refused. */
const inPlaceOf = (field: string, operation: string, words: Readonly<Record<string, string>>): Variant['request'] =>
  bodies([operation], (fields) => {
    const value = fields[field];
    if (!isText(value)) return {};
    return { [field]: Object.hasOwn(words, value) ? words[value] : `${unknownMark}${value}` };
  });

const shortProviders = { orange: 'orange_money', mtn: 'mtn_momo', moov: 'moov_money' };
const otherProviders = { wave: 'orange_money', airtel_money: 'mtn_momo', tigo_cash: 'moov_money' };
const reversed = (words: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(words).map(([own, reference]) => [reference, own]));

const providers = (words: Readonly<Record<string, string>>): Variant => {
  const change = everywhere(['provider'], mappedValues(reversed(words)));
  return {
    request: inPlaceOf('provider', payments, words),
    reply: sequence(on(payments, data(change)), inRefusal(words)),
    message: payload(change),
  };
};

/** Pages of this length are short enough for demo data to have several. */
const pageLength = 2;
const pageOf = ({ query }: Asked) => (/^[1-9]\d{0,5}$/.test(query.page ?? '') ? Number(query.page) : 1);

const reversedText = (text: string) => [...text].reverse().join('');

/** A JWT begins so, whatever it says. */
const isJwt = (token: string) => token.startsWith('eyJ');

/** Reads a token that was not issued as a JWT. A token of before the alternative stays valid. */
const tokensRead =
  (read: (token: string) => string): Variant['token'] =>
  (authorization) =>
    authorization?.replace(/^(Bearer +)(\S+)$/i, (_, scheme: string, token: string) => `${scheme}${read(token)}`);

const headOf = (algorithm: string) => Buffer.from(JSON.stringify({ alg: algorithm, typ: 'JWT' })).toString('base64url');

/** The verb or the stub's payments do it: the reply needs no change. */
const inVerb: Variant = { reply: (reply) => reply };

export const posVariants: Variants = {
  ...posReportVariants,
  ...posMethodVariants,
  ...posMoneyVariants,
  ...posSaleVariants,
  ...posLimitVariants,
  ...posStoreVariants,
  ...posPaymentVariants,
  'pos.sale-total=discount': inVerb,
  'pos.sale-total=trusted': inVerb,
  'pos.insufficient-stock=negative-stock': inVerb,
  'pos.stock-at-creation=at-completion': inVerb,
  'pos.inventory-low-condition=every-change': { message: (message) => message },
  'pos.inventory-low-condition=at-zero': { message: (message) => message },
  'pos.payment-states=pending': inVerb,
  'pos.sale-states=completed-at-once': inVerb,
  'pos.token-lifetime=24-hours': inVerb,
  // The verb puts the goods of a failed sale back into stock.
  'pos.sale-states=further': {
    async request(asked, around) {
      const sale = await saleOf(asked, around);
      if (sale?.status !== 'pending') return undefined;
      const ended = await around.store.list('payments', {
        where: { sale_id: sale.id, status: { in: ['refused', 'timed_out'] } },
      });
      const message = `Sale ${sale.reference} has failed, because a payment of it was refused or not confirmed in time.`;
      return ended.length > 0
        ? { status: 400, code: 'sale_failed', message, details: [{ field: 'reference', rule: 'sale_failed', message }] }
        : undefined;
    },
  },
  'pos.token-format=random': {
    token: tokensRead((token) => (isJwt(token) ? token : reversedText(token))),
    reply: on('POST /auth', body(withFields(({ token }) => ({ token: isText(token) ? reversedText(token) : token })))),
  },
  'pos.token-format=rs256': {
    token: tokensRead((token) => token.replace(`${headOf('RS256')}.`, `${headOf('HS256')}.`)),
  },
  'pos.token-transport=own-header': {
    token: (_, { 'x-api-token': token }) => (isText(token) ? `Bearer ${token}` : undefined),
  },
  'pos.store-access=401': {
    reply: (reply, { states }) =>
      reply.status === 404 && namesStore(reply) && states.some(({ name }) => name === someStore)
        ? { ...reply, status: 401 }
        : reply,
  },
  'pos.idempotency-keys=none': {
    request: ({ headers: { 'idempotency-key': key, ...headers } }) => (key === undefined ? {} : { headers }),
  },
  'pos.strict-bodies=ignored': { request: withoutUnknownFields('pos') },
  'pos.strict-queries=ignored': { request: withoutUnknownQuery('pos') },
  'pos.sale-fields-required=total-optional': {
    request: bodies([sales], (fields) => (fields.total === undefined ? { total: totalOf(fields) } : {})),
  },
  'pos.payment-fields-required=phone-optional': {
    async request(asked, around) {
      const sale = sent(asked).phone === undefined ? await saleOf(asked, around) : undefined;
      return sale?.customer_phone ? { body: { ...sent(asked), phone: sale.customer_phone } } : {};
    },
  },
  'pos.providers=short-names': providers(shortProviders),
  'pos.providers=other-country': providers(otherProviders),
  'pos.item-price=catalogue-only': {
    async request(asked, { store }) {
      if (asked.operation !== sales || !isText(sent(asked).store_id)) return undefined;
      const held = await store.list('stock', { where: { store_id: sent(asked).store_id as string } });
      const prices = new Map(held.map(({ product_id, price }) => [product_id, Number(price)]));
      const others = linesOf(sent(asked)).flatMap(({ product_id, price }, at) => {
        const known = prices.get(String(product_id));
        return known === undefined || known === price
          ? []
          : wrongValue(`items.${at}.price`, `must be that of the catalogue, ${known}`);
      });
      return others.length > 0 ? wrong(400, others) : undefined;
    },
  },
  'pos.partial-payments=exact-amount': {
    async request(asked, around) {
      const sale = await saleOf(asked, around);
      const { amount } = sent(asked);
      return sale?.status === 'pending' && Number(amount) !== Number(sale.total)
        ? wrong(400, wrongValue('amount', `must be the total of the sale, ${Number(sale.total)}`))
        : undefined;
    },
    reply: (reply) => reply,
  },
  'pos.partial-payments=change-kept': {
    async request(asked, around) {
      const sale = await saleOf(asked, around);
      const remaining = sale?.status === 'pending' ? exact(sale.total).minus(sale.paid).toNumber() : Number.POSITIVE_INFINITY;
      const { amount } = sent(asked);
      return typeof amount === 'number' && amount > remaining ? { body: { ...sent(asked), amount: remaining } } : {};
    },
  },
  'pos.payment-reference=sale-id': {
    request(asked, { account }) {
      const { reference } = sent(asked);
      const isKnown = asked.operation !== payments || !isText(reference) || reference.startsWith('sale_');
      if (isKnown) return undefined;
      return notFound('reference', `There is no sale with the reference ${JSON.stringify(reference)} of account ${account}.`);
    },
    reply: (reply, asked) =>
      [
        on(
          sales,
          data((record) => withoutReference(record)),
        ),
        on(payments, data(everywhere(['reference'], () => sent(asked).reference))),
      ].reduce((changed, change) => change(changed, asked), reply),
    message: payload(withoutReferences),
  },
  'pos.inventory-response=pages': {
    request: (asked) => {
      const { page: _page, ...query } = asked.query;
      return asked.operation === inventory && 'page' in asked.query ? { query } : {};
    },
    reply: on(inventory, (reply, asked) =>
      data(
        withFields(({ items }) => {
          const first = (pageOf(asked) - 1) * pageLength;
          return { items: listOf(items).slice(first, first + pageLength), page: pageOf(asked), total: listOf(items).length };
        }),
      )(reply, asked),
    ),
  },
  'pos.report-dates-required=current-day': {
    request: ({ operation, query }, { now }) => {
      const today = new Date(now).toISOString().slice(0, 10);
      const isOpen = operation === reports && query.start_date === undefined && query.end_date === undefined;
      return isOpen ? { query: { ...query, start_date: today, end_date: today } } : {};
    },
    reply: (reply) => reply,
  },
};

/** True if a refusal is about the store, and not about a product or a sale. */
const namesStore = ({ body: held }: JsonReply) =>
  listOf(fieldsOf(fieldsOf(held).error).details).some((detail) => fieldsOf(detail).field === 'store_id');

const withoutReference = (record: unknown) => {
  const { reference: _reference, ...others } = fieldsOf(record);
  return others;
};

/** An event about a sale or payment, which has ids beside its references. */
function withoutReferences(value: unknown): unknown {
  const { sale, ...others } = fieldsOf(withoutReference(value));
  return sale === undefined ? others : { ...others, sale: withoutReference(sale) };
}
