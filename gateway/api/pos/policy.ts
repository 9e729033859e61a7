import type { Row } from '../../store/tables/index.ts';
import { paymentMethods } from '../../store/tables/pos.ts';
import { dayOf } from './domain/days.ts';
import type { PosCaller } from './identity.ts';
import type { SaleRequest } from './schemas.ts';

/** What the API does where its document is silent. A gateway has the choices of the gap register. A stub may have others. */
export interface PosPolicy {
  /** The values of payment_method that are taken (gap pos.payment-methods). */
  readonly paymentMethods: readonly string[];
  /** Those that complete a sale at once. The others wait for mobile money. */
  readonly paidAtOnce: readonly string[];
  /** Returns the method under which reports count a sale (gap pos.payment-methods). */
  readonly shownMethod: (method: string) => string;
  /** Which totals a sale may have (gap pos.sale-total): the sum of its lines, at most that, or any. */
  readonly saleTotal: 'exact' | 'discount' | 'trusted';
  /** Returns the lines of a sale as they are sold (gap pos.repeated-products). */
  readonly soldLines: (items: SaleRequest['items']) => SaleRequest['items'];
  /** Which prices a line may have (gap pos.item-price). */
  readonly linePrices: 'any' | 'of-catalogue';
  /** Whether a sale of more than there is in stock is refused (gap pos.insufficient-stock). */
  readonly insufficientStock: 'refused' | 'negative-stock';
  /** What becomes of a sale that equals one of the last minute (gap pos.repeated-post). */
  readonly repeatedPost: 'carried-out' | 'refused';
  /** When a sale takes its goods from stock (gap pos.stock-at-creation). */
  readonly stockAtCreation: 'at-creation' | 'at-completion';
  /** When a sale announces low stock (gap pos.inventory-low-condition). */
  readonly inventoryLowCondition: 'crossing' | 'every-change' | 'at-zero';
  /** When a mobile-money sale is completed (gap pos.sale-states): with its last payment, or as every other sale. */
  readonly saleStates: 'until-paid' | 'completed-at-once';
  /** What a payment that is refused, or not confirmed in time, does to its sale (gap pos.sale-states): it fails, or can be paid again. */
  readonly refusedPayments: 'sale-waits' | 'sale-fails';
  /** Which amounts pay a sale (gap pos.partial-payments). `change-kept`: the service takes what remains of one that is too large. */
  readonly paymentAmounts: 'parts' | 'whole-total' | 'change-kept';
  /** What the reference of a payment names (gap pos.payment-reference): a sale by its reference or id, or by its id only. */
  readonly paymentReference: 'reference-or-id' | 'id';
  /** Returns true if an account may see a store and sell there (gap pos.store-access). */
  readonly mayUse: (account: Row<'accounts'>, storeId: string) => boolean;
  /** How the call for another account's store is answered (gap pos.store-access). */
  readonly foreignStore: 'not_found' | 'forbidden';
  /** From when on a sale counts in reports (gap pos.report-sales). */
  readonly countedFrom: 'completion' | 'creation';
  /** Returns the day of an instant in reports, as YYYY-MM-DD (gap pos.report-sales). */
  readonly dayOf: (atMs: number) => string;
  /** How many days a report without dates has (gap pos.report-dates-required). */
  readonly reportDays: number;
  /** The calls of callers with the same key have one limit of the plan together (gap pos.plan-scope). */
  readonly planKey: (caller: PosCaller) => string;
  /** Whether attempts to obtain a token are limited (gap pos.token-guard). */
  readonly guardsTokens: boolean;
  /** Seconds that a token lives (gap pos.token-lifetime). */
  readonly tokenLifetime: number;
  /** What new ids and references of sales and payments end with. */
  readonly idSuffix: string;
}

export const registeredPolicy: PosPolicy = {
  paymentMethods,
  paidAtOnce: ['cash', 'card'],
  shownMethod: (method) => method,
  saleTotal: 'exact',
  soldLines: (items) => items,
  linePrices: 'any',
  insufficientStock: 'refused',
  repeatedPost: 'carried-out',
  stockAtCreation: 'at-creation',
  inventoryLowCondition: 'crossing',
  saleStates: 'until-paid',
  refusedPayments: 'sale-waits',
  paymentAmounts: 'parts',
  paymentReference: 'reference-or-id',
  mayUse: ({ store_ids }, storeId) => store_ids === null || store_ids.includes(storeId),
  foreignStore: 'not_found',
  countedFrom: 'completion',
  dayOf,
  reportDays: 30,
  planKey: ({ id }) => id,
  guardsTokens: true,
  tokenLifetime: 3600,
  idSuffix: '',
};
