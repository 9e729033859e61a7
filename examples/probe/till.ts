// The calls of a till, as its authors would write them for any service.

const root = process.env.PASSERELLE_POS_URL ?? 'http://127.0.0.1:4010';
const credentials = { api_key: process.env.PASSERELLE_POS_API_KEY, api_secret: process.env.PASSERELLE_POS_API_SECRET };

// biome-ignore lint/suspicious/noExplicitAny: the documents show no bodies, so the tests look into what comes.
export type Reply = { status: number; body: any };

export const sale = {
  store_id: 'STORE-ABJ-01',
  items: [{ product_id: 'PRD-0001', quantity: 1, price: 4500 }],
  payment_method: 'cash',
  total: 4500,
};

/** Makes a call. The document does not show how a token is sent; its type is Bearer, so it goes in Authorization. */
export async function call(
  method: string,
  path: string,
  { token, body }: { token?: string; body?: object } = {},
): Promise<Reply> {
  const reply = await fetch(`${root}${path}`, {
    method,
    headers: {
      accept: 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: reply.status, body: JSON.parse((await reply.text()) || 'null') };
}

export async function signIn(): Promise<string> {
  const { body } = await call('POST', '/api/auth', { body: credentials });
  return body.token;
}
