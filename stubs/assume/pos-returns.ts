import { body } from '../../contracts/tools/assumptions/changes.ts';
import { both, isError, isOperation, sent, when } from '../../contracts/tools/assumptions/conditions.ts';
import { listOf } from '../../contracts/tools/assumptions/values.ts';
import { fieldsOf } from '../../contracts/tools/json.ts';
import { textsIn } from './texts.ts';
import type { Variant, Variants } from './types.ts';

const isNegative = (value: unknown): value is number => typeof value === 'number' && value < 0;
const size = (value: unknown) => (isNegative(value) ? -value : value);

/**
 * Lines of goods that are returned have negative quantities, and put them back into stock. The total is the sum of the lines, and
 * may be negative. The reference would refuse both, so its validation sees them without their signs.
 */
const negativeQuantities: Variant = {
  request(asked) {
    const { items, total, ...others } = sent(asked);
    const lines = listOf(items).map(fieldsOf);
    if (asked.operation !== 'POST /sales' || !lines.some(({ quantity }) => isNegative(quantity))) return {};
    return {
      body: { ...others, items: lines.map((line) => ({ ...line, quantity: size(line.quantity) })), total: size(total) },
      afterValidation: (valid) => ({
        ...valid,
        items: listOf(valid.items).map((line, at) => ({ ...fieldsOf(line), quantity: lines[at]?.quantity })),
        total,
      }),
    };
  },
  // Of the numbers of a sale, only a quantity must be more than 0 in the reference.
  reply: when(
    both(isError, isOperation('POST /sales')),
    body((held) => textsIn(held, (text) => text.replace('must be more than 0', 'must not be 0'))),
  ),
};

export const posReturnVariants: Variants = { 'pos.amount-bounds=negative-quantities': negativeQuantities };
