import { ask } from './api.js';
import { block, button, byId, el, fill, keyedList, say, time } from './dom.js';

/** @typedef {{ id: string, reference: string, amount: number, phone: string, provider: string, status: string, created_at: string, settles_at: string | null, settles_as: string | null, settled_at: string | null }} Payment */

/** How a pending payment can end, with what a person says of it. */
const ends = { received: 'Received', refused: 'Refused', timed_out: 'Timed out' };

/** @param {string} status */
const spoken = (status) => status.replace('_', ' ');

/**
 * The mobile-money payments, newest first, with buttons that end the pending ones.
 * @param {{ refresh: () => Promise<void> }} parts
 */
export function paymentsView({ refresh }) {
  const list = keyedList({
    label: 'Payments, newest first',
    key: (/** @type {Payment} */ { id }) => id,
    create: () => paymentItem(refresh),
    empty: () => el('p', { className: 'empty' }, 'No payments yet. POST /api/v1/payment/mobile makes one.'),
  });
  const rules = el('div', {});
  byId('part-payments').append(list.node);
  byId('part-money').append(rules);
  /** @type {string | undefined} */
  let shown;
  return {
    /** @param {string[]} now */
    show(now) {
      if (shown === now.join('\n')) return;
      shown = now.join('\n');
      fill(rules, ...rulesOf(now));
    },
    async refresh() {
      /** @type {Payment[]} */
      const payments = await ask('GET', '/payments');
      list.show(payments.toReversed());
    },
  };
}

/** @param {string[]} rules */
function rulesOf(rules) {
  if (rules.length > 0)
    return [
      el('p', {}, 'The first rule that fits a payment decides; a payment that none fits is received at once.'),
      el('ul', { className: 'rules' }, ...rules.map((rule) => el('li', {}, el('code', {}, rule)))),
      el('p', { className: 'hint' }, 'A pending payment with a duration ends by itself. Advance the clock to see it end now.'),
    ];
  return [
    el('p', {}, 'This stub has no rule: each payment is received at once. Start it with a rule to have pending payments:'),
    block('A rule for mobile money', "passerelle stub pos --mobile-money 'pending:30s,refused'"),
  ];
}

/** @param {() => Promise<void>} refresh */
function paymentItem(refresh) {
  const node = el('li', { className: 'payment' });
  return {
    node,
    /** @param {Payment} payment */
    update({ id, reference, amount, phone, provider, status, created_at, settles_at, settles_as, settled_at }) {
      const settle = async (/** @type {string} */ as) => {
        await ask('POST', `/payments/${encodeURIComponent(id)}/settle`, { as });
        say(`The payment ${id} is ${spoken(as)}.`);
        return refresh();
      };
      fill(
        node,
        el('span', { className: 'when' }, time(created_at)),
        el('span', { className: `badge ${status}` }, spoken(status)),
        el('span', { className: 'what' }, el('b', {}, String(amount)), ` from ${phone}, ${provider.replace('_', ' ')}`),
        el('span', { className: 'name' }, `sale ${reference}`),
        settles_at !== null && el('span', { className: 'name' }, `will be ${spoken(settles_as ?? '')} at `, time(settles_at)),
        settled_at !== null && el('span', { className: 'name' }, `${spoken(status)} at `, time(settled_at)),
        status === 'pending' &&
          el(
            'span',
            { className: 'buttons' },
            ...Object.entries(ends).map(([as, label]) =>
              button(label, () => settle(as), { className: 'small', 'aria-label': `${label}: ${id}` }),
            ),
          ),
      );
    },
  };
}
