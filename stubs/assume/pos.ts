import type { Asked } from '../../contracts/tools/assumptions/alternative.ts';
import { body, data, on, payload } from '../../contracts/tools/assumptions/changes.ts';
import { sent } from '../../contracts/tools/assumptions/conditions.ts';
import { everywhere, listOf, mappedValues, withFields } from '../../contracts/tools/assumptions/values.ts';
import { fieldsOf, type Json } from '../../contracts/tools/json.ts';
import { exact, sumOf } from '../../gateway/api/pos/domain/decimals.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { notTaken } from './own-words.ts';
import { posMethodVariants } from './pos-methods.ts';
import { posMoneyVariants } from './pos-money.ts';
import { posPaymentVariants } from './pos-payments.ts';
import { posReportVariants } from './pos-reports.ts';
import { posSaleVariants } from './pos-sales.ts';
import { posStoreVariants } from './pos-stores.ts';
import type { Around, Changed, Variant, Variants } from './types.ts';
import { withoutUnknownFields, withoutUnknownQuery } from './unknown-fields.ts';

const sales = 'POST /sales';
const payments = 'POST /payment/mobile';
const inventory = 'GET /inventory';

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

const shortProviders = { orange: 'orange_money', mtn: 'mtn_momo', moov: 'moov_money' };
const otherProviders = { wave: 'orange_money', airtel_money: 'mtn_momo', tigo_cash: 'moov_money' };
const reversed = (words: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(words).map(([own, reference]) => [reference, own]));

const providers = (words: Readonly<Record<string, string>>): Variant => {
  const change = everywhere(['provider'], mappedValues(reversed(words)));
  return {
    request(asked) {
      const { provider } = sent(asked);
      if (asked.operation !== payments || !isText(provider)) return {};
      if (!Object.hasOwn(words, provider)) return notTaken('provider', provider, Object.keys(words));
      return { body: { ...sent(asked), provider: words[provider] } };
    },
    reply: on(payments, data(change)),
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

export const posVariants: Variants = {
  ...posReportVariants,
  ...posMethodVariants,
  ...posMoneyVariants,
  ...posSaleVariants,
  ...posStoreVariants,
  ...posPaymentVariants,
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
  'pos.payment-reference=sale-id': {
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
};

const withoutReference = (record: unknown) => {
  const { reference: _reference, ...others } = fieldsOf(record);
  return others;
};

/** An event about a sale or payment, which has ids beside its references. */
function withoutReferences(value: unknown): unknown {
  const { sale, ...others } = fieldsOf(withoutReference(value));
  return sale === undefined ? others : { ...others, sale: withoutReference(sale) };
}
