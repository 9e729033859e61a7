import { data, on } from '../../contracts/tools/assumptions/changes.ts';
import { sent } from '../../contracts/tools/assumptions/conditions.ts';
import { listOf, scaled, withFields } from '../../contracts/tools/assumptions/values.ts';
import { fieldsOf, type Json } from '../../contracts/tools/json.ts';
import { mapIn } from './memory.ts';
import type { Memory, Variant, Variants } from './types.ts';

/** Alternatives for what a financing keeps, and how its amounts are added up. */

const update = 'PUT /financements/{id}';

/** The other fields have no empty value: numbers, a year, and closed lists of words. */
const canBeEmpty = ['bailleur', 'intitule'];

/** An update replaces a financing as a whole. The store keeps the texts that the service has emptied. */
const emptied = (memory: Memory): Variant => {
  const empty = mapIn<readonly string[]>(memory, 'emptied fields of financings');
  return {
    request(asked, { alternativeOf }) {
      const fields = sent(asked);
      if (asked.operation !== update || Object.keys(fields).length === 0 || fields.devise !== undefined) return {};
      const devise = alternativeOf('cohesion.devise-sent') === 'other-default' ? 'EUR' : 'XOF';
      return { body: { ...fields, devise } };
    },
    reply: on(update, (reply, asked) =>
      data(
        withFields(({ id }) => {
          const missing = canBeEmpty.filter((name) => sent(asked)[name] === undefined);
          empty.set(String(id), missing);
          return Object.fromEntries(missing.map((name) => [name, '']));
        }),
      )(reply, asked),
    ),
  };
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
