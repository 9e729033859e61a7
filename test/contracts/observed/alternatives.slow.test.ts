import { testAlternatives } from './alternative-tests.ts';
import { sendTo } from './making.ts';
import { makeCalls, type Partner } from './partner-suite.ts';

/** What the partner has to send otherwise. */
const changes: Readonly<Record<string, Partial<Partner>>> = {
  'pos.providers=short-names': { provider: 'orange' },
  'pos.providers=other-country': { provider: 'wave' },
  'pos.token-transport=own-header': { tokenHeader: 'x-api-token' },
};

testAlternatives('pos', {
  makeCalls(url, { credentials: { apiKey, apiSecret } }, assumed) {
    const own = { store: 'STORE-ABJ-01', product: 'PRD-0001', price: 4500, provider: 'orange_money' };
    return makeCalls({
      send: sendTo(url),
      apiKey,
      apiSecret,
      ...own,
      ...Object.assign({}, ...assumed.map((one) => changes[one])),
    });
  },
  unseen: [
    // No amount says in which unit it is.
    'pos.currency=smallest-unit',
    // The partner stays within its limit: recognisers.test.ts has those of one that does not.
    'pos.limit-exceeded',
    // It makes too few attempts to obtain a token for the limit on them.
    'pos.token-guard',
  ],
});
