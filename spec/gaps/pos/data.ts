import { client, owner, section, unplayed, untestable } from '../gap.ts';
import { ignoresUnknownFields, valuesIn } from '../is/both.ts';
import {
  all,
  brokenQuantities,
  computedTotal,
  furtherMethods,
  idAsReference,
  mergedLines,
  methodByOperator,
  methods,
  notE164,
  optionalReference,
  payments,
  phoneWithMobileMoney,
  providers,
  repeatedProducts,
  sales,
  smallestUnit,
} from '../is/pos.ts';
import { everywhere } from '../is/values.ts';
import { refuses } from '../is/wrong.ts';

const bothBodies = 'Which fields are required or optional, in both request bodies: not shown.';
const states = 'States of a sale or of a payment, and the moves between them: not shown.';

/** Point of sale: fields and states of records (sections 2 and 3). */
export const posData = [
  ...section('pos', '2. Resources and their fields', {
    'pos.sale-fields-required': {
      quote: bothBodies,
      question: 'Which fields of a sale are required?',
      choice: 'store_id, items (1 to 200), payment_method and total, and every field of an item.',
      why: 'A sale without store, lines, means of payment or total cannot be booked; at a till the telephone number is often not asked for.',
      alternatives: [
        client('phone-with-mobile-money', 'customer_phone is required for mobile-money sales.', {
          is: refuses(400, sales, phoneWithMobileMoney),
        }),
        client('total-optional', 'total is optional and computed from the lines.', { is: computedTotal }),
      ],
      untestable: untestable.asked,
      severalAtOnce: true,
    },
    'pos.payment-fields-required': {
      quote: bothBodies,
      question: 'Which fields of a mobile payment are required?',
      choice: 'amount, phone, provider and reference are all required.',
      why: 'An operator cannot charge without payer and amount, and a payment without a sale could never be settled.',
      alternatives: [
        client('reference-optional', 'reference is optional, for payments without a sale.', {
          is: optionalReference,
          notPlayed: unplayed.stored,
        }),
        client('phone-optional', 'phone defaults to the customer_phone of the sale.', {
          notPlayed: 'A client that sends the telephone number, as the reference wants it, gets the same reply.',
        }),
      ],
      untestable: untestable.asked,
      severalAtOnce: true,
    },
    'pos.payment-methods': {
      quote: 'Allowed values of payment_method: not shown.',
      question: 'Which values may payment_method have?',
      choice: 'cash, card and mobile_money.',
      why: 'The sample uses a mobile-money method; cash and card are the other means that a till takes everywhere.',
      alternatives: [
        owner('one-per-operator', 'One value for each mobile-money operator, such as orange_money.', {
          is: [methodByOperator, methods('cash', 'card', 'orange_money', 'mtn_momo', 'moov_money')],
          notPlayed: 'A sale is paid later, so its event and the reports could not tell which operator was meant.',
        }),
        client('further', 'Further values: cheque, bank_transfer, credit.', {
          is: methods('cash', 'card', 'mobile_money', ...furtherMethods),
        }),
      ],
      untestable: untestable.asked,
      severalAtOnce: true,
    },
    'pos.providers': {
      quote: 'Allowed provider identifiers: not shown.',
      question: 'What are the three mobile-money operators called?',
      choice: 'orange_money, mtn_momo and moov_money.',
      why: 'They are the three widest spread operators of the region of the fixtures (Côte d’Ivoire).',
      alternatives: [
        owner('short-names', 'Short names: orange, mtn, moov.', {
          requestsDiffer: true,
          is: providers({ orange: 'orange_money', mtn: 'mtn_momo', moov: 'moov_money' }),
        }),
        owner('other-country', 'Another country’s operators, such as wave or airtel_money.', {
          requestsDiffer: true,
          is: providers({ wave: 'orange_money', airtel_money: 'mtn_momo', tigo_cash: 'moov_money' }),
        }),
      ],
      untestable: untestable.asked,
    },
    'pos.currency': {
      quote: 'Currency and unit of price, total and amount: not shown.',
      question: 'In which currency and unit are price, total and amount?',
      choice:
        'Decimal numbers in whole units of the store’s currency (XOF in the fixtures), computed without binary rounding errors.',
      why: 'The document calls them numbers, not integers; a store sells in one currency, and no field names another.',
      alternatives: [
        owner('smallest-unit', 'Integers in the smallest unit (cents).', { requestsDiffer: true, is: smallestUnit }),
        owner('one-fixed', 'One fixed currency for the whole service.', {
          is: valuesIn(
            all,
            everywhere(['currency'], () => undefined),
          ),
        }),
      ],
      untestable: untestable.asked,
    },
    'pos.amount-bounds': {
      question: 'Which prices, quantities, totals and amounts are refused?',
      choice:
        'price is 0 or more, quantity and amount more than 0, total 0 or more; each at most 1e12. At most 6 digits after the point in price and quantity, 12 in total and amount (a product of the two).',
      why: 'Goods may be given away and weighed goods have fractions; beyond these bounds sums would no longer be exact as JSON numbers.',
      alternatives: [
        owner('whole-quantities', 'Whole quantities only.', { is: refuses(400, sales, brokenQuantities) }),
        client('negative-quantities', 'Negative quantities for goods returned.', {
          notPlayed: 'What returned goods do to stock, totals and reports would be a guess.',
        }),
      ],
      untestable: untestable.asked,
      severalAtOnce: true,
    },
    'pos.sale-total': {
      question: 'Must total equal the sum of the lines?',
      choice:
        'Yes, exactly: quantity x price summed over all lines. A sale with another total is refused with 400, and the message names both.',
      why: 'Reports add up lines and totals; a silent difference (a discount, a rounding) could never be explained afterwards.',
      alternatives: [
        client('discount', 'total may be lower, the difference being a discount.'),
        client('trusted', 'total is trusted as sent.'),
      ],
      notPlayed: unplayed.stored,
    },
    'pos.repeated-products': {
      question: 'May one product stand on several lines of a sale?',
      choice: 'Yes; the lines are kept apart, and stock is taken for their sum.',
      why: 'A till scans the same article twice, perhaps at two prices.',
      alternatives: [
        client('merged', 'Lines of one product at one price are merged.', { is: mergedLines }),
        client('refused', 'A repeated product is refused.', { is: refuses(400, sales, repeatedProducts) }),
      ],
    },
    'pos.item-price': {
      question: 'Must the price of a line be the price in the catalogue?',
      choice: 'No: the price sent is the price sold at, and it is what the sale keeps and the report sums.',
      why: 'Prices are sent with each line, which makes sense only if they may differ (promotion, haggling).',
      alternatives: [client('catalogue-only', 'A price that differs from the catalogue is refused.')],
      notPlayed: unplayed.records,
      untestable: 'It depends on the catalogue, which the reply to a sale does not show.',
    },
    'pos.phone-format': {
      question: 'How are telephone numbers written?',
      choice: 'An optional +, then 8 to 15 digits; spaces, points and hyphens between them are allowed.',
      why: 'E.164 allows 15 digits; local numbers of the region have 8 or 10.',
      alternatives: [
        client('e164-only', 'E.164 only, with + and country code.', {
          is: [refuses(400, sales, notE164('customer_phone')), refuses(400, payments, notE164('phone'))],
        }),
      ],
      untestable: untestable.asked,
    },
    'pos.payment-reference': {
      question: 'Which value of a sale is the reference of its payment?',
      choice: 'The reference in the reply to POST /sales, such as S-20261121-7K3M9Q; the sale’s id is accepted too.',
      why: 'The request of a sale has no reference of its own, so the service must give one.',
      alternatives: [
        owner('made-by-client', 'A reference that the client makes up.', {
          notPlayed: 'The request of a sale has no reference, so the service could not tell which sale a payment is for.',
        }),
        owner('sale-id', 'The sale’s id only.', { requestsDiffer: true, is: idAsReference }),
      ],
      untestable: untestable.asked,
    },
    'pos.strict-bodies': {
      question: 'May a body carry fields that the document does not show?',
      choice: 'No: 400, naming the field.',
      why: 'A misspelt optional field (custommer_phone) would otherwise be lost in silence; a test harness should find it.',
      alternatives: [client('ignored', 'Surplus fields are ignored.', { is: ignoresUnknownFields })],
    },
  }),
  ...section('pos', '3. States and transitions', {
    'pos.sale-states': {
      quote: states,
      question: 'Which states does a sale have, and what moves it?',
      choice:
        'pending and completed. Cash and card complete at once; a mobile-money sale is pending until its payments reach its total. A sale of total 0 completes at once.',
      why: 'There is an event sale.completed, so a sale can be incomplete, and an operation that pays a sale already made.',
      alternatives: [
        client('further', 'Further states: cancelled, refunded, failed.'),
        client('completed-at-once', 'Every sale completes at once; payments are separate.'),
      ],
      notPlayed: unplayed.stored,
      untestable: 'No operation reads a sale again, so another state never shows.',
    },
    'pos.payment-states': {
      quote: states,
      question: 'Which states does a payment have?',
      choice:
        'received, at once: the reply to POST /payment/mobile already says it. A stub plays the alternative if it is told to (--mobile-money): pending, then received, refused or timed_out. Then the reply is 201 with pending, payment.received tells that it was received, and nothing tells the other ends: the sale can be paid again.',
      why: 'Operators confirm seconds later in reality, so this is the least likely of our choices. It is kept because the only event of a payment is payment.received and no operation reads a payment: under “pending” a client could never learn of a refusal. Use --mobile-money to test the other case.',
      alternatives: [
        client('pending', 'pending until the payer confirms on the telephone, then received or failed.', {
          is: { at: 'values', paymentsArePending: true },
        }),
      ],
    },
    'pos.partial-payments': {
      question: 'May a sale be paid in parts, and what is too much?',
      choice:
        'Parts are allowed. An amount over what remains is refused with 400, saying what remains; so is a payment of a sale that is completed or is not a mobile-money sale.',
      why: 'Mobile-money accounts have ceilings, so payers split; money over the total would belong to nobody.',
      alternatives: [
        owner('exact-amount', 'The amount must equal the total.'),
        client('change-kept', 'An overpayment is kept as change.'),
      ],
      notPlayed: unplayed.records,
    },
    'pos.stock-at-creation': {
      question: 'When does a sale take its goods from stock?',
      choice: 'When it is created, also while a mobile payment is awaited.',
      why: 'The goods lie on the counter; two tills must not sell the last one twice.',
      alternatives: [
        client('at-completion', 'At completion.', { notPlayed: unplayed.stored }),
        client('reserved', 'Reserved at creation, released after a time without payment.', {
          notPlayed: 'To a client the release is a change of stock like any other, at a time that no document shows.',
        }),
      ],
      untestable: 'It shows in the stock between a sale and its payment.',
    },
    'pos.insufficient-stock': {
      question: 'What if there is too little stock?',
      choice: 'The whole sale is refused with 400 (insufficient_stock), saying how much is available; nothing is stored.',
      why: 'The inventory that the service shows would otherwise become negative.',
      alternatives: [
        client('negative-stock', 'The sale is accepted and stock becomes negative.', { notPlayed: unplayed.stored }),
        client('part-sold', 'Only the lines in stock are sold.', {
          notPlayed: 'How the reply tells the client which lines were not sold would be a guess.',
        }),
      ],
      untestable: unplayed.stored,
    },
    'pos.back-office': {
      question: 'How do stores, products, accounts and synchronizations come about?',
      choice: 'Through the manage API (/manage/v1/pos), by an operator.',
      why: 'The document shows no operation for them, yet inventory.low and sync.completed must come from real changes.',
      alternatives: [owner('in-this-api', 'Operations of this API that the document does not show.')],
      notPlayed: 'No client can call operations whose paths and bodies no document shows.',
    },
  }),
];
