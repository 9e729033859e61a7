/**
 * Choices of the verbs where the document is silent. A gateway makes those of the gap register. A stub can be told to make
 * others, by the ids of their alternatives.
 */
export interface PosChoices {
  /** Which totals a sale may have (gap pos.sale-total): the sum of its lines, at most that, or any. */
  readonly saleTotal: 'exact' | 'discount' | 'trusted';
  /** Whether a sale of more than there is in stock is refused (gap pos.insufficient-stock). */
  readonly insufficientStock: 'refused' | 'negative-stock';
  /** When a sale takes its goods from stock (gap pos.stock-at-creation). */
  readonly stockAtCreation: 'at-creation' | 'at-completion';
  /** When a sale announces low stock (gap pos.inventory-low-condition). */
  readonly inventoryLowCondition: 'crossing' | 'every-change' | 'at-zero';
  /** When a mobile-money sale is completed (gap pos.sale-states): with its last payment, or as every other sale. */
  readonly saleStates: 'until-paid' | 'completed-at-once';
  /** What a payment that is refused, or not confirmed in time, does to its sale (gap pos.sale-states): it fails, or can be paid again. */
  readonly refusedPayments: 'sale-waits' | 'sale-fails';
  /** How long a token lives (gap pos.token-lifetime). */
  readonly tokenLifetime: '1-hour' | '24-hours';
  /** What new ids and references of sales and payments end with. */
  readonly idSuffix: string;
}

export const registeredChoices: PosChoices = {
  saleTotal: 'exact',
  insufficientStock: 'refused',
  stockAtCreation: 'at-creation',
  inventoryLowCondition: 'crossing',
  saleStates: 'until-paid',
  refusedPayments: 'sale-waits',
  tokenLifetime: '1-hour',
  idSuffix: '',
};
