import { create, interventionStatuses, interventions, stats, update } from '../../../spec/gaps/is/cohesion.ts';
import { sent } from '../../../spec/gaps/is/conditions.ts';
import type { Asked, RequestChange } from '../../../spec/gaps/is/is.ts';
import { computedTotal, inventory, payments, reports, sales } from '../../../spec/gaps/is/pos.ts';
import { listOf } from '../../../spec/gaps/is/values.ts';
import { notOneOf, refuses, wrong, wrongValue } from '../../../spec/gaps/is/wrong.ts';
import { fieldsOf } from '../../../spec/json.ts';
import { isText, type SeenCall } from './call.ts';

/** What requests show in addition to what follows from the OpenAPI documents and `is`. */

/** True if two amounts differ by more than binary rounding does. */
export const differ = (one: number, another: number) => Math.abs(one - another) > 1e-6 * Math.max(1, Math.abs(one));

export function sumOf(asked: Asked): number {
  const { total, ...others } = sent(asked);
  if (asked.operation !== sales || typeof total !== 'number') return Number.NaN;
  const summed = computedTotal.request?.({ ...asked, body: others });
  return Number(summed && 'body' in summed ? fieldsOf(summed.body).total : Number.NaN);
}

const withTotal =
  (isTaken: (total: number, sum: number) => boolean): RequestChange =>
  (asked) => {
    const sum = sumOf(asked);
    return isTaken(Number(sent(asked).total), sum) ? { body: { ...sent(asked), total: sum } } : {};
  };

/** No plan is open so far ahead. */
const isFar = (year: number) => year >= new Date().getUTCFullYear() + 20;

const isUnknownStatus = (statut: unknown) => isText(statut) && !['brouillon', ...interventionStatuses].includes(statut);

/** The effect on requests of those alternatives that stubs do not play in `is`, but elsewhere or not at all. */
export const further: Readonly<Record<string, RequestChange | undefined>> = {
  'pos.sale-total=trusted': withTotal((total, sum) => differ(total, sum)),
  'pos.sale-total=discount': withTotal((total, sum) => total < sum && differ(total, sum)),
  // The phone of the sale is not known here.
  'pos.payment-fields-required=phone-optional': (asked) =>
    asked.operation === payments ? { body: { phone: '+2250700000000', ...sent(asked) } } : {},
  'pos.store-id-required=all-stores': ({ operation, query }) =>
    [inventory, reports].includes(operation) ? { query: { store_id: 'ANY', ...query } } : {},
  'cohesion.financing-bounds=open-year-only': refuses(422, create, (asked) =>
    isFar(Number(sent(asked).exercice)) ? wrongValue('exercice', 'must be an open year') : [],
  ).request,
  'cohesion.annee-values=past-or-current': refuses(422, stats, ({ query }) =>
    isFar(Number(query.annee)) ? wrongValue('annee', 'must not be a year to come') : [],
  ).request,
  'cohesion.annee-values=unknown-404': ({ operation, query }) =>
    operation === stats && isFar(Number(query.annee)) ? wrong(404, []) : {},
  'cohesion.open-filters=422': refuses(422, interventions, ({ query: { statut } }) =>
    isUnknownStatus(statut) ? notOneOf('statut', interventionStatuses) : [],
  ).request,
};

/** For each entry, the calls that say nothing about it, because another rule of the service may explain their reply. */
export const isInDoubt: Readonly<Record<string, (call: SeenCall, earlier: readonly SeenCall[]) => boolean>> = {
  'pos.currency': () => true,
  'pos.amount-bounds': (call) => !call.says(/whole|integer|entier|fraction|decimal/i),
  'pos.repeated-products': (call) => !call.says(/duplicat|repeat|twice|another line|distinct|unique|same product/i),
  'pos.phone-format': (call) => !call.says(/\+|E\.?164|country code|international/i),
  // A service that takes the number of the sale needs it only if it knows the sale.
  'pos.payment-fields-required': (call, earlier) =>
    call.isRefused && call.sent.phone === undefined && paidSale(call, earlier) === undefined,
  // A move of a financing may be refused.
  'cohesion.financing-statuses': (call) => call.isRefused && call.isOn(update),
  // A service may also keep a text that is not a currency.
  'cohesion.devise-sent': (call) => call.isSuccess,
  // A refused type says something about types only if another filter accepts unknown values.
  'cohesion.structure-types': (_, earlier) =>
    !earlier.some(
      (one) => one.isOn(interventions) && one.isSuccess && isUnknownStatus(one.query.statut) && listOf(one.record).length === 0,
    ),
};

export const paidSale = (call: SeenCall, earlier: readonly SeenCall[]) =>
  earlier.find((one) => one.isOn(sales) && one.isSuccess && one.ids.includes(String(call.sent.reference)));
