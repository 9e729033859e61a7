// Asks which choices of the stub a client depends on. Run with NODE_OPTIONS=--experimental-vm-modules.
import { expect, test } from '@jest/globals';
import { probe } from 'passerelle';

// The choices that this example asks about. Without `only`, the probe asks about all that the client meets.
const only = ['pos.sale-status', 'pos.sale-response', 'harmless.extra-fields'];

/** A client that sells one article. `isSuccess` says which statuses it takes for a success. */
const selling =
  (isSuccess) =>
  async ({ env }) => {
    const send = (path, body, headers) =>
      fetch(env.PASSERELLE_POS_URL + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const credentials = { api_key: env.PASSERELLE_POS_API_KEY, api_secret: env.PASSERELLE_POS_API_SECRET };
    const { token } = await (await send('/api/auth', credentials)).json();
    const items = [{ product_id: 'PRD-0001', quantity: 1, price: 4500 }];
    const sale = { store_id: 'STORE-ABJ-01', items, payment_method: 'cash', total: 4500 };
    const reply = await send('/api/v1/sales', sale, { authorization: `Bearer ${token}` });
    if (!isSuccess(reply.status)) throw new Error(`The sale was answered with ${reply.status}.`);
  };

test('a client that takes only 201 for a success depends on the status of a sale', async () => {
  const { dependencies } = await probe({ apis: 'pos', only, assumptions: false, run: selling((status) => status === 201) });
  expect(dependencies.flatMap(({ alternatives }) => alternatives.map(({ id }) => id))).toEqual(['pos.sale-status=200']);
}, 60_000);

test('a client that takes every 2xx for a success depends on nothing', async () => {
  const careful = selling((status) => status >= 200 && status < 300);
  const { open, text } = await probe({ apis: 'pos', only, assumptions: false, run: careful });
  expect({ open, text }).toMatchObject({ open: [] });
}, 60_000);
