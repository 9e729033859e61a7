import { data, on } from '../../contracts/tools/assumptions/changes.ts';
import { listOf, scaled, withFields } from '../../contracts/tools/assumptions/values.ts';
import { fieldsOf, type Json } from '../../contracts/tools/json.ts';
import type { Variant, Variants } from './types.ts';

/** Alternatives for what a financing keeps, and how its amounts are added up. */

const update = 'PUT /financements/{id}';

/** An update replaces a financing as a whole. The other fields have no empty value: numbers, a year, and closed lists of words. */
const emptied: Variant = {
  request({ operation }, { alternativeOf }) {
    if (operation !== update) return {};
    const devise = alternativeOf('cohesion.devise-sent') === 'other-default' ? 'EUR' : 'XOF';
    return { afterValidation: (valid) => ({ bailleur: '', intitule: '', ...valid, devise: valid.devise ?? devise }) };
  },
};

/**
 * What one unit of a currency is worth in XOF. The euro has a fixed rate. The others are round figures of ours: a client sees the
 * sums, and no reply shows a rate.
 */
const rates: Readonly<Record<string, number>> = { XOF: 1, EUR: 655.957, USD: 600, GBP: 780, CHF: 690 };
const otherRate = 100;

const inFrancs = ({ devise, montant }: Json) => scaled(rates[String(devise)] ?? otherRate)(montant) as number;

/** Adds up the sums of a status in all currencies, in whole francs. */
function inOneCurrency(sums: readonly Json[]): Json[] {
  return [...Map.groupBy(sums, ({ statut }) => statut)].map(([statut, own]) => ({
    statut,
    nombre: own.reduce((all, { nombre }) => all + Number(nombre), 0),
    montant: Math.round(own.reduce((all, one) => all + inFrancs(one), 0)),
  }));
}

const oneCurrency: Variant = {
  reply: on(
    'GET /stats',
    data(
      withFields(({ financements }) => ({
        financements: withFields(({ par_statut }) => ({ par_statut: inOneCurrency(listOf(par_statut).map(fieldsOf)) }))(
          financements,
        ),
      })),
    ),
  ),
};

export const cohesionFinancingVariants: Variants = {
  'cohesion.financing-update-required=emptied': emptied,
  'cohesion.stats-fields=one-currency': oneCurrency,
};
