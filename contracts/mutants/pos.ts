import { body, data, on } from '../gaps/is/changes.ts';
import { both, type Condition, has, sent } from '../gaps/is/conditions.ts';
import { all, inventory, payments, reports, sales, token, withoutKeys } from '../gaps/is/pos.ts';
import { everywhere, listOf, withFields } from '../gaps/is/values.ts';
import { notTaken } from '../gaps/is/wrong.ts';
import { fieldsOf, type Json } from '../json.ts';
import * as kinds from './kinds.ts';
import { type Mutated, takesAway, takesChoiceAway } from './mutant.ts';

const number = (value: unknown): number => Number(value ?? 0);
const linesOf = ({ items }: Json): Json[] => listOf(items).map(fieldsOf);
const sumOf = (lines: readonly Json[], of: (line: Json) => number): number => lines.reduce((sum, line) => sum + of(line), 0);

/** Changes the lines of a sale, and its total with them, so that the sale is accepted. */
function otherLines(id: string, field: string, how: string, change: (lines: Json[]) => Json[]): Mutated {
  const amount = ({ quantity, price }: Json) => number(quantity) * number(price);
  const read = (sale: Json): Json | undefined => {
    const [before, after] = [linesOf(sale), change(linesOf(sale))];
    if (before.length === 0) return undefined;
    return { ...sale, items: after, total: number(sale.total) + sumOf(after, amount) - sumOf(before, amount) };
  };
  return takesAway(id, [kinds.readOtherwise(sales, field, how, read)]);
}

const accepted = kinds.accepted((asked) =>
  asked.operation === token
    ? { success: true, token: 'e30.e30.accepted', expires_in: 3600, token_type: 'Bearer' }
    : { success: true, data: sent(asked) },
);

const events = ['sale.completed', 'payment.received', 'inventory.low', 'sync.completed'];

const hasNoLine: Condition = (asked) => asked.operation === sales && linesOf(sent(asked)).length === 0;

const otherMethods: Readonly<Record<string, string>> = { cash: 'card', card: 'cash', mobile_money: 'cash' };

const ofAnotherStore = withFields(({ items }) => ({
  items: [
    ...listOf(items),
    ...listOf(items)
      .slice(0, 1)
      .map((item) => ({ ...fieldsOf(item), product_id: 'PRD-OF-ANOTHER-STORE' })),
  ],
}));

/** What takes documented behaviours of point of sale away. */
export const posMutants: readonly Mutated[] = [
  takesAway('pos/issue-token', [kinds.absent(token)], ['auth-path', 'api-key', 'api-secret']),
  takesAway('pos/create-sale', [kinds.absent(sales)]),
  takesAway('pos/pay', [kinds.absent(payments)], ['status-201']),
  takesAway('pos/json', [kinds.pagesInPlaceOfJson]),

  takesAway('pos/sale-store', [kinds.storedOtherwise(sales, 'store_id', ['sale.completed'])]),
  takesAway('pos/sale-customer-phone', [kinds.storedOtherwise(sales, 'customer_phone', ['sale.completed'])]),
  takesAway('pos/sale-total', [kinds.storedOtherwise(sales, 'total', ['sale.completed'])]),
  takesAway('pos/item-product', [kinds.storedOtherwise(sales, 'product_id', ['sale.completed'])]),
  otherLines('pos/item-quantity', 'quantity', 'one more is sold than was asked for.', (lines) =>
    lines.map((line) => ({ ...line, quantity: number(line.quantity) + 1 })),
  ),
  otherLines('pos/item-price', 'price', 'the price is one higher than the one that was sent.', (lines) =>
    lines.map((line) => ({ ...line, price: number(line.price) + 1 })),
  ),
  otherLines('pos/sale-items', 'items', 'only the first line is sold.', (lines) => lines.slice(0, 1)),
  takesAway('pos/sale-payment-method', [
    kinds.readOtherwise(sales, 'payment_method', 'another method of payment is taken.', (sale) => {
      const other = otherMethods[String(sale.payment_method)];
      return other === undefined ? undefined : { ...sale, payment_method: other };
    }),
  ]),
  takesAway('pos/sale-one-line', [accepted('A sale without a line', both(has(400), hasNoLine))]),

  ...['amount', 'phone', 'provider', 'reference'].map((field) =>
    takesAway(`pos/payment-${field}`, [kinds.storedOtherwise(payments, field, ['payment.received'])]),
  ),
  takesAway('pos/payment-three-operators', [
    {
      id: 'two',
      text: `${payments}: moov_money is refused.`,
      test: 'Pay with each of the three operators.',
      is: {
        at: 'outcome',
        request: (asked) =>
          asked.operation === payments && sent(asked).provider === 'moov_money'
            ? notTaken(400, 'provider', 'moov_money', ['orange_money', 'mtn_momo'])
            : undefined,
      },
    },
  ]),

  takesAway('pos/inventory-of-store', [
    {
      id: 'of-others-too',
      text: `${inventory} lists a product of another store too.`,
      test: `Compare the whole list that ${inventory} answers with what the store has.`,
      is: { at: 'subject', reply: on(inventory, data(ofAnotherStore)) },
    },
  ]),
  takesAway('pos/inventory-current', [
    {
      id: 'not-current',
      text: `${inventory}: the quantity of each product is always 1000.`,
      test: `Compare the quantity that ${inventory} answers after a sale with the one before it.`,
      is: { at: 'values', reply: on(inventory, body(everywhere(['quantity'], () => 1000))) },
    },
    kinds.absent(inventory),
  ]),
  takesAway('pos/report-of-store', [kinds.ignored(reports, 'store_id'), kinds.absent(reports)]),
  takesAway('pos/report-start', [kinds.ignored(reports, 'start_date')]),
  takesAway('pos/report-end', [kinds.ignored(reports, 'end_date')]),

  takesAway('pos/no-authorization', [accepted('A missing or invalid token', has(401), all)], ['token-used']),
  takesAway('pos/status-401', [accepted('A wrong key or secret', has(401), [token])]),
  takesAway('pos/status-400', [accepted('An invalid request', has(400))]),
  takesAway('pos/status-404', [accepted('An id that does not exist', has(404))]),
  takesAway('pos/limit-minute', [kinds.noLimits], ['limit-free', 'limit-pro']),

  ...events.map((event) => takesAway(`pos/${event.replace('.', '-')}`, [kinds.lost(event)])),
  takesChoiceAway(
    'pos/sale-completed-data',
    'pos.sale-completed-payload',
    ['sale.completed'],
    [kinds.otherData('sale.completed')],
  ),
  takesChoiceAway(
    'pos/payment-received-data',
    'pos.payment-received-payload',
    ['payment.received'],
    [kinds.otherData('payment.received')],
  ),
  takesChoiceAway('pos/inventory-low-data', 'pos.inventory-low-payload', ['inventory.low'], [kinds.otherData('inventory.low')]),
  takesChoiceAway('pos/webhook-signature', 'pos.webhook-signing', events, kinds.wrongSignatures),
  takesChoiceAway(
    'pos/idempotency-key',
    'pos.idempotency-keys',
    ['POST /api/v1/sales', 'POST /api/v1/payment/mobile'],
    [
      {
        id: 'ignored',
        text: 'Idempotency-Key is ignored: a request that is sent again is carried out again.',
        test: 'Send one request twice with the same Idempotency-Key, as a retry does, and expect one sale.',
        is: { at: 'transport', request: withoutKeys },
      },
    ],
  ),
  ...kinds.spoiltFields('pos'),
];

/** Why a behaviour has no mutant, as a sentence. */
export const posWithoutMutant: Readonly<Record<string, string>> = {
  'pos/https-only': 'A stub for tests serves HTTP.',
  'pos/base-path': 'Each operation is taken away by itself.',
  'pos/status-200': 'Each operation is taken away by itself.',
  'pos/limit-enterprise': 'No test can make so many calls that an unlimited plan shows.',
  'pos/status-500': 'A stub has no failures of its own: passerelle stress plays them.',
};
