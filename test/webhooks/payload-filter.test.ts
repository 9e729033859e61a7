import fc from 'fast-check';
import { expect, test } from 'vitest';
import { posEvents } from '../../gateway/api/pos/events.ts';
import type { Refusal } from '../../gateway/base/errors.ts';
import { checkFilter } from '../../gateway/webhooks/endpoints/check-filter.ts';
import { failedCondition, isOperator, operators } from '../../gateway/webhooks/model/payload-filter.ts';
import { forAll } from '../for-all.ts';

const [saleCompleted, paymentReceived] = posEvents;
const sale = { event: 'sale.completed', delivered_at: '2026-11-21T08:53:00+00:00', data: saleCompleted.example };

const meets = (filter: unknown, payload: unknown = sale) => failedCondition(filter, payload) === undefined;

const check = (filter: unknown, definitions: Parameters<typeof checkFilter>[1] = [saleCompleted]) => {
  try {
    checkFilter(JSON.stringify(filter), definitions);
    return undefined;
  } catch (error) {
    const [detail] = (error as Refusal).details ?? [];
    return `${detail?.field}: ${detail?.rule}: ${detail?.message}`;
  }
};

test.each<[object, boolean]>([
  [{ event: 'sale.completed' }, true],
  [{ data: { status: 'pending' } }, false],
  [{ data: { customer_phone: null } }, true],
  [{ data: { total: { $gte: 9000, $lt: 9001 } } }, true],
  [{ data: { total: { $gt: 9000 } } }, false],
  [{ data: { created_at: { $lte: '2026-11-21T08:53:00.000Z' } } }, true],
  // The example's 08:53 UTC.
  [{ delivered_at: { $gte: '2026-11-21T09:53:00+01:00' } }, true],
  [{ delivered_at: { $gt: '2026-11-21T09:53:00+01:00' } }, false],
  [{ delivered_at: { $lte: '2026-11-21T10:00:00+01:30' } }, false],
  [{ delivered_at: '2026-11-21T08:53:00.000Z' }, true],
  [{ delivered_at: { $neq: '2026-11-21T08:53:00Z' } }, false],
  [{ delivered_at: { $in: ['2026-11-21T03:53:00-05:00'] } }, true],
  [{ delivered_at: { $startsWith: '2026-11-21' } }, true],
  [{ data: { payment_method: { $in: ['card', 'cash'] } } }, true],
  [{ data: { payment_method: { $nin: ['card', 'cash'] } } }, false],
  [{ data: { store_id: { $in: 'ABJ' } } }, true],
  [{ data: { store_id: { $startsWith: 'STORE-', $endsWith: '-02' } } }, false],
  [{ data: { customer_phone: { $neq: '+2250700000000' } } }, true],
  [{ data: { customer_phone: { $startsWith: '+225' } } }, false],
  [{ data: { items: { product_id: 'PRD-0001', quantity: 2 } } }, true],
  [{ data: { items: { product_id: 'PRD-0001', quantity: 3 } } }, false],
  [{ data: { sale: { $exist: false } } }, true],
  [{ data: { sale: { status: 'completed' } } }, false],
  [{ $or: [{ data: { total: 1 } }, { data: { paid: 9000 } }] }, true],
  [{ $and: [{ data: { total: 9000 } }, { $not: { data: { paid: 9000 } } }] }, false],
  [{ data: { total: { $or: [{ $lt: 10 }, { $gt: 8000 }] } } }, true],
])('the filter %j is met by a sale of 9000 in cash: %j', (filter, expected) => {
  expect(meets(filter)).toBe(expected);
  expect(check(filter, posEvents)).toBeUndefined();
});

test('the first condition that fails is named, with what the payload has there', () => {
  expect(failedCondition({ event: 'sale.completed', data: { total: { $gte: 1, $lt: 5 }, paid: 1 } }, sale)).toEqual({
    path: 'data.total',
    condition: { $lt: 5 },
    value: 9000,
  });
});

test.each<[unknown, string]>([
  [{ data: { totl: 1 } }, 'filter.data.totl: unknown_field: data has no field "totl" in these events. Did you mean total? '],
  [{ total: 1 }, 'filter.total: unknown_field: The payload has no field "total" in these events. Its fields are event, '],
  [{ data: { total: { cents: 1 } } }, 'filter.data.total.cents: unknown_field: data.total has no fields.'],
  [{ data: { items: { quantty: 1 } } }, 'filter.data.items.quantty: unknown_field: data.items has no field "quantty" in these'],
  [
    { data: { total: { $gt: '9000' } } },
    'filter.data.total: wrong_type: data.total is of the type number and never "9000". Write 9000 w',
  ],
  [{ data: { total: null } }, 'filter.data.total: wrong_type: data.total is of the type number and never null.'],
  [{ data: 5 }, 'filter.data: wrong_type: data is of the type object and never 5.'],
  [
    { data: { status: 'complete' } },
    'filter.data.status: impossible_value: data.status is never "complete". Did you mean completed? It is one of',
  ],
  [{ event: 'sale.complete' }, 'filter.event: impossible_value: event is never "sale.complete". Did you mean sale.completed? '],
  [
    { data: { completed_at: 'yesterday' } },
    'filter.data.completed_at: impossible_value: data.completed_at is never "yesterday". It is a date with a time and an offset',
  ],
  // V8 reads them as times.
  ...['foo 1', '21 Nov 2020', '2026-11-21', '2026-11-21T08:53:00', '2026-02-30T08:53:00Z', '1'].map((text): [unknown, string] => [
    { delivered_at: { $gte: text } },
    `filter.delivered_at: impossible_value: delivered_at is never "${text}". It is a date with a time`,
  ]),
  [
    { delivered_at: { $gte: '2026-11-21T08:53:00+01:00', $lt: '2026-11-21T07:53:00Z' } },
    'filter.delivered_at: impossible_value: delivered_at cannot be above',
  ],
  [
    { data: { total: { $gte: 10, $lt: 10 } } },
    'filter.data.total: impossible_value: data.total cannot be above 10 and below 10.',
  ],
  [{ data: { total: { $get: 10 } } }, 'filter.data.total: unknown_operator: There is no operator $get. Did you mean $gt or $gte'],
  [
    { data: { status: ['pending'] } },
    'filter.data.status: wrong_operand: $eq takes one value. Write {"$in": ["pending"]} for one of',
  ],
  [
    { data: { status: { $in: [] } } },
    'filter.data.status: wrong_operand: $in takes a list of values, or a part of a text, not [].',
  ],
  [{ data: { status: { $in: ['pending', 'done'] } } }, 'filter.data.status: impossible_value: data.status is never "done". '],
  [{ data: { total: { $startsWith: '9' } } }, 'filter.data.total: wrong_type: data.total is of the type number and never "9".'],
  [{ data: { total: { $exist: 'yes' } } }, 'filter.data.total: wrong_operand: $exist takes true or false, not "yes".'],
  [
    { data: { total: { $eq: {} } } },
    'filter.data.total: wrong_operand: $eq takes a text, a number, true, false or null, not {}.',
  ],
  [{ $or: { event: 'sale.completed' } }, 'filter: not_a_list: $or takes a list of conditions, such as {"$or": '],
  [{ $not: {} }, 'filter: empty: An empty condition matches everything.'],
  [{}, 'filter: empty: '],
  [{ data: { reference: 'x'.repeat(4000) } }, 'filter: too_long: The filter is longer than 4000 characters'],
])('the filter %j is refused with advice', (filter, expected) => {
  expect(check(filter)).toContain(expected);
});

const isATime = (sent: string) =>
  `It is a time in UTC, such as "${sent}". Write {"$gte": …, "$lt": …} for a range of times, with any offset.`;
const delivered = isATime('2026-11-21T08:53:00+00:00');
const completed = isATime('2026-11-21T08:53:00.000Z');

test.each<[object, string]>([
  [
    { delivered_at: { $in: '2026-11-29T17:00:00+01:00' } },
    'filter.delivered_at: impossible_value: delivered_at never contains "2026-11-29T17:00:00+01:00". ' +
      'Write {"$in": ["2026-11-29T17:00:00+01:00"]} for this time.',
  ],
  [{ delivered_at: { $nin: 'zzz' } }, `delivered_at never contains "zzz". ${delivered}`],
  [{ delivered_at: { $startsWith: 'zzz' } }, `delivered_at never begins with "zzz". ${delivered}`],
  [{ delivered_at: { $startsWith: '2026-13' } }, `delivered_at never begins with "2026-13". ${delivered}`],
  [{ delivered_at: { $startsWith: '11-21' } }, `delivered_at never begins with "11-21". ${delivered}`],
  [{ delivered_at: { $endsWith: 'Z' } }, `delivered_at never ends with "Z". ${delivered}`],
  [{ data: { completed_at: { $in: 'yesterday' } } }, `data.completed_at never contains "yesterday". ${completed}`],
  [{ data: { completed_at: { $endsWith: '+01:00' } } }, `data.completed_at never ends with "+01:00". ${completed}`],
  [
    { event: { $in: 'sale.opened' } },
    'filter.event: impossible_value: event never contains "sale.opened". Did you mean sale.completed? It is one of sale.completed.',
  ],
  [{ data: { status: { $endsWith: 'done' } } }, 'data.status never ends with "done". It is one of '],
])('the part of a text in the filter %j is refused, because no value has it', (filter, expected) => {
  expect(check(filter)).toContain(expected);
});

test.each<object>([
  { delivered_at: { $startsWith: '' } },
  ...[
    '2',
    '2026',
    '2026-0',
    '2026-1',
    '2026-02-2',
    '2026-04-3',
    '2026-12-31T2',
    '2026-11-21T08:5',
    '2026-11-21T08:53:00+00:00',
  ].map((text) => ({ delivered_at: { $startsWith: text } })),
  ...['+00:00', ':59+00:00', '02-29T23:59:59+00:00', '-31T08:53:00+00:00'].map((text) => ({ delivered_at: { $endsWith: text } })),
  ...['T08:', '-11-', '-29T', '6-02-29', '3:5', '1'].map((text) => ({ delivered_at: { $in: text } })),
  ...['Z', '.123Z', ':59.999Z'].map((text) => ({ data: { completed_at: { $endsWith: text } } })),
  { event: { $startsWith: 'sale.' } },
  { event: { $in: 'completed' } },
  { data: { status: { $nin: 'end' } } },
])('the filter %j is taken, because values may have this part', (filter) => {
  expect(check(filter)).toBeUndefined();
});

test('a field that only some of the events have may be named, and a whole number may be compared with a fraction', () => {
  expect(check({ data: { provider: 'orange_money' } }, [saleCompleted, paymentReceived])).toBeUndefined();
  expect(check({ data: { products: { $gt: 1.5 } } }, posEvents)).toBeUndefined();
  expect(check({ data: { products: 1.5 } }, posEvents)).toContain('It is a whole number.');
});

/** Filters of any form, with names and values that the payload has, and others. */
const anyFilter = fc.letrec((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(9000, 'completed', null, true, [], ['x'], 'STORE-ABJ-01', '__proto__'),
    fc.dictionary(
      fc.constantFrom(
        'data',
        'total',
        'items',
        'status',
        '$or',
        '$and',
        '$not',
        'constructor',
        '$nothing',
        ...Object.keys(operators),
      ),
      fc.oneof(tie('condition'), fc.array(tie('condition'), { maxLength: 3 })),
      { maxKeys: 3 },
    ),
  ),
}));

test('whatever is sent as a filter is refused or judges every payload, and $not judges the other way', () => {
  forAll(
    2000,
    [
      anyFilter.condition,
      fc.oneof(
        fc.constant(sale),
        fc.json().map((text) => JSON.parse(text)),
      ),
    ],
    (filter, payload) => {
      const refusal = check(filter, posEvents);
      if (refusal === undefined) expect(meets({ $not: filter }, payload)).toBe(!meets(filter, payload));
      else expect(refusal).toMatch(/^filter/);
    },
  );
});

test('the opposite of an operator holds where the operator does not', () => {
  const values = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.boolean());
  forAll(100, [values, fc.array(values, { minLength: 1 })], (value, wanted) => {
    expect(operators.$nin(value, wanted as never)).toBe(!operators.$in(value, wanted as never));
    expect(operators.$neq(value, wanted[0] as never)).toBe(value !== wanted[0]);
  });
  expect(isOperator('constructor')).toBe(false);
});
