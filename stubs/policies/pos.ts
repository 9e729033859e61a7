import { dayOf } from '../../gateway/api/pos/domain/days.ts';
import { sumOf } from '../../gateway/api/pos/domain/decimals.ts';
import type { PosPolicy } from '../../gateway/api/pos/policy.ts';
import { paymentMethods } from '../../gateway/store/tables/pos.ts';
import type { AlternativeName } from '../../spec/gaps/gaps.ts';
import { furtherMethods, methodsByOperator } from '../../spec/gaps/is/pos.ts';

const hourMs = 3_600_000;

/** What the verbs of pos do under alternatives. */
export const posPolicies: Readonly<Partial<Record<AlternativeName<'pos'>, Partial<PosPolicy>>>> = {
  'pos.payment-methods=one-per-operator': {
    paymentMethods: methodsByOperator,
    shownMethod: (method) => (method === 'mobile_money' ? 'orange_money' : method),
  },
  'pos.payment-methods=further': {
    paymentMethods: [...paymentMethods, ...furtherMethods],
    paidAtOnce: ['cash', 'card', ...furtherMethods],
  },
  'pos.sale-total=discount': { saleTotal: 'discount' },
  'pos.sale-total=trusted': { saleTotal: 'trusted' },
  'pos.repeated-products=merged': { soldLines: merged },
  'pos.item-price=catalogue-only': { linePrices: 'of-catalogue' },
  'pos.insufficient-stock=negative-stock': { insufficientStock: 'negative-stock' },
  'pos.repeated-post=refused': { repeatedPost: 'refused' },
  'pos.stock-at-creation=at-completion': { stockAtCreation: 'at-completion' },
  'pos.inventory-low-condition=every-change': { inventoryLowCondition: 'every-change' },
  'pos.inventory-low-condition=at-zero': { inventoryLowCondition: 'at-zero' },
  'pos.sale-states=completed-at-once': { saleStates: 'completed-at-once' },
  'pos.sale-states=further': { refusedPayments: 'sale-fails' },
  'pos.partial-payments=exact-amount': { paymentAmounts: 'whole-total' },
  'pos.partial-payments=change-kept': { paymentAmounts: 'change-kept' },
  'pos.payment-reference=sale-id': { paymentReference: 'id' },
  // The payments of the stub play this alternative.
  'pos.payment-states=pending': {},
  'pos.store-access=every-store': { mayUse: () => true },
  'pos.store-access=401': { foreignStore: 'forbidden' },
  'pos.report-sales=by-creation': { countedFrom: 'creation' },
  'pos.report-sales=store-time-zone': { dayOf: (atMs) => dayOf(atMs + hourMs) },
  'pos.report-dates-required=current-day': { reportDays: 1 },
  // Each key has a limit of its own, as large as the plan's.
  'pos.plan-scope=per-key': { planKey: ({ id, keyId }) => `${id} ${keyId}` },
  'pos.token-guard=none': { guardsTokens: false },
  'pos.token-lifetime=24-hours': { tokenLifetime: 86_400 },
};

/** Adds up the quantities of lines that have one product and one price. */
function merged(items: Parameters<PosPolicy['soldLines']>[0]) {
  const groups = Map.groupBy(items, ({ product_id, price }) => JSON.stringify([product_id, price]));
  return [...groups.values()].flatMap((lines) => {
    const quantity = sumOf(lines.map((line) => line.quantity)).toNumber();
    return lines.slice(0, 1).map((line) => ({ ...line, quantity }));
  });
}
