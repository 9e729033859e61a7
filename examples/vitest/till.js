// The client under test: a till that sells, and retries failed calls.
import { randomUUID } from 'node:crypto';

export async function openTill(url, { apiKey, apiSecret }) {
  const post = async (path, body, headers = {}) => {
    const reply = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: reply.status, body: await reply.json() };
  };
  const { body: signedIn } = await post('/api/auth', { api_key: apiKey, api_secret: apiSecret });
  const authorization = `Bearer ${signedIn.token}`;

  return {
    async sell(store, items) {
      const total = items.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
      const sale = { store_id: store, items, payment_method: 'cash', customer_phone: '+2250701020304', total };
      // All attempts send the same key, so the API answers a repeated sale with the first one.
      const headers = { authorization, 'idempotency-key': randomUUID() };
      for (let attempt = 1; attempt <= 3; attempt++) {
        const { status, body } = await post('/api/v1/sales', sale, headers);
        if (status === 201) return body.data;
        if (status < 500) throw new Error(body.error.message);
      }
      throw new Error('The sale failed after all attempts.');
    },
  };
}
