import { body, data, on, payload, sequence } from '../../contracts/tools/assumptions/changes.ts';
import { isError, isOperation, sent, when } from '../../contracts/tools/assumptions/conditions.ts';
import { everywhere, listOf, scaled } from '../../contracts/tools/assumptions/values.ts';
import { wrongValue } from '../../contracts/tools/assumptions/wrong.ts';
import { fieldsOf, type Json } from '../../contracts/tools/json.ts';
import { wrong } from './refused.ts';
import { textsIn } from './texts.ts';
import type { Variant, Variants } from './types.ts';

const sales = 'POST /sales';
const payments = 'POST /payment/mobile';

const shown = ['price', 'amount', 'total', 'paid', 'remaining'];
const inCents = everywhere(shown, scaled(100));
const inUnits = scaled(0.01);

/** The amounts that a request sends, by the names that refusals give them. */
function amountsOf(fields: Json): [field: string, value: unknown][] {
  const prices = listOf(fields.items).map((item, at): [string, unknown] => [`items.${at}.price`, fieldsOf(item).price]);
  return [['total', fields.total], ['amount', fields.amount], ...prices];
}

/** Sentences of refusals that name amounts, and the bound of each. Quantities stay as they are. */
const namesAmounts =
  /^(total|amount|items\.\d+\.price): |total is|total of the sale|lines add up|amount is|remains|awaited|catalogue/;

const centsInText = (text: string) =>
  namesAmounts.test(text)
    ? text.replace(/(?<![\w.-])\d+(\.\d+)?(?![\w-]|\.\d| digits| more)/g, (number) => String(scaled(100)(Number(number))))
    : text;

/** Amounts of requests and replies are whole cents. The stub stores whole units. */
const smallestUnit: Variant = {
  request(asked) {
    if (![sales, payments].includes(asked.operation)) return {};
    const fields = sent(asked);
    const broken = amountsOf(fields).filter(([, value]) => typeof value === 'number' && !Number.isInteger(value));
    if (broken.length > 0)
      return wrong(
        400,
        broken.flatMap(([field]) => wrongValue(field, 'must be a whole number')),
      );
    return { body: everywhere(['price', 'amount', 'total'], inUnits)(fields) };
  },
  reply: sequence(
    on([sales, payments, 'GET /inventory', 'GET /reports/sales'], data(inCents)),
    when(
      (asked, reply) => isError(asked, reply) && isOperation(sales, payments)(asked, reply),
      body((held) => textsIn(held, centsInText)),
    ),
  ),
  message: payload(inCents),
};

export const posMoneyVariants: Variants = { 'pos.currency=smallest-unit': smallestUnit };
