import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import type { PaymentEnd as StoredEnd, PaymentStatus as StoredStatus } from '../../gateway/store/tables/pos.ts';
import {
  type MobileMoneyRule,
  mobileMoneyText,
  parseMobileMoney,
  parseMobileMoneyRules,
  takes,
} from '../../stubs/payments/rule.ts';
import type { PaymentEnd, PaymentStatus } from '../../stubs/payments/types.ts';
import { forAll } from '../for-all.ts';

describe('the text of a rule', () => {
  test.each<[string, MobileMoneyRule]>([
    ['received', { status: 'received' }],
    ['pending', { status: 'pending' }],
    ['pending:30s', { status: 'pending', forMs: 30_000, end: 'received' }],
    ['pending:30s,received', { status: 'pending', forMs: 30_000, end: 'received' }],
    ['pending:1h30m,timed_out', { status: 'pending', forMs: 5_400_000, end: 'timed_out' }],
    [' pending : 2m , refused , times = 1 ', { status: 'pending', forMs: 120_000, end: 'refused', times: 1 }],
    ['pending,phone=+225 07-00.000001', { status: 'pending', phone: '+2250700000001' }],
    ['pending:0s,amount=666.50,refused', { status: 'pending', forMs: 0, end: 'refused', amount: '666.5' }],
    ['received,provider=mtn_momo', { status: 'received', provider: 'mtn_momo' }],
  ])('%s', (text, rule) => {
    expect(parseMobileMoney(text)).toEqual(rule);
  });

  test.each([
    ['', '"" is not what a payment can be.'],
    ['pendng:30s', '"pendng" is not what a payment can be. Did you mean pending?'],
    ['recieved', 'Did you mean received?'],
    ['refused', 'A payment is refused only after it was pending: pending:30s,refused.'],
    ['timed_out:2m', 'pending:30s,timed_out'],
    ['received:30s', 'A received payment takes no time. Write pending:30s.'],
    ['pending:30', '"30" is not a duration. Write a number with its unit'],
    ['pending:', '"" is not a duration.'],
    ['pending:0.5ms', '"0.5ms" is not a whole number of milliseconds.'],
    ['pending:8d', '"8d" is longer than 7 days.'],
    ['pending:30s,timedout', '"timedout" is not an end of a payment. Did you mean timed_out?'],
    ['pending:30s,pending', '"pending" is not an end of a payment.'],
    ['pending:30s,', '"" is not an end of a payment.'],
    ['pending:30s,refused,received', 'It has two ends: refused and received.'],
    ['pending,refused', '"pending" has no duration after which a payment is refused.'],
    ['received,refused', '"received" has no duration'],
    ['pending:30s,phon=0700000000', '"phon" is not an option. Did you mean phone?'],
    ['pending:30s,__proto__=1', '"__proto__" is not an option.'],
    ['pending:30s,phone=12', '"12" is not a telephone number of 8 to 15 digits.'],
    ['pending:30s,phone', 'phone needs a value: phone=...'],
    ['pending:30s,phone=', 'phone needs a value'],
    ['pending:30s,amount=0', '"0" is not an amount above 0.'],
    ['pending:30s,amount=-1', 'is not an amount'],
    ['pending:30s,provider=mtn', '"mtn" is not a provider. Did you mean mtn_momo? Use one of orange_money, mtn_momo, '],
    ['pending:30s,times=0', 'times is a whole number from 1, not "0".'],
    ['pending:30s,times=1,times=2', 'times is given twice.'],
  ])('%j is refused with a message that shows the forms', (text, message) => {
    expect(() => parseMobileMoney(text)).toThrow(CouldNotRun);
    expect(() => parseMobileMoney(text)).toThrow(message);
    expect(() => parseMobileMoney(text)).toThrow('Write received, pending, pending:30s or pending:30s,refused');
  });

  const conditions = fc.record(
    {
      phone: fc.stringMatching(/^[0-9]{8,15}$/),
      amount: fc.integer({ min: 1, max: 1e9 }).map((cents) => String(cents / 100)),
      provider: fc.constantFrom('orange_money', 'mtn_momo', 'moov_money'),
      times: fc.integer({ min: 1, max: 999_999_999 }),
    },
    { requiredKeys: [] },
  );
  const status = fc.oneof(
    fc.constantFrom({ status: 'received' as const }, { status: 'pending' as const }),
    fc.record({
      status: fc.constant('pending' as const),
      forMs: fc.integer({ min: 0, max: 7 * 86_400_000 }),
      end: fc.constantFrom('received' as const, 'refused' as const, 'timed_out' as const),
    }),
  );
  const rule: fc.Arbitrary<MobileMoneyRule> = fc.tuple(status, conditions).map(([one, other]) => ({ ...one, ...other }));

  test('any rule is read from its text as the same rule', () => {
    forAll(100, [rule], (one) => {
      expect(parseMobileMoney(mobileMoneyText(one))).toEqual(one);
    });
  });

  test('any text is read, or refused with a CouldNotRun; what was read has a text', () => {
    const statuses = ['pending', 'received', 'refused', 'timed_out'];
    const words = fc.constantFrom(...statuses, 'phone', 'amount', 'times', '30s', ':', '=', ',', ' ', '1');
    const text = fc.oneof(
      fc.string(),
      fc.array(words, { maxLength: 9 }).map((parts) => parts.join('')),
    );
    forAll(100, [text], (given) => {
      try {
        const read = parseMobileMoney(given);
        expect(parseMobileMoney(mobileMoneyText(read))).toEqual(read);
      } catch (error) {
        expect(error).toBeInstanceOf(CouldNotRun);
      }
    });
  });
});

test('a rule after one that takes every payment, or the same number in another form, is refused', () => {
  expect(() => parseMobileMoneyRules(['pending:30s', 'pending,provider=mtn_momo'])).toThrow(
    '"pending,provider=mtn_momo" is never used: "pending:30s" before it takes the same payments. Put it first.',
  );
  const twice = [
    'pending,provider=orange_money,phone=+2250700000001',
    'received,phone=+2250700000001,provider=orange_money,amount=5',
  ];
  expect(() => parseMobileMoneyRules(twice)).toThrow('is never used');
  expect(parseMobileMoneyRules([...twice].reverse())).toHaveLength(2);
  const sameNumber = ['pending,phone=0700000001', 'received,phone=+225 0700000001'];
  expect(() => parseMobileMoneyRules(sameNumber)).toThrow('is never used');
  expect(parseMobileMoneyRules(['pending:30s,times=1', 'received'])).toHaveLength(2);
});

test('the public names are those of the store', () => {
  expectTypeOf<PaymentEnd>().toEqualTypeOf<StoredEnd>();
  expectTypeOf<PaymentStatus>().toEqualTypeOf<StoredStatus>();
});

test.each([
  ['0700000001', '+2250700000001', true],
  ['+2250700000001', '0700000001', true],
  ['+225 07 00 00 00 01', '2250700000001', true],
  ['0700000001', '+2250700000002', false],
  // Not a country code: nothing in front of the number says that it is the end of the other.
  ['700000001', '+2250700000001', false],
  ['0700000001', '+12345670700000001', false],
])('a rule with phone=%s and a payment from %s: %s', (phone, paid, fits) => {
  expect(takes(parseMobileMoney(`pending,phone=${phone}`), { phone: paid, amount: '5', provider: 'mtn_momo' })).toBe(fits);
});
