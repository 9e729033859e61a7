import type { Row } from '../../store/tables/index.ts';
import { paymentMethods } from '../../store/tables/pos.ts';
import { dayOf } from './domain/days.ts';
import type { PosCaller } from './identity.ts';
import type { SaleRequest } from './schemas.ts';

/** What the API does where its document is silent. A stub may do something else. */
export type PosPolicy = Readonly<typeof registeredPolicy>;

/** The choices of the gap register, which a gateway has. */
export const registeredPolicy = {
  /** The values of payment_method that are taken (gap pos.payment-methods). */
  paymentMethods: paymentMethods as readonly string[],
  /** The methods that complete a sale at once. The others wait for mobile money. */
  paidAtOnce: ['cash', 'card'] as readonly string[],
  /** Returns the method under which reports count a sale (gap pos.payment-methods). */
  shownMethod: (method: string) => method,
  /** Which totals a sale may have (gap pos.sale-total): the sum of its lines, at most that, or any. */
  saleTotal: 'exact' as 'exact' | 'discount' | 'trusted',
  /** Returns the lines of a sale as they are sold (gap pos.repeated-products). */
  soldLines: (items: SaleRequest['items']) => items,
  /** Which prices a line may have (gap pos.item-price). */
  linePrices: 'any' as 'any' | 'of-catalogue',
  /** Whether a sale of more than there is in stock is refused (gap pos.insufficient-stock). */
  insufficientStock: 'refused' as 'refused' | 'negative-stock',
  /** What becomes of a sale that equals one of the last minute (gap pos.repeated-post). */
  repeatedPost: 'carried-out' as 'carried-out' | 'refused',
  /** When a sale takes its goods from stock (gap pos.stock-at-creation). */
  stockAtCreation: 'at-creation' as 'at-creation' | 'at-completion',
  /** When a sale announces low stock (gap pos.inventory-low-condition). */
  inventoryLowCondition: 'crossing' as 'crossing' | 'every-change' | 'at-zero',
  /** When a mobile-money sale is completed (gap pos.sale-states): with its last payment, or as every other sale. */
  saleStates: 'until-paid' as 'until-paid' | 'completed-at-once',
  /** What a payment that is refused, or not confirmed in time, does to its sale (gap pos.sale-states): it fails, or can be paid again. */
  refusedPayments: 'sale-waits' as 'sale-waits' | 'sale-fails',
  /** Which amounts pay a sale (gap pos.partial-payments). `change-kept`: the service takes what remains of one that is too large. */
  paymentAmounts: 'parts' as 'parts' | 'whole-total' | 'change-kept',
  /** What the reference of a payment names (gap pos.payment-reference): a sale by its reference or id, or by its id only. */
  paymentReference: 'reference-or-id' as 'reference-or-id' | 'id',
  /** Returns true if an account may see a store and sell there (gap pos.store-access). */
  mayUse: ({ store_ids }: Row<'accounts'>, storeId: string) => store_ids === null || store_ids.includes(storeId),
  /** How the call for another account's store is answered (gap pos.store-access). */
  foreignStore: 'not_found' as 'not_found' | 'forbidden',
  /** From when on a sale counts in reports (gap pos.report-sales). */
  countedFrom: 'completion' as 'completion' | 'creation',
  /** Returns the day of an instant in reports, as YYYY-MM-DD (gap pos.report-sales). */
  dayOf,
  /** How many days a report without dates has (gap pos.report-dates-required). */
  reportDays: 30,
  /** The calls of callers with the same key have one limit of the plan together (gap pos.plan-scope). */
  planKey: ({ id }: PosCaller) => id,
  /** Whether attempts to obtain a token are limited (gap pos.token-guard). */
  guardsTokens: true,
  /** Seconds that a token lives (gap pos.token-lifetime). */
  tokenLifetime: 3600,
  /** What new ids and references of sales and payments end with. */
  idSuffix: '',
};
